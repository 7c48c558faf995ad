export { registerIntrospectionRoutes } from './introspection.routes.ts'
export { listHistoricalPulls } from './introspection.service.ts'
export { listSeriesExtents } from './resource-extents.repository.ts'
export { listResources } from './resource-statistics.service.ts'
