export { registerMissingEventRoutes } from './missing-events.routes.ts'
