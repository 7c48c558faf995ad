export { type AnalyzeOptions, analyzeQuery } from './analysis/analyze-query.ts'
export type { AnalyzedQuery } from './analysis/plan.ts'
export { compileQuery, jsonProjection } from './compile/compile-query.ts'
export type {
  CompiledQuery,
  OutputColumn,
  OutputType,
  QueryTarget,
  Window,
} from './compiled-query.ts'
export { openParquetFile } from './parquet/parquet-archive.ts'
export { registerQueryRoutes } from './query.routes.ts'
export { Query, QueryConfig, QueryTable } from './query.schema.ts'
export { type QueryLimits, withLimits } from './query-limits.ts'
export { getTarget, listPriorities } from './query-target.ts'
