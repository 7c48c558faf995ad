export { CONNECTION_EVENTS } from './connections.events.ts'
export { registerConnectionRoutes } from './connections.routes.ts'
export { ensureConnected } from './connections.service.ts'
export {
  type DeviceRow,
  findOnlyDevices,
  listDevices,
  listOnlyDevices,
  type NewDevice,
} from './devices.repository.ts'
export { rememberDevices } from './devices.service.ts'
export {
  attemptsUpsert,
  listResourceStatistics,
  noteAttempts,
  type ResourceStatisticsRow,
} from './resource-statistics.repository.ts'
