import type { PutAsideReason } from '../../ingest/index.ts'
import { toSport } from '../sports/sport.registry.ts'
import type { NewSummary } from '../summary.ts'
import { summaryId } from '../summary-id.ts'
import { addBulkSamples, type BulkOwner } from './bulk-samples.ts'
import { emptyValues } from './empty-values.ts'
import {
  type Fields,
  ItemReader,
  isFields,
  readKey,
  readText,
  withoutLists,
} from './item-reader.ts'
import { readSource } from './item-source.ts'
import { localClock, readInterval, startId } from './item-time.ts'
import { addSamples, emptyItem, type ItemContext, type ParsedItem } from './parsed-item.ts'
import { buildStream } from './workout-stream.ts'

const SAMPLE_LISTS = ['heart_rate', 'respiratory_rate', 'stream']

/** One workout (contract 07, "Workout"), its stream, and samples that feed series. */
export function parseWorkout(context: ItemContext, item: unknown): ParsedItem | PutAsideReason {
  if (!isFields(item)) return 'not_an_object'
  const interval = readInterval(item)
  if (typeof interval === 'string') return interval
  const source = readSource(context, item)
  if (source === undefined) return 'unknown_source_type'
  const sport = toSport(readText(item, 'sport'))
  const reader = new ItemReader(item)
  const values = {
    ...workoutValues(reader),
    sport_name: sport.name,
    sport_slug: sport.slug,
  }
  if (reader.problem !== undefined) return reader.problem
  const startedAt = interval.start.epochMilliseconds
  const summary: NewSummary<'workouts'> = {
    resource: 'workouts',
    recordId: readText(item, 'id') || startId(startedAt, source.sourceType),
    sourceType: source.sourceType,
    appId: source.appId,
    deviceModel: source.deviceModel,
    calendarDate: null,
    startedAt,
    endedAt: interval.end.epochMilliseconds,
    ...localClock(context, interval.start, source.metadata),
    values,
    raw: withoutLists(item, SAMPLE_LISTS),
    modifiedAt: null,
  }
  const parsed = emptyItem()
  parsed.summaries.push(summary)
  parsed.devices.push({ sourceType: source.sourceType, item: source.keys })
  const workoutId = summaryId(context, summary)
  addParts(parsed, context, item, { summary, source, workoutId, sport: sport.slug })
  return parsed
}

function addParts(
  parsed: ParsedItem,
  context: ItemContext,
  item: Fields,
  owner: BulkOwner & { summary: NewSummary<'workouts'> },
): void {
  const heartRates = addSamples(parsed, context, 'heartrate', readKey(item, 'heart_rate'))
  addSamples(parsed, context, 'respiratory_rate', readKey(item, 'respiratory_rate'))
  const distances = addBulkSamples(parsed, context, readKey(item, 'stream'), owner)
  const stream = buildStream(owner.summary, heartRates, distances)
  if (stream !== undefined) parsed.streams.set(owner.workoutId, stream)
}

function workoutValues(reader: ItemReader): NewSummary<'workouts'>['values'] {
  const zone = (number: number): number | null => reader.number(`heart_rate_zone_${number}`)
  return {
    ...emptyValues('workouts'),
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
