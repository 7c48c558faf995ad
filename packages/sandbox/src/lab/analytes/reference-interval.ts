/** Sex and age decide which interval applies. */
export interface Person {
  /** Null when unknown, or not one of the two that intervals exist for. */
  sex: 'female' | 'male' | null
  ageYears: number
  /** Set where it was answered with the order. */
  heightCm?: number
}

/** Usual range of a quantity. A bound that is null does not exist. */
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

/** A quantity that laboratories measure, with its usual values. */
export interface QuantityRow {
  /** Our own name of it, unique. */
  analyte: string
  /** LOINC codes that it is reported under, separated by blanks. */
  loincs: string
  /** UCUM, without annotations. */
  unit: string
  /** Digits after the point, as laboratories print it in `unit`. */
  decimals: number
  /**
   * Smallest difference that the method distinguishes, where that is more than one of the last
   * digit.
   */
  step?: number
  /**
   * Reference intervals, separated by commas, as `[M|F][from-to|from+] range`, ages in years, the
   * end exclusive: `M18+ 13.2-17.1, 6-12 11.5-15.5`. The first that matches is used. `any` matches
   * everyone.
   */
  intervals: string
  /** Below the first or above the second a laboratory calls the physician at once. */
  critical?: readonly [number | null, number | null]
  /** Center and standard deviation of healthy people; by default from the interval. */
  typical?: readonly [number, number]
  /** `typical` is the median and the deviation of the natural logarithm. */
  isSkewed?: true
  /** Side of most abnormal values; by default either, or high when it is skewed. */
  abnormalSide?: 'low' | 'high' | 'either'
  /** Range of the method: below the first it prints `<first`, above the second `>second`. */
  reportable?: readonly [number | null, number | null]
}

/** A quantity with parsed intervals. */
export interface Quantity extends Omit<QuantityRow, 'intervals' | 'loincs'> {
  bands: readonly Band[]
}

const RANGE = /^(?:([<>])(=)?(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?))$/
const BAND = /^(any|([MF])?(?:(\d+(?:\.\d+)?)(?:-(\d+(?:\.\d+)?)|\+))?) (\S+)$/

/** Reads `3.5-5.0`, `<5.7`, `<=2.0`, `>40` or `>=60`. */
export function parseInterval(text: string): ReferenceInterval {
  const match = RANGE.exec(text)
  if (match === null) throw new Error(`${text} is not a reference interval`)
  const [, sign, equals, bound, low, high] = match
  if (sign === undefined) return { low: Number(low), high: Number(high), includesBounds: true }
  const includesBounds = equals !== undefined
  return sign === '<'
    ? { low: null, high: Number(bound), includesBounds }
    : { low: Number(bound), high: null, includesBounds }
}

function parseBand(text: string): Band {
  const match = BAND.exec(text)
  if (match === null) throw new Error(`${text} is not an interval with a sex and ages`)
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

/** Returns the interval of a person; undefined when laboratories print none. */
export function findInterval(quantity: Quantity, person: Person): ReferenceInterval | undefined {
  return quantity.bands.find(
    (band) =>
      (band.sex === null || band.sex === person.sex) &&
      person.ageYears >= band.fromYears &&
      person.ageYears < band.toYears,
  )?.interval
}

/** Returns the side of a value. The bounds themselves are inside when they are included. */
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

/** Rounds to the smallest difference that the method of a quantity distinguishes. */
export function roundAs({ step, decimals }: Quantity, value: number): number {
  return roundTo(step === undefined ? value : Math.round(value / step) * step, decimals)
}
