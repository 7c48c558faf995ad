import { readFileSync } from 'node:fs'
import type { Quantity } from './reference-interval.ts'

/** A row of data/reference-intervals/nlm-flowsheet-ranges.json, as the NLM gives it. */
interface NlmRow {
  loinc: string
  low: number | null
  high: number | null
  danger_low: number | null
  danger_high: number | null
  ucum_unit: string
}

const FILE = new URL(
  '../../../../../data/reference-intervals/nlm-flowsheet-ranges.json',
  import.meta.url,
)

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

/** Intervals of the National Library of Medicine by LOINC code, for what our own table lacks. */
export function readNlmIntervals(): Map<string, Quantity> {
  const rows = JSON.parse(readFileSync(FILE, 'utf8')) as NlmRow[]
  return new Map(rows.map((row) => [row.loinc, toNlmQuantity(row)]))
}
