import { BEST_FIRST, type Fit } from './names.ts'

/** The birth date of a patient as printed in a report; empty when it is not printed. */
export interface PrintedBirth {
  /** Possible dates, YYYY-MM-DD; `03/04/90` may be several. */
  days: readonly string[]
  /** A year or a month without a day: YYYY or YYYY-MM. */
  beginning: string | null
  /** Age of the patient in full years on a day. */
  age: { years: number; on: string } | null
}

/**
 * Compares a printed birth date with the known one, for which an earlier report may leave several
 * readings. `partial`: a matching year, month or age; `uncertain`: day and month may be swapped.
 */
export function compareBirth(printed: PrintedBirth, known: readonly string[]): Fit {
  const fits = known.map((day) => compareDay(printed, day))
  return BEST_FIRST.find((fit) => fits.includes(fit)) ?? 'not_comparable'
}

function compareDay({ days, beginning, age }: PrintedBirth, known: string): Fit {
  if (days.length > 0) {
    if (days.includes(known)) return 'match'
    return days.includes(swapDay(known)) ? 'uncertain' : 'mismatch'
  }
  if (beginning !== null) return known.startsWith(beginning) ? 'partial' : 'mismatch'
  if (age === null) return 'not_comparable'
  // Some count started years, and the day of the report may be later.
  return Math.abs(yearsBetween(known, age.on) - age.years) <= 1 ? 'partial' : 'mismatch'
}

const swapDay = (day: string): string => `${day.slice(0, 4)}-${day.slice(8, 10)}-${day.slice(5, 7)}`

/** Returns the full years between two dates, YYYY-MM-DD. */
export function yearsBetween(birth: string, day: string): number {
  const years = Number(day.slice(0, 4)) - Number(birth.slice(0, 4))
  return day.slice(5) < birth.slice(5) ? years - 1 : years
}
