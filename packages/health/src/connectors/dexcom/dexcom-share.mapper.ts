import { MINUTE_MS } from '@salus/contracts/time-units'
import type { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { isFields, type VendorInstant } from '../vendor-records.ts'

export const SLUG = 'dexcom'

/** `Date(1745081013817-0400)`; older services write slashes around it. */
const DATE = /^\/?Date\((\d{1,15})([+-])?(\d{2})?(\d{2})?\)\/?$/

/**
 * mg/dL. A sensor says of a value below or above only that it is low (39) or high (401), and
 * receivers of old generations send their states as small numbers.
 */
const LEAST = 40
const MOST = 400

/** Readings of two devices of a person are some seconds apart, those of one device five minutes. */
const SAME_READING_MS = MINUTE_MS

interface Reading {
  record: Record<string, unknown>
  start: VendorInstant
}

/**
 * Maps readings of a sensor, `[{"WT": "Date(…)", "DT": "Date(…-0400)", "Value": 112, "Trend":
 * "Flat"}]` in mg/dL. Of two devices that uploaded the same value the first counts.
 */
export function mapReadings(answer: unknown, data: PageData): void {
  if (!Array.isArray(answer)) throw new VendorError(SLUG, { kind: 'unexpected', status: null })
  const readings = answer.flatMap((record: unknown) => readingOf(data, record) ?? [])
  readings.sort((one, other) => one.start.at - other.start.at)
  let last: Reading | undefined
  for (const reading of readings) {
    const { record, start } = reading
    const isSame =
      last?.record.Value === record.Value &&
      start.at - (last?.start.at ?? 0) > 0 &&
      start.at - (last?.start.at ?? 0) < SAME_READING_MS
    if (isSame) continue
    last = reading
    addGlucose(data, reading)
  }
}

function addGlucose(data: PageData, { record, start }: Reading): void {
  const { Value: value, WT } = record
  if (typeof value === 'number' && (value < LEAST || value > MOST)) {
    data.quarantine('glucose', 'out_of_range', record)
    return
  }
  const frame = { start, sourceType: 'automatic', recordId: String(WT) } as const
  const sample = { ...frame, type: 'automatic', value: value as number, unit: 'mg/dL' }
  data.addSample('glucose', sample, record)
}

/** The instant is that of `WT`; the offset is that of `DT`, the time that the device shows. */
function readingOf(data: PageData, record: unknown): Reading | undefined {
  if (!isFields(record)) {
    data.quarantine('glucose', 'not_an_object', record)
    return undefined
  }
  const offset = dateOf(record.DT)?.offset ?? null
  const start = data.epochInstant('glucose', dateOf(record.WT)?.at, { unit: 'ms', offset }, record)
  return start && { record, start }
}

function dateOf(text: unknown): VendorInstant | undefined {
  const parts = typeof text === 'string' ? DATE.exec(text) : null
  if (parts === null) return undefined
  const [, at, sign, hours, minutes] = parts
  const seconds = Number(hours) * 3600 + Number(minutes) * 60
  const isOffset = sign !== undefined && seconds <= 64_800
  return { at: Number(at), offset: isOffset ? (sign === '-' ? -seconds : seconds) : null }
}
