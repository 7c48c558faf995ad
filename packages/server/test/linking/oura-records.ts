import assert from 'node:assert/strict'
import { DAY_MS, DAY_SECONDS } from '@salus/contracts/time-units'
import type { Linking } from './linking-fixture.ts'

/** Who is compared: the server, and the vendors that it asks. */
export type Asked = Pick<Linking, 'call' | 'emulator' | 'now'>

/**
 * What the emulated Oura has of a user, and what Salus has, in one form that is neither's: a line
 * of text for each record. How one follows from the other is written here once more, from what the
 * vendor's documentation and the contract say, and not from the connector.
 */
export type Records = Record<string, string[]>

const at = (text: unknown): string => new Date(String(text)).toISOString()
const noonOf = (day: unknown): string => `${day}T12:00:00.000Z`

/** Seconds that a date-time of the vendor says to be ahead of UTC. */
function offsetOf(text: unknown): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(String(text)) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60)
}

const line = (...parts: unknown[]): string => parts.map(String).join(' | ')

interface Recording {
  interval: number
  timestamp: string
  items: (number | null)[]
}

// biome-ignore lint/suspicious/noExplicitAny: records of a vendor have every shape
type VendorRecord = any

/**
 * What should be there of an account whose history was requested from a time on: records of days
 * from the day before, which may be the same one elsewhere on Earth.
 */
export function expectedRecords({ emulator, now }: Asked, account: string, from: number): Records {
  const span = { from: from - 3 * DAY_MS, to: now() + DAY_MS }
  const truth = emulator.truthOf('oura', account, span) as Record<string, VendorRecord[]>
  const firstDay = new Date(from - DAY_MS).toISOString().slice(0, 10)
  const of = (collection: string): VendorRecord[] =>
    (truth[collection] ?? []).filter(({ day }) => day >= firstDay)
  const sleeps = of('sleep').filter(({ type }) => type !== 'deleted' && type !== 'rest')
  const readiness = new Map(of('daily_readiness').map((record) => [record.day, record]))
  const deltaOf = (sleep: VendorRecord): number | null | undefined =>
    (sleep.readiness ?? (sleep.type === 'long_sleep' ? readiness.get(sleep.day) : undefined))
      ?.temperature_deviation
  const middleOf = ({ bedtime_start, bedtime_end }: VendorRecord): string =>
    new Date((Date.parse(bedtime_start) + Date.parse(bedtime_end)) / 2).toISOString()
  return {
    heartrate: (truth.heartrate ?? [])
      .filter(({ timestamp }) => Date.parse(timestamp) >= from)
      .map(({ timestamp, bpm }) => line(at(timestamp), bpm)),
    hrv: sleeps.flatMap(({ hrv }) => pointsOf(hrv)),
    respiratory_rate: sleeps
      .filter(({ average_breath }) => average_breath)
      .map((sleep) => line(middleOf(sleep), sleep.average_breath)),
    body_temperature_delta: sleeps
      .filter((sleep) => typeof deltaOf(sleep) === 'number')
      .map((sleep) => line(at(sleep.bedtime_start), deltaOf(sleep))),
    blood_oxygen: of('daily_spo2')
      .filter(({ spo2_percentage }) => spo2_percentage?.average)
      .map(({ day, spo2_percentage }) => line(noonOf(day), spo2_percentage.average)),
    stress_level: of('daily_stress')
      .filter(({ stress_high }) => stress_high !== null)
      .map(({ day, stress_high }) =>
        line(noonOf(day), ((100 * stress_high) / DAY_SECONDS).toFixed(6)),
      ),
    vo2_max: of('vO2_max').map(({ timestamp, vo2_max }) => line(at(timestamp), vo2_max)),
    sleep: sleeps.map((sleep) =>
      line(
        sleep.day,
        at(sleep.bedtime_start),
        at(sleep.bedtime_end),
        offsetOf(sleep.bedtime_end),
        sleep.total_sleep_duration,
        sleep.deep_sleep_duration,
      ),
    ),
    sleep_cycle: sleeps.map((sleep) => line(at(sleep.bedtime_start), at(sleep.bedtime_end))),
    activity: of('daily_activity').map((record) =>
      line(record.day, offsetOf(record.timestamp), record.steps, record.total_calories),
    ),
    workouts: of('workout').map((record) =>
      line(at(record.start_datetime), at(record.end_datetime), offsetOf(record.start_datetime)),
    ),
  }
}

function pointsOf(recording: Recording | null): string[] {
  const { interval = 0, timestamp = '', items = [] } = recording ?? {}
  const start = Date.parse(timestamp)
  return items.flatMap((value, index) =>
    value === null ? [] : [line(new Date(start + index * interval * 1000).toISOString(), value)],
  )
}

const SERIES = [
  ...['heartrate', 'hrv', 'respiratory_rate', 'body_temperature_delta', 'blood_oxygen'],
  ...['stress_level', 'vo2_max'],
]

type Body = VendorRecord

const SUMMARIES: Record<string, (record: Body) => string> = {
  sleep: (sleep) =>
    line(
      sleep.calendar_date,
      at(sleep.bedtime_start),
      at(sleep.bedtime_stop),
      sleep.timezone_offset,
      sleep.total,
      sleep.deep,
    ),
  sleep_cycle: ({ session_start, session_end }) => line(at(session_start), at(session_end)),
  activity: ({ calendar_date, timezone_offset, steps, calories_total }) =>
    line(calendar_date, timezone_offset, steps, calories_total),
  workouts: ({ time_start, time_end, timezone_offset }) =>
    line(at(time_start), at(time_end), timezone_offset),
}

/** The line of a sample as the API, or an event, shows it. */
export const sampleLine = (series: string, { start, value }: Body): string =>
  line(at(start), series === 'stress_level' ? value.toFixed(6) : value)

/** The line of a summary as the API, or an event, shows it. */
export const summaryLine = (resource: string, record: Body): string =>
  (SUMMARIES[resource] ?? String)(record)

export const isSeries = (resource: string): boolean => SERIES.includes(resource)

/** All data of a user in the API from a time on. */
export async function readRecords(linking: Asked, userId: string, from: number): Promise<Records> {
  const records: Records = {}
  const start = new Date(from - 3 * DAY_MS).toISOString().slice(0, 10)
  const end = new Date(linking.now() + DAY_MS).toISOString().slice(0, 10)
  const range = `start_date=${start}&end_date=${end}`
  for (const series of SERIES) records[series] = await readSeries(linking, userId, series, range)
  for (const resource of Object.keys(SUMMARIES)) {
    const { status, body, text } = await linking.call(
      'GET',
      `/v2/summary/${resource}/${userId}?${range}`,
    )
    assert.equal(status, 200, text)
    const ids = body[resource].map(({ id }: { id: string }) => id)
    assert.equal(new Set(ids).size, ids.length, `ids of ${resource} are unique`)
    records[resource] = body[resource].map((record: Body) => summaryLine(resource, record))
  }
  return records
}

async function readSeries(
  { call }: Asked,
  userId: string,
  series: string,
  range: string,
): Promise<string[]> {
  const lines: string[] = []
  for (let cursor = ''; ; ) {
    const path = `/v2/timeseries/${userId}/${series}/grouped?${range}${cursor}`
    const { status, body, text } = await call('GET', path)
    assert.equal(status, 200, text)
    for (const { data } of body.groups.oura ?? []) {
      for (const sample of data) lines.push(sampleLine(series, sample))
    }
    if (body.next_cursor === null) return lines
    cursor = `&next_cursor=${body.next_cursor}`
  }
}

/** Fails unless there is exactly what there should be, each once. */
export function assertSameRecords(actual: Records, expected: Records): void {
  for (const [resource, lines] of Object.entries(expected)) {
    const found = (actual[resource] ?? []).toSorted()
    const wanted = lines.toSorted()
    const owed = new Set(wanted)
    const extra = found.filter((one, index) => one === found[index - 1] || !owed.has(one))
    const known = new Set(found)
    const missing = wanted.filter((one) => !known.has(one))
    const first = { extra: extra.slice(0, 3), missing: missing.slice(0, 3) }
    assert.deepEqual(
      { count: found.length, ...first },
      { count: wanted.length, extra: [], missing: [] },
      resource,
    )
  }
}

/**
 * Fails unless Salus has exactly what the vendor has of an account from a time on.
 * @returns how many, by resource
 */
export async function assertComplete(
  linking: Asked,
  userId: string,
  account: string,
  from: number,
): Promise<Record<string, number>> {
  const expected = expectedRecords(linking, account, from)
  assertSameRecords(await readRecords(linking, userId, from), expected)
  return Object.fromEntries(Object.entries(expected).map(([name, lines]) => [name, lines.length]))
}
