import { type ParsedInstant, parseInstant } from '@salus/kernel/time/instants'
import { isStorableInstant, sourceTypeOf, zoneOf } from '../../ingest/index.ts'
import type { NewSummary } from '../summary.ts'
import { type Fields, isFields, readKey, readText } from './item-reader.ts'
import type { ItemContext, QuarantineReason } from './parsed-item.ts'

/** What an item says of its source, in the keys of a sample. */
export interface ItemSource {
  sourceType: string
  appId: string
  /** Product name of the device, or empty. */
  deviceModel: string
  metadata: Fields
  /** The keys of a sample that name app, device and type, for samples of the same source. */
  keys: { source_bundle: string; product_type: string; type: string; metadata: Fields }
}

/**
 * The source of an item, its type said or inferred like that of a sample; undefined: no such type.
 */
export function readSource(
  { provider }: Pick<ItemContext, 'provider'>,
  fields: Fields,
): ItemSource | undefined {
  const metadata = readKey(fields, 'metadata')
  const known = isFields(metadata) ? metadata : {}
  const keys = {
    source_bundle: readText(fields, 'source_bundle'),
    product_type: readText(fields, 'product_type'),
    type: readKey(fields, 'source_type') ?? readKey(fields, 'type') ?? null,
    metadata: known,
  }
  const type = sourceTypeOf(provider, keys, known)
  if (type === undefined) return undefined
  return {
    sourceType: type,
    appId: keys.source_bundle,
    deviceModel: readText(known, '_DMO') || keys.product_type,
    metadata: known,
    keys: { ...keys, type },
  }
}

/**
 * The local time of the person at an instant: the offset it was written with, else the zone of the
 * record, else that of the device. A zone with another offset then is not that of the record.
 */
export function localTimeAt(
  { timeZone }: Pick<ItemContext, 'timeZone'>,
  { epochMilliseconds, offsetSeconds }: ParsedInstant,
  metadata: Fields,
): { timezoneOffset: number | null; timeZone: string } {
  const zone = zoneOf([readText(metadata, 'HKTimeZone'), timeZone ?? ''], epochMilliseconds)
  const isSame = offsetSeconds === null || offsetSeconds === zone.offsetSeconds
  return {
    timezoneOffset: offsetSeconds ?? zone.offsetSeconds,
    timeZone: isSame ? zone.name : '',
  }
}

/**
 * The fields of a summary that say from what source it is, and where the person was at an instant.
 */
export function originOf(context: ItemContext, source: ItemSource, at: ParsedInstant) {
  const { sourceType, appId, deviceModel, metadata } = source
  return { sourceType, appId, deviceModel, ...localTimeAt(context, at, metadata) }
}

/** Reads a date-time that can be stored. */
export function toInstant(value: unknown): ParsedInstant | undefined {
  const instant = typeof value === 'string' ? parseInstant(value) : undefined
  return instant !== undefined && isStorableInstant(instant.epochMilliseconds) ? instant : undefined
}

export interface Interval {
  start: ParsedInstant
  end: ParsedInstant
}

/** Start and end of a session, both of which it must have. */
export function readInterval(
  fields: Fields,
  [startKey, endKey]: readonly [string, string] = ['start_date', 'end_date'],
): Interval | QuarantineReason {
  const start = toInstant(readKey(fields, startKey))
  if (start === undefined) return 'invalid_start_date'
  const end = toInstant(readKey(fields, endKey))
  if (end === undefined) return 'invalid_end_date'
  return end.epochMilliseconds < start.epochMilliseconds ? 'end_before_start' : { start, end }
}

/** What a session says of itself. */
interface UploadedSession {
  source: ItemSource
  interval: Interval
  /** What its summary has beside its values and the item as it came. */
  frame: Omit<NewSummary, 'resource' | 'values' | 'calendarDate' | 'raw' | 'modifiedAt'>
}

/**
 * Reads when a session was, from what source it is and where the person was.
 * @param day Whether the local time is that of its start or of its end.
 * @param keys Of its start and its end.
 */
export function readSession(
  context: ItemContext,
  fields: Fields,
  day: keyof Interval,
  keys?: readonly [string, string],
): UploadedSession | QuarantineReason {
  const interval = readInterval(fields, keys)
  if (typeof interval === 'string') return interval
  const source = readSource(context, fields)
  if (source === undefined) return 'unknown_source_type'
  const startedAt = interval.start.epochMilliseconds
  const frame = {
    ...originOf(context, source, interval[day]),
    recordId: readText(fields, 'id') || startId(startedAt, source.sourceType),
    startedAt,
    endedAt: interval.end.epochMilliseconds,
  }
  return { source, interval, frame }
}

/** Stands for the id of a record that has none: the source and the start never change. */
export function startId(startedAt: number, sourceType: string): string {
  return `${new Date(startedAt).toISOString()} ${sourceType}`
}
