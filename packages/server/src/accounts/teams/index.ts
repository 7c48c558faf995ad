export {
  createManagementAuthentication,
  createTeamAuthentication,
  enterEnvironment,
  type FindApp,
  findEnvironment,
  inEnvironment,
  readHeader,
} from './authentication.ts'
export { bootstrap, type FirstKeys } from './bootstrap.ts'
export { cutPage, PAGE_SIZE, type Position, readPosition } from './creation-order.ts'
export { type EnvironmentPath, EnvironmentPathParams } from './environment-path.ts'
export { registerManagedEnvironments } from './managed-environment.ts'
export {
  getManagedEnvironment,
  getManagedTeamId,
  listManagedEnvironments,
  type ManagedEnvironment,
} from './managed-environments.ts'
export { registerManagementRoutes } from './management.routes.ts'
export { callerFor, type ManagementKeyIdentity, requireOrgAdmin } from './management-access.ts'
export { requireOperator } from './operator.ts'
export { recoverKeys } from './recover-keys.ts'
export { registerTeamRoutes } from './team.routes.ts'
export { DeletionReport } from './teams.schema.ts'
export { getClientFacingTeam } from './teams.service.ts'
