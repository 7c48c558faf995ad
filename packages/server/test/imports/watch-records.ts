import type { Harness } from '../harness.ts'
import { stepRecord } from './import-client.ts'
import { summariesOf } from './stored-summaries.ts'

export const NAME = 'Ada’s Apple Watch'
export const DEVICE =
  '&lt;&lt;HKDevice: 0x1&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,1&gt;'
const NIGHT = '2024-03-01 01:00:00 +0000'
const MORNING = '2024-03-01 06:00:00 +0000'

/** Sleep as iOS 16 and 17 write it: without a device. */
export const sleepRecord = (sourceName: string, value = 'AsleepDeep') =>
  stepRecord(0, {
    type: 'HKCategoryTypeIdentifierSleepAnalysis',
    value: `HKCategoryValueSleepAnalysis${value}`,
    unit: '',
    sourceName,
    startDate: NIGHT,
    endDate: MORNING,
  })
export const heartRate = (sourceName: string, device = DEVICE) =>
  stepRecord(0, {
    type: 'HKQuantityTypeIdentifierHeartRate',
    unit: 'count/min',
    value: '60',
    sourceName,
    device,
  })
export const workout = (sourceName: string) =>
  `<Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" durationUnit="min"
    sourceName="${sourceName}" startDate="2024-03-01 10:00:00 +0000"
    endDate="2024-03-01 10:30:00 +0000"/>`

/** How many samples, sleeps and workouts a person has. */
export async function totals(salus: Harness, userId: string): Promise<number[]> {
  const [{ samples } = { samples: 0 }] = await salus.clickhouse.queryRows<{ samples: number }>(
    'select count() as samples from samples final where user_id = {userId:UUID}',
    { userId },
  )
  const [sleeps, workouts] = await Promise.all([
    summariesOf(salus, userId, 'sleep'),
    summariesOf(salus, userId, 'workouts'),
  ])
  return [samples, sleeps.length, workouts.length]
}
