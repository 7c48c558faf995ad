import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import type { Calendar, Span } from '../people/days.ts'
import { glucoseAt } from '../people/glucose.ts'
import {
  type Bolus,
  basalRateAt,
  bolusesOf,
  EXTENDED_MS,
  fingerpricksOf,
  isLateAt,
  LATE_MS,
  pumpIdOf,
  type ReadingState,
  readingStateAt,
  stepsOf,
} from './pump.ts'

/** Events of a pump as the vendor's server returns them. */

/** Seconds from 1970 to the beginning of the pump's time, 2008-01-01. */
const PUMP_EPOCH = 1_199_145_600
const SEQUENCES_FROM = Date.UTC(2024, 0)

interface Made {
  readonly at: number
  readonly code: number
  readonly properties: object
}

const STATUS: Readonly<Record<ReadingState, number>> = {
  measured: 0,
  calibration: 0,
  high: 1,
  hidden: 6,
}

/** The clock of the pump, as if it were UTC. */
export const clockOf = (calendar: Calendar, at: number): number => at + calendar.offsetAt(at)

function readingOf(calendar: Calendar, at: number): Made {
  const state = readingStateAt(calendar, at)
  const isLate = isLateAt(calendar, at)
  return {
    at: at + 3000 + (isLate ? LATE_MS : 0),
    code: 399,
    properties: {
      glucoseValueStatus: STATUS[state],
      cgmDataType: [state === 'calibration' ? 3 : isLate ? 1 : 0],
      rate: -6,
      algorithmState: 32,
      rssi: -78,
      currentGlucoseDisplayValue: state === 'high' ? 401 : glucoseAt(calendar, at),
      egvTimeStamp: clockOf(calendar, at) / 1000 - PUMP_EPOCH,
      egvInfoBitmask: [0, 5, 6],
      interval: 0,
    },
  }
}

function basalOf(calendar: Calendar, at: number): Made {
  const commandedRate = basalRateAt(calendar, at)
  return {
    at,
    code: 279,
    properties: {
      commandedRateSource: commandedRate === 0 ? 0 : 3,
      commandedRate,
      profileBasalRate: 1000,
      algorithmRate: commandedRate,
      tempRate: 65_535,
    },
  }
}

function eventsOfBolus({ id: bolusId, ...bolus }: Bolus): Made[] {
  const { requestedAt, completedAt, carbohydrates, now, later, food, correction } = bolus
  const delivery = (at: number, bolusDeliveryStatus: number, deliveredTotal: number): Made => ({
    at,
    code: 280,
    properties: {
      bolusId,
      bolusDeliveryStatus,
      bolusType: [0, ...(correction > 0 ? [3] : []), 4],
      bolusSource: 8,
      requestedNow: Math.round(now * 1000),
      requestedLater: Math.round(later * 1000),
      correction: Math.round(correction * 1000),
      deliveredTotal,
    },
  })
  const completed = (at: number, code: number, units: number): Made => ({
    at,
    code,
    // The server converts numbers of 32 bits.
    properties: {
      completionStatus: 3,
      bolusId,
      iob: 2.5,
      insulinDelivered: Math.fround(units),
      insulinRequested: Math.fround(units),
    },
  })
  return [
    {
      at: requestedAt,
      code: 64,
      properties: { bolusId, bolusType: 1, carbAmount: carbohydrates, bg: 0, iob: 1 },
    },
    {
      at: requestedAt + 1000,
      code: 66,
      properties: {
        bolusId,
        foodBolusSize: Math.fround(food),
        correctionBolusSize: Math.fround(correction),
        totalBolusSize: Math.fround(food + correction),
      },
    },
    delivery(requestedAt + 2000, 1, 0),
    completed(completedAt, 20, now),
    delivery(completedAt + 1000, 0, Math.round(now * 1000)),
    ...(later > 0 ? [completed(requestedAt + EXTENDED_MS, 21, later)] : []),
  ]
}

function fingerprickOf(calendar: Calendar, at: number): Made {
  const properties = { bg: glucoseAt(calendar, at), bgEntryType: 0, bgSourceType: 1, iob: 0 }
  return { at, code: 16, properties }
}

/**
 * Returns the events of a span by the clock of the pump.
 * @param until Later events are not uploaded yet.
 */
export function eventsOf(calendar: Calendar, clock: Span, until: number): object[] {
  // No clock is further from UTC than a day, and no event belongs to one of another day.
  const span = { from: clock.from - DAY_MS, to: Math.min(clock.to + DAY_MS, until + HOUR_MS) }
  if (span.from >= span.to) return []
  const steps = [...stepsOf(calendar, span)]
  const made = [
    ...steps.map((at) => readingOf(calendar, at)),
    ...steps.map((at) => basalOf(calendar, at)),
    ...bolusesOf(calendar, span).flatMap(eventsOfBolus),
    ...fingerpricksOf(calendar, span).map((at) => fingerprickOf(calendar, at)),
  ]
  return made
    .sort((one, other) => one.at - other.at || one.code - other.code)
    .filter(({ at }) => at <= until)
    .map((one) => ({ ...one, time: clockOf(calendar, one.at) }))
    .filter(({ time }) => time >= clock.from && time < clock.to)
    .map(({ at, code, properties, time }) => {
      const text = new Date(time).toISOString().slice(0, 19)
      return {
        deviceAssignmentId: pumpIdOf(calendar),
        eventCode: code,
        sequenceGroup: 0,
        sequenceNumber: sequenceOf(at, code),
        pumpDateTime: text,
        eventProperties: properties,
        estimatedDateTime: `${text}Z`,
      }
    })
}

const ORDER = [16, 20, 21, 64, 66, 279, 280, 399]

/** Counts by time, whatever the clock of the pump says. */
const sequenceOf = (at: number, code: number): number =>
  Math.floor((at - SEQUENCES_FROM) / 1000) * ORDER.length + ORDER.indexOf(code)
