import { BEST_FIRST, type Fit } from './names.ts'

/** What a report says of when its patient was born; empty where it says nothing. */
export interface PrintedBirth {
  /** Days that the printed one may be, YYYY-MM-DD; `03/04/90` may be several. */
  days: readonly string[]
  /** A year or a month where no day is printed: YYYY or YYYY-MM. */
  beginning: string | null
  /** How old the patient was in full years, and on which day that was. */
  age: { years: number; on: string } | null
}

/**
 * How a printed birth date fits the known one, of which an earlier report may leave several
 * readings. `partial` is a year, a month or an age that fits, and `uncertain` is a day and a month
 * that may have been swapped.
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
  // Some count the years that have begun, and the day of the report may be a later one.
  return Math.abs(yearsBetween(known, age.on) - age.years) <= 1 ? 'partial' : 'mismatch'
}

const swapDay = (day: string): string => `${day.slice(0, 4)}-${day.slice(8, 10)}-${day.slice(5, 7)}`

/** Full years between two dates, YYYY-MM-DD. */
export function yearsBetween(birth: string, day: string): number {
  const years = Number(day.slice(0, 4)) - Number(birth.slice(0, 4))
  return day.slice(5) < birth.slice(5) ? years - 1 : years
}
