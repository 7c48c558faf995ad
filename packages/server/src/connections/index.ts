export { registerConnectionRoutes } from './connections.routes.ts'
export { ensureConnected } from './connections.service.ts'
export { findOnlyDevices, type NewDevice, upsertDevices } from './devices.repository.ts'
