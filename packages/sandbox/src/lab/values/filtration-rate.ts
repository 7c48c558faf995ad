import type { Person } from '../analytes/reference-interval.ts'
import { heightOf } from './child-height.ts'

/** LOINC code of the rate by a creatinine-based formula (Schwartz). */
export const SCHWARTZ_LOINC = '50384-7'
/** The formula for children was derived from ages 1 to 16 and is used until 18. */
export const SCHWARTZ_YEARS = { from: 1, to: 18 } as const

const CKD_EPI_2021 = {
  female: { kappa: 0.7, alpha: -0.241, factor: 1.012 },
  male: { kappa: 0.9, alpha: -0.302, factor: 1 },
}

function adultRate(creatinine: number, sex: 'female' | 'male', ageYears: number): number {
  const { kappa, alpha, factor } = CKD_EPI_2021[sex]
  const ratio = creatinine / kappa
  const below = Math.min(ratio, 1) ** alpha
  const above = Math.max(ratio, 1) ** -1.2
  return 142 * below * above * 0.9938 ** ageYears * factor
}

/**
 * Returns the estimated glomerular filtration rate, mL/min/1.73 m2, from creatinine in mg/dL:
 * CKD-EPI 2021 (Inker et al.) for adults, the mean of both sexes where it is not known; the bedside
 * formula of Schwartz et al. 2009 for minors, which needs the height.
 */
export function filtrationRate(creatinine: number, person: Person): number {
  const { sex, ageYears } = person
  if (ageYears < SCHWARTZ_YEARS.to) return (0.413 * heightOf(person)) / creatinine
  if (sex !== null) return adultRate(creatinine, sex, ageYears)
  return (adultRate(creatinine, 'female', ageYears) + adultRate(creatinine, 'male', ageYears)) / 2
}

/** Returns the creatinine, mg/dL, for a filtration rate. */
export function creatinineOf(rate: number, person: Person): number {
  let [low, high] = [0.01, 40]
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2
    if (filtrationRate(middle, person) > rate) low = middle
    else high = middle
  }
  return high
}
