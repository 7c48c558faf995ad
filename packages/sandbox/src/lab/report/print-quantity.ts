import type { ResultType } from '@salus/contracts/lab-gateway'
import {
  findInterval,
  type Person,
  type Quantity,
  type ReferenceInterval,
  sideOf,
} from '../analytes/reference-interval.ts'
import { scaleBetween, toPrintedUnit } from '../analytes/unit-scale.ts'
import { heightOf } from '../values/child-height.ts'
import { SCHWARTZ_YEARS } from '../values/filtration-rate.ts'
import { isCellCount, RELATIONS } from '../values/relations.ts'
import { abnormalFlag, type Printed, type Wish } from './printed.ts'
import { REPORT_INPUTS } from './report-inputs.registry.ts'

/** A measured value and the way in which its laboratory prints it. */
export interface Measured {
  quantity: Quantity
  /** Rounded value in the unit of the registry. */
  value: number
  person: Person
  /** Unit that the laboratory announced; null for the registry's. */
  unit: string | null
  /** Whether other values of the report are calculated from it, or it from them. */
  isRelated: boolean
}

/** Returns the unit to print, and a function that prints a number of the registry's unit in it. */
function unitAndFormat({ quantity, unit }: Measured) {
  const scale = unit === null || unit === '' ? null : scaleBetween(quantity.unit, unit)
  const printedUnit = scale === null ? toPrintedUnit(quantity.unit) : unit
  const factor = scale ?? 1
  const decimals = Math.max(0, quantity.decimals - Math.round(Math.log10(factor)))
  return {
    printedUnit,
    format: (value: number): string => (value * factor).toFixed(decimals),
  }
}

type Format = (value: number) => string

function intervalText({ low, high, includesBounds }: ReferenceInterval, format: Format): string {
  if (low !== null && high !== null) return `${format(low)}-${format(high)}`
  const equals = includesBounds ? '=' : ''
  return high === null ? `>${equals}${format(low ?? 0)}` : `<${equals}${format(high)}`
}

/** Returns the text for a value outside of the range of the method. */
function beyondMethod({ quantity, value }: Measured, format: Format): string | undefined {
  const [least = null, most = null] = quantity.reportable ?? []
  if (least !== null && value < least) return `<${format(least)}`
  return most !== null && value > most ? `>${format(most)}` : undefined
}

/** True when "less than the method can measure" is a good result. */
function mayBeBelowMethod(quantity: Quantity, interval: ReferenceInterval | undefined): boolean {
  return (quantity.reportable?.[0] ?? null) !== null && (interval?.low ?? 0) <= 0
}

/** Returns a range that contains the value and is on the same side of the interval. */
function rangeText(measured: Measured, format: Format): string {
  const { quantity, value, person, isRelated } = measured
  const interval = findInterval(quantity, person)
  const beyond = beyondMethod(measured, format)
  if (beyond !== undefined) return beyond
  const side = interval === undefined ? 'inside' : sideOf(value, interval)
  if (side === 'high') return `>${format(value)}`
  if (side === 'low') return `<${format(value)}`
  if (!isRelated && mayBeBelowMethod(quantity, interval)) {
    return `<${format(quantity.reportable?.[0] ?? value)}`
  }
  const { low = null, high = null } = interval ?? {}
  if (interval !== undefined && (low === null || high === null)) {
    return intervalText(interval, format)
  }
  const half = Math.max(10 ** -quantity.decimals, 0.04 * ((high ?? value) - (low ?? 0)))
  const from = Math.max(low ?? 0, value - half)
  return `${format(from)}-${format(Math.min(high ?? Number.POSITIVE_INFINITY, value + half))}`
}

const WORDS = {
  low: { words: 'Below reference range', code: 'BELOW_RANGE' },
  inside: { words: 'Within reference range', code: 'WITHIN_RANGE' },
  high: { words: 'Above reference range', code: 'ABOVE_RANGE' },
} as const

function isBeyondCritical({ critical }: Quantity, value: number): boolean {
  const [low = null, high = null] = critical ?? []
  return (low !== null && value < low) || (high !== null && value > high)
}

/** Returns the laboratory's flag; null for a good value without an interval. */
function flagOf({ quantity, value, person }: Measured, wish: Wish): string | null {
  const interval = findInterval(quantity, person)
  if (interval === undefined) return wish.level === null ? null : abnormalFlag(wish.level)
  const side = sideOf(value, interval)
  if (side === 'inside') return 'N'
  const letter = side === 'high' ? 'H' : 'L'
  const isAlarming = wish.isAlarming && isBeyondCritical(quantity, value)
  return wish.level === 'critical' || isAlarming ? letter.repeat(2) : letter
}

/**
 * Prints a number. A value below the range of the method is not printed as zero, but as the
 * smallest measurable or the smallest normal value.
 */
function numberText({ quantity, value, person, isRelated }: Measured, format: Format): string {
  const least = quantity.reportable?.[0] ?? 0
  if ((isRelated && value > 0) || value >= least) return format(value)
  const interval = findInterval(quantity, person)
  const isGood = interval === undefined || sideOf(least, interval) === 'inside'
  return format(isGood ? least : Math.max(value, 10 ** -quantity.decimals))
}

function textOf(measured: Measured, { type, level }: Wish, format: Format): string {
  const { quantity, value, person } = measured
  if (type === 'numeric') return numberText(measured, format)
  if (type === 'range') return rangeText(measured, format)
  const interval = findInterval(quantity, person)
  const side = interval === undefined ? 'inside' : sideOf(value, interval)
  const { words, code } = WORDS[side]
  if (interval === undefined && type === 'comment') return 'No reference range established'
  if (type === 'coded_value') return code
  // Laboratories print this when urea and creatinine are both normal.
  if (quantity.analyte === 'urea_creatinine_ratio' && side === 'inside') return 'Not applicable'
  return level === 'critical' ? `${words}, critical` : words
}

/** Prints a value as a number, as a range, in words, or as a code. */
export function printQuantity(measured: Measured, wish: Wish): Printed {
  const { quantity, person } = measured
  const { printedUnit, format } = unitAndFormat(measured)
  const interval = findInterval(quantity, person)
  const result = textOf(measured, wish, format)
  const isNumber = wish.type === 'numeric' || wish.type === 'range'
  const numberOf = (bound: number | null): number | null =>
    bound === null ? null : Number(format(bound))
  return {
    type: wish.type,
    result,
    unit: isNumber ? printedUnit : null,
    reference_range: interval === undefined ? null : intervalText(interval, format),
    min_range_value: numberOf(interval?.low ?? null),
    max_range_value: numberOf(interval?.high ?? null),
    flag: flagOf(measured, wish),
    notes: wish.type === 'numeric' ? methodOf(measured) : result,
  }
}

/** Returns the method that a reader needs to check a calculated value. */
function methodOf({ quantity, person }: Measured): string | null {
  const isOfMinor = person.ageYears < SCHWARTZ_YEARS.to
  if (quantity.analyte !== 'glomerular_filtration_rate' || !isOfMinor) return null
  const height = `${heightOf(person)} cm`
  const origin = person.heightCm === undefined ? ', the average of age and sex' : ''
  return `Calculated by the bedside Schwartz formula with a height of ${height}${origin}.`
}

/** Returns the type in which a laboratory would print the value. */
export function naturalTypeOf(measured: Measured): ResultType {
  return beyondMethod(measured, String) === undefined ? 'numeric' : 'range'
}

const INPUTS = new Set(Object.values(REPORT_INPUTS).flat())

/** Returns how well a value can be printed in each type. */
export function typeSuitabilityOf({
  quantity,
  person,
  isRelated,
}: Measured): Record<ResultType, number> {
  const interval = findInterval(quantity, person)
  const isOneSided = interval !== undefined && (interval.low === null || interval.high === null)
  const isComputed = RELATIONS.has(quantity.analyte)
  let range = isOneSided ? 4 : 2
  if (!isRelated && mayBeBelowMethod(quantity, interval)) range = 8
  else if (isRelated && !(isComputed && isOneSided)) range -= 2
  // Inputs of calculations are reported as numbers.
  const isInput = isRelated && INPUTS.has(quantity.analyte)
  if (isInput) range = 0
  let comment = isComputed ? 3 : interval === undefined ? 0 : 1
  // Cell counts are never reported in words.
  if (isCellCount(quantity.analyte) || isInput) comment = -1
  if (quantity.analyte === 'urea_creatinine_ratio') comment = 8
  return { numeric: 10, range, comment, coded_value: 0 }
}
