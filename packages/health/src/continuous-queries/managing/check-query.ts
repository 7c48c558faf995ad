import { type AnalyzedQuery, analyzeQuery, type Query, sourceRuleOf } from '../../queries/index.ts'
import type { ResultColumn } from '../continuous-queries.tables.ts'

/**
 * The rules for queries, with the further ones that what is evaluated again and again must keep.
 * @throws InputError 422 at `body.query`
 */
export const analyze = (query: object): AnalyzedQuery =>
  analyzeQuery(query as Query, ['body', 'query'], { continuous: true })

/** What a query answers, and from what. @throws InputError 422 for one that breaks a rule */
export function checkQuery(query: object): { columns: ResultColumn[]; resources: string[] } {
  const { columns, resources } = analyze(query)
  return { columns: [...columns], resources: [...resources] }
}

/** Which sources the results of a stored query count. */
export const ruleOf = (query: object) => sourceRuleOf(analyze(query))

/** Positions of the group keys among the columns of a stored query. */
export function keyColumnsOf(query: object): readonly number[] {
  return analyze(query).keyColumns
}
