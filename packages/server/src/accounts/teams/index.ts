export {
  type CredentialOwner,
  createManagementAuthentication,
  createTeamAuthentication,
  enterEnvironment,
  findEnvironment,
  inEnvironment,
} from './authentication.ts'
export { bootstrap, type FirstKeys } from './bootstrap.ts'
export { registerManagedEnvironments } from './managed-environment.ts'
export { registerManagementRoutes } from './management.routes.ts'
export { requireOperator } from './operator.ts'
export { recoverKeys } from './recover-keys.ts'
export { registerTeamRoutes } from './team.routes.ts'
export { getClientFacingTeam } from './teams.service.ts'
