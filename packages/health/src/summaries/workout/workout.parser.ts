import { type NewSummary, newSummary } from '../summary.ts'
import { summaryId } from '../summary-id.ts'
import type { SummaryValues } from '../summary-tables.registry.ts'
import { readSession } from '../uploads/item-origin.ts'
import {
  type Fields,
  ItemReader,
  isFields,
  readKey,
  readText,
  withoutLists,
} from '../uploads/item-reader.ts'
import {
  addSamples,
  emptyItem,
  type ItemContext,
  type ItemOutcome,
  type ParsedItem,
} from '../uploads/parsed-item.ts'
import { addBulkSamples, type BulkOwner } from './bulk-samples.ts'
import { maximumRateAt } from './heart-rate-zones.ts'
import { toSport } from './sport.registry.ts'
import {
  buildWorkoutStream,
  countDistances,
  measureHeartRates,
  measureMovement,
} from './workout-readings.ts'

const SAMPLE_LISTS = ['heart_rate', 'respiratory_rate', 'stream']

/**
 * Parses one workout (docs/contract/07-mobile-sync.md#workout), its stream, and samples that become
 * series.
 */
export function parseWorkout(context: ItemContext, item: unknown): ItemOutcome {
  if (!isFields(item)) return 'not_an_object'
  const session = readSession(context, item, 'start')
  if (typeof session === 'string') return session
  const { source, frame } = session
  const sport = toSport(readText(item, 'sport'))
  const reader = new ItemReader(item)
  const said = workoutValues(reader)
  if (reader.problem !== undefined) return reader.problem
  const raw = withoutLists(item, SAMPLE_LISTS)
  const values = { ...said, sport_name: sport.name, sport_slug: sport.slug }
  const summary = newSummary('workouts', { ...frame, raw }, values)
  const parsed = emptyItem()
  parsed.summaries.push(summary)
  parsed.devices.push({ sourceType: source.sourceType, item: source.keys })
  addParts(parsed, context, item, summary, {
    source,
    workoutId: summaryId(context, summary),
    sport: sport.slug,
  })
  return parsed
}

/** Adds the samples and the stream of a workout, and completes its summary from them. */
function addParts(
  parsed: ParsedItem,
  context: ItemContext,
  item: Fields,
  summary: NewSummary<'workouts'>,
  owner: BulkOwner,
): void {
  const heartRates = addSamples(parsed, context, 'heartrate', readKey(item, 'heart_rate'))
  addSamples(parsed, context, 'respiratory_rate', readKey(item, 'respiratory_rate'))
  const samples = addBulkSamples(parsed, context, readKey(item, 'stream'), owner)
  const distances = countDistances(samples, summary)
  const rate = maximumRateOf(item) ?? maximumRateAt(context.birthDate, summary.startedAt)
  Object.assign(
    summary.values,
    measureHeartRates(heartRates, summary, rate, summary.values),
    measureMovement(distances, summary, summary.values),
  )
  const stream = buildWorkoutStream(summary, heartRates, distances)
  if (stream !== undefined) parsed.streams.set(owner.workoutId, stream)
}

/** Returns the user's maximum heart rate, where the client bases zones on it. */
function maximumRateOf(item: Fields): number | undefined {
  const rate = readKey(item, 'heart_rate_zone_max_hr')
  return typeof rate === 'number' && rate >= 100 && rate <= 250 ? rate : undefined
}

function workoutValues(reader: ItemReader): Partial<SummaryValues<'workouts'>> {
  const zone = (number: number): number | null => reader.number(`heart_rate_zone_${number}`)
  return {
    duration_active_second: reader.integer('moving_time'),
    heart_rate_mean: reader.heartRate('heart_rate_mean'),
    heart_rate_minimum: reader.heartRate('heart_rate_minimum'),
    heart_rate_maximum: reader.heartRate('heart_rate_maximum'),
    heart_rate_zone_1: zone(1),
    heart_rate_zone_2: zone(2),
    heart_rate_zone_3: zone(3),
    heart_rate_zone_4: zone(4),
    heart_rate_zone_5: zone(5),
    heart_rate_zone_6: zone(6),
    distance_meter: reader.number('distance'),
    calories: reader.number('calories'),
    elevation_gain_meter: reader.number('ascent_elevation'),
  }
}
