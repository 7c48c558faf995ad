import { type SeriesName, series as seriesOf } from '@salus/contracts/series'
import { isInRange, isStorableInstant, parseItem, type Sample } from '../../ingest/index.ts'
import { type ItemSource, readSource } from '../uploads/item-origin.ts'
import { type Fields, isFields, readKey } from '../uploads/item-reader.ts'
import type { ItemContext, ParsedItem, QuarantineReason } from '../uploads/parsed-item.ts'

/** The workout that samples belong to. */
export interface BulkOwner {
  workoutId: string
  /** Slug. */
  sport: string
  /** Source of the workout, for samples without one. */
  source: ItemSource
}

/** Components of a stream (docs/contract/07-mobile-sync.md#workout), with normalized keys. */
const COMPONENTS: ReadonlyMap<string, SeriesName> = new Map([
  ...[
    'cycling',
    'walking_running',
    'rowing',
    'wheelchair',
    'downhill_snow_sports',
    'swimming',
    'paddle_sports',
    'skating_sports',
    'cross_country_skiing',
  ].map((way): [string, SeriesName] => [`distance_${way}`, 'workout_distance']),
  ['swimming_stroke_count', 'workout_swimming_stroke'],
])

/** Adds the samples of a workout's stream, and returns those of the distance. */
export function addBulkSamples(
  parsed: ParsedItem,
  context: ItemContext,
  stream: unknown,
  owner: BulkOwner,
): Sample[] {
  const components = isFields(stream) ? readKey(stream, 'components') : undefined
  const distances: Sample[] = []
  if (!isFields(components)) return distances
  for (const [component, series] of COMPONENTS) {
    const bulks = readKey(components, component)
    for (const bulk of Array.isArray(bulks) ? bulks : []) {
      const outcome = parseBulk(context, series, bulk, owner)
      if (typeof outcome === 'string') {
        parsed.quarantined.push({ resource: series, reason: outcome, item: bulk })
        continue
      }
      for (const sample of outcome) {
        parsed.samples.push(sample)
        if (series === 'workout_distance') distances.push(sample)
      }
    }
  }
  return distances
}

/** Parses samples of one bulk: values in meters or strokes, offsets in seconds from its anchor. */
function parseBulk(
  context: ItemContext,
  name: SeriesName,
  bulk: unknown,
  owner: BulkOwner,
): Sample[] | QuarantineReason {
  if (!isFields(bulk)) return 'not_an_object'
  const template = templateOf(context, name, bulk, owner)
  if (typeof template === 'string') return template
  const values = numbersOf(bulk, 'value')
  const starts = numbersOf(bulk, 'start_offset')
  const ends = numbersOf(bulk, 'end_offset')
  if (values === undefined || starts === undefined || ends === undefined) return 'invalid_value'
  if (values.length !== starts.length || values.length !== ends.length) return 'invalid_value'
  const samples: Sample[] = []
  for (const [index, value] of values.entries()) {
    const startedAt = template.startedAt + Math.round((starts[index] as number) * 1000)
    const endedAt = template.startedAt + Math.round((ends[index] as number) * 1000)
    if (!isStorableInstant(startedAt)) return 'invalid_start_date'
    if (!isStorableInstant(endedAt)) return 'invalid_end_date'
    if (endedAt < startedAt) return 'end_before_start'
    if (!isInRange(seriesOf(name), value)) return 'out_of_range'
    samples.push({ ...template, startedAt, endedAt, value })
  }
  return samples
}

/** Returns the common fields of all samples of a bulk, with the start at its anchor. */
function templateOf(
  { provider, timeZone }: ItemContext,
  name: SeriesName,
  bulk: Fields,
  { workoutId, sport, source }: BulkOwner,
): Sample | QuarantineReason {
  const own = readSource({ provider }, bulk)
  if (own === undefined) return 'unknown_source_type'
  const isNamed = own.appId !== '' || own.keys.product_type !== ''
  const keys = isNamed ? own.keys : { ...source.keys, metadata: own.metadata }
  const series = seriesOf(name)
  const first = { ...keys, value: 0, unit: series.unit, start_date: readKey(bulk, 'anchor') }
  const outcome = parseItem({ series, provider, timeZone }, first)
  if (typeof outcome === 'string') return outcome
  return { ...(outcome[0] as Sample), workoutId, sport }
}

function numbersOf(fields: Fields, name: string): number[] | undefined {
  const list = readKey(fields, name)
  if (!Array.isArray(list)) return undefined
  return list.every((entry) => typeof entry === 'number' && Number.isFinite(entry))
    ? list
    : undefined
}
