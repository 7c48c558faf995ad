import { startOfUtcDay } from '@salus/kernel/time/instants'
import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import type { DetailRequest, PageRequest } from '../connector.ts'
import type { PageData } from '../page-data.ts'
import { isFields } from '../vendor-records.ts'
import { dailyRollUp, listOf, pointsRequest, SETTINGS } from './google-pages.ts'
import { dateOf, type Fields, fieldsOf, numberOf, scaled, secondsOf, textOf } from './points.ts'

/** Data types whose sums and means make a day, beside steps. */
const ROLLED_UP = [
  'distance',
  'floors',
  'total-calories',
  'active-energy-burned',
  'active-minutes',
  'heart-rate',
]

/** Minutes of activity and levels of activity are two names of the same three intensities. */
const LEVELS = {
  sedentary: ['SEDENTARY'],
  low: ['LIGHTLY_ACTIVE', 'LIGHT'],
  medium: ['MODERATELY_ACTIVE', 'MODERATE'],
  high: ['VERY_ACTIVE', 'VIGOROUS'],
}
/** The day on which daylight saving time ends. */
const LONGEST_DAY_SECONDS = 90_000

/** Returns the requests for the rest of the days of a page. */
export function activityDetails(_answer: unknown, { range, cursor }: PageRequest): DetailRequest[] {
  // The first page has all days that a range may have.
  if (cursor !== null) return []
  const optional = { isOptional: true } as const
  return [
    ...ROLLED_UP.map((type) => ({ ...dailyRollUp(type, range), ...optional })),
    { ...pointsRequest('daily-resting-heart-rate', 'daily', 'reconcile', range), ...optional },
    { ...SETTINGS, ...optional },
  ]
}

/** Maps days, which the vendor serves in parts, one for each data type. */
export function mapActivity(answer: unknown, data: PageData, details: readonly unknown[]): void {
  const days = new Map<string, Fields>()
  const add = (record: unknown, civil: unknown, part: Fields): void => {
    const day = dateOf(data, { resource: 'activity', record }, civil)
    if (day !== undefined) days.set(day, { ...days.get(day), ...part })
  }
  for (const page of [answer, ...details.filter(isFields)]) {
    for (const record of listOf(page, 'rollupDataPoints')) {
      const { civilStartTime, civilEndTime: _end, ...part } = fieldsOf(record)
      add(record, fieldsOf(civilStartTime).date, part)
    }
    for (const record of listOf(page, 'dataPoints').toSorted(byMethod)) {
      const { dailyRestingHeartRate } = fieldsOf(record)
      add(record, fieldsOf(dailyRestingHeartRate).date, { dailyRestingHeartRate })
    }
  }
  const zone = details.map((page) => textOf(fieldsOf(page).timeZone)).find((text) => text !== null)
  for (const [day, parts] of days) addDay(data, day, parts, zone ?? null)
}

/** A day may have a rate of each source: the one that saw the sleep is the last, and counts. */
const byMethod = (a: unknown, b: unknown): number => methodRank(a) - methodRank(b)

function methodRank(record: unknown): number {
  const { dailyRestingHeartRateMetadata: metadata } = fieldsOf(
    fieldsOf(record).dailyRestingHeartRate,
  )
  return fieldsOf(metadata).calculationMethod === 'WITH_SLEEP' ? 1 : 0
}

type Reader = NonNullable<ReturnType<PageData['read']>>
type Column = readonly [part: string, name: string, read: (reader: Reader) => number | null]

const amount = (reader: Reader) => reader.number('value')
const count = (reader: Reader) => reader.integer('value')
const rate = (reader: Reader) => reader.measured('value', 350)
const seconds = (reader: Reader) => reader.integer('value', 0, LONGEST_DAY_SECONDS)

/** Columns of a day: the field of the part that has them, and the field within it. */
const COLUMNS = {
  calories_total: ['totalCalories', 'kcalSum', amount],
  calories_active: ['activeEnergyBurned', 'kcalSum', amount],
  steps: ['steps', 'countSum', count],
  distance_meter: ['distance', 'millimetersSum', (reader) => scaledDown(amount(reader))],
  floors_climbed: ['floors', 'countSum', count],
  heart_rate_mean: ['heartRate', 'beatsPerMinuteAvg', rate],
  heart_rate_minimum: ['heartRate', 'beatsPerMinuteMin', rate],
  heart_rate_maximum: ['heartRate', 'beatsPerMinuteMax', rate],
  heart_rate_resting: ['dailyRestingHeartRate', 'beatsPerMinute', rate],
  intensity_sedentary_second: ['intensities', 'sedentary', seconds],
  intensity_low_second: ['intensities', 'low', seconds],
  intensity_medium_second: ['intensities', 'medium', seconds],
  intensity_high_second: ['intensities', 'high', seconds],
} as const satisfies Record<string, Column>

/** Millimeters to meters. */
const scaledDown = (millimeters: number | null) => millimeters && millimeters / 1000

function addDay(data: PageData, day: string, parts: Fields, zone: string | null): void {
  const { activityLevel, activeMinutes } = parts
  const all = {
    ...parts,
    intensities: intensitiesOf(fieldsOf(activityLevel), fieldsOf(activeMinutes)),
  }
  const raw = { date: day, ...parts }
  // A wrong part of a day leaves the others as they are.
  const entries = Object.entries(COLUMNS).map(([column, [part, name, read]]) => {
    const value = numberOf(fieldsOf(all[part as keyof typeof all])[name])
    const reader = data.read('activity', { value })
    const known = reader && read(reader)
    return [column, reader && data.isValid('activity', reader, raw) ? known : null] as const
  })
  // The vendor also answers with days of which it knows nothing.
  if (entries.every(([, value]) => value === null)) return
  const at = startOfUtcDay(day)
  const offset = zone === null ? null : zoneOffsetSeconds(zone, at)
  data.addSummary('activity', {
    recordId: day,
    calendarDate: day,
    start: { at, offset },
    sourceType: 'multiple_sources',
    ...(zone !== null && offset !== null && { timeZone: zone }),
    values: Object.fromEntries(entries),
    raw,
  })
}

/** Returns the seconds by intensity: of levels, where the vendor has them, else of minutes. */
function intensitiesOf(
  { activityLevelRollupsByActivityLevelType: levels }: Fields,
  { activeMinutesRollupByActivityLevel: minutes }: Fields,
): Record<keyof typeof LEVELS, number | null> {
  const entries = Array.isArray(levels) ? levels : Array.isArray(minutes) ? minutes : []
  const known = new Map<unknown, number | null>(
    entries
      .filter(isFields)
      .map((entry) => [
        entry.activityLevelType ?? entry.activityLevel,
        secondsOf(entry.totalDuration) ?? scaled(entry.activeMinutesSum, 60),
      ]),
  )
  const of = (names: readonly string[]) => known.get(names.find((name) => known.has(name))) ?? null
  const { sedentary, low, medium, high } = LEVELS
  return { sedentary: of(sedentary), low: of(low), medium: of(medium), high: of(high) }
}
