import type { Person } from '../analytes/reference-interval.ts'

/** Returns the value of a quantity of the same report, in the unit of the registry. */
export type AmountOf = (analyte: string) => number

/** A quantity that is calculated from others, or depends on them by nature. */
export interface Relation {
  from: readonly string[]
  compute(amountOf: AmountOf, person: Person): number
  /** Returns values of its inputs for which it would be `target`. */
  solve(target: number, amountOf: AmountOf, person: Person): Record<string, number>
}

/** A quantity that is never printed, from which printed ones are calculated. */
export interface Latent {
  /** Has the usual values of this quantity of the registry, */
  like?: string
  /** or between these. */
  between?: readonly [number, number]
  /** It is 0 unless one of these is reported. */
  onlyFor?: readonly string[]
}
