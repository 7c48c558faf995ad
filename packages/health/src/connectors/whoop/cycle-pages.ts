import { DAY_MS } from '@salus/contracts/time-units'
import type { Collection, DetailRequest, TimeRange } from '../connector.ts'
import type { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { isFields, type VendorInstant } from '../vendor-records.ts'
import { readInstant } from '../vendor-times.ts'

export const SLUG = 'whoop'

export type Fields = Record<string, unknown>

/** Stands for the account id in addresses; `authorize` puts it in. */
export const USER = 'USER_ID'

/** All requests of the app name the version of the interface. */
export const API_VERSION = { apiVersion: '7' }

/** The vendor returns no more cycles at once, and has no further page. */
const MOST_CYCLES = 26
/**
 * Sleeps and workouts are inside the cycle in which they happened, which may have begun long before
 * them: a person who travels may not sleep for two days.
 */
const EARLIER_MS = 3 * DAY_MS

/** Names under which the vendor has wrapped the list of cycles. */
const WRAPPERS = ['records', 'cycles', 'data', 'results']

/** Returns the cycles of an answer. @throws VendorError `unexpected` */
export function cyclesOf(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer
  const name = isFields(answer) && WRAPPERS.find((each) => Array.isArray(answer[each]))
  if (name) return (answer as Fields)[name] as unknown[]
  throw new VendorError(SLUG, { kind: 'unexpected', status: null })
}

/** Requests the cycles of a range, with all that happened in them. */
export const CYCLE_PAGES: Pick<
  Collection,
  'history' | 'mostDaysAtOnce' | 'overlapHours' | 'completes' | 'page' | 'next'
> = {
  history: 'by_range',
  // With the earlier days, fewer than MOST_CYCLES.
  mostDaysAtOnce: 20,
  // Sleeps are scored again hours later, and the cycle of today grows.
  overlapHours: 48,
  // The vendor splits and merges nights, and people remove workouts.
  completes: { summaries: ['activity', 'sleep', 'workouts'] },
  page: ({ from, to }) => ({
    path: '/core-details-bff/v0/cycles/details',
    query: {
      ...API_VERSION,
      id: USER,
      startTime: new Date(from - EARLIER_MS).toISOString(),
      endTime: new Date(to).toISOString(),
      limit: String(MOST_CYCLES),
    },
  }),
  next: () => null,
}

/** A part of a cycle, and the cycle, whose offset counts where the part has none. */
export interface CyclePart {
  part: Fields
  cycle: Fields
}

/** Present answers have a cycle beside its sleeps and workouts, older ones around them. */
const cycleOf = (record: Fields): Fields => (isFields(record.cycle) ? record.cycle : record)

const partsOf = (record: Fields, list: unknown): CyclePart[] =>
  (Array.isArray(list) ? list : []).map((part) => ({
    part: isFields(part) ? part : { invalid: part },
    cycle: cycleOf(record),
  }))

/** What an answer has of a range, with the recovery of each cycle. */
export interface CycleDetails {
  cycles: { cycle: Fields; recovery: Fields }[]
  sleeps: (CyclePart & { recovery: Fields | undefined })[]
  workouts: CyclePart[]
}

/**
 * Sorts an answer. Parts that are certainly outside the range are left out, because the answer may
 * not have all of these.
 */
export function detailsOf(answer: unknown, range: TimeRange, data?: PageData): CycleDetails {
  const found: CycleDetails = { cycles: [], sleeps: [], workouts: [] }
  const isWanted = ({ part }: CyclePart): boolean => startsWithin(part, range)
  for (const record of cyclesOf(answer)) {
    if (!isFields(record)) {
      data?.quarantine('activity', 'not_an_object', record)
      continue
    }
    const cycle = cycleOf(record)
    const recovery = recoveryOf(record)
    if (startsWithin(cycle, range)) found.cycles.push({ cycle, recovery })
    const sleeps = partsOf(record, record.sleeps)
    const rested = sleepOf(recovery, sleeps)
    found.sleeps.push(
      ...sleeps
        .filter(isWanted)
        .map((sleep) => ({ ...sleep, recovery: sleep === rested ? recovery : undefined })),
    )
    const { workouts } = isFields(record.strain) ? record.strain : record
    found.workouts.push(...partsOf(record, record.workouts ?? workouts).filter(isWanted))
  }
  return found
}

function startsWithin(part: Fields, { from, to }: TimeRange): boolean {
  const at = readInstant(spanOf(part).start)?.at
  return at === undefined || (at >= from && at < to)
}

/** Older answers have the values of a recovery in an object of their own. */
function recoveryOf({ recovery }: Fields): Fields {
  if (!isFields(recovery)) return {}
  return isFields(recovery.score) ? { ...recovery, ...recovery.score } : recovery
}

/** Returns the sleep that a recovery follows: the one that it names, or else the longest night. */
function sleepOf(recovery: Fields, sleeps: readonly CyclePart[]): CyclePart | undefined {
  const named = sleeps.find(({ part }) => isSame(idOf(part), recovery.sleep_id))
  const longest = sleeps
    .filter(({ part }) => !isNap(part))
    .sort((one, other) => lengthOf(other.part) - lengthOf(one.part))
  return named ?? longest[0]
}

const isSame = (id: unknown, other: unknown): boolean =>
  id !== undefined && other !== undefined && String(id) === String(other)

function lengthOf(part: Fields): number {
  const { start, end } = spanOf(part)
  return (readInstant(end)?.at ?? 0) - (readInstant(start)?.at ?? 0)
}

export const idOf = ({ activity_id: activity, id }: Fields): unknown => activity ?? id

export const isNap = ({ is_nap: isShort, nap, significant }: Fields): boolean =>
  (isShort ?? nap ?? significant === false) === true

/** `['2026-03-01T04:10:00.000Z','2026-03-02T05:00:00.000Z')`, as PostgreSQL writes a range. */
const DURING = /^[[(]\s*['"]?([^'",]+)['"]?\s*,\s*['"]?([^'",)\]]*)['"]?\s*[)\]]$/

/** Returns the texts of a range; the end of one that is open is null. */
export function readRange(text: unknown): { start: string; end: string | null } | undefined {
  const [, start, end] = (typeof text === 'string' && DURING.exec(text)) || []
  return start === undefined ? undefined : { start, end: end || null }
}

/** Returns the times of a record as texts. */
export function spanOf(fields: Fields): { start: unknown; end: unknown } {
  return readRange(fields.during) ?? { start: fields.start, end: fields.end }
}

const isId = (id: unknown): id is string | number =>
  (typeof id === 'string' && id !== '') || Number.isSafeInteger(id)

/** Whether the stages of a sleep are requested. */
export const hasStages = ({ part }: CyclePart): boolean => isId(idOf(part))

/** Returns the requests for the stages of the sleeps of a page. */
export function stageRequests(answer: unknown, range: TimeRange): DetailRequest[] {
  const sleeps = detailsOf(answer, range).sleeps.filter(hasStages)
  return sleeps.map(({ part }) => ({
    path: '/sleep-service/v1/sleep-events',
    query: { ...API_VERSION, activityId: String(idOf(part)).toWellFormed() },
    isOptional: true,
  }))
}

const OFFSET = /^([+-])(\d{2}):?(\d{2})$/

/** @returns seconds, null for an unknown offset, undefined for a text that is none */
function offsetOf(text: unknown): number | null | undefined {
  if (text === undefined || text === null) return null
  if (text === 'Z') return 0
  const [, sign, hours, minutes] = (typeof text === 'string' && OFFSET.exec(text)) || []
  if (sign === undefined || Number(hours) > 18 || Number(minutes) > 59) return undefined
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60)
}

/** Common parts of a summary. */
export interface Frame {
  recordId: string
  start: VendorInstant
  end?: VendorInstant
  sourceType: 'watch'
  modifiedAt?: number
  raw: unknown
}

/** Reads id, times and offset of a record; it is quarantined when one is invalid. */
export function frameOf(
  data: PageData,
  resource: 'activity' | 'sleep' | 'workouts',
  { part, cycle }: CyclePart,
): Frame | undefined {
  const id = idOf(part)
  const offset = offsetOf(part.timezone_offset ?? cycle.timezone_offset)
  if (!isId(id) || offset === undefined) {
    data.quarantine(resource, 'invalid' in part ? 'not_an_object' : 'invalid_field', part)
    return undefined
  }
  const { start: startText, end: endText } = spanOf(part)
  const start = data.instant(resource, startText, part)
  if (start === undefined) return undefined
  const hasEnd = endText !== undefined && endText !== null
  const end = hasEnd ? data.instant(resource, endText, part, 'invalid_end_date') : undefined
  if (hasEnd && end === undefined) return undefined
  const modifiedAt = readInstant(part.updated_at)?.at
  return {
    recordId: String(id),
    start: { at: start.at, offset },
    ...(end !== undefined && { end: { at: end.at, offset } }),
    // A strap, as a watch is worn.
    sourceType: 'watch',
    ...(modifiedAt !== undefined && { modifiedAt }),
    raw: part,
  }
}
