export {
  createManagementAuthentication,
  createTeamAuthentication,
  enterEnvironment,
  type FindApp,
  findEnvironment,
  findLiveManagementKey,
  inEnvironment,
  readHeader,
  toManagementIdentity,
} from './authentication.ts'
export { bootstrap, type FirstKeys, waitForFirstTeam } from './bootstrap.ts'
export { cutPage, PAGE_SIZE, type Position, readPosition } from './creation-order.ts'
export type { OwnersOfIds } from './credential-limits.ts'
export { type EnvironmentPath, EnvironmentPathParams } from './environment-path.ts'
export { changeKeyOfPerson, makeKeyOfPerson, revokeKeyOfPerson } from './keys-of-people.service.ts'
export { registerManagedEnvironments } from './managed-environment.ts'
export {
  getManagedEnvironment,
  getManagedTeamId,
  listManagedEnvironments,
  type ManagedEnvironment,
} from './managed-environments.ts'
export { registerManagementRoutes } from './management.routes.ts'
export {
  callerFor,
  covers,
  type ManagementKeyIdentity,
  requireOrgAdmin,
  requirePowerOver,
} from './management-access.ts'
export type { ManagementKeyRow } from './management-keys.repository.ts'
export { findOperatorOrganizationId, isOperator, requireOperator } from './operator.ts'
export { recoverKeys } from './recover-keys.ts'
export { registerTeamRoutes } from './team.routes.ts'
export { DeletionReport, ROLES } from './teams.schema.ts'
export { getClientFacingTeam, getOrganization } from './teams.service.ts'
