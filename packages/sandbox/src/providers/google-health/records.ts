import { DAY_MS } from '@salus/contracts/time-units'
import type { Calendar, Span } from '../people/days.ts'
import { DATA_TYPES } from './data-types.registry.ts'
import { MEASURES } from './measures.ts'
import { googleUntil, PAST_DAYS, type Point } from './points.ts'
import { SESSIONS } from './sessions.ts'
import { sleepPoints } from './sleep-records.ts'

/** Bounds of a filter: `from` is inclusive, `to` exclusive; text of dates compares as text. */
export interface Bounds {
  readonly member: string
  readonly from: string | undefined
  readonly to: string | undefined
}

/** Most records of a person are within a day of the bounds, in whichever zone. */
const MARGIN_MS = 2 * DAY_MS

/** The time of a record that a member compares, as text of the same form as the bounds. */
function comparedText(calendar: Calendar, member: string, { from, to, content }: Point): string {
  if (member === 'date') {
    const [{ date }] = Object.values(content) as [{ date: Record<string, number> }]
    const two = (value: number | undefined) => String(value).padStart(2, '0')
    return `${date.year}-${two(date.month)}-${two(date.day)}`
  }
  const at = member.endsWith('end_time') ? to : from
  const local = member.includes('civil') ? calendar.offsetAt(at) : 0
  return new Date(at + local).toISOString().slice(0, 19)
}

/** Drops fractions and `Z`, so that texts of one length are compared. */
const plain = (text: string): string => text.replace(/(?:\.\d+)?Z?$/, '')

function spanOf({ from, to }: Bounds, now: number): Span {
  const at = (text: string | undefined, fallback: number, margin: number): number => {
    const parsed = text === undefined ? Number.NaN : Date.parse(text)
    return Number.isNaN(parsed) ? fallback : parsed + margin
  }
  const earliest = now - PAST_DAYS * DAY_MS
  return {
    from: Math.max(earliest, at(from, earliest, -MARGIN_MS)),
    to: Math.min(now, at(to, now, MARGIN_MS)),
  }
}

/** Returns all points of a type in a span, as the vendor has them at an instant. */
export function pointsIn(type: string, calendar: Calendar, span: Span, now: number): Point[] {
  const until = googleUntil(calendar, now)
  const cut = { from: span.from, to: Math.min(span.to, until + 1) }
  if (cut.from >= cut.to) return []
  const made =
    type === 'sleep'
      ? sleepPoints(calendar, cut, now)
      : (MEASURES[type]?.(calendar, cut) ?? SESSIONS[type]?.(calendar, cut, now) ?? [])
  return made.filter(({ to }) => to <= until)
}

/** Returns the records of a type within bounds, the newest first, as JSON values. */
export function recordsOf(
  type: string,
  method: 'list' | 'reconcile',
  calendar: Calendar,
  bounds: Bounds,
  now: number,
): object[] {
  const length = bounds.member === 'date' ? 10 : 19
  const [least, most] = [bounds.from, bounds.to].map((text) => text && plain(text).slice(0, length))
  return pointsIn(type, calendar, spanOf(bounds, now), now)
    .filter((point) => method === 'list' || !point.isRawOnly)
    .filter((point) => {
      const text = comparedText(calendar, bounds.member, point)
      const padded = (bound: string) =>
        bound.length === 10 && length > 10 ? `${bound}T00:00:00` : bound
      return (!least || text >= padded(least)) && (!most || text < padded(most))
    })
    .sort((one, other) => other.from - one.from)
    .map((point) => shown(type, method, point))
}

function shown(type: string, method: 'list' | 'reconcile', point: Point): object {
  const name = point.id && `users/me/dataTypes/${type}/dataPoints/${point.id}`
  if (method === 'reconcile') return { ...(name && { dataPointName: name }), ...point.content }
  return { ...(name && { name }), dataSource: point.dataSource, ...point.content }
}

/** Reads a filter; undefined for one that the vendor refuses. */
export function readFilter(type: string, filter: string | undefined): Bounds | undefined {
  const filters = DATA_TYPES.get(type)?.filters ?? {}
  const prefix = `${type.replaceAll('-', '_')}.`
  const [usual = ''] = Object.keys(filters)
  const bounds: { member: string; from?: string; to?: string } = { member: usual }
  for (const part of filter ? filter.split(' AND ') : []) {
    const [, path = '', operator, text] = /^([\w.]+) (>=|<) "([^"]+)"$/.exec(part.trim()) ?? []
    const member = path.startsWith(prefix) ? path.slice(prefix.length) : ''
    const kind = Object.hasOwn(filters, member) ? filters[member] : undefined
    if (kind === undefined || Number.isNaN(Date.parse(text ?? ''))) return undefined
    if (kind === 'physical' && !/T.*Z$/.test(text ?? '')) return undefined
    // The vendor accepts no end of electrocardiograms.
    if (operator === '<' && type === 'electrocardiogram') return undefined
    bounds.member = member
    bounds[operator === '<' ? 'to' : 'from'] = text ?? ''
  }
  return { from: undefined, to: undefined, ...bounds }
}
