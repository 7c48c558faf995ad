import { DAY_MS } from '@salus/contracts/time-units'
import type { Calendar, Span } from './days.ts'
import { glucoseValues, injectionsOn, loggedMealsOn, notesOn } from './glucose.ts'
import { SENSOR_SYNC, syncedUntil } from './sync.ts'

/** Data that a sensor and its wearer recorded, and the app has uploaded. */
export type DiaryEntry = Glucose | Dose | Food | Written

interface Glucose {
  readonly kind: 'historic' | 'scan'
  readonly at: number
  readonly value: number
}
interface Dose {
  readonly kind: 'insulin'
  readonly at: number
  readonly units: number
  readonly type: 'rapid' | 'long'
}
interface Food {
  readonly kind: 'food'
  readonly at: number
  readonly grams: number
}
interface Written {
  readonly kind: 'note'
  readonly at: number
  readonly text: string
}

export type DiaryKind = DiaryEntry['kind']

/** There are no data older than this many days. */
export const DIARY_DAYS = 400

function entriesOf(calendar: Calendar, span: Span, kinds: ReadonlySet<DiaryKind>): DiaryEntry[] {
  const entries: DiaryEntry[] = []
  const isWithin = ({ at }: { at: number }): boolean => at >= span.from && at < span.to
  if (kinds.has('historic')) entries.push(...glucoseValues(calendar, span))
  for (const { number } of calendar.days(span)) {
    if (kinds.has('insulin')) {
      for (const { at, units, kind: type } of injectionsOn(calendar, number).filter(isWithin)) {
        entries.push({ kind: 'insulin', at, units, type })
      }
    }
    if (kinds.has('food')) {
      for (const { at, carbohydrates } of loggedMealsOn(calendar, number).filter(isWithin)) {
        entries.push({ kind: 'food', at, grams: carbohydrates })
      }
    }
    if (kinds.has('note')) {
      for (const { at, text } of notesOn(calendar, number).filter(isWithin)) {
        entries.push({ kind: 'note', at, text })
      }
    }
  }
  return entries.sort((one, other) => one.at - other.at || (one.kind < other.kind ? -1 : 1))
}

/** Scans are returned with the automatic values. */
export const GLUCOSE_KINDS: ReadonlySet<DiaryKind> = new Set(['historic', 'scan'])
const ALL_KINDS: ReadonlySet<DiaryKind> = new Set(['historic', 'scan', 'insulin', 'food', 'note'])

/** Returns the part of a span for which a provider has data. */
export function uploadedPart(calendar: Calendar, { from, to }: Span, now: number): Span {
  const until = syncedUntil(calendar, now, SENSOR_SYNC) + 1
  return { from: Math.max(from, now - DIARY_DAYS * DAY_MS), to: Math.min(to, until) }
}

/** Returns all entries of a span, the oldest first. */
export function diaryOf(
  calendar: Calendar,
  span: Span,
  now: number,
  kinds = ALL_KINDS,
): DiaryEntry[] {
  const seen = uploadedPart(calendar, span, now)
  return seen.from < seen.to ? entriesOf(calendar, seen, kinds) : []
}

export interface DiaryPage {
  readonly entries: readonly DiaryEntry[]
  /** Cursor of the next page; null after the last one. */
  readonly cursor: string | null
}

interface PageOptions {
  readonly kinds: ReadonlySet<DiaryKind>
  readonly limit: number
  readonly cursor: string | undefined
  /** Whether the page has to be repeated. */
  readonly repeats: boolean
}

/** Maximum time that is searched to fill a page. */
const STRIDE_MS = 8 * DAY_MS

/**
 * Returns a page of a span. Its cursor is the instant at which the next page begins, and the number
 * of earlier entries of that instant.
 * @returns undefined for an invalid cursor
 */
export function diaryPage(
  calendar: Calendar,
  span: Span,
  now: number,
  { kinds, limit, cursor, repeats }: PageOptions,
): DiaryPage | undefined {
  const [, at, skipped, again] =
    cursor === undefined
      ? ['', String(span.from), '0', '']
      : (/^(\d+)\.(\d+)(r?)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [])
  if (at === undefined) return undefined
  const seen = uploadedPart(calendar, { from: Math.max(Number(at), span.from), to: span.to }, now)
  const entries: DiaryEntry[] = []
  const wanted = limit + Number(skipped) + 1
  for (let from = seen.from; from < seen.to && entries.length < wanted; from += STRIDE_MS) {
    entries.push(...entriesOf(calendar, { from, to: Math.min(from + STRIDE_MS, seen.to) }, kinds))
  }
  const page = entries.slice(Number(skipped), Number(skipped) + limit)
  const next = entries[Number(skipped) + limit]
  const encode = (text: string): string => Buffer.from(text).toString('base64url')
  if (repeats && again === '') return { entries: page, cursor: encode(`${at}.${skipped}r`) }
  if (next === undefined) return { entries: page, cursor: null }
  const before = entries.slice(0, Number(skipped) + limit).filter((entry) => entry.at === next.at)
  return { entries: page, cursor: encode(`${next.at}.${before.length}`) }
}
