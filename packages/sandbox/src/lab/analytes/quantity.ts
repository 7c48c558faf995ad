/** A quantity that laboratories measure, and what of it is usual. */
export interface QuantityRow {
  /** Our own name of it, unique. */
  analyte: string
  /** LOINC codes that it is reported under, separated by blanks. */
  loincs: string
  /** UCUM, without annotations. */
  unit: string
  /** Digits after the point, as laboratories print it in `unit`. */
  decimals: number
  /** What the method tells apart, where that is more than one of the last digit. */
  step?: number
  /**
   * Reference intervals, separated by commas, as `[M|F][from-to|from+] range`, ages in years, the end
   * exclusive: `M18+ 13.2-17.1, 6-12 11.5-15.5`. The first that fits counts. `any` fits everyone.
   */
  intervals: string
  /** Below the first or above the second a laboratory calls the physician at once. */
  critical?: readonly [number | null, number | null]
  /** Where healthy people lie: centre and standard deviation; from the interval where not given. */
  typical?: readonly [number, number]
  /** `typical` is the median and the deviation of the natural logarithm. */
  isSkewed?: true
  /** Where it goes astray most often; either way, or up when it is skewed, where not given. */
  abnormalSide?: 'low' | 'high' | 'either'
  /** What the method can tell apart: below the first it is `<first`, above the second `>second`. */
  reportable?: readonly [number | null, number | null]
}
