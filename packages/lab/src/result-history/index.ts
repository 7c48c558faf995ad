export { listAllResults } from './list-results.ts'
export { registerResultHistoryRoutes } from './result-history.routes.ts'
export { PersonResult } from './result-history.schema.ts'
export { listPersonResults } from './result-history.service.ts'
