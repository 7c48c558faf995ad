import { type InputProblem, invalidInput } from '@salus/kernel/errors'

/** Where in a request something stands, such as ["body", "queries", 0, "select", 2]. */
export type Location = readonly (string | number)[]

/**
 * Refuses what the schema of a query cannot tell (docs/contract/09-aggregate.md#errors).
 * @throws InputError always
 */
export function refuse(loc: Location, problem: InputProblem['type'], message: string): never {
  throw invalidInput(loc as InputProblem['loc'], message, problem)
}
