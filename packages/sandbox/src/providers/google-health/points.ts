import type { Calendar, Span } from '../people/days.ts'
import { dateText, utcText } from '../people/local-time.ts'
import { deriveSeed, uuidAt } from '../people/noise.ts'
import { type SyncHabit, syncedUntil } from '../people/sync.ts'

/** A record of the vendor with the time by which it is listed. */
export interface Point extends Span {
  /** The union field and its content. */
  readonly content: object
  /** Id of records that the vendor names. */
  readonly id?: string
  readonly dataSource?: object
  /** Content of a raw source that the merged list leaves out. */
  readonly isRawOnly?: true
}

export const BAND_SYNC: SyncHabit = { use: 502, everyHours: [0.25, 1.2], silentDays: 0.03 }

/** There are no data older than this many days. */
export const PAST_DAYS = 400

/** Returns the time up to which the band of an account uploaded its data. */
export const googleUntil = (calendar: Calendar, now: number): number =>
  syncedUntil(calendar, now, BAND_SYNC)

export const BAND = {
  platform: 'FITBIT',
  recordingMethod: 'PASSIVELY_MEASURED',
  device: { displayName: 'Charge 6', formFactor: 'FITNESS_BAND', manufacturer: 'Fitbit' },
}
export const PHONE = {
  platform: 'HEALTH_CONNECT',
  recordingMethod: 'PASSIVELY_MEASURED',
  device: { displayName: 'Pixel 9', formFactor: 'PHONE', manufacturer: 'Google' },
}
export const SCALE = {
  platform: 'FITBIT',
  recordingMethod: 'ACTIVELY_MEASURED',
  device: { displayName: 'Aria Air', formFactor: 'SCALE', manufacturer: 'Fitbit' },
}
export const BY_HAND = { platform: 'FITBIT', recordingMethod: 'MANUAL' }

export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))

/** RFC 3339, without fractions where there are none. */
export const timeText = (at: number): string => utcText(at).replace('.000Z', 'Z')

/** `-18000s` */
export const durationText = (milliseconds: number): string => `${milliseconds / 1000}s`

export function dateOf(day: number): { year: number; month: number; day: number } {
  const [year = 0, month = 0, date = 0] = dateText(day).split('-').map(Number)
  return { year, month, day: date }
}

/** The local date and time of an instant. */
export function civilOf(calendar: Calendar, at: number) {
  const local = new Date(at + calendar.offsetAt(at))
  const time = {
    hours: local.getUTCHours(),
    minutes: local.getUTCMinutes(),
    seconds: local.getUTCSeconds(),
  }
  // Zeros are left out.
  const known = Object.fromEntries(Object.entries(time).filter(([, value]) => value !== 0))
  return { date: dateOf(Math.floor(local.getTime() / 86_400_000)), time: known }
}

export const sampleTime = (calendar: Calendar, at: number) => ({
  physicalTime: timeText(at),
  utcOffset: durationText(calendar.offsetAt(at)),
  civilTime: civilOf(calendar, at),
})

export const interval = (calendar: Calendar, { from, to }: Span) => ({
  startTime: timeText(from),
  startUtcOffset: durationText(calendar.offsetAt(from)),
  endTime: timeText(to),
  endUtcOffset: durationText(calendar.offsetAt(to)),
  civilStartTime: civilOf(calendar, from),
  civilEndTime: civilOf(calendar, to),
})

/** Returns the id of a record of a day: a long number. */
export const idOf = (calendar: Calendar, type: string, day: number, position: number): string => {
  const use = [...type].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 1e6
  const seed = deriveSeed(calendar.person.seed, use)
  return String(
    BigInt(
      `0x${uuidAt(seed, day * 64 + position)
        .replaceAll('-', '')
        .slice(0, 15)}`,
    ),
  )
}
