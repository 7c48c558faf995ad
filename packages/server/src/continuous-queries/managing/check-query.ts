import {
  type AnalyzedQuery,
  analyzeQuery,
  type CompiledQuery,
  compileQuery,
  type Query,
  type QueryTarget,
} from '../../aggregate/index.ts'
import { NIL_ID } from '../../platform/ids.ts'
import type { ResultColumn } from '../continuous-queries.tables.ts'

export const analyze = (query: object): AnalyzedQuery =>
  analyzeQuery(query as Query, ['body', 'query'], { continuous: true })

/** Columns and sources are the same whoever is asked about. */
const NOBODY: QueryTarget = {
  environmentId: NIL_ID,
  userId: NIL_ID,
  fallbackZone: null,
  devices: new Map(),
  providerPriorities: new Map(),
  overrides: [],
  now: new Date(0),
}

const describe = (query: object): CompiledQuery =>
  compileQuery(analyze(query), { from: 0, to: 0 }, NOBODY)

/** What a query answers, and from what. @throws InputError 422 for one that breaks a rule */
export function checkQuery(query: object): { columns: ResultColumn[]; resources: string[] } {
  const { columns, resources } = describe(query)
  return { columns: [...columns], resources: [...resources] }
}

/** Positions of the group keys among the columns of a stored query. */
export function keyColumnsOf(query: object): readonly number[] {
  return describe(query).keyColumns
}
