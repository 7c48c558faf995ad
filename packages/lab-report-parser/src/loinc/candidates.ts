import type { Analyte } from './analytes.ts'
import { type Family, getLoincTable, type LoincRow } from './loinc-table.ts'
import { type Quantity, unitless } from './quantities.ts'

/** Evidence of a row of a report beside the name. */
export interface Evidence {
  /** Quantities that the unit can be of; null without a unit, empty if it is not understood. */
  quantities: readonly Quantity[] | null
  /** Kind of specimen; undefined where nothing names it. */
  family: Family | undefined
  /** Kind of blood, where it is named. */
  vessel: 'arterial' | 'venous' | 'capillary' | 'whole' | 'gas' | undefined
  /** Body fluid by its LOINC name. */
  fluid: string | undefined
  /** Whether the name mentions serum or plasma. */
  isSerum: boolean
  /** Whether the specimen is neither blood nor urine, and is not named. */
  isOther: boolean
  isDayUrine: boolean
  /** Whether the name says that it is a quantity. */
  isQuantitative: boolean
  /** Whether the value is a number, an ordinal word, a titer or other text. */
  shape: 'number' | 'ordinal' | 'titer' | 'text'
}

/** A code, and how well it fits, from 0 to 1. */
export interface Candidate {
  row: LoincRow
  analyte: Analyte
  score: number
}

/**
 * Alternatives of the same measurement (another method, another tube) rank this far below the
 * preferred one.
 */
const alternativeStep = 0.07

/** Returns the codes of an analyte, each with its fit; of equal ones the first is preferred. */
export function rateRows(analyte: Analyte, evidence: Evidence): Candidate[] {
  const rated = analyte.rows
    .map((row) => ({
      row,
      analyte,
      score: fitQuantity(row, analyte, evidence) * fitSystem(row, analyte, evidence),
    }))
    .sort((a, b) => b.score - a.score)
  const countsOf = new Map<Quantity, number>()
  for (const candidate of rated) {
    const before = countsOf.get(candidate.row.quantity) ?? 0
    countsOf.set(candidate.row.quantity, before + 1)
    candidate.score = Math.max(0, candidate.score - Math.min(before, 3) * alternativeStep)
  }
  return rated
}

function fitQuantity(row: LoincRow, analyte: Analyte, evidence: Evidence): number {
  const { quantities, shape, family } = evidence
  const { quantity } = row
  if (evidence.isQuantitative && quantity === 'presence') return 0.84
  if (quantities && quantities.length > 0) {
    if (!quantities.includes(quantity)) return 0.45
    return shape === 'ordinal' ? 0.84 : 1
  }
  if (shape === 'titer') return quantity === 'titer' ? 1 : 0.5
  if (shape === 'ordinal') return quantity === 'presence' ? 1 : quantity === 'named' ? 0.97 : 0.45
  if (shape === 'text') return quantity === 'named' ? 1 : quantity === 'presence' ? 0.8 : 0.45
  if (quantity === 'presence' || quantity === 'named') return 0.45
  if (quantity === 'titer') return 0.8
  if (unitless.has(quantity)) return quantities ? 0.9 : 1
  // A number without a known unit fits only if the analyte is measured in one way.
  const others = analyte.rows.some(
    (other) =>
      other.quantity !== quantity &&
      !['presence', 'named', 'titer', 'other'].includes(other.quantity) &&
      (family ?? 'blood') === other.family,
  )
  return others ? 0.75 : 0.92
}

function fitSystem(row: LoincRow, analyte: Analyte, evidence: Evidence): number {
  if (/donor|control|product|cord|adjusted|washing|newborn|dialysis/i.test(row.system)) return 0.6
  const family = evidence.family ?? defaultFamily(analyte, evidence)
  if (row.quantity === 'clearance') return 1
  if (row.family === 'unspecified') return 0.85
  if (row.family !== family) return 0.5
  return fitWithinFamily(row, analyte, evidence) * (isGuess(family, analyte, evidence) ? 0.84 : 1)
}

/** Returns whether the specimen is unknown, and may as well be another one. */
function isGuess(family: Family | undefined, analyte: Analyte, evidence: Evidence): boolean {
  if (evidence.family) return false
  if (evidence.isOther) return true
  if (listFitting(analyte, evidence)[0]?.quantity === 'named') return family !== 'blood'
  const fitting = listFitting(analyte, evidence)
  const isChosen = fitting[0] && analyte.rows.indexOf(fitting[0]) < analyte.chosen
  if (family === 'blood' || isChosen) return false
  return [analyte.rows[0], ...fitting].some((row) => row?.family === 'blood')
}

function fitWithinFamily(row: LoincRow, analyte: Analyte, evidence: Evidence): number {
  if (row.family === 'urine') return fitUrine(row, evidence)
  if (row.family === 'blood') return fitBlood(row, analyte, evidence)
  // Laboratories name some fluids and mean any, and vice versa.
  if (row.family === 'fluid') return row.system === evidence.fluid ? 0.84 : 0.8
  return 1
}

/** Returns the usual specimen of the analyte for this kind of measurement, where none is named. */
function defaultFamily(analyte: Analyte, evidence: Evidence): Family | undefined {
  return (listFitting(analyte, evidence)[0] ?? analyte.rows[0])?.family
}

function listFitting(analyte: Analyte, evidence: Evidence): LoincRow[] {
  return analyte.rows.filter((row) => fitQuantity(row, analyte, evidence) > 0.7)
}

function isOfVessel(own: LoincRow, row: LoincRow, vessel: string): boolean {
  return own.quantity === row.quantity && own.system.toLowerCase().startsWith(vessel)
}

/** Returns whether the same is measured in blood of this vessel. */
function hasCodeOfVessel(row: LoincRow, vessel: string): boolean {
  return getLoincTable()
    .findComponent(row.component)
    .some((own) => isOfVessel(own, row, vessel))
}

function fitUrine(row: LoincRow, { isDayUrine, quantities }: Evidence): number {
  const isRate = row.quantity === 'massRate' || row.quantity === 'substanceRate'
  if (isRate && quantities?.includes(row.quantity)) return 1
  if (row.system === '24 hour Urine') return isDayUrine ? 1 : 0.9
  if (row.system === 'unspecified time Urine') return 0.92
  return isDayUrine ? 0.93 : 1
}

function fitBlood(row: LoincRow, analyte: Analyte, { vessel, isSerum }: Evidence): number {
  if (isSerum && row.system === 'Blood') return 0.85
  const [, ofRow] = /(arterial|venous|capillary)/i.exec(row.system) ?? []
  if (vessel === undefined) return ofRow ? 0.85 : 1
  if (vessel === 'gas') return row.system === 'Blood' ? 0.84 : 0.8
  if (vessel === 'whole') return row.system === 'Blood' ? 1 : 0.9
  if (ofRow) return ofRow.toLowerCase() === vessel ? 1 : 0.7
  // Blood of this vessel has another code, which is not a candidate or does not fit.
  if (hasCodeOfVessel(row, vessel) && !analyte.rows.some((own) => isOfVessel(own, row, vessel)))
    return 0.84
  return row.system === 'Blood' ? 0.93 : 0.9
}
