import { createHash } from 'node:crypto'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { Calendar, Span } from '../people/days.ts'
import { glucoseAt, injectionsOn, loggedMealsOn, notesOn, sensorAt } from '../people/glucose.ts'
import { localText, utcText } from '../people/local-time.ts'
import { betweenAt, deriveSeed, isAt, unitAt, uuidAt } from '../people/noise.ts'

/** Records of Dexcom's API v3, each a function of the person and the time. */

export type DexcomList = 'egvs' | 'calibrations' | 'events'

/** A record, and from when on the vendor shows it. */
export interface DexcomRecord {
  readonly at: number
  readonly visibleFrom: number
  readonly record: Readonly<Record<string, unknown>>
}

const STEP_MS = 5 * MINUTE_MS
const WARM_UP_MS = HOUR_MS / 2
const MG_DL_PER_MMOL_L = 18.0182
const PHONE_DELAY_MS = HOUR_MS
/** A receiver is connected to a computer after days. */
const RECEIVER_DELAY_MS = 9 * DAY_MS
const USE = { sentinel: 810, calibration: 811, event: 812, id: 813 }

const withoutMillis = (text: string): string => text.replace(/\.\d{3}/, '')
const withoutZone = (text: string): string => text.slice(0, 19)

const isMetric = ({ person }: Calendar): boolean => person.traits.has('eu')
const unitOf = (calendar: Calendar): string => (isMetric(calendar) ? 'mmol/L' : 'mg/dL')
const inUnit = (calendar: Calendar, milligrams: number): number =>
  isMetric(calendar) ? Math.round((milligrams / MG_DL_PER_MMOL_L) * 10) / 10 : milligrams

type Carrier = 'phone' | 'both' | 'receiver'

/** Returns the devices that a person carries on a day. */
export function carrierOn(number: number): Carrier {
  const position = number % 10
  return position === 3 ? 'both' : position === 7 ? 'receiver' : 'phone'
}

const phoneOf = ({ person }: Calendar): string => (person.seed % 3 === 0 ? 'android' : 'iOS')

function timesOf(calendar: Calendar, at: number, device: string) {
  if (device !== 'receiver') {
    const displayTime = withoutMillis(localText(at, calendar.offsetAt(at)))
    return { systemTime: withoutMillis(utcText(at)), displayTime }
  }
  // The person set its clock by hand, and it is 13 minutes slow.
  const shown = at + calendar.offsetAt(at) - 13 * MINUTE_MS
  return { systemTime: withoutZone(utcText(at)), displayTime: withoutZone(utcText(shown)) }
}

const delayOf = ({ person }: Calendar, device: string): number => {
  if (device === 'receiver') return RECEIVER_DELAY_MS
  return person.traits.has('live') ? 0 : PHONE_DELAY_MS
}

/** What a sensor measured: mg/dL, or that it was too low or too high. */
export interface Reading {
  readonly at: number
  readonly value: number | 'low' | 'high'
}

/** Returns what a sensor measured in a span, every five minutes, without its first half hour. */
export function readingsIn(calendar: Calendar, { from, to }: Span): Reading[] {
  const { seed } = calendar.person
  const shift = (seed % 300) * 1000
  const readings: Reading[] = []
  for (let at = Math.ceil((from - shift) / STEP_MS) * STEP_MS + shift; at < to; at += STEP_MS) {
    if (at - sensorAt(calendar, at).from < WARM_UP_MS) continue
    const chance = unitAt(deriveSeed(seed, USE.sentinel), Math.floor(at / STEP_MS))
    const odd = chance < 0.003 ? 'low' : chance > 0.997 ? 'high' : undefined
    readings.push({ at, value: odd ?? glucoseAt(calendar, at) })
  }
  return readings
}

function readingRecords(calendar: Calendar, { at, value }: Reading): DexcomRecord[] {
  const sensor = sensorAt(calendar, at)
  const carried = carrierOn(calendar.dayAt(at).number)
  const devices = [
    ...(carried === 'receiver' ? [] : [phoneOf(calendar)]),
    ...(carried === 'phone' ? [] : ['receiver']),
  ]
  const milligrams = value === 'low' ? 39 : value === 'high' ? 401 : value
  return devices.map((displayDevice, position) => {
    // A receiver gets the reading some seconds later.
    const seen = displayDevice === 'receiver' ? at + 7000 : at
    const seed = deriveSeed(calendar.person.seed, USE.id + 10 + position)
    const record = {
      recordId: uuidAt(seed, Math.floor(at / STEP_MS)),
      ...timesOf(calendar, seen, displayDevice),
      transmitterId: createHash('sha256')
        .update(`${calendar.person.seed} ${sensor.number}`)
        .digest('hex'),
      transmitterTicks: Math.round((at - sensor.from) / 1000),
      value: inUnit(calendar, milligrams),
      unit: unitOf(calendar),
      trend: 'flat',
      trendRate: 0.1,
      status: typeof value === 'number' ? null : value,
      rateUnit: isMetric(calendar) ? 'mmol/L/min' : 'mg/dL/min',
      displayDevice,
      displayApp: displayDevice === 'receiver' ? null : 'G7',
      transmitterGeneration: 'g7',
    }
    return { at: seen, visibleFrom: seen + delayOf(calendar, displayDevice), record }
  })
}

export interface Calibration {
  readonly at: number
  /** mg/dL */
  readonly value: number
}

/** Returns the calibrations of a day: some mornings. */
export function calibrationsOn(calendar: Calendar, number: number): Calibration[] {
  const seed = deriveSeed(calendar.person.seed, USE.calibration)
  if (!isAt(seed, number, 0.3)) return []
  const at =
    calendar.day(number).night.to + Math.round(betweenAt(seed, -number, 20, 90)) * MINUTE_MS
  return [{ at, value: glucoseAt(calendar, at) + Math.round(betweenAt(seed, number + 1, -8, 9)) }]
}

/** An entry of the person, and how it changed later. */
export interface DexcomEvent {
  readonly at: number
  readonly eventType: string
  readonly eventSubType: string | null
  readonly value: string | null
  readonly unit: string
  /** The value after a correction. */
  readonly corrected?: string
  readonly correctedAt?: number
  readonly deletedAt?: number
}

/** Returns the entries of a day, also those that were deleted later. */
export function eventsOn(calendar: Calendar, number: number): DexcomEvent[] {
  const day = calendar.day(number)
  const make = (
    at: number,
    eventType: string,
    eventSubType: string | null,
    value: string | null,
    unit: string,
  ) => ({ at, eventType, eventSubType, value, unit })
  const entries: DexcomEvent[] = [
    ...loggedMealsOn(calendar, number).map(({ at, carbohydrates }) =>
      make(at, 'carbs', null, String(carbohydrates), 'grams'),
    ),
    ...injectionsOn(calendar, number).map(({ at, units, kind }) =>
      make(at, 'insulin', kind === 'rapid' ? 'fastActing' : 'longActing', String(units), 'units'),
    ),
    ...notesOn(calendar, number).map(({ at, text }) => make(at, 'notes', null, text, 'unknown')),
    ...day.exercises.map(({ from, to, sport }) => {
      const kind = sport.intensity > 0.7 ? 'heavy' : sport.intensity > 0.4 ? 'medium' : 'light'
      return make(from, 'exercise', kind, String((to - from) / MINUTE_MS), 'minutes')
    }),
    ...(day.illness > 0.3
      ? [make(day.night.to + HOUR_MS, 'health', 'illness', null, 'unknown')]
      : []),
  ]
  const seed = deriveSeed(calendar.person.seed, USE.event)
  return entries
    .filter(({ at }) => at >= day.from && at < day.to)
    .map((entry, position) => {
      const chance = unitAt(deriveSeed(seed, position), number)
      if (chance < 0.06) return { ...entry, deletedAt: entry.at + 26 * HOUR_MS }
      if (chance > 0.14 || entry.eventType !== 'carbs') return entry
      const corrected = String(Number(entry.value) + 5)
      return { ...entry, corrected, correctedAt: entry.at + 6 * HOUR_MS }
    })
}

function eventRecord(
  calendar: Calendar,
  event: DexcomEvent,
  id: number,
  now: number,
): DexcomRecord {
  const {
    at,
    eventType,
    eventSubType,
    value,
    unit,
    corrected,
    correctedAt = now,
    deletedAt,
  } = event
  const isCorrected = corrected !== undefined && correctedAt < now
  const isDeleted = deletedAt !== undefined && deletedAt <= now
  const device = phoneOf(calendar)
  const times = timesOf(calendar, at, device)
  const record = {
    recordId: uuidAt(deriveSeed(calendar.person.seed, USE.id), id),
    ...times,
    recordedSystemTime: times.systemTime,
    recordedDisplayTime: times.displayTime,
    eventStatus: isDeleted ? 'deleted' : isCorrected ? 'updated' : 'created',
    eventType,
    eventSubType,
    value: isCorrected ? corrected : value,
    unit,
    displayDevice: device,
    transmitterGeneration: 'g7',
  }
  return { at, visibleFrom: at + delayOf(calendar, device), record }
}

/** Returns the records of a list in a span that the vendor shows now, the newest first. */
export function recordsIn(calendar: Calendar, list: DexcomList, span: Span, now: number): object[] {
  if (span.from >= span.to) return []
  const wide = { from: span.from - STEP_MS, to: span.to }
  const days = calendar.days(span)
  const all =
    list === 'egvs'
      ? readingsIn(calendar, wide).flatMap((reading) => readingRecords(calendar, reading))
      : list === 'events'
        ? days.flatMap(({ number }) =>
            eventsOn(calendar, number).map((event, position) =>
              eventRecord(calendar, event, number * 64 + position, now),
            ),
          )
        : days.flatMap(({ number }) => calibrationRecords(calendar, number))
  return all
    .filter(({ at, visibleFrom }) => at >= span.from && at < span.to && visibleFrom <= now)
    .sort((one, other) => other.at - one.at)
    .map(({ record }) => record)
}

function calibrationRecords(calendar: Calendar, number: number): DexcomRecord[] {
  const device = phoneOf(calendar)
  return calibrationsOn(calendar, number).map(({ at, value }) => ({
    at,
    visibleFrom: at + delayOf(calendar, device),
    record: {
      recordId: uuidAt(deriveSeed(calendar.person.seed, USE.id + 1), number),
      ...timesOf(calendar, at, device),
      transmitterId: null,
      transmitterTicks: null,
      value: inUnit(calendar, value),
      unit: unitOf(calendar),
      displayDevice: device,
      transmitterGeneration: 'g7',
    },
  }))
}
