import type { SeriesName } from '@salus/contracts/series'
import { HOUR_MS } from '@salus/contracts/time-units'
import { startOfUtcDay } from '@salus/kernel/time/instants'
import { type NewSummary, newSummary } from '../summary.ts'
import type { SummaryValues } from '../summary-tables.registry.ts'
import { originOf, readSource } from '../uploads/item-origin.ts'
import { type Fields, ItemReader, isFields, readKey, withoutLists } from '../uploads/item-reader.ts'
import {
  addSamples,
  emptyItem,
  type ItemContext,
  type ItemOutcome,
  type QuarantineReason,
} from '../uploads/parsed-item.ts'

const LISTS: Readonly<Record<string, SeriesName>> = {
  active_energy_burned: 'calories_active',
  basal_energy_burned: 'calories_basal',
  steps: 'steps',
  floors_climbed: 'floors_climbed',
  distance_walking_running: 'distance',
  vo2_max: 'vo2_max',
}

/** Their days are sums over all apps and devices, without a source. */
const SUMS_OF_SOURCES = new Set(['apple_health_kit', 'health_connect', 'samsung_health'])

const NOON_MS = 12 * HOUR_MS

/**
 * Parses one day of activity (docs/contract/07-mobile-sync.md#activity): its sums, and samples that
 * become series.
 */
export function parseActivity(context: ItemContext, item: unknown): ItemOutcome {
  if (!isFields(item)) return 'not_an_object'
  const parsed = emptyItem()
  const day = readKey(item, 'day_summary') ?? null
  if (day !== null) {
    const summary = isFields(day) ? parseDay(context, day, item) : 'not_an_object'
    if (typeof summary === 'string') return summary
    parsed.summaries.push(summary)
  }
  for (const [list, series] of Object.entries(LISTS)) {
    addSamples(parsed, context, series, readKey(item, list))
  }
  return parsed
}

function parseDay(
  context: ItemContext,
  day: Fields,
  item: Fields,
): NewSummary<'activity'> | QuarantineReason {
  const reader = new ItemReader(day)
  const date = reader.date('calendar_date')
  if (date === null) return 'invalid_date'
  const source = readSource(context, readKey(item, 'source_bundle') === undefined ? day : item)
  if (source === undefined) return 'unknown_source_type'
  const values = dayValues(reader)
  if (reader.problem !== undefined) return reader.problem
  const startedAt = startOfUtcDay(date)
  const noon = { epochMilliseconds: startedAt + NOON_MS, offsetSeconds: null }
  const isUnnamed = source.sourceType === 'unknown' && source.appId === ''
  const isSum = isUnnamed && SUMS_OF_SOURCES.has(context.provider)
  return newSummary(
    'activity',
    {
      // Clocks change at night, so noon has the local time of the day.
      ...originOf(context, source, noon),
      ...(isSum && { sourceType: 'multiple_sources' }),
      recordId: date,
      calendarDate: date,
      startedAt,
      endedAt: startedAt,
      raw: withoutLists(item, Object.keys(LISTS)),
    },
    values,
  )
}

function dayValues(reader: ItemReader): Partial<SummaryValues<'activity'>> {
  const active = reader.number('active_energy_burned_sum')
  const basal = reader.number('basal_energy_burned_sum')
  const walked = reader.number('distance_walking_running_sum')
  const wheeled = reader.number('distance_wheelchair')
  const isWheelchairUser = reader.boolean('wheelchair_use') === true
  const seconds = (name: string): number | null => {
    const minutes = reader.number(name)
    return minutes === null ? null : Math.round(minutes * 60)
  }
  return {
    // Without the energy at rest the total is unknown.
    calories_total: basal === null ? null : basal + (active ?? 0),
    calories_active: active,
    steps: reader.integer('steps_sum'),
    distance_meter: isWheelchairUser ? (wheeled ?? walked) : (walked ?? wheeled),
    floors_climbed: reader.integer('floors_climbed_sum'),
    duration_active_second: seconds('exercise_time'),
    intensity_low_second: seconds('low'),
    intensity_medium_second: seconds('medium'),
    intensity_high_second: seconds('high'),
    heart_rate_mean: reader.measured('avg_heart_rate', 350),
    heart_rate_minimum: reader.measured('min_heart_rate', 350),
    heart_rate_maximum: reader.measured('max_heart_rate', 350),
    heart_rate_resting: reader.measured('resting_heart_rate', 350),
    // True or unknown, never false (docs/contract/06-summaries.md#activity).
    wheelchair_use: isWheelchairUser || null,
    wheelchair_push: reader.integer('wheelchair_push'),
  }
}
