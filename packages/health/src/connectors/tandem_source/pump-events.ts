import { parseInstant } from '@salus/kernel/time/instants'
import { isFields } from '../vendor-records.ts'

/** Codes of the events that are requested. The names are those of public clients. */
export const EVENT = {
  bloodGlucose: 16,
  bolusCompleted: 20,
  extendedCompleted: 21,
  bolusRequest1: 64,
  bolusRequest3: 66,
  cgmG6: 256,
  basalDelivery: 279,
  bolusDelivery: 280,
  cgmLibre2: 372,
  cgmG7: 399,
  cgmLibre3: 480,
} as const

export interface PumpEvent {
  readonly code: number
  /** Of the pump: its count begins anew in each group. */
  readonly id: string
  /** The clock of the pump as if it were UTC, epoch milliseconds. */
  readonly at: number
  readonly properties: Readonly<Record<string, unknown>>
  /** The event as the vendor sent it. */
  readonly record: unknown
}

/** Seconds from 1970 to the beginning of the pump's time, 2008-01-01. */
const PUMP_EPOCH = 1_199_145_600

/** Reads seconds of the pump's time: its clock as if it were UTC, epoch seconds. */
export const pumpSeconds = (seconds: unknown): number =>
  typeof seconds === 'number' ? seconds + PUMP_EPOCH : Number.NaN

/**
 * Returns the events of an answer in the order in which the pump recorded them, each once. Its
 * clock may be set back, so that times do not say the order.
 * @param onInvalid Called with what is no event.
 * @returns undefined for an answer without a list of events
 */
export function pumpEventsOf(
  answer: unknown,
  onInvalid: (record: unknown) => void,
): PumpEvent[] | undefined {
  if (!isFields(answer) || !Array.isArray(answer.events)) return undefined
  const events = new Map<string, PumpEvent & { order: readonly [number, number] }>()
  for (const record of answer.events as unknown[]) {
    const {
      eventCode,
      sequenceGroup = 0,
      sequenceNumber,
      pumpDateTime,
      eventProperties,
    } = isFields(record) ? record : ({} as Record<string, unknown>)
    const at = typeof pumpDateTime === 'string' ? parseInstant(pumpDateTime) : undefined
    if (
      typeof eventCode !== 'number' ||
      typeof sequenceNumber !== 'number' ||
      typeof sequenceGroup !== 'number' ||
      at === undefined
    ) {
      onInvalid(record)
      continue
    }
    const id = `${sequenceGroup}-${sequenceNumber}`
    events.set(id, {
      code: eventCode,
      id,
      at: at.epochMilliseconds,
      properties: isFields(eventProperties) ? eventProperties : {},
      record,
      order: [sequenceGroup, sequenceNumber],
    })
  }
  return [...events.values()].sort(
    ({ order: one }, { order: other }) => one[0] - other[0] || one[1] - other[1],
  )
}

/** Returns a number of an event; undefined where it has none. */
export function numberOf({ properties }: PumpEvent, name: string): number | undefined {
  const value = properties[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Whether a bit of a mask is set, which the vendor writes as the list of its bits. */
export function hasBit({ properties }: PumpEvent, name: string, bit: number): boolean {
  const mask = properties[name]
  if (typeof mask === 'number') return Math.floor(mask / 2 ** bit) % 2 === 1
  return Array.isArray(mask) && mask.includes(bit)
}
