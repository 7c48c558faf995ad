import type { Person } from '../analytes/reference-interval.ts'

/** Gives the value of a quantity of the same report, in the unit of the registry. */
export type AmountOf = (analyte: string) => number

/** A quantity that laboratories, or nature, make out of others. */
export interface Relation {
  from: readonly string[]
  compute(amountOf: AmountOf, person: Person): number
  /** Values of what it is made from, for which it would be `target`. */
  solve(target: number, amountOf: AmountOf, person: Person): Record<string, number>
}

/** A quantity that is never printed, from which printed ones are made. */
export interface Latent {
  /** It lies where this quantity of the registry does, */
  like?: string
  /** or between these. */
  between?: readonly [number, number]
  /** It is 0 unless one of these is reported. */
  onlyFor?: readonly string[]
}
