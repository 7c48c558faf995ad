import {
  findPosition,
  interpretResult,
  readValue,
  toUcum,
  usesDecimalComma,
} from '@salus/lab-report-parser/values'
import type { LabReportResult } from './lab-reports.schema.ts'

const NO_VALUE = { type: 'comment', number: null, comparator: null, bounds: null } as const

/** Derives the fields of a result from its value, its bounds and its printed flag. */
export function deriveFields(
  { value, min_reference_range: low, max_reference_range: high }: LabReportResult,
  { flag, decimalComma }: { flag: string | null; decimalComma: boolean },
): Pick<LabReportResult, 'type' | 'interpretation' | 'is_above_max_range' | 'is_below_min_range'> {
  const read = readValue(value, { decimalComma }) ?? NO_VALUE
  const isOpen = low === null && high === null
  const reference = isOpen ? null : { low, high, isLowInclusive: true, isHighInclusive: true }
  const position = findPosition(read, reference)
  return {
    type: read.type,
    interpretation: interpretResult({ flag, value, range: null, position, reference }),
    is_above_max_range: position.isAboveMax,
    is_below_min_range: position.isBelowMin,
  }
}

/**
 * Returns a value as a number in a UCUM unit if it has one. The other results determine the decimal
 * separator.
 */
export function toMeasurement(
  { value, units }: LabReportResult,
  others: readonly LabReportResult[],
): { number: number | null; ucum_unit: string | null } {
  const decimalComma = usesDecimalComma(others.map((other) => other.value))
  const read = readValue(value, { decimalComma }) ?? NO_VALUE
  const isNumber = read.type === 'numeric' || read.type === 'percentage'
  return {
    number: isNumber && read.comparator === null ? read.number : null,
    ucum_unit: units === null ? (read.type === 'percentage' ? '%' : null) : toUcum(units),
  }
}
