export { analyzeQuery } from './analysis/analyze-query.ts'
export type { AnalyzedQuery } from './analysis/plan.ts'
export { compileQuery, sourceRuleOf } from './compile/compile-query.ts'
export type {
  CompiledQuery,
  QueryTarget,
  Window,
} from './compiled-query.ts'
export { type TableColumn, ValueColumn } from './expressions.schema.ts'
export { mergeQueryRows } from './merged-rows.ts'
export { registerQueryRoutes } from './query.routes.ts'
export { Query, QueryConfig, SourceRule } from './query.schema.ts'
export { readQueryRows, readQueryTables } from './query.service.ts'
export { registerQueryTableRoutes } from './query-tables.routes.ts'
