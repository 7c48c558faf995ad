export { registerResultHistoryRoutes } from './result-history.routes.ts'
