export type { ConnectionFilter, ConnectionsOfUsers } from './connections-of-users.ts'
export { createNewestData } from './newest-data.ts'
export type { OrdersOfUsers, PatientName } from './orders-of-users.ts'
export { endSignIns, holdSignIn } from './sign-ins.repository.ts'
export { findUserInfo } from './user-info.service.ts'
export type { UserParts } from './user-parts.ts'
export { peopleFiltersOf } from './user-search.schema.ts'
export {
  countUsers,
  findStoredUserId,
  findUser,
  findUserReference,
  findUserZone,
  holdUserReference,
  learnTimeZone,
  listDeletedSince,
  selectUsers,
  type UserReference,
  type UserRow,
} from './users.repository.ts'
export { registerUserRoutes } from './users.routes.ts'
export {
  ETHNICITIES,
  GENDER_IDENTITIES,
  PersonName,
  RACES,
  SEXUAL_ORIENTATIONS,
  type UserInfo,
} from './users.schema.ts'
export { createUser, deleteUser, getUserRow, listErasableUsers } from './users.service.ts'
