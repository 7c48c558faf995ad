import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { dateAtOffset, parseInstant } from '@salus/kernel/time/instants'
import type { PageRequest } from '../connector.ts'
import type { PageData } from '../page-data.ts'
import { isFields, type VendorInstant } from '../vendor-records.ts'
import { sportOf } from '../whoop-sports.ts'
import { type Fields, recordsOf } from './whoop-pages.ts'

type Resource = 'activity' | 'sleep' | 'workouts'

/** Common parts of the vendor's records. */
interface WhoopRecord {
  fields: Fields
  frame: {
    recordId: string
    start: VendorInstant
    end?: VendorInstant
    sourceType: 'watch'
    modifiedAt?: number
    raw: unknown
  }
  /** The vendor's measurements; empty for a record that it did not score. */
  score: Fields
  isPending: boolean
}

const KILOJOULES_A_KILOCALORIE = 4.184
const WEEK_MS = 7 * DAY_MS
const OFFSET = /^([+-])(\d{2}):?(\d{2})$/
/** Scores are whole in practice, and numbers with a fraction in the schema. */
const WHOLE_SCORE = [0, 100] as const

/**
 * A cycle lasts from one sleep to the next, and belongs to the local day on which its greater part
 * begins (docs/decisions/0067-the-day-of-a-whoop-cycle.md).
 */
export const dayOfCycle = ({ at, offset }: VendorInstant): string =>
  dateAtOffset(at + 12 * HOUR_MS, offset ?? 0)

/** Maps cycles to days. The cycle of today has no end and grows. */
export function mapCycles(answer: unknown, data: PageData): void {
  forEachRecord(answer, data, 'activity', ({ fields, frame, score }) => {
    const reader = data.read('activity', score)
    if (reader === undefined || Object.keys(score).length === 0) return
    const values = {
      calories_total: toKilocalories(reader.number('kilojoule')),
      heart_rate_mean: reader.measured('average_heart_rate', 350),
      heart_rate_maximum: reader.measured('max_heart_rate', 350),
    }
    const day = data.date('activity', dayOfCycle(frame.start), fields)
    if (day === undefined || !data.isValid('activity', reader, fields)) return
    data.addSummary('activity', { ...frame, calendarDate: day, values })
  })
}

/** Maps nights and naps, each night with its recovery, which is the first detail. */
export function mapSleeps(answer: unknown, data: PageData, details: readonly unknown[]): void {
  const recoveries = readRecoveries(data, details[0])
  forEachRecord(answer, data, 'sleep', ({ fields, frame, score, isPending }) => {
    // Without the time awake a sleep would count as a whole; a message follows the score.
    if (isPending) return
    const { end } = frame
    if (end === undefined) {
      data.quarantine('sleep', 'invalid_end_date', fields)
      return
    }
    const values = sleepValuesOf(data, fields, score)
    if (values === undefined) return
    const recovery = recoveries.get(frame.recordId)
    const modifiedAt = latest(frame.modifiedAt, recovery?.modifiedAt)
    data.addSleep({
      ...frame,
      end,
      values: { ...values, ...recovery?.values },
      ...(modifiedAt !== undefined && { modifiedAt }),
      raw: recovery === undefined ? fields : { ...fields, recovery: recovery.record },
    })
  })
}

function sleepValuesOf(data: PageData, fields: Fields, score: Fields) {
  const { stage_summary: summary } = score
  const stages = data.read('sleep', summary ?? {})
  const reader = data.read('sleep', score)
  if (stages === undefined || reader === undefined) return undefined
  const seconds = (name: string): number | null => {
    const milliseconds = stages.number(`total_${name}_time_milli`, 0, WEEK_MS)
    return milliseconds === null ? null : Math.round(milliseconds / 1000)
  }
  const light = seconds('light_sleep')
  const deep = seconds('slow_wave_sleep')
  const rem = seconds('rem_sleep')
  const isStaged = light !== null && deep !== null && rem !== null
  const values = {
    type: fields.nap === true ? 'acknowledged_nap' : null,
    stage_asleep_second: isStaged ? light + deep + rem : null,
    stage_awake_second: seconds('awake'),
    stage_light_second: light,
    stage_rem_second: rem,
    stage_deep_second: deep,
    stage_unknown_second: seconds('no_data'),
    respiratory_rate: reader.measured('respiratory_rate', 120),
    score: reader.integer('sleep_performance_percentage', ...WHOLE_SCORE),
  }
  const isValid = data.isValid('sleep', stages, fields) && data.isValid('sleep', reader, fields)
  return isValid ? values : undefined
}

/** Returns the scored recoveries by the id of their sleep. */
function readRecoveries(data: PageData, answer: unknown) {
  const records = answer === undefined ? [] : recordsOf(answer)
  const scored = records
    .filter(isFields)
    .flatMap(({ score, ...record }) =>
      isScored(record) && isFields(score) ? [{ ...record, score } as Fields] : [],
    )
  return new Map(
    scored.flatMap((record) => {
      const reader = data.read('sleep', record.score)
      if (reader === undefined) return []
      const values = {
        recovery_readiness_score: reader.integer('recovery_score', ...WHOLE_SCORE),
        heart_rate_resting: reader.heartRate('resting_heart_rate'),
        hrv_mean_rmssd: reader.measured('hrv_rmssd_milli', 1000),
        skin_temperature: reader.measured('skin_temp_celsius', 60),
      }
      if (!data.isValid('sleep', reader, record)) return []
      const modifiedAt = instantOf(record.updated_at)
      return [[String(record.sleep_id), { values, modifiedAt, record }] as const]
    }),
  )
}

/** Maps workouts; one that is not scored has times and a sport. */
export function mapWorkouts(answer: unknown, data: PageData): void {
  forEachRecord(answer, data, 'workouts', ({ fields, frame, score }) => {
    if (frame.end === undefined) {
      data.quarantine('workouts', 'invalid_end_date', fields)
      return
    }
    const reader = data.read('workouts', score)
    // The first version of the interface had the other name.
    const zones = data.read('workouts', score.zone_durations ?? score.zone_duration ?? {})
    if (reader === undefined || zones === undefined) return
    const seconds = (zone: string): number | null => {
      const milliseconds = zones.number(`zone_${zone}_milli`, 0, WEEK_MS)
      return milliseconds === null ? null : milliseconds / 1000
    }
    const values = {
      heart_rate_mean: reader.heartRate('average_heart_rate'),
      heart_rate_maximum: reader.heartRate('max_heart_rate'),
      // Below 50 % of the highest heart rate, 50 to 60 %, …, 90 % and more.
      heart_rate_zone_1: seconds('zero'),
      heart_rate_zone_2: seconds('one'),
      heart_rate_zone_3: seconds('two'),
      heart_rate_zone_4: seconds('three'),
      heart_rate_zone_5: seconds('four'),
      heart_rate_zone_6: seconds('five'),
      distance_meter: reader.number('distance_meter'),
      elevation_gain_meter: reader.number('altitude_gain_meter'),
      calories: toKilocalories(reader.number('kilojoule')),
    }
    const readers = [reader, zones]
    if (!readers.every((each) => data.isValid('workouts', each, fields))) return
    data.addWorkout({ ...frame, sport: sportOf(fields), values })
  })
}

/**
 * Maps the person's height and weight. The vendor dates neither, so a weight stands on the day on
 * which it was seen last, once for each weight.
 */
export function mapBody(
  answer: unknown,
  data: PageData,
  _details: readonly unknown[],
  { range }: PageRequest,
): void {
  const reader = data.read('body', answer)
  if (reader === undefined || !isFields(answer)) return
  const weight = reader.measured('weight_kilogram', 700)
  const height = reader.measured('height_meter', 3)
  if (!data.isValid('body', reader, answer)) return
  const frame = { sourceType: 'app', raw: answer } as const
  if (weight !== null) {
    const at = Math.floor((range.to - 1) / DAY_MS) * DAY_MS
    const start = { at, offset: null }
    const values = { weight_kilogram: weight }
    data.addSummary('body', { ...frame, recordId: `weight ${weight}`, start, values })
  }
  if (height === null) return
  const values = { height_centimeter: Math.round(height * 100) }
  data.addSummary('profile', {
    ...frame,
    recordId: 'profile',
    start: { at: 0, offset: null },
    values,
  })
}

/** Calls back with each record that has an id and times; others are quarantined. */
function forEachRecord(
  answer: unknown,
  data: PageData,
  resource: Resource,
  add: (record: WhoopRecord) => void,
): void {
  for (const item of recordsOf(answer)) {
    if (data.read(resource, item) === undefined || !isFields(item)) continue
    const { id, timezone_offset: place, score } = item
    const offset = offsetOf(place)
    const isNamed = (typeof id === 'string' && id !== '') || Number.isSafeInteger(id)
    if (!isNamed || offset === undefined) {
      data.quarantine(resource, 'invalid_field', item)
      continue
    }
    const start = data.instant(resource, item.start, item)
    if (start === undefined) continue
    const hasEnd = item.end !== undefined && item.end !== null
    const end = hasEnd ? data.instant(resource, item.end, item, 'invalid_end_date') : undefined
    if (hasEnd && end === undefined) continue
    const modifiedAt = instantOf(item.updated_at)
    add({
      fields: item,
      frame: {
        recordId: String(id),
        start: { at: start.at, offset },
        ...(end !== undefined && { end: { at: end.at, offset } }),
        // A strap, as a watch is worn.
        sourceType: 'watch',
        ...(modifiedAt !== undefined && { modifiedAt }),
        raw: item,
      },
      score: isScored(item) && isFields(score) ? score : {},
      isPending: item.score_state === 'PENDING_SCORE',
    })
  }
}

const isScored = ({ score_state: state }: Fields): boolean => state === 'SCORED'

/** @returns seconds, null for an unknown offset, undefined for a text that is none */
function offsetOf(text: unknown): number | null | undefined {
  if (text === undefined || text === null) return null
  if (text === 'Z') return 0
  const [, sign, hours, minutes] = (typeof text === 'string' && OFFSET.exec(text)) || []
  if (sign === undefined || Number(hours) > 18 || Number(minutes) > 59) return undefined
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60)
}

const toKilocalories = (kilojoules: number | null): number | null =>
  kilojoules === null ? null : kilojoules / KILOJOULES_A_KILOCALORIE

const instantOf = (text: unknown): number | undefined =>
  typeof text === 'string' ? parseInstant(text)?.epochMilliseconds : undefined

const latest = (one: number | undefined, other: number | undefined): number | undefined =>
  one !== undefined && other !== undefined ? Math.max(one, other) : (one ?? other)
