import { HOUR_MS } from '@salus/contracts/time-units'
import type { PageRequest } from '../connector.ts'
import type { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import type { TimeRange, VendorInstant } from '../vendor-records.ts'
import { EVENT, type PumpEvent, pumpEventsOf, pumpTime } from './pump-events.ts'
import { eventRequestsOf, mappedPart, SLUG } from './tandem-pages.ts'

/** States of a glucose value. Others stand for a value that is not to be shown. */
const MEASURED = 0
const HIGH = 1
const LOW = 2
/** Kinds of a glucose value: of five minutes, and sent later. Others are calibrations. */
const READINGS: ReadonlySet<number> = new Set([0, 1])
const COMPLETED = 0
/** `requested 1`: the algorithm of the pump asked for the bolus. */
const AUTOMATIC = 2
/** `bolus delivery`: source of a bolus of the algorithm. */
const ALGORITHM = 7
/** The pump reports its basal rate about every five minutes; after a longer gap it is not known. */
const LONGEST_BASAL_MS = HOUR_MS

/** A bolus, as far as its events say. */
interface Bolus {
  /** Time of the first event. */
  requestedAt?: number
  /** Units for food, and to correct a high glucose. */
  food?: number
  correction?: number
  isAutomatic?: boolean
  /** Whether an event of the end of it exists, beside that of newer pumps. */
  isCompleted?: boolean
}

/** Maps the events of the pumps of a page. */
export function mapPumps(
  answer: unknown,
  data: PageData,
  details: readonly unknown[],
  request: PageRequest,
): void {
  for (const [index, { id }] of eventRequestsOf(answer, request).entries()) {
    const detail = details[index]
    if (detail === undefined) continue
    const events = pumpEventsOf(detail)
    if (events === undefined) throw new VendorError(SLUG, { kind: 'unexpected', status: null })
    mapEvents(data, id, events, mappedPart(request.range))
  }
}

function mapEvents(
  data: PageData,
  pump: string,
  events: readonly PumpEvent[],
  { from, to }: TimeRange,
): void {
  const boluses = bolusesOf(events)
  const basals = events.filter(({ type }) => type === EVENT.basalDelivery)
  const nextOf = new Map(basals.map((event, index) => [event, basals[index + 1]]))
  // Events outside are there for those that belong to them: another range has these.
  for (const event of events.filter(({ at }) => at >= from && at < to)) {
    const recordId = `${pump}-${event.sequence}`
    if (event.type === EVENT.basalDelivery) addBasal(data, event, nextOf.get(event), recordId)
    else if (event.type === EVENT.bolusRequest1) addCarbohydrates(data, event, recordId)
    else if (event.type === EVENT.bloodGlucose) addFingerprick(data, event, recordId)
    else if (isBolusEnd(event)) addBolus(data, event, boluses, recordId)
    else if (isReading(event)) addReading(data, event)
  }
}

const floating = (at: number): VendorInstant => ({ at, offset: null })

/** A record of quarantine without the bytes of an event. */
const recordOf = ({ type, sequence, at }: PumpEvent, values: object = {}) => ({
  type,
  sequence,
  time: new Date(at).toISOString().slice(0, 19),
  ...values,
})

const isReading = ({ type }: PumpEvent): boolean =>
  type === EVENT.cgmG6 || type === EVENT.cgmG7 || type === EVENT.cgmLibre2

/** Adds a value of a sensor, at its own time: a pump may get values of hours at once. */
function addReading(data: PageData, event: PumpEvent): void {
  const { data: bytes, type } = event
  const status = type === EVENT.cgmLibre2 ? bytes.getUint8(3) : bytes.getUint16(2)
  const value = bytes.getUint16(4)
  const record = recordOf(event, { status, value })
  if (!READINGS.has(bytes.getUint8(1))) return
  if (status === HIGH || status === LOW) data.quarantine('glucose', 'out_of_range', record)
  if (status !== MEASURED) return
  const unit = { unit: 's', offset: null } as const
  const seconds = pumpTime(bytes.getUint32(8)) / 1000
  const start = data.epochInstant('glucose', seconds, unit, record)
  if (start === undefined) return
  addGlucose(data, { start, sourceType: 'automatic', type: 'automatic', value }, record)
}

function addFingerprick(data: PageData, event: PumpEvent, recordId: string): void {
  // Others are values of the sensor that the person took over.
  if (event.data.getUint8(0) !== 0) return
  const value = event.data.getUint16(2)
  const kind = { sourceType: 'fingerprick', type: 'fingerprick' } as const
  const sample = { start: floating(event.at), recordId, value, ...kind }
  addGlucose(data, sample, recordOf(event, { value }))
}

function addGlucose(
  data: PageData,
  sample: Omit<Parameters<PageData['addSample']>[1], 'unit'>,
  record: object,
): void {
  if (sample.value === 0) data.quarantine('glucose', 'out_of_range', record)
  else data.addSample('glucose', { ...sample, unit: 'mg/dL' }, record)
}

function addCarbohydrates(data: PageData, event: PumpEvent, recordId: string): void {
  const value = event.data.getUint16(6)
  if (value === 0) return
  const frame = { start: floating(event.at), sourceType: 'insulin_pump', recordId } as const
  data.addSample('carbohydrates', { ...frame, value, unit: 'g' }, recordOf(event, { value }))
}

/** Adds the insulin of a basal rate until the next report. Without a rate none was delivered. */
function addBasal(
  data: PageData,
  event: PumpEvent,
  next: PumpEvent | undefined,
  recordId: string,
): void {
  const milliunitsAnHour = event.data.getUint16(6)
  const duration = (next?.at ?? event.at) - event.at
  // The clock of a pump may be set back.
  if (milliunitsAnHour === 0 || duration <= 0 || duration > LONGEST_BASAL_MS) return
  const value = rounded((milliunitsAnHour / 1000) * (duration / HOUR_MS))
  addInsulin(data, event, {
    recordId,
    start: floating(event.at),
    end: floating(event.at + duration),
    value,
    extra: { delivery_mode: 'basal' },
  })
}

/** The bolus of an event, by its number. */
function bolusIdOf({ type, data }: PumpEvent): number | undefined {
  if (type === EVENT.bolusCompleted || type === EVENT.extendedCompleted) return data.getUint16(0)
  if (type === EVENT.bolusDelivery || type === EVENT.bolusRequest1) return data.getUint16(2)
  return type === EVENT.bolusRequest3 ? data.getUint16(0) : undefined
}

function bolusesOf(events: readonly PumpEvent[]): Map<number, Bolus> {
  const boluses = new Map<number, Bolus>()
  for (const event of events) {
    const id = bolusIdOf(event)
    if (id === undefined) continue
    const bolus = boluses.get(id) ?? {}
    boluses.set(id, bolus)
    const { type, data: bytes } = event
    if (type === EVENT.bolusRequest1) {
      bolus.requestedAt ??= event.at
      bolus.isAutomatic = bytes.getUint8(1) === AUTOMATIC
    } else if (type === EVENT.bolusRequest3) {
      bolus.food = bytes.getFloat32(4)
      bolus.correction = bytes.getFloat32(8)
    } else if (type !== EVENT.bolusDelivery) bolus.isCompleted = true
  }
  return boluses
}

const isBolusEnd = ({ type }: PumpEvent): boolean =>
  type === EVENT.bolusCompleted || type === EVENT.extendedCompleted || type === EVENT.bolusDelivery

function addBolus(
  data: PageData,
  event: PumpEvent,
  boluses: ReadonlyMap<number, Bolus>,
  recordId: string,
): void {
  const { type, data: bytes, at } = event
  const bolus = boluses.get(bolusIdOf(event) ?? -1) ?? {}
  const isNewer = type === EVENT.bolusDelivery
  // Newer pumps report the end of a bolus twice.
  if (isNewer && (bolus.isCompleted || bytes.getUint8(1) !== COMPLETED)) return
  const value = rounded(isNewer ? bytes.getUint16(12) / 1000 : bytes.getFloat32(8))
  if (value === 0) return
  const isExtended = type === EVENT.extendedCompleted
  // The extended part was delivered since the request.
  const from = isExtended ? Math.min(bolus.requestedAt ?? at, at) : at
  const said = isNewer
    ? { ...bolus, isAutomatic: bolus.isAutomatic || bytes.getUint8(7) === ALGORITHM }
    : bolus
  addInsulin(data, event, {
    recordId,
    start: floating(from),
    end: floating(at),
    value,
    extra: {
      delivery_mode: 'bolus',
      delivery_form: isExtended ? 'extended' : 'standard',
      bolus_purpose: purposeOf(said),
    },
  })
}

function purposeOf({ food = 0, correction = 0, isAutomatic }: Bolus): string {
  if (isAutomatic) return 'correction'
  if (food > 0) return correction > 0 ? 'mixed' : 'meal'
  return correction > 0 ? 'correction' : 'unknown'
}

function addInsulin(
  data: PageData,
  event: PumpEvent,
  sample: Omit<Parameters<PageData['addSample']>[1], 'unit' | 'type'>,
): void {
  const kind = { sourceType: 'insulin_pump', type: 'rapid_acting', unit: 'unit' } as const
  const record = recordOf(event, { value: sample.value })
  data.addSample('insulin_injection', { ...sample, ...kind }, record)
}

/** Pumps deliver hundredths of units; fractions of 32 bits are less exact than those of 64. */
const rounded = (units: number): number => Math.round(units * 1e5) / 1e5
