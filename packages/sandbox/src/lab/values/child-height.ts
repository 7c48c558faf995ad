import type { Person } from '../analytes/reference-interval.ts'

/**
 * Median height in cm at each birthday from 0 to 18, rounded, of the CDC growth charts of 2000
 * (length below 2 years).
 */
const MEDIANS = {
  female: [
    49.5, 74, 86, 94, 101, 108, 115, 121.5, 127.5, 133, 138, 144, 151, 157, 160.5, 162, 162.5, 163,
    163,
  ],
  male: [
    50, 76, 87, 95.5, 102.5, 109, 115.5, 122, 128, 133.5, 138.5, 143.5, 149, 156, 164, 170, 173.5,
    175.5, 176.5,
  ],
}

function medianOf(heights: readonly number[], ageYears: number): number {
  const year = Math.min(17, Math.floor(ageYears))
  const [from = 0, to = 0] = heights.slice(year, year + 2)
  return from + (to - from) * Math.min(1, ageYears - year)
}

/** Returns whole cm: as answered, else the height of an average child of the age and sex. */
export function heightOf({ sex, ageYears, heightCm }: Person): number {
  if (heightCm !== undefined) return Math.round(heightCm)
  if (sex !== null) return Math.round(medianOf(MEDIANS[sex], ageYears))
  const { female, male } = MEDIANS
  return Math.round((medianOf(female, ageYears) + medianOf(male, ageYears)) / 2)
}
