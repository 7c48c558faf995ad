import { HOUR_MS } from '@salus/contracts/time-units'
import type { PageRequest } from '../connector.ts'
import type { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import type { TimeRange, VendorInstant } from '../vendor-records.ts'
import {
  EVENT,
  hasBit,
  numberOf,
  type PumpEvent,
  pumpEventsOf,
  pumpSeconds,
} from './pump-events.ts'
import { eventRequestsOf, mappedPart, SLUG } from './tandem-pages.ts'

/** States of a glucose value. Others stand for a value that is not to be shown. */
const MEASURED = 0
const HIGH = 1
const LOW = 2
/** Bits of the kind of a glucose value: of five minutes, or sent later; others are calibrations. */
const READINGS = [0, 1] as const
const COMPLETED = 0
/** Type of a bolus that the algorithm of the pump requested. */
const AUTOMATIC = 2
/** Source of a bolus of the algorithm. */
const ALGORITHM = 7
/** Bits of the type of a bolus of newer pumps. */
const CORRECTION_BIT = 3
const FOOD_BIT = 4
/** The pump reports its basal rate about every five minutes; after a longer gap it is not known. */
const LONGEST_BASAL_MS = HOUR_MS

/** A bolus, as far as its events say. */
interface Bolus {
  requestedAt?: number
  /** Units for food, and to correct a high glucose. */
  food?: number
  correction?: number
  isAutomatic?: boolean
  /** Whether there is an event of its end beside that of newer pumps. */
  isCompleted?: boolean
}

/** Maps the events of the pumps of a page. */
export function mapPumps(
  answer: unknown,
  data: PageData,
  details: readonly unknown[],
  request: Pick<PageRequest, 'range'>,
): void {
  for (const [index, { id }] of eventRequestsOf(answer, request).entries()) {
    if (details[index] === undefined) continue
    const onInvalid = (record: unknown) => data.quarantine('glucose', 'invalid_field', record)
    const events = pumpEventsOf(details[index], onInvalid)
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
  const basals = events.filter(({ code }) => code === EVENT.basalDelivery)
  const nextOf = new Map(basals.map((event, index) => [event, basals[index + 1]]))
  // Events outside are there for those that belong to them: another range has these.
  for (const event of events.filter(({ at }) => at >= from && at < to)) {
    const recordId = `${pump}-${event.id}`
    if (event.code === EVENT.basalDelivery) addBasal(data, event, nextOf.get(event), recordId)
    else if (event.code === EVENT.bolusRequest1) addCarbohydrates(data, event, recordId)
    else if (event.code === EVENT.bloodGlucose) addFingerprick(data, event, recordId)
    else if (isBolusEnd(event)) addBolus(data, event, boluses, recordId)
    else if (CGM_CODES.has(event.code)) addReading(data, event)
  }
}

const CGM_CODES: ReadonlySet<number> = new Set([
  EVENT.cgmG6,
  EVENT.cgmG7,
  EVENT.cgmLibre2,
  EVENT.cgmLibre3,
])

const floating = (at: number): VendorInstant => ({ at, offset: null })

/** Adds a value of a sensor, at its own time: a pump may get values of hours at once. */
function addReading(data: PageData, event: PumpEvent): void {
  if (!READINGS.some((bit) => hasBit(event, 'cgmDataType', bit))) return
  const status = numberOf(event, 'glucoseValueStatus')
  if (status === HIGH || status === LOW) data.quarantine('glucose', 'out_of_range', event.record)
  if (status !== MEASURED) return
  const seconds = pumpSeconds(event.properties.egvTimeStamp)
  const unit = { unit: 's', offset: null } as const
  const start = data.epochInstant('glucose', seconds, unit, event.record)
  if (start === undefined) return
  const value = event.properties.currentGlucoseDisplayValue
  addGlucose(data, { start, sourceType: 'automatic', type: 'automatic' }, value, event)
}

function addFingerprick(data: PageData, event: PumpEvent, recordId: string): void {
  // Others are values of the sensor that the person took over.
  if (event.properties.bgEntryType !== 0) return
  const kind = { sourceType: 'fingerprick', type: 'fingerprick' } as const
  addGlucose(data, { start: floating(event.at), recordId, ...kind }, event.properties.bg, event)
}

function addGlucose(
  data: PageData,
  frame: Omit<Parameters<PageData['addSample']>[1], 'unit' | 'value'>,
  value: unknown,
  { record }: PumpEvent,
): void {
  if (value === 0) data.quarantine('glucose', 'out_of_range', record)
  else data.addSample('glucose', { ...frame, value: value as number, unit: 'mg/dL' }, record)
}

function addCarbohydrates(data: PageData, event: PumpEvent, recordId: string): void {
  const { carbAmount: value = 0 } = event.properties
  if (value === 0) return
  const frame = { start: floating(event.at), sourceType: 'insulin_pump', recordId } as const
  data.addSample('carbohydrates', { ...frame, value: value as number, unit: 'g' }, event.record)
}

/** Adds the insulin of a basal rate until the next report. Without a rate none was delivered. */
function addBasal(
  data: PageData,
  event: PumpEvent,
  next: PumpEvent | undefined,
  recordId: string,
): void {
  const rate = numberOf(event, 'commandedRate')
  const duration = (next?.at ?? event.at) - event.at
  if (rate === undefined) data.quarantine('insulin_injection', 'invalid_value', event.record)
  // The clock of a pump may be set back.
  if (!rate || duration <= 0 || duration > LONGEST_BASAL_MS) return
  addInsulin(data, event, {
    recordId,
    start: floating(event.at),
    end: floating(event.at + duration),
    // The rate is in thousandths of a unit an hour.
    value: rounded((rate / 1000) * (duration / HOUR_MS)),
    extra: { delivery_mode: 'basal' },
  })
}

function bolusesOf(events: readonly PumpEvent[]): ReadonlyMap<unknown, Bolus> {
  const boluses = new Map<unknown, Bolus>()
  for (const event of events) {
    const { bolusId } = event.properties
    if (bolusId === undefined) continue
    const bolus = boluses.get(bolusId) ?? {}
    boluses.set(bolusId, bolus)
    if (event.code === EVENT.bolusRequest1) {
      bolus.requestedAt = event.at
      bolus.isAutomatic = event.properties.bolusType === AUTOMATIC
    } else if (event.code === EVENT.bolusRequest3) {
      bolus.food = numberOf(event, 'foodBolusSize') ?? 0
      bolus.correction = numberOf(event, 'correctionBolusSize') ?? 0
    } else if (isBolusEnd(event) && event.code !== EVENT.bolusDelivery) bolus.isCompleted = true
  }
  return boluses
}

const isBolusEnd = ({ code }: PumpEvent): boolean =>
  code === EVENT.bolusCompleted || code === EVENT.extendedCompleted || code === EVENT.bolusDelivery

function addBolus(
  data: PageData,
  event: PumpEvent,
  boluses: ReadonlyMap<unknown, Bolus>,
  recordId: string,
): void {
  const { code, properties, at } = event
  const bolus = boluses.get(properties.bolusId) ?? {}
  const isNewer = code === EVENT.bolusDelivery
  // Newer pumps report the end of a bolus twice.
  if (isNewer && (bolus.isCompleted || properties.bolusDeliveryStatus !== COMPLETED)) return
  const units = isNewer
    ? (numberOf(event, 'deliveredTotal') ?? Number.NaN) / 1000
    : (numberOf(event, 'insulinDelivered') ?? Number.NaN)
  if (units === 0) return
  const isExtended = code === EVENT.extendedCompleted
  // The extended part was delivered since the request.
  const from = isExtended ? Math.min(bolus.requestedAt ?? at, at) : at
  const said = isNewer && bolus.food === undefined ? partsOf(event) : bolus
  const isAutomatic = bolus.isAutomatic === true || properties.bolusSource === ALGORITHM
  addInsulin(data, event, {
    recordId,
    start: floating(from),
    end: floating(at),
    value: rounded(units),
    extra: {
      delivery_mode: 'bolus',
      delivery_form: isExtended ? 'extended' : 'standard',
      bolus_purpose: isAutomatic ? 'correction' : purposeOf(said),
    },
  })
}

/** Newer pumps mark which parts a bolus has, without their amounts. */
const partsOf = (event: PumpEvent): Bolus => ({
  food: hasBit(event, 'bolusType', FOOD_BIT) ? 1 : 0,
  correction: hasBit(event, 'bolusType', CORRECTION_BIT) ? 1 : 0,
})

function purposeOf({ food = 0, correction = 0 }: Bolus): string {
  if (food > 0) return correction > 0 ? 'mixed' : 'meal'
  return correction > 0 ? 'correction' : 'unknown'
}

function addInsulin(
  data: PageData,
  { record }: PumpEvent,
  sample: Omit<Parameters<PageData['addSample']>[1], 'unit' | 'type'>,
): void {
  const kind = { sourceType: 'insulin_pump', type: 'rapid_acting', unit: 'unit' } as const
  data.addSample('insulin_injection', { ...sample, ...kind }, record)
}

/** Removes the noise of binary fractions: pumps deliver hundredths of a unit. */
const rounded = (units: number): number => Math.round(units * 1e5) / 1e5
