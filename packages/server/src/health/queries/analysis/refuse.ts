import { type InputProblem, invalidInput } from '../../../platform/errors.ts'

/** Where in a request something stands, such as ["body", "queries", 0, "select", 2]. */
export type Location = readonly (string | number)[]

/** What can be wrong with a query that its schema cannot tell (contract 09, section 11). */
export type QueryProblem =
  | 'cross_table'
  | 'unknown_column'
  | 'where_syntax'
  | 'where_type'
  | 'invalid_function'
  | 'invalid_group_key'
  | 'multiple_date_trunc'
  | 'mixed_select'
  | 'list_column'
  | 'invalid_subquery'
  | 'invalid_align'
  | 'missing_group_key'
  | 'placeholder'

/** @throws InputError always. */
export function refuse(loc: Location, problem: QueryProblem, message: string): never {
  throw invalidInput(loc as InputProblem['loc'], message, problem)
}
