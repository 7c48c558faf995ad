import type { DetailRequest, PageRequest } from '../connector.ts'
import type { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { isFields, type VendorInstant } from '../vendor-records.ts'
import { readInstant } from '../vendor-times.ts'

export const SLUG = 'kardia'

type Fields = Record<string, unknown>

/** Types of voltages by the vendor's names of the leads; answers of before 2021 have the others. */
const LEADS: readonly (readonly [names: readonly string[], type: string])[] = [
  [['leadI', 'lead_I'], 'lead_1'],
  [['leadII', 'lead_II'], 'lead_2'],
  [['leadIII', 'lead_III'], 'lead_3'],
  [['AVR', 'lead_aVR'], 'lead_avr'],
  [['AVL', 'lead_aVL'], 'lead_avl'],
  [['AVF', 'lead_aVF'], 'lead_avf'],
]

/** What the algorithm of the device found: a class, and why it is inconclusive. */
const RESULTS: Readonly<Record<string, readonly [classification: string, cause?: string]>> = {
  normal: ['sinus_rhythm'],
  sinus_rhythm: ['sinus_rhythm'],
  afib: ['atrial_fibrillation'],
  bradycardia: ['inconclusive', 'low_heart_rate'],
  tachycardia: ['inconclusive', 'high_heart_rate'],
  unreadable: ['inconclusive', 'poor_reading'],
  too_short: ['inconclusive', 'poor_reading'],
  too_long: ['inconclusive'],
  unclassified: ['inconclusive'],
  wide_qrs: ['inconclusive'],
}

const MOST_HERTZ = 100_000
const MOST_MS = 86_400_000
const NANOVOLTS_A_MILLIVOLT = 1e6

/** Returns the recordings of a page. @throws VendorError `unexpected` */
function recordingsOf(answer: unknown): readonly unknown[] {
  if (isFields(answer) && Array.isArray(answer.data)) return answer.data
  throw new VendorError(SLUG, { kind: 'unexpected', status: null })
}

/** Returns the time of the oldest recording of a page. */
export function oldestOf(answer: unknown): number | null {
  const times = recordingsOf(answer).flatMap((record) => {
    const at = isFields(record) ? readInstant(record.recordedAt)?.at : undefined
    return at === undefined ? [] : [at]
  })
  return times.length === 0 ? null : Math.min(...times)
}

/** Whether the voltages of a recording are a further request. */
function needsDetail(record: unknown, { from, to }: PageRequest['range']): record is Fields {
  if (!isFields(record) || typeof record.id !== 'string' || record.id === '') return false
  const at = readInstant(record.recordedAt)?.at ?? Number.NaN
  return !isFields(record.data) && at >= from && at < to
}

/** Returns the requests for the voltages of a page, which its list does not have. */
export function detailsOf(answer: unknown, { range }: PageRequest): DetailRequest[] {
  return recordingsOf(answer)
    .filter((record) => needsDetail(record, range))
    .map(({ id }) => ({
      path: `/v1/recordings/${encodeURIComponent(String(id).toWellFormed())}`,
      isOptional: true,
    }))
}

/** Maps the recordings of the range; the pages also have older and newer ones. */
export function mapRecordings(
  answer: unknown,
  data: PageData,
  details: readonly unknown[],
  { range }: PageRequest,
): void {
  const further = details.values()
  for (const record of recordingsOf(answer)) {
    const detail = needsDetail(record, range) ? further.next().value : undefined
    if (!isFields(record)) {
      data.quarantine('electrocardiogram', 'not_an_object', record)
      continue
    }
    const start = data.instant('electrocardiogram', record.recordedAt, record)
    if (start === undefined || start.at < range.from || start.at >= range.to) continue
    addRecording(data, isFields(detail) ? { ...record, ...detail } : record, start)
  }
}

/** Voltages as the device recorded them, and not those that were filtered afterwards. */
function signalOf({ data: content }: Fields): Fields {
  const { raw } = isFields(content) ? content : {}
  if (isFields(raw)) return raw
  return isFields(content) ? content : {}
}

function addRecording(data: PageData, record: Fields, start: VendorInstant): void {
  const { data: _, data12L: __, ...plain } = record
  const signal = signalOf(record)
  const heart = data.read('electrocardiogram', record)
  const recording = data.read('electrocardiogram', signal)
  const { id } = record
  if (heart === undefined || recording === undefined) return
  if (typeof id !== 'string' || id === '') {
    data.quarantine('electrocardiogram', 'invalid_field', plain)
    return
  }
  const rate = recording.measured('frequency', MOST_HERTZ)
  const samples = rate === null || !isFields(signal.samples) ? {} : signal.samples
  const [classification, cause] = resultOf(record.algorithmDetermination)
  const values = {
    voltage_sample_count: valuesOf(samples, LEADS[0]?.[0] ?? []).length,
    heart_rate_mean: heart.heartRate('heartRate'),
    sampling_frequency_hz: rate,
    classification: classification ?? null,
    inconclusive_cause: cause ?? null,
  }
  const duration = heart.number('duration', 0, MOST_MS) ?? 0
  const isValid = [heart, recording].every((one) => data.isValid('electrocardiogram', one, plain))
  if (!isValid) return
  const frame = { start, recordId: id } as const
  data.addSummary('electrocardiogram', {
    ...frame,
    end: { ...start, at: start.at + duration },
    deviceModel: modelOf(record),
    values,
    raw: plain,
  })
  if (classification === 'atrial_fibrillation') {
    const alert = { ...frame, value: 1, unit: 'count', type: 'irregular_rhythm' }
    data.addSample('heart_rate_alert', alert, plain)
  }
  if (values.heart_rate_mean !== null) {
    data.addSample('heartrate', { ...frame, value: values.heart_rate_mean, unit: 'bpm' }, plain)
  }
  addVoltages(data, { plain, start, samples, rate, resolution: signal.amplitudeResolution })
}

/** Newer names of rhythms that are not atrial fibrillation begin with the one of the sinus. */
function resultOf(found: unknown): readonly [classification?: string, cause?: string] {
  const name = typeof found === 'string' ? found : ''
  if (Object.hasOwn(RESULTS, name)) return RESULTS[name] ?? []
  return name.startsWith('sinus_rhythm_') ? ['sinus_rhythm'] : []
}

function modelOf({ deviceInfo }: Fields): string {
  const { hardwareType } = isFields(deviceInfo) ? deviceInfo : {}
  return typeof hardwareType === 'string' ? hardwareType : ''
}

function valuesOf(samples: Fields, names: readonly string[]): readonly unknown[] {
  const name = names.find((each) => Array.isArray(samples[each]))
  return name === undefined ? [] : (samples[name] as unknown[])
}

interface Signal {
  plain: Fields
  start: VendorInstant
  samples: Fields
  rate: number | null
  /** Nanovolts of one count. */
  resolution: unknown
}

function addVoltages(data: PageData, { plain, start, samples, rate, resolution }: Signal): void {
  const isEmpty = LEADS.every(([names]) => valuesOf(samples, names).length === 0)
  if (isEmpty || rate === null) return
  // Old answers do not say how much a count is.
  if (typeof resolution !== 'number' || !(resolution > 0)) {
    data.quarantine('electrocardiogram_voltage', 'unknown_unit', plain)
    return
  }
  for (const [names, type] of LEADS) {
    for (const [index, count] of valuesOf(samples, names).entries()) {
      if (count === null) continue
      const value = ((count as number) * resolution) / NANOVOLTS_A_MILLIVOLT
      const at = { ...start, at: start.at + (1000 * index) / rate }
      data.addSample('electrocardiogram_voltage', { start: at, value, unit: 'mV', type })
    }
  }
}
