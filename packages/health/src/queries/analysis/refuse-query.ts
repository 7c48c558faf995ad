import { type InputProblem, invalidInput } from '@salus/kernel/errors'

/** Position in a request, such as ["body", "queries", 0, "select", 2]. */
export type Location = readonly (string | number)[]

/**
 * Throws an error that the schema of a query cannot express (docs/contract/09-aggregate.md#errors).
 * @throws InputError always
 */
export function refuseQuery(loc: Location, problem: InputProblem['type'], message: string): never {
  throw invalidInput(loc as InputProblem['loc'], message, problem)
}
