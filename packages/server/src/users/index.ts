export { findUserInfo } from './user-info.service.ts'
export {
  eraseUser,
  findUser,
  findUserReference,
  learnTimeZone,
  type UserReference,
  type UserRow,
} from './users.repository.ts'
export { registerUserRoutes } from './users.routes.ts'
export { createUser, getUserRow, listErasableUsers } from './users.service.ts'
export type { ConnectionStatus, ConnectionsTable, DevicesTable } from './users.tables.ts'
