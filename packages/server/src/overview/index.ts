export { registerOverviewRoutes } from './overview.routes.ts'
