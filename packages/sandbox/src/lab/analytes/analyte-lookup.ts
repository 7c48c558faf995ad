import type { RequisitionResult } from '@salus/contracts/lab-gateway'
import { createRandom } from '../seeded-random.ts'
import { FINDINGS, type FindingRow, QUANTITIES, readNlmIntervals } from './analyte-tables.ts'
import { parseInterval, type Quantity, toQuantity } from './reference-interval.ts'
import { toPrintedUnit } from './unit-scale.ts'

/** Subject of a result: a quantity or a finding. */
export type Analyte =
  | { kind: 'quantity'; quantity: Quantity }
  | { kind: 'finding'; finding: FindingRow }

const codesOf = (loincs: string): string[] => (loincs === '' ? [] : loincs.split(' '))

const quantitiesByName = new Map(QUANTITIES.map((row) => [row.analyte, toQuantity(row)]))
const nlmByLoinc = readNlmIntervals()
const analytesByLoinc = new Map<string, Analyte>([
  ...[...nlmByLoinc].map(([code, quantity]) => [code, { kind: 'quantity', quantity }] as const),
  ...FINDINGS.flatMap((finding) =>
    codesOf(finding.loincs).map((code) => [code, { kind: 'finding', finding }] as const),
  ),
  // Our own intervals come last, so that they take precedence.
  ...QUANTITIES.flatMap((row) => {
    const quantity = quantitiesByName.get(row.analyte) as Quantity
    return codesOf(row.loincs).map((code) => [code, { kind: 'quantity', quantity }] as const)
  }),
])

/** Returns a quantity of the registry by our own name of it. */
export function findQuantity(analyte: string): Quantity | undefined {
  return quantitiesByName.get(analyte)
}

/** Returns a quantity of specific IgE, which is mostly below the measurable range. */
function allergenQuantity(analyte: string): Quantity {
  const everyone = { sex: null, fromYears: 0, toYears: Number.POSITIVE_INFINITY }
  return {
    analyte,
    unit: 'k[IU]/L',
    decimals: 2,
    bands: [{ ...everyone, interval: parseInterval('<0.35') }],
    typical: [0.05, 0.7],
    isSkewed: true,
    reportable: [0.1, 100],
  }
}

const PLAUSIBLE_RANGES = ['0.5-2.0', '1.0-5.0', '2.0-9.0', '5.0-20.0', '10.0-45.0', '20.0-80.0']

/**
 * Returns an invented quantity for an unknown analyte: a plausible interval, the same in every
 * report.
 */
function inventedQuantity(analyte: string, unit: string): Quantity {
  const range = createRandom(analyte).pick(PLAUSIBLE_RANGES)
  const everyone = { sex: null, fromYears: 0, toYears: Number.POSITIVE_INFINITY }
  return { analyte, unit, decimals: 1, bands: [{ ...everyone, interval: parseInterval(range) }] }
}

/** Finds the analyte of a result by its LOINC code, else by its name and unit. */
export function findAnalyte({ name, loinc, unit }: RequisitionResult): Analyte {
  const known = loinc === null ? undefined : analytesByLoinc.get(loinc)
  if (known !== undefined) return known
  const analyte = `unknown:${loinc ?? ''}:${name}`
  if (/\bige\b/i.test(name) && !/\btotal\b|immunoglobulin/i.test(name)) {
    return { kind: 'quantity', quantity: allergenQuantity(analyte) }
  }
  const finding = FINDINGS.find((row) => row.names.test(name)) as FindingRow
  const isMeasured = unit !== null && unit !== '' && toPrintedUnit(unit) !== null
  if (finding.finding === 'presence' && isMeasured) {
    return { kind: 'quantity', quantity: inventedQuantity(analyte, unit) }
  }
  return { kind: 'finding', finding }
}
