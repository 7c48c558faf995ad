import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import type { DemoClient } from './demo-client.ts'
import type { DemoPerson } from './people.registry.ts'
import { PHONE_DAYS } from './phone-data.ts'

const CUFF = 'omron_ble'
/** Source of data that the team itself sends. */
const OWN = 'manual'

/** Varies over days, the same at each call. */
const swing = (day: number, speed: number): number => Math.sin(day / speed) + Math.sin(day * 2.3)

const sampleOf = (instant: number, value: number, unit: string) => {
  const time = new Date(instant).toISOString()
  return { value, unit, start_date: time, end_date: time, type: 'cuff' }
}

/**
 * Uploads measurements of a blood pressure cuff at home from every other morning of the last
 * months.
 */
export async function uploadBloodPressure(
  client: DemoClient,
  userId: string,
  { bloodPressure, time_zone }: DemoPerson,
  now: number,
): Promise<void> {
  if (bloodPressure === undefined) return
  const [systolic, diastolic] = bloodPressure
  const today = Math.floor(now / DAY_MS)
  const data = Array.from({ length: PHONE_DAYS / 2 }, (_, index) => {
    const day = today - 2 * index - 1
    const instant = day * DAY_MS + 13.4 * HOUR_MS + (day % 7) * 240_000
    return {
      systolic: sampleOf(instant, Math.round(systolic + 4 * swing(day, 9)), 'mmHg'),
      diastolic: sampleOf(instant, Math.round(diastolic + 3 * swing(day, 11)), 'mmHg'),
      pulse: null,
    }
  })
  await send(client, userId, { provider: CUFF, resource: 'blood_pressure', time_zone, data })
}

/**
 * Sends weights that cannot be stored: one with an unknown unit, and one with an impossible value.
 */
export async function uploadUnreadable(
  client: DemoClient,
  userId: string,
  { time_zone }: DemoPerson,
  now: number,
): Promise<void> {
  const data = [
    { ...sampleOf(now - 3 * DAY_MS, 13.2, 'stone'), type: 'scale' },
    { ...sampleOf(now - 2 * DAY_MS, -1, 'kg'), type: 'scale' },
    { ...sampleOf(now - DAY_MS, 84.1, 'kg'), type: 'scale' },
  ]
  await send(client, userId, { provider: OWN, resource: 'body_weight', time_zone, data })
}

async function send(
  client: DemoClient,
  userId: string,
  upload: { provider: string; resource: string; time_zone: string; data: object[] },
): Promise<void> {
  const { resource, ...body } = upload
  await client.callTeamApi('POST', `/v2/link/provider/manual/${body.provider}`, { user_id: userId })
  await client.callTeamApi('POST', `/v2/timeseries/${userId}/${resource}`, {
    stage: 'daily',
    ...body,
  })
}
