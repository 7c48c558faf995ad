import { readFileSync } from 'node:fs'
import type { Quantity, QuantityRow } from './reference-interval.ts'

/** The tables of data/reference-intervals, whose README.md says where their facts are from. */

/** What laboratories answer in words rather than by measuring. */
export interface FindingRow {
  /** Our own name of it, unique. */
  finding: string
  /** LOINC codes, separated by blanks. */
  loincs: string
  /**
   * Names that mean it, of results whose code is not known here. The first row that fits counts.
   */
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

/**
 * Reference intervals, critical limits and usual values: good enough to make reports that look
 * right.
 */
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
