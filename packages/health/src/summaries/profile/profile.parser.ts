import { DAY_MS } from '@salus/contracts/time-units'
import { dateAtOffset, parseDate } from '@salus/kernel/time/instants'
import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import { newSummary } from '../summary.ts'
import { readSource, toInstant } from '../uploads/item-origin.ts'
import {
  type Fields,
  ItemReader,
  isFields,
  readKey,
  readText,
  toDate,
} from '../uploads/item-reader.ts'
import { emptyItem, type ItemContext, type ItemOutcome } from '../uploads/parsed-item.ts'
import { SEXES } from './profile.schema.ts'

/**
 * Parses a profile (docs/contract/07-mobile-sync.md#profile); a source has one, so it always has
 * the same id.
 */
export function parseProfile(context: ItemContext, item: unknown): ItemOutcome {
  if (!isFields(item)) return 'not_an_object'
  const source = readSource(context, item)
  if (source === undefined) return 'unknown_source_type'
  const birthDate = birthDateOf(context, item)
  if (birthDate === undefined) return 'invalid_date'
  const reader = new ItemReader(item)
  const values = {
    height_centimeter: reader.integer('height', 0, 300) || null,
    birth_date: birthDate,
    wheelchair_use: reader.boolean('wheelchair_use') || null,
    sex: SEXES.find((sex) => sex === readText(item, 'biological_sex')) ?? null,
  }
  if (reader.problem !== undefined) return reader.problem
  const parsed = emptyItem()
  const { sourceType, appId, deviceModel } = source
  // A profile has no instant.
  const frame = { sourceType, appId, deviceModel, startedAt: 0, endedAt: 0, raw: item }
  parsed.summaries.push(newSummary('profile', { ...frame, recordId: 'profile' }, values))
  return parsed
}

/**
 * Returns the birth date, null for none, undefined for an invalid one. Clients send an instant of
 * it: 00:00 UTC, or 00:00 of the device, which east of Greenwich is still the day before in UTC.
 */
function birthDateOf({ timeZone }: ItemContext, item: Fields): string | null | undefined {
  const value = readKey(item, 'date_of_birth') ?? null
  if (value === null) return null
  if (typeof value === 'string' && parseDate(value) !== undefined) return toDate(value)
  const instant = toInstant(value)
  if (instant === undefined) return undefined
  const { epochMilliseconds, offsetSeconds } = instant
  if (offsetSeconds !== null) return dateAtOffset(epochMilliseconds, offsetSeconds)
  const zone = readText(item, 'time_zone') || timeZone || ''
  const isUtcMidnight = epochMilliseconds % DAY_MS === 0
  const offset = isUtcMidnight || zone === '' ? 0 : zoneOffsetSeconds(zone, epochMilliseconds)
  return dateAtOffset(epochMilliseconds, offset ?? 0)
}
