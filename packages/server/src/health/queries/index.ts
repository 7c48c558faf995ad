export { analyzeQuery } from './analysis/analyze-query.ts'
export type { AnalyzedQuery } from './analysis/plan.ts'
export { compileQuery } from './compile/compile-query.ts'
export type {
  CompiledQuery,
  QueryTarget,
  Window,
} from './compiled-query.ts'
export { registerQueryRoutes } from './query.routes.ts'
export { Query, QueryConfig } from './query.schema.ts'
export { registerQueryTableRoutes } from './query-tables.routes.ts'
