import { type SeriesName, series as seriesOf } from '@salus/contracts/series'
import { parseItem, type QuarantinedItem, type Sample } from '../../ingest/index.ts'
import type { NewSummary, WorkoutStream } from '../summary.ts'
import { type Fields, isFields, type QuarantineReason, readKey } from './item-reader.ts'

export type { QuarantineReason }

/** Properties of an upload that apply to all its items. */
export interface ItemContext {
  userId: string
  provider: string
  /** A valid IANA zone of the device, or null. */
  timeZone: string | null
  /** The user's birth date as Salus knows it, or null: it determines heart rate zones. */
  birthDate: string | null
}

/** The result of parsing one item of an upload. */
export interface ParsedItem {
  summaries: NewSummary[]
  /** Samples that become series. */
  samples: Sample[]
  /** Streams by the id of their workout. */
  streams: Map<string, WorkoutStream>
  /** Parts of the item that cannot be stored. */
  quarantined: QuarantinedItem[]
  /** Parts that name a device, and the type of their source. */
  devices: { sourceType: string; item: Fields }[]
}

/** The result of parsing an item, or the reason why it cannot be stored. */
export type ItemOutcome = ParsedItem | QuarantineReason

/** Returns an empty result for parsers to fill. */
export function emptyItem(): ParsedItem {
  return { summaries: [], samples: [], streams: new Map(), quarantined: [], devices: [] }
}

const SAMPLE_KEYS = [
  'value',
  'unit',
  'start_date',
  'end_date',
  'source_bundle',
  'product_type',
  'type',
  'metadata',
]

/** Converts a sample to the spelling that ingestion reads. */
function toSampleKeys(item: unknown): unknown {
  if (!isFields(item) || Object.hasOwn(item, 'start_date')) return item
  return Object.fromEntries(SAMPLE_KEYS.map((key) => [key, readKey(item, key)]))
}

/**
 * Parses one sample within an item, as an upload of the series would, and adds it; one that cannot
 * be stored is quarantined under the name of its series.
 * @param metadata Metadata from the position of the sample beside its own.
 */
export function addSample(
  parsed: ParsedItem,
  { provider, timeZone }: ItemContext,
  name: SeriesName,
  item: unknown,
  metadata?: Fields,
): Sample | undefined {
  const fields = toSampleKeys(item)
  const own = isFields(fields) && isFields(fields.metadata) ? fields.metadata : {}
  const whole =
    metadata && isFields(fields) ? { ...fields, metadata: { ...own, ...metadata } } : fields
  const outcome = parseItem({ series: seriesOf(name), provider, timeZone }, whole)
  if (typeof outcome === 'string') {
    parsed.quarantined.push({ resource: name, reason: outcome, item })
    return undefined
  }
  const [sample] = outcome
  if (sample === undefined) return undefined
  parsed.samples.push(sample)
  parsed.devices.push({ sourceType: sample.sourceType, item: whole as Fields })
  return sample
}

/** Adds the samples of a list within an item, and returns those that could be stored. */
export function addSamples(
  parsed: ParsedItem,
  context: ItemContext,
  name: SeriesName,
  list: unknown,
  metadata?: Fields,
): Sample[] {
  if (list === undefined || list === null) return []
  const items = Array.isArray(list) ? list : [list]
  const samples: Sample[] = []
  for (const item of items) {
    const sample = addSample(parsed, context, name, item, metadata)
    if (sample !== undefined) samples.push(sample)
  }
  return samples
}
