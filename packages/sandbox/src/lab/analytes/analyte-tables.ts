import { readFileSync } from 'node:fs'
import type { Quantity } from './reference-interval.ts'

/** The tables of data/reference-intervals, whose README.md says where their facts are from. */

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

/** What laboratories answer in words rather than by measuring. */
export interface FindingRow {
  /** Our own name of it, unique. */
  finding: string
  /** LOINC codes, separated by blanks. */
  loincs: string
  /** Names that mean it, of results whose code is not known here. The first row that fits counts. */
  names: RegExp
  /** Words for healthy people; one of them is taken. */
  normal: readonly string[]
  /** Words for others; none for what is neither good nor bad. */
  abnormal: readonly string[]
  /** What is printed as reference; null for nothing. */
  reference: string | null
  /** An immunoassay: it may be printed as an index, which is good below, or above, its cutoff. */
  index?: 'below' | 'above'
  /** What is measured to find it, where that is no index: good is below, or nothing at all. */
  cutoff?: { value: number; unit: string; isNothingGood?: true }
  /** Words are dilutions, `1:8`. */
  isTiter?: true
  /** It is looked for only where another result of the report is not as with healthy people. */
  isFollowUp?: true
}

/** A row of nlm-flowsheet-ranges.json, as the NLM gives it. */
interface NlmRow {
  loinc: string
  low: number | null
  high: number | null
  danger_low: number | null
  danger_high: number | null
  ucum_unit: string
}

const FOLDER = new URL('../../../data/reference-intervals/', import.meta.url)

function readTable<Row>(name: string): Row[] {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8'))
}

/** Reference intervals, critical limits and usual values: good enough to make reports that look right. */
export const QUANTITIES: readonly QuantityRow[] = [
  'blood-count',
  'chemistry',
  'hormones',
  'immunology',
].flatMap(readTable<QuantityRow>)

/** Findings; what names they go by is a pattern, in letters of either case. */
export const FINDINGS: readonly FindingRow[] = readTable<
  Omit<FindingRow, 'names'> & { names: string }
>('findings').map((row) => ({ ...row, names: new RegExp(row.names, 'i') }))

/** Adults of both sexes. What has no lower bound is written as 0 there. */
function toNlmQuantity(row: NlmRow): Quantity {
  const digits = [row.low, row.high].map((bound) => `${bound}`.split('.')[1]?.length ?? 0)
  return {
    analyte: `nlm:${row.loinc}`,
    unit: row.ucum_unit,
    decimals: Math.max(...digits),
    bands: [
      {
        sex: null,
        fromYears: 0,
        toYears: Number.POSITIVE_INFINITY,
        interval: { low: row.low === 0 ? null : row.low, high: row.high, includesBounds: true },
      },
    ],
    critical: [row.danger_low, row.danger_high],
  }
}

/** Intervals of the National Library of Medicine by LOINC code, for what our own tables lack. */
export function readNlmIntervals(): Map<string, Quantity> {
  const rows = readTable<NlmRow>('nlm-flowsheet-ranges')
  return new Map(rows.map((row) => [row.loinc, toNlmQuantity(row)]))
}
