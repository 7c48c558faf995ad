import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'

/** Local time of the emulated people: offsets of zones, and days as numbers since 1970-01-01. */

/** Offsets of one day of UTC: the second one from the change on. */
interface Offsets {
  before: number
  after: number
  changedAt: number
}

const formats = new Map<string, Intl.DateTimeFormat>()
const offsetsOf = new Map<string, Map<number, Offsets>>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(zone, made)
  return made
}

function readOffset(zone: string, at: number): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const get = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
  const local = Date.UTC(
    get('year'),
    get('month') - 1,
    get('day'),
    get('hour'),
    get('minute'),
    get('second'),
  )
  return Math.round((local - at) / MINUTE_MS) * MINUTE_MS
}

function readDay(zone: string, day: number): Offsets {
  const before = readOffset(zone, day * DAY_MS)
  const after = readOffset(zone, (day + 1) * DAY_MS)
  if (before === after) return { before, after, changedAt: Number.POSITIVE_INFINITY }
  let [low, high] = [day * DAY_MS, (day + 1) * DAY_MS]
  while (high - low > MINUTE_MS) {
    const middle = Math.floor((low + high) / 2 / MINUTE_MS) * MINUTE_MS
    if (readOffset(zone, middle) === before) low = middle
    else high = middle
  }
  return { before, after, changedAt: high }
}

/** Returns the offset of a zone from UTC, in milliseconds. */
export function offsetAt(zone: string, at: number): number {
  const day = Math.floor(at / DAY_MS)
  let days = offsetsOf.get(zone)
  if (days === undefined) {
    days = new Map()
    offsetsOf.set(zone, days)
  }
  let offsets = days.get(day)
  if (offsets === undefined) {
    offsets = readDay(zone, day)
    days.set(day, offsets)
  }
  return at < offsets.changedAt ? offsets.before : offsets.after
}

/** Returns the start of a local day, epoch milliseconds. */
export function midnightOf(zone: string, day: number): number {
  const asUtc = day * DAY_MS
  const guess = asUtc - offsetAt(zone, asUtc)
  return asUtc - offsetAt(zone, guess)
}

/** Returns the local day of an instant. */
export const localDayOf = (zone: string, at: number): number =>
  Math.floor((at + offsetAt(zone, at)) / DAY_MS)

/** From Monday, 0, to Sunday, 6. */
export const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7

const dates = new Map<number, string>()

/** YYYY-MM-DD. */
export function dateText(day: number): string {
  const known = dates.get(day)
  if (known !== undefined) return known
  const text = new Date(day * DAY_MS).toISOString().slice(0, 10)
  dates.set(day, text)
  return text
}

/** Returns the number of the day YYYY-MM-DD; undefined for any other text. */
export function dayOfDate(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const at = Date.parse(`${text}T00:00:00Z`)
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text) return undefined
  return at / DAY_MS
}

const two = (value: number): string => (value < 10 ? `0${value}` : `${value}`)

/** `+02:00` */
export function offsetText(offset: number): string {
  const minutes = Math.abs(offset) / MINUTE_MS
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** `2026-03-01T07:30:00.000+02:00` */
export function localText(at: number, offset: number): string {
  const local = at + offset
  const day = Math.floor(local / DAY_MS)
  const ms = local - day * DAY_MS
  const time = `${two(Math.floor(ms / HOUR_MS))}:${two(Math.floor(ms / MINUTE_MS) % 60)}:${two(Math.floor(ms / 1000) % 60)}`
  return `${dateText(day)}T${time}.${String(ms % 1000).padStart(3, '0')}${offsetText(offset)}`
}

/** Returns `2026-03-01T05:30:00.000Z`, without making a Date of it. */
export function utcText(at: number): string {
  return `${localText(at, 0).slice(0, 23)}Z`
}
