import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { Calendar } from '../people/days.ts'
import type { DiaryEntry } from '../people/diary.ts'
import { glucoseAt, sensorAt } from '../people/glucose.ts'
import { dateText } from '../people/local-time.ts'
import { deriveSeed, uuidAt } from '../people/noise.ts'

/** Records of LibreView and LibreLinkUp. */

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

const TYPES: Record<DiaryEntry['kind'], number> = {
  historic: 0,
  scan: 1,
  insulin: 4,
  food: 5,
  note: 6,
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

/** Returns a glucose value as the graph and the logbook show it. */
export function measurement(
  calendar: Calendar,
  entry: { at: number; value: number; kind: string },
): object {
  const { at, value, kind } = entry
  return {
    ...timesOf(calendar, at),
    type: kind === 'scan' ? 1 : 0,
    ValueInMgPerDl: value,
    ...(kind === 'scan' && { TrendArrow: trendAt(calendar, at) }),
    MeasurementColor: colorOf(value),
    GlucoseUnits: 1,
    Value: value,
    isHigh: false,
    isLow: false,
  }
}

export const serialOf = (calendar: Calendar, at: number): string => {
  const { number } = sensorAt(calendar, at)
  return `0M${uuidAt(deriveSeed(calendar.person.seed, 800), number).slice(0, 7).toUpperCase()}`
}

/** Returns a record of the history. */
export function historyRecord(calendar: Calendar, entry: DiaryEntry): object {
  const type = TYPES[entry.kind]
  const id = uuidAt(deriveSeed(calendar.person.seed, 810 + type), Math.floor(entry.at / 1000))
  const frame = { id, serialNumber: serialOf(calendar, entry.at) }
  if ('value' in entry) return { ...frame, ...measurement(calendar, entry) }
  const own = { ...frame, ...timesOf(calendar, entry.at), type }
  if (entry.kind === 'insulin') return { ...own, insulin: entry.units, insulinType: entry.type }
  if (entry.kind === 'food') return { ...own, carbohydrates: entry.grams }
  return { ...own, note: entry.text }
}
