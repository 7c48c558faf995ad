import type { PageData } from '../page-data.ts'
import { isFields, type VendorInstant } from '../vendor-records.ts'
import { listOf } from './google-pages.ts'
import {
  type Fields,
  fieldsOf,
  intervalOf,
  lookUp,
  numberOf,
  recordIdOf,
  sessionIdOf,
  sourceOf,
  textOf,
} from './points.ts'

/** Result of an electrocardiogram: class, and the cause where it is inconclusive. */
const RESULTS: Readonly<Record<string, readonly [classification: string, cause: string | null]>> = {
  NORMAL_SINUS_RHYTHM: ['sinus_rhythm', null],
  ATRIAL_FIBRILLATION: ['atrial_fibrillation', null],
  INCONCLUSIVE: ['inconclusive', null],
  INCONCLUSIVE_HIGH_HEART_RATE: ['inconclusive', 'high_heart_rate'],
  INCONCLUSIVE_LOW_HEART_RATE: ['inconclusive', 'low_heart_rate'],
  UNREADABLE: ['inconclusive', 'poor_reading'],
}
const RESOURCE = 'electrocardiogram'
/** Hours of samples would not be a reading of 30 seconds. */
const MOST_SAMPLES = 1_000_000

/** Maps electrocardiograms, whose records have the time of the reading and all voltages. */
export function mapElectrocardiograms(answer: unknown, data: PageData): void {
  for (const record of listOf(answer, 'dataPoints')) {
    const content = isFields(record) ? record.electrocardiogram : undefined
    if (!isFields(record) || !isFields(content)) {
      data.quarantine(RESOURCE, 'not_an_object', record)
      continue
    }
    const interval = intervalOf(data, { resource: RESOURCE, record }, content.interval)
    if (interval !== undefined) addReading(data, record, content, interval)
  }
}

function addReading(
  data: PageData,
  record: Fields,
  content: Fields,
  interval: { start: VendorInstant; end: VendorInstant },
): void {
  const { waveformSamples, ...rest } = content
  const waveform = Array.isArray(waveformSamples) ? waveformSamples.slice(0, MOST_SAMPLES) : []
  const reader = data.read(RESOURCE, {
    rate: numberOf(content.beatsPerMinuteAvg),
    frequency: numberOf(content.samplingFrequencyHertz),
    factor: numberOf(content.millivoltsScalingFactor),
  })
  if (reader === undefined) return
  const heart_rate_mean = reader.heartRate('rate')
  const frequency = reader.measured('frequency', 100_000)
  const factor = reader.measured('factor', 1e9)
  const [classification = null, cause = null] = lookUp(RESULTS, content.resultClassification) ?? []
  if (!data.isValid(RESOURCE, reader, { ...record, electrocardiogram: rest })) return
  const start = knownZone(interval.start)
  const endsAt = frequency === null ? 0 : start.at + (1000 * waveform.length) / frequency
  const end = { ...start, at: Math.max(interval.end.at, Math.round(endsAt)) }
  const added = data.addSummary(RESOURCE, {
    recordId: sessionIdOf(record, start),
    start,
    end,
    sourceType: sourceOf(record),
    deviceModel: textOf(fieldsOf(content.medicalDeviceInfo).deviceModel) ?? '',
    values: {
      voltage_sample_count: waveform.length,
      heart_rate_mean,
      sampling_frequency_hz: frequency,
      classification,
      inconclusive_cause: cause,
      algorithm_version: textOf(fieldsOf(content.medicalDeviceInfo).algorithmVersion),
    },
    raw: { ...record, electrocardiogram: rest },
  })
  if (added === undefined || frequency === null || factor === null) return
  for (const [index, sample] of waveform.entries()) {
    const at = { at: start.at + (1000 * index) / frequency, offset: start.offset }
    const value = typeof sample === 'number' ? sample / factor : Number.NaN
    const frame = { start: at, sourceType: sourceOf(record), unit: 'mV', type: 'lead_1' }
    data.addSample('electrocardiogram_voltage', { ...frame, value }, { index, sample })
  }
}

/** Old readings have no offset, or 0 in place of it, so that 0 says nothing. */
const knownZone = ({ at, offset }: VendorInstant): VendorInstant => ({ at, offset: offset || null })

/** Maps notifications of an irregular rhythm. */
export function mapRhythmNotifications(answer: unknown, data: PageData): void {
  for (const record of listOf(answer, 'dataPoints')) {
    const content = isFields(record) ? record.irregularRhythmNotification : undefined
    if (!isFields(record) || !isFields(content)) {
      data.quarantine('heart_rate_alert', 'not_an_object', record)
      continue
    }
    const interval = intervalOf(data, { resource: 'heart_rate_alert', record }, content.interval)
    if (interval === undefined) continue
    const frame = { ...interval, sourceType: sourceOf(record), recordId: recordIdOf(record) }
    const alert = { ...frame, value: 1, unit: 'count', type: 'irregular_rhythm' }
    data.addSample('heart_rate_alert', alert, record)
  }
}
