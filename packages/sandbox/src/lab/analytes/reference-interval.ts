import type { QuantityRow } from './analyte-tables.ts'

/** Sex and age decide which interval counts. */
export interface Person {
  /** Null when unknown, or neither of the two that intervals are made for. */
  sex: 'female' | 'male' | null
  ageYears: number
  /** Where somebody told it. */
  heightCm?: number
}

/** What is usual of a quantity. A bound that is null does not exist. */
export interface ReferenceInterval {
  low: number | null
  high: number | null
  /** False for `<5` and `>5`, true for `<=5`, `>=5` and `1-5`. */
  includesBounds: boolean
}

interface Band {
  sex: Person['sex']
  fromYears: number
  toYears: number
  interval: ReferenceInterval
}

/** A quantity with its intervals read. */
export interface Quantity extends Omit<QuantityRow, 'intervals' | 'loincs'> {
  bands: readonly Band[]
}

const RANGE = /^(?:([<>])(=)?(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?))$/
const BAND = /^(any|([MF])?(?:(\d+(?:\.\d+)?)(?:-(\d+(?:\.\d+)?)|\+))?) (\S+)$/

/** Reads `3.5-5.0`, `<5.7`, `<=2.0`, `>40` or `>=60`. */
export function parseInterval(text: string): ReferenceInterval {
  const match = RANGE.exec(text)
  if (match === null) throw new Error(`${text} is no reference interval`)
  const [, sign, equals, bound, low, high] = match
  if (sign === undefined) return { low: Number(low), high: Number(high), includesBounds: true }
  const includesBounds = equals !== undefined
  return sign === '<'
    ? { low: null, high: Number(bound), includesBounds }
    : { low: Number(bound), high: null, includesBounds }
}

function parseBand(text: string): Band {
  const match = BAND.exec(text)
  if (match === null) throw new Error(`${text} is no interval with its sex and ages`)
  const [, , sex, from, to, range = ''] = match
  return {
    sex: sex === undefined ? null : sex === 'M' ? 'male' : 'female',
    fromYears: Number(from ?? 0),
    toYears: to === undefined ? Number.POSITIVE_INFINITY : Number(to),
    interval: parseInterval(range),
  }
}

/** Reads the intervals of a row of the registry. */
export function toQuantity({ intervals, loincs: _, ...row }: QuantityRow): Quantity {
  return { ...row, bands: intervals === '' ? [] : intervals.split(', ').map(parseBand) }
}

/** The interval of a person; undefined when laboratories print none. */
export function findInterval(quantity: Quantity, person: Person): ReferenceInterval | undefined {
  return quantity.bands.find(
    (band) =>
      (band.sex === null || band.sex === person.sex) &&
      person.ageYears >= band.fromYears &&
      person.ageYears < band.toYears,
  )?.interval
}

/** Where a value lies. Bounds themselves are inside when they are included. */
export function sideOf(value: number, interval: ReferenceInterval): 'low' | 'inside' | 'high' {
  const { low, high, includesBounds } = interval
  if (low !== null && (value < low || (!includesBounds && value === low))) return 'low'
  if (high !== null && (value > high || (!includesBounds && value === high))) return 'high'
  return 'inside'
}

/** Rounds as laboratories do before they print. */
export function roundTo(value: number, decimals: number): number {
  return Number(value.toFixed(decimals))
}

/** Rounds to what the method of a quantity can tell apart. */
export function roundAs({ step, decimals }: Quantity, value: number): number {
  return roundTo(step === undefined ? value : Math.round(value / step) * step, decimals)
}
