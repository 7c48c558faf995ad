/**
 * Events of pumps as the vendor's server returns them: records of 26 bytes, big endian. Bytes 0 and
 * 1 have the source (4 bits) and the type (12 bits), then come the time (32 bits), the sequence
 * number (32 bits), and 16 bytes of data that depend on the type.
 */

const RECORD_BYTES = 26
const DATA_AT = 10
/** Seconds from 1970 to the beginning of the pump's time, 2008-01-01. */
const PUMP_EPOCH = 1_199_145_600

/** Types that are requested. The names are those of public clients. */
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
} as const

export interface PumpEvent {
  readonly type: number
  /** The clock of the pump as if it were UTC, epoch milliseconds. */
  readonly at: number
  /** Counts the events of a pump; its clock may be set back. */
  readonly sequence: number
  readonly data: DataView
}

/** Reads a time of the pump, seconds since 2008: its clock as if it were UTC, epoch milliseconds. */
export const pumpTime = (seconds: number): number => (seconds + PUMP_EPOCH) * 1000

/**
 * Decodes the events of an answer, in the order in which the pump recorded them.
 * @param text Base64 of the records.
 * @returns undefined for a text that is not made of whole records
 */
export function pumpEventsOf(text: unknown): PumpEvent[] | undefined {
  if (typeof text !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length % RECORD_BYTES !== 0) return undefined
  const events: PumpEvent[] = []
  for (let from = 0; from < bytes.length; from += RECORD_BYTES) {
    const start = bytes.byteOffset + from + DATA_AT
    events.push({
      type: bytes.readUInt16BE(from) & 0xfff,
      at: pumpTime(bytes.readUInt32BE(from + 2)),
      sequence: bytes.readUInt32BE(from + 6),
      data: new DataView(bytes.buffer, start, RECORD_BYTES - DATA_AT),
    })
  }
  return events.sort((one, other) => one.sequence - other.sequence)
}
