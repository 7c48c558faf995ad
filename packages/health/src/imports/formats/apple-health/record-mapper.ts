import { convertToCanonical, roundMeasured, series as seriesOf } from '@salus/contracts/series'
import { MINUTE_MS } from '@salus/contracts/time-units'
import {
  isInRange,
  isStorableInstant,
  type QuarantineReason,
  type Sample,
} from '../../../ingest/index.ts'
import { type AppleInstant, parseAppleDate } from './apple-dates.ts'
import type { HealthCorrelation, HealthRecord } from './health-data.ts'
import {
  type LocalTimes,
  type SampleLocalTime,
  toSampleLocalTime,
} from './local-time/local-times.ts'
import { TIME_ZONE } from './local-time/zone-evidence.ts'
import { sourceOfRecord } from './record-source.ts'
import {
  DIASTOLIC,
  findRecordMapping,
  INSULIN_BOLUS,
  INSULIN_DELIVERY_REASON,
  type RecordMapping,
  SYSTOLIC,
} from './record-types.ts'

/** A sample, or why there is none. `not_supported` means that the record has no series. */
export type MappedRecord = Sample | QuarantineReason | 'not_supported'

type Timed = Pick<
  HealthRecord,
  'sourceName' | 'device' | 'creationDate' | 'startDate' | 'endDate' | 'metadata'
>

/** Maps one record of an export to a sample in canonical units. */
export function mapRecord(record: HealthRecord, localTimes: LocalTimes): MappedRecord {
  const mapping = findRecordMapping(record.type)
  if (mapping === undefined) return 'not_supported'
  const timed = timedSample(record)
  if (typeof timed === 'string') return timed
  const { base } = timed
  const series = seriesOf(mapping.series)
  const measured = measureValue(mapping, record, base)
  if (typeof measured === 'string') return measured
  if (!isInRange(series, measured.value)) return 'out_of_range'
  const insulin = mapping.series === 'insulin_injection' ? insulinOf(record) : undefined
  if (mapping.series === 'insulin_injection' && insulin === undefined) return 'missing_type'
  const extra = insulin?.extra ?? mapping.extra
  return {
    ...base,
    ...localTimeOf(record, timed, localTimes),
    series: series.name,
    endedAt: series.shape === 'interval' ? base.endedAt : base.startedAt,
    value: measured.value,
    sampleType: insulin?.sampleType ?? measured.sampleType ?? mapping.sampleType ?? '',
    sport: mapping.sport ?? '',
    extra: extra === undefined ? '' : JSON.stringify(extra),
  }
}

/** Maps a blood pressure reading, which is a correlation of two records in an export. */
export function mapBloodPressure(
  correlation: HealthCorrelation,
  localTimes: LocalTimes,
): MappedRecord {
  const systolic = pressureOf(correlation, SYSTOLIC)
  const diastolic = pressureOf(correlation, DIASTOLIC)
  if (typeof systolic === 'string') return systolic
  if (typeof diastolic === 'string') return diastolic
  const timed = timedSample(correlation)
  if (typeof timed === 'string') return timed
  const series = seriesOf('blood_pressure')
  if (!isInRange(series, systolic) || !isInRange(series, diastolic)) return 'out_of_range'
  const { base } = timed
  const times = { ...localTimeOf(correlation, timed, localTimes), endedAt: base.startedAt }
  return { ...base, ...times, series: series.name, value: systolic, diastolic }
}

function pressureOf({ records }: HealthCorrelation, type: string): number | QuarantineReason {
  const record = records.find((candidate) => candidate.type === type)
  if (record === undefined) return 'invalid_value'
  const value = numberOf(record.value)
  if (value === undefined) return 'invalid_value'
  return (
    convertToCanonical(seriesOf('blood_pressure').units, record.unit ?? '', value) ?? 'unknown_unit'
  )
}

interface TimedSample {
  base: Sample
  start: AppleInstant
  writtenAt: number
}

/** Returns the parts of a sample that do not depend on its series, without the local time. */
function timedSample(item: Timed): TimedSample | QuarantineReason {
  const start = parseAppleDate(item.startDate)
  if (start === undefined || !isStorableInstant(start.epochMilliseconds))
    return 'invalid_start_date'
  const end = parseAppleDate(item.endDate)
  if (end === undefined || !isStorableInstant(end.epochMilliseconds)) return 'invalid_end_date'
  if (end.epochMilliseconds < start.epochMilliseconds) return 'end_before_start'
  const created = item.creationDate === undefined ? undefined : parseAppleDate(item.creationDate)
  const isUserEntered = item.metadata.get('HKWasUserEntered') === '1'
  const { sourceType, appId } = sourceOfRecord(item.sourceName, item.device, isUserEntered)
  const base: Sample = {
    series: '',
    startedAt: start.epochMilliseconds,
    endedAt: end.epochMilliseconds,
    value: 0,
    diastolic: 0,
    text: '',
    sourceType,
    appId,
    sampleType: '',
    workoutId: '',
    sport: '',
    timezoneOffset: null,
    timeZone: '',
    extra: '',
    modifiedAt: null,
  }
  // The end replaces a missing creation date: both only order versions of a sample.
  return { base, start, writtenAt: (created ?? end).epochMilliseconds }
}

/** Found last, so that only samples are counted. */
function localTimeOf(
  { metadata }: Timed,
  { start, writtenAt }: TimedSample,
  localTimes: LocalTimes,
): SampleLocalTime {
  return toSampleLocalTime(localTimes.localTimeOfRecord(start, metadata.get(TIME_ZONE)), writtenAt)
}

function measureValue(
  mapping: RecordMapping,
  record: HealthRecord,
  { startedAt, endedAt }: Sample,
): { value: number; sampleType?: string } | QuarantineReason | 'not_supported' {
  if (mapping.measure === 'occurrence') return { value: 1 }
  if (mapping.measure === 'duration') return { value: (endedAt - startedAt) / MINUTE_MS }
  if (mapping.codes !== undefined) {
    const code = record.value ?? ''
    if (!Object.hasOwn(mapping.codes, code)) return 'not_supported'
    return { value: 0, ...mapping.codes[code] }
  }
  const value = numberOf(record.value)
  if (value === undefined) return 'invalid_value'
  const converted = convertUnit(mapping, record.unit ?? '', value)
  return converted === undefined ? 'unknown_unit' : { value: converted }
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}

function convertUnit(mapping: RecordMapping, unit: string, value: number): number | undefined {
  // The export writes the molar mass of glucose into its unit: mmol<180.1558800000541>/L.
  const label = unit.startsWith('mmol<') ? 'mmol/L' : unit
  const scaled = mapping.isFraction ? roundMeasured(value * 100) : value
  return convertToCanonical(seriesOf(mapping.series).units, label, scaled)
}

function insulinOf({
  metadata,
}: HealthRecord): { sampleType: string; extra: Record<string, string> } | undefined {
  const reason = metadata.get(INSULIN_DELIVERY_REASON)
  if (reason === undefined || !INSULIN_BOLUS.has(reason)) return undefined
  return { sampleType: 'rapid_acting', extra: { delivery_mode: 'bolus' } }
}
