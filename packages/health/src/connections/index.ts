export { CONNECTION_EVENTS } from './connections.events.ts'
export { BROKEN_CONNECTIONS } from './connections.global.repository.ts'
export { connectionJobs, REVOKE_GRANT } from './connections.jobs.ts'
export {
  type ConnectionRow,
  findConnection,
  findUserToUpload,
  hasConnectionOf,
  isAccountOfOther,
  listConnections,
  listUsersToUpload,
  lockConnectionName,
  recordPermissions,
  type UserToUpload,
} from './connections.repository.ts'
export { registerConnectionRoutes } from './connections.routes.ts'
export { ProviderConnections } from './connections.schema.ts'
export {
  connectAccount,
  endConnection,
  ensureConnected,
  failConnection,
  listConnections as showConnections,
  pauseConnections,
  type ScopeTable,
} from './connections.service.ts'
export { connectionsOfUsers } from './connections-of-users.service.ts'
export { listOnlyDevices } from './devices.global.repository.ts'
export {
  type DeviceRow,
  deviceVersionsSql,
  findOnlyDevices,
  listDevices,
  type NewDevice,
  onlyDevicesSql,
} from './devices.repository.ts'
export { recordDevices } from './devices.service.ts'
export {
  attemptsUpsert,
  listResourceStatistics,
  type ResourceStatisticsRow,
  recordAttempts,
} from './resource-statistics.repository.ts'
