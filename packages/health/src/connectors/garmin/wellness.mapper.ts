import { HOUR_MS } from '@salus/contracts/time-units'
import { startOfUtcDay } from '@salus/kernel/time/instants'
import type { PageData } from '../page-data.ts'
import { isFields } from '../vendor-records.ts'
import {
  dayOf,
  forEachSummary,
  offsetOf,
  pointsOf,
  recordsOf,
  type Summary,
  WATCH,
} from './garmin-records.ts'

/** The day on which daylight saving time ends. */
const LONGEST_DAY_SECONDS = 90_000
/** The day on which daylight saving time begins. */
const SHORTEST_DAY_MS = 23 * HOUR_MS
const QUARTER_HOUR_MS = HOUR_MS / 4

/**
 * Maps days, which are sent again while they run, with the heart rates of the day. The longer one
 * of two counts, also when it arrives earlier. Of whole days the later arrival counts.
 */
export function mapDailies(answer: unknown, data: PageData): void {
  const kind = { data, resource: 'activity', times: 'startTime' }
  forEachSummary(recordsOf(answer, ['dailies']), kind, (summary) => {
    const { record, reader, start, end } = summary
    const day = dayOf(data, 'activity', record, start)
    if (day === undefined) return
    const values = dayValues(summary)
    if (!data.isValid('activity', reader, record)) return
    const { timeOffsetHeartRateSamples: rates, ...raw } = record
    const isWhole = end.at - start.at >= SHORTEST_DAY_MS && (end.at - start.at) % HOUR_MS === 0
    data.addSummary('activity', {
      ...WATCH,
      recordId: day,
      calendarDate: day,
      start: { at: startOfUtcDay(day), offset: start.offset },
      values,
      raw,
      ...(!isWhole && { modifiedAt: end.at }),
    })
    addPoints(data, summary, rates, { series: 'heartrate', unit: 'bpm', least: 1 })
  })
}

function dayValues({ reader }: Summary) {
  const active = reader.number('activeKilocalories')
  const basal = reader.number('bmrKilocalories')
  const pushes = reader.integer('pushes')
  const seconds = (name: string) => reader.integer(name, 0, LONGEST_DAY_SECONDS)
  return {
    calories_total: active === null || basal === null ? null : active + basal,
    calories_active: active,
    steps: reader.integer('steps'),
    distance_meter: reader.number('distanceInMeters'),
    floors_climbed: reader.integer('floorsClimbed'),
    duration_active_second: seconds('activeTimeInSeconds'),
    intensity_medium_second: seconds('moderateIntensityDurationInSeconds'),
    intensity_high_second: seconds('vigorousIntensityDurationInSeconds'),
    heart_rate_mean: reader.heartRate('averageHeartRateInBeatsPerMinute'),
    heart_rate_minimum: reader.heartRate('minHeartRateInBeatsPerMinute'),
    heart_rate_maximum: reader.heartRate('maxHeartRateInBeatsPerMinute'),
    heart_rate_resting: reader.heartRate('restingHeartRateInBeatsPerMinute'),
    wheelchair_use: pushes !== null && pushes > 0 ? true : null,
    wheelchair_push: pushes,
  }
}

interface PointSeries {
  series: 'heartrate' | 'stress_level' | 'respiratory_rate' | 'blood_oxygen' | 'hrv'
  unit: string
  /** Lower values stand for none. */
  least: number
}

const OXYGEN: PointSeries = { series: 'blood_oxygen', unit: '%', least: 1 }
const VARIABILITY: PointSeries = { series: 'hrv', unit: 'ms', least: 1 }
const RMSSD = { extra: { method: 'rmssd' } } as const

/** @returns how many values there are */
function addPoints(
  data: PageData,
  summary: Pick<Summary, 'record' | 'start'>,
  values: unknown,
  { series, unit, least }: PointSeries,
): number {
  const points = pointsOf(data, series, summary, values, least)
  const { offset } = summary.start
  const { sourceType } = WATCH
  for (const point of points) {
    const start = { at: point.at, offset }
    const value = point.value as number
    if (series === 'hrv') data.addSample(series, { sourceType, start, value, unit, ...RMSSD })
    else data.addSample(series, { sourceType, start, value, unit })
  }
  return points.length
}

/** Maps summaries with one map of values to points of one series. */
function mapPoints(names: readonly string[], fields: readonly string[], target: PointSeries) {
  return (answer: unknown, data: PageData): void => {
    const kind = { data, resource: target.series, times: 'startTime' }
    forEachSummary(recordsOf(answer, names), kind, (summary) => {
      const { record, reader } = summary
      if (!data.isValid(target.series, reader, record)) return
      const field = fields.find((name) => (record[name] ?? null) !== null)
      if (field !== undefined) addPoints(data, summary, record[field], target)
    })
  }
}

/** Negative levels stand for none: -1 off the wrist, -2 movement, and others. */
export const mapStress = mapPoints(['stressDetails'], ['timeOffsetStressLevelValues'], {
  series: 'stress_level',
  unit: '%',
  least: 0,
})

export const mapRespiration = mapPoints(
  ['allDayRespiration', 'respiration'],
  ['timeOffsetEpochToBreaths', 'timeOffsetRespirationValues'],
  // Negative rates stand for none.
  { series: 'respiratory_rate', unit: 'bpm', least: Number.MIN_VALUE },
)

export const mapPulseOx = mapPoints(['pulseox', 'pulseOx'], ['timeOffsetSpo2Values'], OXYGEN)

/** Maps nights of heart rate variability; of an app without values, their mean in the middle. */
export function mapVariability(answer: unknown, data: PageData): void {
  const kind = { data, resource: 'hrv', times: 'startTime' }
  forEachSummary(recordsOf(answer, ['hrv']), kind, (summary) => {
    const { record, reader, start, end } = summary
    const mean = reader.measured('lastNightAvg', 1000)
    if (!data.isValid('hrv', reader, record)) return
    if (addPoints(data, summary, record.hrvValues, VARIABILITY) > 0 || mean === null) return
    const middle = { at: (start.at + end.at) / 2, offset: start.offset }
    const sample = { ...WATCH, ...RMSSD, start: middle, value: mean, unit: 'ms' }
    data.addSample('hrv', sample, record)
  })
}

const SNAPSHOT_SERIES = new Map<unknown, PointSeries>([
  ['spo2', OXYGEN],
  ['pulse_ox', OXYGEN],
  ['rmssd_hrv', VARIABILITY],
])

/**
 * Maps measurements of two minutes at rest. Their heart rates, stress and respiration are those of
 * the day and not stored twice.
 */
export function mapSnapshots(answer: unknown, data: PageData): void {
  const kind = { data, resource: 'hrv', times: 'startTime' }
  forEachSummary(recordsOf(answer, ['healthSnapshot', 'healthSnapshots']), kind, (summary) => {
    const { record, reader, start } = summary
    const offset = start.offset ?? offsetOf(reader, 'offsetStartTimeInSeconds')
    if (!data.isValid('hrv', reader, record)) return
    const placed = { record, start: { at: start.at, offset } }
    for (const part of Array.isArray(record.summaries) ? record.summaries : []) {
      const target = isFields(part) ? SNAPSHOT_SERIES.get(part.summaryType) : undefined
      if (target === undefined) continue
      const values = part.epochSummaries ?? { 0: part.avgValue ?? null }
      addPoints(data, placed, values, target)
    }
  })
}

type Amount = 'steps' | 'distance' | 'calories_active'
const AMOUNTS = [
  ['steps', 'steps', 'count'],
  ['distance', 'distanceInMeters', 'm'],
  ['calories_active', 'activeKilocalories', 'kcal'],
] as const satisfies readonly (readonly [Amount, string, string])[]

/** Kinds of movement in the order of their instants; one without a kind is the first. */
const KINDS = ['SEDENTARY', 'WALKING', 'RUNNING', 'GENERIC', 'WHEELCHAIR_PUSHING', 'CYCLING']
const OTHER_KINDS = 900

/**
 * Returns the milliseconds after the start of a quarter at which a kind of movement is stored: each
 * has its own, so that they do not replace each other, in whatever messages they come. Answers have
 * whole seconds and hide it.
 */
function instantOf(kind: string): number {
  const index = kind === '' ? 0 : KINDS.indexOf(kind)
  if (index >= 0) return index
  const sum = [...kind].reduce((total, letter) => total * 31 + (letter.codePointAt(0) ?? 0), 0)
  return KINDS.length + (sum % OTHER_KINDS)
}

interface Epoch {
  summary: Summary
  amounts: Partial<Record<Amount, number>>
}

/**
 * Maps quarters of an hour. Each kind of movement in a quarter has a record of its own. Their mean
 * heart rates are not stored, because the days have the rates.
 */
export function mapEpochs(answer: unknown, data: PageData): void {
  // A repeated record replaces the earlier one; those without a kind are added up.
  const byRecord = new Map<string, { at: number; epoch: Epoch }>()
  const kind = { data, resource: 'calories_active', times: 'startTime' }
  forEachSummary(recordsOf(answer, ['epochs']), kind, (summary) => {
    const { record, reader, start } = summary
    const amounts: Epoch['amounts'] = {}
    for (const [series, field] of AMOUNTS) {
      const value = reader.number(field)
      if (value !== null) amounts[series] = value
    }
    if (!data.isValid('calories_active', reader, record)) return
    const kind = typeof record.activityType === 'string' ? record.activityType : ''
    const at = start.at + instantOf(kind)
    byRecord.set(`${at} ${kind || record.summaryId}`, { at, epoch: { summary, amounts } })
  })
  const byInstant = Map.groupBy(byRecord.values(), ({ at }) => at)
  for (const [at, found] of byInstant) {
    addQuarter(
      data,
      at,
      found.map(({ epoch }) => epoch),
    )
  }
}

function addQuarter(data: PageData, at: number, epochs: readonly Epoch[]): void {
  const { offset } = epochs[0]?.summary.start ?? { offset: null }
  const latest = Math.max(...epochs.map(({ summary }) => summary.end.at))
  const end = { at: latest > at ? latest : at + QUARTER_HOUR_MS, offset }
  const records = epochs.map(({ summary }) => summary.record)
  for (const [series, , unit] of AMOUNTS) {
    const amounts = epochs.flatMap((epoch) => epoch.amounts[series] ?? [])
    if (amounts.length === 0) continue
    const value = amounts.reduce((sum, amount) => sum + amount, 0)
    data.addSample(series, { ...WATCH, start: { at, offset }, end, value, unit }, records)
  }
}
