import { type ParsedInstant, parseInstant } from '@salus/kernel/time/instants'
import { isStorableInstant, sourceTypeOf, zoneOf } from '../../ingest/index.ts'
import type { NewSummary } from '../summary.ts'
import { type Fields, isFields, readKey, readText } from './item-reader.ts'
import type { ItemContext, QuarantineReason } from './parsed-item.ts'

/** Source of an item, in the keys of a sample. */
export interface ItemSource {
  sourceType: string
  appId: string
  /** Product name of the device, or empty. */
  deviceModel: string
  metadata: Fields
  /** The keys of a sample with app, device and type, for samples of the same source. */
  keys: { source_bundle: string; product_type: string; type: string; metadata: Fields }
}

/**
 * Reads the source of an item, with its type given or inferred like that of a sample; returns
 * undefined for an unknown type.
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
 * Returns the user's local time at an instant: the offset it was written with, otherwise the zone
 * of the record, otherwise that of the device. A zone with a different offset at that instant is
 * ignored.
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
 * Returns the fields of a summary with its source, and with the user's local time at an instant.
 */
export function originOf(context: ItemContext, source: ItemSource, at: ParsedInstant) {
  const { sourceType, appId, deviceModel, metadata } = source
  return { sourceType, appId, deviceModel, ...localTimeAt(context, at, metadata) }
}

/** Parses a date-time that can be stored. */
export function toInstant(value: unknown): ParsedInstant | undefined {
  const instant = typeof value === 'string' ? parseInstant(value) : undefined
  return instant !== undefined && isStorableInstant(instant.epochMilliseconds) ? instant : undefined
}

export interface Interval {
  start: ParsedInstant
  end: ParsedInstant
}

/** Reads the start and end of a session, both of which are required. */
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

/** Common data of an uploaded sleep or workout. */
interface UploadedSession {
  source: ItemSource
  interval: Interval
  /** Fields of its summary beside its values and the raw item. */
  frame: Omit<NewSummary, 'resource' | 'values' | 'calendarDate' | 'raw' | 'modifiedAt'>
}

/**
 * Reads the time, the source and the local time of a session.
 * @param day Whether the local time is that of its start or of its end.
 * @param keys Keys of its start and its end.
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

/** Returns the id of a record without one: the source and the start never change. */
export function startId(startedAt: number, sourceType: string): string {
  return `${new Date(startedAt).toISOString()} ${sourceType}`
}
