export { eraseUser, findUser, learnTimeZone, type UserRow } from './users.repository.ts'
export { registerUserRoutes } from './users.routes.ts'
export { getUserRow, listErasableUsers } from './users.service.ts'
export type { ConnectionStatus, ConnectionsTable, DevicesTable } from './users.tables.ts'
