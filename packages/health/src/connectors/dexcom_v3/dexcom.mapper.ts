import type { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { isFields, type SampleFrame, type VendorInstant } from '../vendor-records.ts'
import { readInstant } from '../vendor-times.ts'

export const SLUG = 'dexcom_v3'

type Fields = Record<string, unknown>
type Frame = SampleFrame & { start: VendorInstant }

const NUMBER = /^\d+(?:\.\d+)?$/
const MG_DL_PER_MMOL_L = 18.0182
const UNITS: ReadonlySet<unknown> = new Set(['mg/dL', 'mmol/L'])
/** mg/dL. A sensor says of a value outside of these only that it is `low` or `high`. */
const MEASURED = { least: 39.5, most: 400.5 }

/** A value of a meter. */
export const FINGER = { sourceType: 'fingerprick', type: 'fingerprick' } as const
/** Types of insulin by the vendor's name. */
export const INSULIN: Readonly<Record<string, string>> = {
  fastActing: 'rapid_acting',
  longActing: 'long_acting',
}
/** Texts of health events by the vendor's name. */
export const HEALTH: Readonly<Record<string, string>> = {
  illness: 'Illness',
  stress: 'Stress',
  highSymptoms: 'Symptoms of high glucose',
  lowSymptoms: 'Symptoms of low glucose',
  cycle: 'Menstrual cycle',
  alcohol: 'Alcohol',
}
/** Texts of exercise by the vendor's name. */
export const EXERCISE: Readonly<Record<string, string>> = {
  light: 'Light exercise',
  medium: 'Medium exercise',
  heavy: 'Heavy exercise',
}
/** Series of each type of event. */
const SERIES = {
  carbs: 'carbohydrates',
  insulin: 'insulin_injection',
  bloodGlucose: 'glucose',
  exercise: 'note',
  health: 'note',
  notes: 'note',
} as const
type EventType = keyof typeof SERIES

/** Of versions of one event in an answer the last one here counts. */
const STATUSES = ['created', 'updated', 'deleted']
/** Of one reading that several devices uploaded the last one here counts: phones know the zone. */
const DEVICES = ['unknown', 'receiver', 'android', 'iOS']

/**
 * Returns the records of an answer in an order that does not depend on that of the vendor.
 * @throws VendorError `unexpected`
 */
function recordsOf(answer: unknown, data: PageData, resource: string): Fields[] {
  const records = isFields(answer) ? answer.records : undefined
  if (!Array.isArray(records)) throw new VendorError(SLUG, { kind: 'unexpected', status: null })
  for (const record of records) {
    if (!isFields(record)) data.quarantine(resource, 'not_an_object', record)
  }
  const idOf = ({ recordId }: Fields) => String(recordId)
  return records.filter(isFields).sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
}

/**
 * Returns the instant of `systemTime`, which is UTC also where a receiver writes no zone, with the
 * offset of `displayTime` if it says one. The difference of both is no offset, because people set
 * the clock of a receiver by hand.
 */
function instantOf(data: PageData, resource: string, record: Fields): VendorInstant | undefined {
  const { systemTime, displayTime } = record
  const start =
    readInstant(systemTime) === undefined
      ? data.localInstant(resource, systemTime, null, record)
      : data.instant(resource, systemTime, record)
  return start && { at: start.at, offset: readInstant(displayTime)?.offset ?? null }
}

const idOf = ({ recordId }: Fields) =>
  typeof recordId === 'string' && recordId !== '' ? { recordId } : {}

/** Values of events are texts. */
const numberOf = (value: unknown): number =>
  typeof value === 'string' && NUMBER.test(value) ? Number(value) : (value as number)

/** Adds a value of a sensor or meter; no meter reports 0. */
function addGlucose(
  data: PageData,
  frame: Frame & { type: string },
  value: unknown,
  record: Fields,
): void {
  const unit = typeof record.unit === 'string' ? record.unit : ''
  if (value === 0) data.quarantine('glucose', 'out_of_range', record)
  else data.addSample('glucose', { ...frame, value: value as number, unit }, record)
}

/**
 * Whether a reading has no value: the sensor cannot measure so low or so high. A mark alone does
 * not say so of a value between the limits.
 */
function isSentinel({ value, unit, status }: Fields): boolean {
  if (typeof value !== 'number') return false
  const milligrams = unit === 'mmol/L' ? value * MG_DL_PER_MMOL_L : value
  const { least, most } = MEASURED
  const isPinned =
    (status === 'low' && milligrams < least + 1) || (status === 'high' && milligrams > most - 1)
  return isPinned || milligrams < least || milligrams > most
}

const rankOf = ({ displayDevice }: Fields): number => DEVICES.indexOf(String(displayDevice))

/** Returns what readings of several devices have in common; undefined where it is not known. */
const keyOf = ({ transmitterId, transmitterTicks: ticks }: Fields): string | undefined =>
  typeof transmitterId === 'string' && typeof ticks === 'number' && ticks > 0
    ? JSON.stringify([transmitterId, ticks])
    : undefined

/**
 * Maps readings of sensors. The phone and the receiver of a person upload the same reading, with
 * ids and times of their own.
 */
export function mapReadings(answer: unknown, data: PageData): void {
  const records = recordsOf(answer, data, 'glucose').sort((a, b) => rankOf(a) - rankOf(b))
  const best = new Map<string, number>()
  for (const record of records) {
    const key = keyOf(record)
    if (key !== undefined) best.set(key, rankOf(record))
  }
  const byInstant = new Map<number, { frame: Frame & { type: string }; record: Fields }>()
  for (const record of records) {
    const rank = best.get(keyOf(record) ?? '') ?? rankOf(record)
    if (rank > rankOf(record)) continue
    // A sensor that warms up has no value.
    if (record.value === null) continue
    const start = instantOf(data, 'glucose', record)
    if (start === undefined) continue
    const frame = { start, sourceType: 'automatic', type: 'automatic' } as const
    if (isSentinel(record)) data.quarantine('glucose', 'out_of_range', record)
    else if (typeof record.value === 'number' && UNITS.has(record.unit)) {
      byInstant.set(start.at, { frame, record })
    } else addGlucose(data, frame, record.value, record)
  }
  for (const { frame, record } of byInstant.values()) addGlucose(data, frame, record.value, record)
}

/** Maps values of a meter with which the person calibrated the sensor. */
export function mapCalibrations(answer: unknown, data: PageData): void {
  for (const record of recordsOf(answer, data, 'glucose')) {
    const start = instantOf(data, 'glucose', record)
    if (start) addGlucose(data, { ...idOf(record), ...FINGER, start }, record.value, record)
  }
}

/** Maps the diary of the person, without deleted events. */
export function mapEvents(answer: unknown, data: PageData): void {
  for (const [type, record] of eventsOf(answer, data)) addEvent(data, type, record)
}

/** Maps only the values of a meter among the events. */
export function mapMeterEvents(answer: unknown, data: PageData): void {
  for (const [type, record] of eventsOf(answer, data)) {
    if (type === 'bloodGlucose') addEvent(data, type, record)
  }
}

/** Returns the present version of each event with its type. */
function eventsOf(answer: unknown, data: PageData): (readonly [EventType, Fields])[] {
  const statusOf = ({ eventStatus }: Fields) => STATUSES.indexOf(String(eventStatus ?? 'created'))
  const latest = new Map<unknown, Fields>()
  const records = recordsOf(answer, data, 'note').sort((a, b) => statusOf(a) - statusOf(b))
  for (const record of records) latest.set(idOf(record).recordId ?? record, record)
  return [...latest.values()].flatMap((record) => {
    const { eventStatus, eventType } = record
    if (eventStatus === 'deleted') return []
    const type = Object.keys(SERIES).find((known) => known === eventType) as EventType | undefined
    if (type === undefined) data.quarantine('note', 'unknown_type', record)
    else if (statusOf(record) < 0) data.quarantine(SERIES[type], 'invalid_field', record)
    else return [[type, record] as const]
    return []
  })
}

function addEvent(data: PageData, eventType: EventType, record: Fields): void {
  const start = instantOf(data, SERIES[eventType], record)
  if (start === undefined) return
  const { unit, eventSubType } = record
  const frame = { ...idOf(record), start, sourceType: 'app' } as const
  const value = numberOf(record.value)
  if (eventType === 'bloodGlucose') addGlucose(data, { ...frame, ...FINGER }, value, record)
  else if (eventType === 'carbs') {
    const sample = { ...frame, value, unit: unit === 'grams' ? 'g' : String(unit) }
    data.addSample('carbohydrates', sample, record)
  } else if (eventType === 'insulin') {
    const type = INSULIN[String(eventSubType)] ?? (eventSubType ? 'unknown' : '')
    const sample = { ...frame, value, unit: unit === 'units' ? 'unit' : String(unit), type }
    data.addSample('insulin_injection', sample, record)
  } else addEventNote(data, eventType, frame, record)
}

function addEventNote(data: PageData, eventType: EventType, frame: Frame, record: Fields): void {
  const { eventSubType: kind, value, unit } = record
  const isPlain = kind === null || kind === undefined
  const names = eventType === 'exercise' ? EXERCISE : HEALTH
  const name = eventType === 'exercise' && isPlain ? 'Exercise' : names[String(kind)]
  const hasValue = value !== null && value !== undefined && value !== ''
  const minutes = numberOf(value)
  const isDuration = unit === 'minutes' && typeof minutes === 'number' && minutes > 0
  if (eventType === 'notes') {
    if (typeof value !== 'string' || value === '') data.quarantine('note', 'invalid_value', record)
    else data.addNote({ ...frame, text: value, tags: ['unspecified'] }, record)
  } else if (name === undefined) {
    data.quarantine('note', isPlain ? 'missing_type' : 'unknown_type', record)
  } else if (eventType === 'health') {
    data.addNote({ ...frame, text: name, tags: ['unspecified'] }, record)
  } else if (hasValue && !isDuration) data.quarantine('note', 'invalid_value', record)
  else {
    const text = hasValue ? `${name}, ${minutes} minutes` : name
    data.addNote({ ...frame, text, tags: ['exercise'] }, record)
  }
}
