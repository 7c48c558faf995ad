export { LAB_CONNECTION_EVENTS } from './alerts/connection-alerts.events.ts'
export { registerLabConnectionMetrics } from './alerts/connection-metrics.ts'
export type { ConnectionParts } from './connection-parts.ts'
export { registerConnectionPosts } from './connection-posts.routes.ts'
export {
  type ConnectionCheck,
  ConnectionRegistry,
  type OpenConnection,
  type OpenedConnection,
} from './connection-registry.ts'
export { labConnectionJobs } from './connections.jobs.ts'
export { registerLabConnectionRoutes } from './connections.routes.ts'
export { SEALED_LAB_CONNECTIONS } from './secrets.ts'
