import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { dateAtOffset, parseInstant, startOfUtcDay } from '@salus/kernel/time/instants'
import { localToInstant, zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import type { Collection, DetailRequest, TimeRange } from '../connector.ts'
import type { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { isFields, type VendorInstant } from '../vendor-records.ts'
import { readLocalInstant } from '../vendor-times.ts'

export const SLUG = 'fitbit'
export const PERSON = '/1/user/-'

export type Fields = Record<string, unknown>
type Paging = Pick<Collection, 'history' | 'mostDaysAtOnce' | 'overlapHours' | 'page' | 'next'>

/** Local time differs from UTC by this much at most. */
const WEST_MS = 12 * HOUR_MS
const EAST_MS = 14 * HOUR_MS

export const unexpected = () => new VendorError(SLUG, { kind: 'unexpected', status: null })

/** Returns a list of an answer. @throws VendorError `unexpected` */
export function listOf(answer: unknown, name: string): readonly unknown[] {
  const list = isFields(answer) ? answer[name] : undefined
  if (!Array.isArray(list)) throw unexpected()
  return list
}

/** Calls back with each valid record of a list; the others are quarantined. */
export function forEachRecord(
  records: readonly unknown[],
  data: PageData,
  resource: string,
  add: (record: Fields) => void,
): void {
  for (const record of records) {
    if (isFields(record)) add(record)
    else data.quarantine(resource, 'not_an_object', record)
  }
}

const dateOf = (at: number): string => dateAtOffset(at, 0)

/** The first day of a range in UTC. */
export const dayOf = ({ from }: TimeRange): string => dateOf(from)

/** The other local days that a range overlaps anywhere. */
export function otherDaysOf(range: TimeRange): string[] {
  const days: string[] = []
  const last = dateOf(range.to - 1 + EAST_MS)
  for (let at = range.from - WEST_MS; dateOf(at) <= last; at += DAY_MS) days.push(dateOf(at))
  return days.filter((day) => day !== dayOf(range))
}

/** Returns the first and last local day that a range overlaps anywhere, as a part of a path. */
export const daysOf = ({ from, to }: TimeRange, moreDays = 0): string =>
  `${dateOf(from - WEST_MS)}/${dateOf(to - 1 + EAST_MS + moreDays * DAY_MS)}`

/** The profile has the zone, which no record has. Without it local times have no offset. */
export const PROFILE: DetailRequest = { path: `${PERSON}/profile.json`, isOptional: true }

/** Requests a day. Trackers synchronize late, and the vendor revises yesterday. */
export const pagedByDay = (pathOf: (day: string) => string): Paging => ({
  history: 'by_range',
  mostDaysAtOnce: 1,
  overlapHours: 72,
  page: (range) => ({ path: `${PERSON}/${pathOf(dayOf(range))}` }),
  next: () => null,
})

/**
 * Requests the first day of a range; the other ones are details, so that the profile is requested
 * once for all.
 */
export const pagedByFirstDay = (pathOf: (day: string) => string): Paging => ({
  ...pagedByDay(pathOf),
  mostDaysAtOnce: 7,
})

/**
 * Requests days; most collections allow 30, which the local days of a range may not exceed.
 * @param moreDays Days after the range, for nights, which are dated by their end.
 */
export const pagedByDays = (pathOf: (days: string) => string, moreDays = 0): Paging => ({
  history: 'by_range',
  mostDaysAtOnce: 28 - moreDays,
  overlapHours: 7 * 24,
  page: (range) => ({ path: `${PERSON}/${pathOf(daysOf(range, moreDays))}` }),
  next: () => null,
})

/**
 * Requests the records of a list after a day, the oldest first. The vendor knows no end of a range,
 * so the pages end with a record that is later.
 * @param time Name of the field with the time of a record.
 */
export const pagedByOffset = (list: string, time: string, path: string, limit: string): Paging => ({
  history: 'by_range',
  mostDaysAtOnce: 30,
  overlapHours: 7 * 24,
  page({ from }, cursor) {
    // Two days earlier, since the vendor compares local days and may exclude the day itself.
    const afterDate = dateOf(from - 2 * DAY_MS)
    const first = { afterDate, sort: 'asc', offset: '0', limit }
    const query = cursor === null ? first : Object.fromEntries(new URLSearchParams(cursor))
    return { path: `${PERSON}/${path}`, query }
  },
  next(answer, { range }) {
    const { pagination, [list]: records } = isFields(answer) ? answer : {}
    const next = isFields(pagination) ? pagination.next : undefined
    const last = Array.isArray(records) ? records.at(-1) : undefined
    const text = isFields(last) ? last[time] : undefined
    const reached = typeof text === 'string' ? parseInstant(text)?.epochMilliseconds : undefined
    // A time may be local.
    if (typeof next !== 'string' || (reached ?? 0) >= range.to + EAST_MS) return null
    return URL.parse(next)?.search.slice(1) || null
  },
})

/** Requests the present state. */
export const presentState = (path: string): Paging => ({
  history: 'none',
  mostDaysAtOnce: 1,
  overlapHours: 0,
  page: () => ({ path: `${PERSON}/${path}` }),
  next: () => null,
})

/**
 * Reads local times in the zone of the person's profile, or its offset; without a profile they have
 * no offset.
 */
export class LocalTimes {
  readonly place: string | number | null
  readonly #data: PageData

  /** @param details Answers among which the profile may be. */
  constructor(data: PageData, details: readonly unknown[]) {
    this.#data = data
    const profile = details.filter(isFields).find(({ user }) => isFields(user))
    this.place = zoneOrOffsetOf((profile?.user ?? {}) as Fields)
  }

  /**
   * Reads a local time; quarantines the record when it is invalid.
   * @param notBefore Where the clock was set back a time occurs twice: then the first one from here
   *   on is meant.
   */
  instant(
    resource: string,
    text: unknown,
    record: unknown,
    notBefore?: number,
    problem: 'invalid_start_date' | 'invalid_end_date' = 'invalid_start_date',
  ): VendorInstant | undefined {
    const first = this.#data.localInstant(resource, text, this.place, record, problem)
    return first && this.#notBefore(first, notBefore)
  }

  /** Reads a local time that a record can do without. */
  find(text: unknown, notBefore?: number): VendorInstant | undefined {
    const first = readLocalInstant(text, this.place)
    return first && this.#notBefore(first, notBefore)
  }

  /** Returns the offset at an instant, in seconds. */
  offsetAt(at: number): number | null {
    return typeof this.place === 'string' ? zoneOffsetSeconds(this.place, at) : this.place
  }

  #notBefore(first: VendorInstant, least = Number.NEGATIVE_INFINITY): VendorInstant {
    if (first.at >= least) return first
    const offset = this.offsetAt(first.at + 3 * HOUR_MS) ?? 0
    const second = { at: first.at + ((first.offset ?? offset) - offset) * 1000, offset }
    return second.at > first.at && this.offsetAt(second.at) === offset ? second : first
  }
}

function zoneOrOffsetOf({ timezone, offsetFromUTCMillis: offset }: Fields): string | number | null {
  if (typeof timezone === 'string' && localToInstant(timezone, 0) !== undefined) return timezone
  const isOffset = typeof offset === 'number' && Math.abs(offset) <= EAST_MS
  return isOffset ? Math.round(offset / 1000) : null
}

/** A record of a day without a time is placed at noon UTC, which is that day nearly everywhere. */
export const noonOf = (day: string): VendorInstant => ({
  at: startOfUtcDay(day) + 12 * HOUR_MS,
  offset: null,
})

/** Returns an id that may be a number. */
export const idOf = (id: unknown): string =>
  typeof id === 'number' || typeof id === 'string' ? String(id) : ''
