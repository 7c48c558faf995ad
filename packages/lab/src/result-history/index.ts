export { listAllResults } from './list-results.ts'
export { registerResultHistoryRoutes } from './result-history.routes.ts'
export type { PersonResult } from './result-history.schema.ts'
