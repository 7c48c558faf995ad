export {
  registerMissingEventRoutes,
  registerPersonMissingEventRoutes,
} from './missing-events.routes.ts'
