export {
  createManagementAuthentication,
  createTeamAuthentication,
  type FindApp,
  findLiveManagementKey,
  readHeader,
  toManagementIdentity,
} from './access/authentication.ts'
export type { OwnersOfIds } from './access/credential-limits.ts'
export { enterEnvironment, findEnvironment, inEnvironment } from './access/enter-environment.ts'
export { registerManagedEnvironments } from './access/managed-environment.ts'
export type { AppAccess } from './access/own-user.ts'
export { bootstrap, type FirstKeys, waitForFirstTeam } from './bootstrap.ts'
export { DeletionReport, Environments, TeamRoleBindings } from './keys/keys.schema.ts'
export {
  changeKeyOfPerson,
  makeKeyOfPerson,
  revokeKeyOfPerson,
} from './keys/keys-of-people.service.ts'
export {
  getManagedEnvironment,
  getManagedTeamId,
  listManagedEnvironments,
  type ManagedEnvironment,
} from './keys/managed-environments.ts'
export {
  countOrgAdmins,
  type ManagementKeyRow,
  USER_CREATOR,
} from './keys/management-keys.repository.ts'
export { checkPower } from './keys/management-keys.service.ts'
export { registerManagementRoutes } from './management.routes.ts'
export { getClientFacingTeam } from './organization/client-facing-team.ts'
export { cutPage, PAGE_SIZE, type Position, readPosition } from './organization/creation-order.ts'
export { type EnvironmentPath, EnvironmentPathParams } from './organization/environment-path.ts'
export { isLinkOriginOfAny } from './organization/link-origins.global.repository.ts'
export {
  callerFor,
  hasRightsOf,
  type ManagementKeyIdentity,
  requireBothEnvironments,
  requireOrgAdmin,
  requireRightsOf,
} from './organization/management-access.ts'
export { findOperatorOrganizationId, isOperator, requireOperator } from './organization/operator.ts'
export {
  listPermissions,
  PERMISSIONS_OF_ROLES,
  ROLES,
  type Role,
} from './organization/roles.registry.ts'
export { registerTeamRoutes } from './organization/team.routes.ts'
export {
  advanceEnvironment,
  lockOrganization,
  type TeamEnvironmentsTable,
  type TeamsTable,
} from './organization/teams.repository.ts'
export { getOrganization } from './organization/teams.service.ts'
export { ShownUnits, shownUnits, UnitPreferences } from './organization/unit-preferences.ts'
export { recoverKeys } from './recover-keys.ts'
