import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { Calendar, Span } from '../people/days.ts'
import { diaryOf, GLUCOSE_KINDS } from '../people/diary.ts'
import { glucoseAt, sensorAt } from '../people/glucose.ts'
import { dateText } from '../people/local-time.ts'
import { deriveSeed, uuidAt } from '../people/noise.ts'
import { SENSOR_SYNC, syncedUntil } from '../people/sync.ts'

const GRAPH_MS = 12 * HOUR_MS
const LOGBOOK_MS = 14 * DAY_MS

/** Returns a local time as `3/1/2026 6:45:00 AM`. */
export function timestampText(local: number): string {
  const day = Math.floor(local / DAY_MS)
  const [year = '', month = '', date = ''] = dateText(day).split('-')
  const ms = local - day * DAY_MS
  const hour = Math.floor(ms / HOUR_MS)
  const two = (value: number): string => String(value).padStart(2, '0')
  const time = `${hour % 12 === 0 ? 12 : hour % 12}:${two(Math.floor(ms / MINUTE_MS) % 60)}:${two(Math.floor(ms / 1000) % 60)}`
  return `${Number(month)}/${Number(date)}/${year} ${time} ${hour < 12 ? 'AM' : 'PM'}`
}

function colorOf(value: number): number {
  if (value < 70) return 4
  if (value <= 180) return 1
  return value <= 240 ? 2 : 3
}

/** From 1, falling quickly, to 5, rising quickly. */
function trendAt(calendar: Calendar, at: number): number {
  const change = glucoseAt(calendar, at) - glucoseAt(calendar, at - 15 * MINUTE_MS)
  if (change < -30) return 1
  if (change < -15) return 2
  if (change > 30) return 5
  return change > 15 ? 4 : 3
}

function timesOf(calendar: Calendar, at: number) {
  return {
    FactoryTimestamp: timestampText(at),
    Timestamp: timestampText(at + calendar.offsetAt(at)),
  }
}

/** How LibreLinkUp shows a value: `current` is the newest one, `alarm` an entry of the logbook. */
export interface ShownValue {
  readonly at: number
  /** mg/dL */
  readonly value: number
  readonly kind: 'historic' | 'scan' | 'alarm' | 'current'
}

/** `type` of graph and logbook; it differs from that of exports. */
const TYPES = { historic: 0, scan: 1, alarm: 2, current: 1 } as const

/** Returns a glucose value as LibreLinkUp shows it. */
export function measurement(calendar: Calendar, { at, value, kind }: ShownValue): object {
  return {
    ...timesOf(calendar, at),
    type: TYPES[kind],
    ValueInMgPerDl: value,
    ...(kind !== 'historic' && { TrendArrow: trendAt(calendar, at), TrendMessage: null }),
    MeasurementColor: colorOf(value),
    GlucoseUnits: 1,
    Value: value,
    isHigh: false,
    isLow: false,
  }
}

/** Returns the automatic values of the last hours, the oldest first. */
export const graphOf = (calendar: Calendar, now: number): ShownValue[] =>
  valuesOf(calendar, { from: now - GRAPH_MS, to: now }, now).filter(
    ({ kind }) => kind === 'historic',
  )

/** Returns scans and alarms of the last two weeks, the newest first. */
export function logbookOf(calendar: Calendar, now: number): ShownValue[] {
  const values = valuesOf(calendar, { from: now - LOGBOOK_MS, to: now }, now)
  const alarms = values.flatMap(({ at, value, kind }, index): ShownValue[] => {
    const before = values[index - 1]?.value ?? value
    const isAlarm = kind === 'historic' && alarmOf(value) !== alarmOf(before) && alarmOf(value)
    // A minute after the value that a graph has.
    const later = at + MINUTE_MS
    return isAlarm && later < now
      ? [{ at: later, value: glucoseAt(calendar, later), kind: 'alarm' }]
      : []
  })
  const scans = values.filter(({ kind }) => kind === 'scan')
  return [...scans, ...alarms].sort((one, other) => other.at - one.at)
}

const alarmOf = (value: number): 'low' | 'high' | undefined =>
  value < 70 ? 'low' : value > 240 ? 'high' : undefined

/** Returns the newest value, which is later than those of the graph. */
export function newestOf(calendar: Calendar, now: number): ShownValue | undefined {
  const last = graphOf(calendar, now).at(-1)
  if (last === undefined) return undefined
  const minutes = Math.floor((syncedUntil(calendar, now, SENSOR_SYNC) - last.at) / MINUTE_MS)
  const at = last.at + Math.min(minutes, 14) * MINUTE_MS
  return { at, value: glucoseAt(calendar, at), kind: 'current' }
}

function valuesOf(calendar: Calendar, span: Span, now: number): ShownValue[] {
  return diaryOf(calendar, span, now, GLUCOSE_KINDS).flatMap((entry) =>
    entry.kind === 'historic' || entry.kind === 'scan' ? [entry] : [],
  )
}

export const serialOf = (calendar: Calendar, at: number): string => {
  const { number } = sensorAt(calendar, at)
  return `0M${uuidAt(deriveSeed(calendar.person.seed, 800), number).slice(0, 7).toUpperCase()}`
}
