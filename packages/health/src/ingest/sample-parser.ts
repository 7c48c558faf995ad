import {
  convertToCanonical,
  inferHealthKitSourceType,
  isSourceType,
  type Series,
  series as seriesOf,
} from '@salus/contracts/series'
import { parseInstant } from '@salus/kernel/time/instants'
import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import { isStorableInstant } from './bounds.ts'
import { keptText } from './kept-json.ts'
import type { Sample } from './sample.ts'
import { cleanIdentifier } from './sample-rows.ts'

/**
 * Why an item could not be stored. The codes are part of the interface; see docs/apple-health.md.
 */
export const QUARANTINE_REASONS = {
  not_an_object: 'The item is not a JSON object.',
  invalid_value: 'The value is not a finite number (or, for a note, not a text).',
  unknown_unit: 'The unit is missing or cannot be converted to the unit of the series.',
  invalid_start_date: 'start_date is not an ISO 8601 date-time from 1900 to 2299.',
  invalid_end_date: 'end_date is not an ISO 8601 date-time from 1900 to 2299.',
  end_before_start: 'end_date lies before start_date.',
  out_of_range: 'The value is outside the range of the series.',
  missing_type: 'The series needs a type in metadata.',
  unknown_type: 'The series does not have the type in metadata.',
  unknown_source_type: 'The type of the source is not known.',
  unpaired: 'A blood pressure has only one of its two values.',
  invalid_date: 'A calendar date is missing or not between 1900 and 2299.',
  too_large: 'A text of the item is longer than 64 kB.',
  invalid_field: 'A further field has a value that is not allowed.',
} as const

export type QuarantineReason = keyof typeof QUARANTINE_REASONS

/** Properties of an upload that apply to all its items. */
export interface UploadContext {
  series: Series
  provider: string
  /** A valid IANA zone of the device, or null. */
  timeZone: string | null
}

type Fields = Record<string, unknown>

const NO_METADATA: Fields = {}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Half a surrogate pair is not valid UTF-8 and would be read back as another text. */
const text = (value: unknown): string => (typeof value === 'string' ? value.toWellFormed() : '')

/**
 * Converts one item of an upload to samples in canonical units, or returns the reason why it
 * cannot. Most items make one sample; a blood pressure with a pulse makes two.
 */
export function parseItem(context: UploadContext, item: unknown): Sample[] | QuarantineReason {
  if (!isFields(item)) return 'not_an_object'
  if (context.series.shape === 'blood_pressure') return parseBloodPressure(context, item)
  const sample = parseQuantity(context, item)
  return typeof sample === 'string' ? sample : [sample]
}

function parseBloodPressure(context: UploadContext, item: Fields): Sample[] | QuarantineReason {
  if (!isFields(item.systolic) || !isFields(item.diastolic)) return 'not_an_object'
  const systolic = parseQuantity(context, item.systolic)
  if (typeof systolic === 'string') return systolic
  const diastolic = parseQuantity(context, item.diastolic)
  if (typeof diastolic === 'string') return diastolic
  const samples: Sample[] = [{ ...systolic, diastolic: diastolic.value }]
  if (isFields(item.pulse)) {
    const pulse = parseQuantity({ ...context, series: seriesOf('heartrate') }, item.pulse)
    if (typeof pulse === 'string') return pulse
    samples.push(pulse)
  }
  return samples
}

function parseQuantity(context: UploadContext, item: Fields): Sample | QuarantineReason {
  const start = typeof item.start_date === 'string' ? parseInstant(item.start_date) : undefined
  if (start === undefined) return 'invalid_start_date'
  const { epochMilliseconds: startedAt, offsetSeconds } = start
  // A point mostly has the same text twice.
  const endedAt = item.end_date === item.start_date ? startedAt : parseEnd(item.end_date, startedAt)
  const times = { startedAt, offsetSeconds, endedAt }
  return toSample(context, commonFieldsOf(context, item), times, item.value)
}

/** What items have in common that differ only in their times and values. */
export interface CommonFields {
  /** Undefined where it is not known. */
  sourceType: string | undefined
  appId: string
  /** Metadata in which the type of the sample is. */
  typeFields: Fields
  unit: unknown
  /** Undefined where a field has a value that is not allowed. */
  extra: string | undefined
  zone: string
  isWheelchair: boolean
}

/** Returns the fields of an item beside its times and its value. */
export function commonFieldsOf({ series, provider }: UploadContext, item: Fields): CommonFields {
  const metadata = isFields(item.metadata) ? item.metadata : NO_METADATA
  const isTyped = series.types !== null && isSampleType(item.type)
  const sourced = isTyped ? { ...item, type: null } : item
  return {
    sourceType: sourceTypeOf(provider, sourced, metadata),
    appId: cleanIdentifier(text(item.source_bundle)),
    typeFields: isTyped ? { ...metadata, type: item.type } : metadata,
    unit: item.unit,
    extra: extraFieldsOf(series, metadata, provider),
    zone: text(metadata.HKTimeZone),
    isWheelchair: metadata.wheelchair === '1',
  }
}

/** Times of an item. */
interface ItemTimes {
  startedAt: number
  /** Offset from UTC that the start names, or null. */
  offsetSeconds: number | null
  /** Undefined for an invalid one. */
  endedAt: number | undefined
}

/** Returns the sample of an item, or the reason why it cannot be stored. */
export function toSample(
  context: UploadContext,
  common: CommonFields,
  { startedAt, offsetSeconds, endedAt }: ItemTimes,
  measured: unknown,
): Sample | QuarantineReason {
  const { series } = context
  const { sourceType, extra } = common
  if (!isStorableInstant(startedAt)) return 'invalid_start_date'
  if (endedAt === undefined || !isStorableInstant(endedAt)) return 'invalid_end_date'
  if (endedAt < startedAt) return 'end_before_start'
  if (sourceType === undefined) return 'unknown_source_type'
  const type = sampleTypeOf(series, common.typeFields, measured)
  if (type === 'missing_type' || type === 'unknown_type') return type
  const value = measuredValue(context, common.unit, measured, type.sampleType)
  if (typeof value === 'string') return value
  if (extra === undefined) return 'invalid_field'
  const zone = zoneOf([common.zone, context.timeZone ?? ''], startedAt)
  return {
    series: series.name,
    startedAt,
    endedAt: series.shape === 'interval' ? endedAt : startedAt,
    value: value.number,
    diastolic: 0,
    text: value.text,
    sourceType,
    appId: common.appId,
    sampleType: type.sampleType,
    workoutId: '',
    sport: series.name === 'distance' && common.isWheelchair ? 'wheelchair_pushing' : '',
    timezoneOffset: offsetSeconds ?? zone.offsetSeconds,
    timeZone: zone.name,
    extra,
    modifiedAt: null,
  }
}

/** Whether the `type` of an item is not a source type: some clients write the sample type there. */
const isSampleType = (type: unknown): boolean =>
  typeof type === 'string' && type !== '' && !isSourceType(type)

/** Returns the first of the names that is a zone, with its offset at the instant. */
export function zoneOf(
  names: string[],
  at: number,
): { name: string; offsetSeconds: number | null } {
  for (const name of names) {
    const offsetSeconds = name === '' ? null : zoneOffsetSeconds(name, at)
    if (offsetSeconds !== null) return { name, offsetSeconds }
  }
  return { name: '', offsetSeconds: null }
}

/** A missing end is a point; an invalid one is undefined. */
function parseEnd(end: unknown, startedAt: number): number | undefined {
  if (end === undefined || end === null) return startedAt
  return typeof end === 'string' ? parseInstant(end)?.epochMilliseconds : undefined
}

/**
 * Returns the given source type, otherwise the one that public clients infer
 * (docs/contract/04-providers.md#source-types and docs/contract/07-mobile-sync.md#quantitysample).
 */
export function sourceTypeOf(provider: string, item: Fields, metadata: Fields): string | undefined {
  if (item.type !== undefined && item.type !== null) {
    return isSourceType(item.type) ? item.type : undefined
  }
  if (metadata.HKWasUserEntered === '1') return 'app'
  if (isSourceType(metadata._DTY)) return metadata._DTY
  if (provider !== 'apple_health_kit') return 'unknown'
  return inferHealthKitSourceType(text(item.source_bundle), text(item.product_type))
}

/**
 * HealthKit's raw values of an Apple stand hour (docs/contract/07-mobile-sync.md#quantitysample).
 */
const STAND_HOUR_TYPES: Record<number, string> = { 0: 'stood', 1: 'idle' }

function sampleTypeOf(
  series: Series,
  metadata: Fields,
  value: unknown,
): { sampleType: string } | 'missing_type' | 'unknown_type' {
  if (series.types === null) return { sampleType: '' }
  const isCoded = series.name === 'stand_hour' && typeof value === 'number'
  const coded = isCoded ? STAND_HOUR_TYPES[value] : undefined
  const said = cleanIdentifier(text(metadata.type) || text(metadata.category) || coded || '')
  if (said === '') return series.types.required ? 'missing_type' : { sampleType: '' }
  const isAllowed = series.types.allowed === undefined || series.types.allowed.includes(said)
  return isAllowed ? { sampleType: said } : 'unknown_type'
}

/**
 * Android labels these kJ, but the numbers are kilocalories
 * (docs/contract/07-mobile-sync.md#quantitysample).
 */
const KILOJOULES_ARE_KILOCALORIES = new Set(['health_connect', 'samsung_health'])

function measuredValue(
  { series, provider }: UploadContext,
  unit: unknown,
  measured: unknown,
  sampleType: string,
): { number: number; text: string } | QuarantineReason {
  if (series.valueKind === 'text') {
    if (typeof measured !== 'string') return 'invalid_value'
    const kept = keptText(measured)
    return kept === undefined ? 'too_large' : { number: 0, text: kept }
  }
  if (typeof measured !== 'number' || !Number.isFinite(measured)) return 'invalid_value'
  if (typeof unit !== 'string') return 'unknown_unit'
  const isMislabeled = unit === 'kJ' && KILOJOULES_ARE_KILOCALORIES.has(provider)
  const table = series.unitsByType?.[sampleType] ?? series.units
  const number = convertToCanonical(table, isMislabeled ? 'kcal' : unit, measured)
  if (number === undefined) return 'unknown_unit'
  if (series.constantValue !== undefined) return { number: series.constantValue, text: '' }
  return isInRange(series, number) ? { number, text: '' } : 'out_of_range'
}

/** Whether the series allows a canonical value. */
export function isInRange(series: Series, value: number): boolean {
  // The conversion of a huge number may exceed the range of numbers.
  if (!Number.isFinite(value)) return false
  if (series.codes !== undefined) return series.codes.includes(value)
  if (series.least !== null && value < series.least) return false
  return series.most === null || value <= series.most
}

/** Returns extra fields as JSON, empty when there are none, undefined when one is not allowed. */
function extraFieldsOf(series: Series, metadata: Fields, provider: string): string | undefined {
  if (series.extraFields.length === 0) return ''
  const found: Record<string, string | string[]> = {}
  for (const { name, kind, allowed } of series.extraFields) {
    const said = metadata[name]
    if (said === undefined || said === null || said === '') continue
    const values = kind === 'list' && typeof said === 'string' ? said.split(',') : [said].flat()
    if (!values.every((value) => typeof value === 'string' && allowed.includes(value))) {
      return undefined
    }
    found[name] = kind === 'list' ? values.map(String) : String(values[0])
  }
  // HealthKit has no RMSSD: what its clients send under that unit is SDNN.
  if (series.name === 'hrv' && provider === 'apple_health_kit') found.method ??= 'sdnn'
  return Object.keys(found).length === 0 ? '' : JSON.stringify(found)
}
