export { registerGlanceRoutes } from './glance.routes.ts'
export { registerTimelineRoutes } from './timeline.routes.ts'
