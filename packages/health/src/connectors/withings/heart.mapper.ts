import type { DetailRequest } from '../connector.ts'
import type { PageData } from '../page-data.ts'
import { isFields, type VendorInstant } from '../vendor-records.ts'
import {
  bodyOfDetail,
  callOf,
  type Fields,
  forEachRecord,
  frameOf,
  instantOf,
  listOf,
  modifiedOf,
  sourceTypeOf,
} from './withings-api.ts'

/** The vendor's results by number: a class, and why it is inconclusive. */
const RESULTS = new Map<unknown, readonly [classification: string, cause?: string]>([
  [0, ['sinus_rhythm']],
  [1, ['atrial_fibrillation']],
  [2, ['inconclusive']],
  [3, ['inconclusive', 'poor_reading']],
  [4, ['inconclusive']],
  [5, ['inconclusive', 'poor_reading']],
  [6, ['inconclusive', 'low_heart_rate']],
  [7, ['inconclusive', 'high_heart_rate']],
  [8, ['inconclusive']],
  [9, ['sinus_rhythm']],
  [10, ['sinus_rhythm']],
  [11, ['atrial_fibrillation']],
  [12, ['atrial_fibrillation']],
  [13, ['inconclusive']],
])

const MOST_HERTZ = 100_000

function signalOf(record: unknown): string | undefined {
  const { signalid: id } = isFields(record) && isFields(record.ecg) ? record.ecg : {}
  return typeof id === 'number' || typeof id === 'string' ? String(id) : undefined
}

const hasSignal = (record: unknown): boolean => signalOf(record) !== undefined

/** Returns the requests for the signals of a page. */
export function heartDetails(answer: unknown): DetailRequest[] {
  return listOf(answer, 'series').flatMap((record) => {
    const signalid = signalOf(record)
    if (signalid === undefined) return []
    return [{ ...callOf('/v2/heart', 'get', { signalid }), isOptional: true } as const]
  })
}

/** Maps electrocardiograms. Measurements without one are blood pressures, which `getmeas` has. */
export function mapHeart(answer: unknown, data: PageData, details: readonly unknown[]): void {
  const records = listOf(answer, 'series')
  const recorded = records.filter(hasSignal)
  forEachRecord(records, data, 'electrocardiogram', (record) => {
    if (!hasSignal(record)) return
    const start = instantOf(data, 'electrocardiogram', record.timestamp, record.timezone, record)
    if (start === undefined) return
    addRecording(data, record, start, bodyOfDetail(details[recorded.indexOf(record)]) ?? {})
  })
}

function addRecording(data: PageData, record: Fields, start: VendorInstant, detail: Fields): void {
  const heart = data.read('electrocardiogram', record)
  const recording = data.read('electrocardiogram', detail)
  if (heart === undefined || recording === undefined) return
  const rate = recording.measured('sampling_frequency', MOST_HERTZ)
  const signal = Array.isArray(detail.signal) && rate !== null ? detail.signal : []
  const [classification, cause] = RESULTS.get((record.ecg as Fields).afib) ?? []
  const values = {
    voltage_sample_count: signal.length,
    heart_rate_mean: heart.heartRate('heart_rate'),
    sampling_frequency_hz: rate,
    classification: classification ?? null,
    inconclusive_cause: cause ?? null,
  }
  const isValid = [heart, recording].every((one) => data.isValid('electrocardiogram', one, record))
  if (!isValid) return
  const msOf = (index: number): number => start.at + (1000 * index) / (rate ?? 1)
  const sourceType = sourceTypeOf(record.model) ?? 'unknown'
  const frame = { sourceType, recordId: String(signalOf(record)), ...modifiedOf(record.modified) }
  const added = data.addSummary('electrocardiogram', {
    ...frame,
    start,
    end: { ...start, at: msOf(signal.length) },
    ...frameOf(record, start),
    values,
    raw: record,
  })
  if (added === undefined) return
  if (classification === 'atrial_fibrillation') {
    const alert = { ...frame, start, value: 1, unit: 'count', type: 'irregular_rhythm' }
    data.addSample('heart_rate_alert', alert, record)
  }
  for (const [index, value] of signal.entries()) {
    if (value === null) continue
    const at = { ...start, at: msOf(index) }
    const voltage = { sourceType, start: at, value, unit: 'uV', type: 'lead_1' }
    data.addSample('electrocardiogram_voltage', voltage)
  }
}
