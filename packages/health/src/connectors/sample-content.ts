import { convertToCanonical, type Series } from '@salus/contracts/series'
import {
  cleanIdentifier,
  isInRange,
  isStorableInstant,
  keptText,
  type QuarantineReason,
  type Sample,
} from '../ingest/index.ts'
import type { VendorBloodPressure, VendorNote, VendorSample } from './vendor-records.ts'

/** The part of a sample that depends on its kind. */
export type Content = Partial<Pick<Sample, 'value' | 'diastolic' | 'text' | 'sampleType' | 'extra'>>

/** Cleans an identifier so that it can be stored. */
export const cleanText = (text: string): string =>
  text === '' ? '' : cleanIdentifier(text.toWellFormed())

/** Returns the content of a sample beside its time, or why it cannot be stored. */
export function contentOfSample(
  series: Series,
  { value: given, unit, type = '', extra }: VendorSample,
): Content | QuarantineReason {
  const value = measuredValue(series, unit, type, given)
  if (typeof value === 'string') return value
  const problem = type === '' && series.types === null ? undefined : wrongType(series, type)
  if (problem !== undefined) return problem
  const fields = extra === undefined ? '' : extraFields(series, extra)
  return fields === undefined ? 'invalid_field' : { value, sampleType: type, extra: fields }
}

/** Returns the content of a blood pressure. */
export function contentOfPressure(
  series: Series,
  { systolic, diastolic, unit }: VendorBloodPressure,
): Content | QuarantineReason {
  const upper = measuredValue(series, unit, '', systolic)
  const lower = measuredValue(series, unit, '', diastolic)
  if (typeof upper === 'string') return upper
  return typeof lower === 'string' ? lower : { value: upper, diastolic: lower }
}

/** Returns the content of a note. */
export function contentOfNote(
  series: Series,
  { text, tags = [] }: VendorNote,
): Content | QuarantineReason {
  const kept = keptText(text)
  if (kept === undefined) return 'too_large'
  const fields = tags.length === 0 ? '' : extraFields(series, { tags })
  return fields === undefined ? 'invalid_field' : { text: kept, extra: fields }
}

/** Returns the value in the unit of the series, or why it is invalid. */
function measuredValue(
  series: Series,
  unit: string,
  type: string,
  given: unknown,
): number | QuarantineReason {
  if (typeof given !== 'number' || !Number.isFinite(given)) return 'invalid_value'
  const value = convertToCanonical(series.unitsByType?.[type] ?? series.units, unit, given)
  if (value === undefined) return 'unknown_unit'
  if (series.constantValue !== undefined) return series.constantValue
  return isInRange(series, value) ? value : 'out_of_range'
}

function wrongType({ types }: Series, type: string): QuarantineReason | undefined {
  if (type === '') return types?.required ? 'missing_type' : undefined
  const isKnown = types !== null && (types.allowed?.includes(type) ?? true)
  return isKnown && type === cleanText(type) ? undefined : 'unknown_type'
}

/**
 * Returns extra fields in the order and form in which uploads store them; undefined when one is not
 * allowed.
 */
function extraFields(
  { extraFields: fields }: Series,
  said: Readonly<Record<string, string | readonly string[]>>,
): string | undefined {
  const [name, another] = Object.keys(said)
  const value = name === undefined ? undefined : said[name]
  // Thousands of samples have the same one field, such as the method of a heart rate variability.
  if (typeof value === 'string' && another === undefined) {
    return fields.find((field) => field.name === name)?.allowed.includes(value)
      ? `{"${name}":${JSON.stringify(value)}}`
      : undefined
  }
  const known = fields.flatMap(({ name, allowed }) => {
    const value = said[name]
    if (value === undefined) return []
    return [{ name, value, isAllowed: [value].flat().every((text) => allowed.includes(text)) }]
  })
  if (known.length < Object.keys(said).length || known.some((field) => !field.isAllowed)) {
    return undefined
  }
  return JSON.stringify(Object.fromEntries(known.map(({ name, value }) => [name, value])))
}

/** Returns why the times of a record cannot be stored; undefined when they can. */
export function wrongTimes(startedAt: number, endedAt: number): QuarantineReason | undefined {
  if (!isStorableInstant(startedAt)) return 'invalid_start_date'
  if (endedAt === startedAt) return undefined
  if (!isStorableInstant(endedAt)) return 'invalid_end_date'
  return endedAt < startedAt ? 'end_before_start' : undefined
}
