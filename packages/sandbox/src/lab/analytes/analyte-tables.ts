import { readFileSync } from 'node:fs'
import type { Quantity, QuantityRow } from './reference-interval.ts'

/** Tables of data/reference-intervals, whose README.md names the sources. */

/** A finding, which laboratories report in words instead of a measured value. */
export interface FindingRow {
  /** Our own name of it, unique. */
  finding: string
  /** LOINC codes, separated by blanks. */
  loincs: string
  /** Names of results without a known code. The first row that matches is used. */
  names: RegExp
  /** Words for healthy people; one of them is chosen. */
  normal: readonly string[]
  /** Words for other people; none for a finding that is neither good nor bad. */
  abnormal: readonly string[]
  /** Printed reference; null for none. */
  reference: string | null
  /** An immunoassay: it may be printed as an index, which is good below, or above, its cutoff. */
  index?: 'below' | 'above'
  /**
   * Measured value behind the finding, where that is not an index: good is below, or nothing at
   * all.
   */
  cutoff?: { value: number; unit: string; isNothingGood?: true }
  /** The words are dilutions, `1:8`. */
  isTiter?: true
  /** Tested only where another result of the report is abnormal. */
  isFollowUp?: true
}

/** A row of nlm-flowsheet-ranges.json, in the form of the NLM. */
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

/** Reference intervals, critical limits and usual values: good enough for plausible reports. */
export const QUANTITIES: readonly QuantityRow[] = [
  'blood-count',
  'chemistry',
  'hormones',
  'immunology',
].flatMap(readTable<QuantityRow>)

/** Findings; their names are a pattern, in upper or lower case. */
export const FINDINGS: readonly FindingRow[] = readTable<
  Omit<FindingRow, 'names'> & { names: string }
>('findings').map((row) => ({ ...row, names: new RegExp(row.names, 'i') }))

/** Reads a row, which is for adults of both sexes. A missing lower bound is written as 0 there. */
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

/**
 * Reads intervals of the National Library of Medicine by LOINC code, for quantities that our own
 * tables lack.
 */
export function readNlmIntervals(): Map<string, Quantity> {
  const rows = readTable<NlmRow>('nlm-flowsheet-ranges')
  return new Map(rows.map((row) => [row.loinc, toNlmQuantity(row)]))
}
