import { findQuantity } from '../analytes/analyte-lookup.ts'
import type { Person } from '../analytes/reference-interval.ts'
import { SCHWARTZ_LOINC, SCHWARTZ_YEARS } from '../values/filtration-rate.ts'
import { quantityOf, type Slot } from './slots.ts'

/** The calculation of LDL fails above this, mg/dL. */
const MOST_TRIGLYCERIDES = 400
const CALCULATED_LIPIDS = ['ldl_cholesterol', 'vldl_cholesterol']
const LDL_DIRECT = '18262-6'

const FILTRATION_RATE = 'glomerular_filtration_rate'

/**
 * The formula of adults does not apply to minors, nor the other way round, and neither is reliable
 * in infants. A laboratory without codes of its own cannot report the other code.
 */
function isWithoutFormula({ expected }: Slot, { ageYears }: Person): boolean {
  const isMinor = ageYears < SCHWARTZ_YEARS.to
  if (!isMinor) return expected.loinc === SCHWARTZ_LOINC
  const isOfAdults = expected.loinc !== SCHWARTZ_LOINC && expected.provider_id === null
  return ageYears < SCHWARTZ_YEARS.from || isOfAdults
}

/** Quantities that cannot be a part of one of which there is too little to be measured. */
const WHOLES: Readonly<Record<string, string>> = {
  free_prostate_specific_antigen_percent: 'prostate_specific_antigen',
  urine_albumin_creatinine_ratio: 'urine_albumin',
  urine_protein_creatinine_ratio: 'urine_protein',
}

function isOfTooLittle(name: string, values: ReadonlyMap<string, number>): boolean {
  const whole = WHOLES[name] ?? ''
  const least = findQuantity(whole)?.reportable?.[0] ?? 0
  return (values.get(whole) ?? least) < least
}

/** True for a calculated result whose method or input is missing, or out of bounds. */
export function isNotCalculated(
  slot: Slot,
  values: ReadonlyMap<string, number>,
  person: Person,
): boolean {
  const name = quantityOf(slot)?.analyte ?? ''
  if (name === FILTRATION_RATE) return isWithoutFormula(slot, person)
  if (isOfTooLittle(name, values)) return true
  const isCalculated = CALCULATED_LIPIDS.includes(name) && slot.expected.loinc !== LDL_DIRECT
  return isCalculated && (values.get('triglycerides') ?? 0) > MOST_TRIGLYCERIDES
}

/**
 * Returns the code under which a result is reported: the filtration rate of minors has its own.
 * Without a number and without a code of the laboratory's own the requested one stays.
 */
export function reportedLoincOf(
  { expected, analyte }: Slot,
  isNumber: boolean,
  person: Person,
): string | null {
  const isRate = analyte.kind === 'quantity' && analyte.quantity.analyte === FILTRATION_RATE
  const isOfMinor = isRate && person.ageYears < SCHWARTZ_YEARS.to
  return isOfMinor && (isNumber || expected.provider_id !== null) ? SCHWARTZ_LOINC : expected.loinc
}
