import { type AnalyzedQuery, analyzeQuery, type Query, sourceRuleOf } from '../../queries/index.ts'
import type { ResultColumn } from '../continuous-queries.tables.ts'

/**
 * Analyzes a query by the rules for queries and the additional rules for continuous queries.
 * @throws InputError 422 at `body.query`
 */
export const analyzeContinuousQuery = (query: object): AnalyzedQuery =>
  analyzeQuery(query as Query, ['body', 'query'], { continuous: true })

/** Returns the columns and dependencies of a query. @throws InputError 422 for an invalid query */
export function checkQuery(query: object): { columns: ResultColumn[]; resources: string[] } {
  const { columns, resources } = analyzeContinuousQuery(query)
  return { columns: [...columns], resources: [...resources] }
}

/** Returns the source rule of a stored query. */
export const sourceRuleOfQuery = (query: object) => sourceRuleOf(analyzeContinuousQuery(query))

/** Returns the positions of the group keys among the columns of a stored query. */
export function keyColumnsOf(query: object): readonly number[] {
  return analyzeContinuousQuery(query).keyColumns
}
