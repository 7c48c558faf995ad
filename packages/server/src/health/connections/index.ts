export { CONNECTION_EVENTS } from './connections.events.ts'
export { registerConnectionRoutes } from './connections.routes.ts'
export { ensureConnected } from './connections.service.ts'
export { listOnlyDevices } from './devices.global.repository.ts'
export {
  type DeviceRow,
  findOnlyDevices,
  listDevices,
  type NewDevice,
} from './devices.repository.ts'
export { rememberDevices } from './devices.service.ts'
export {
  attemptsUpsert,
  listResourceStatistics,
  type ResourceStatisticsRow,
  recordAttempts,
} from './resource-statistics.repository.ts'
