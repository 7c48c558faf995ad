export {
  createManagementAuthentication,
  createTeamAuthentication,
  findTenant,
  type Tenant,
  tenantNow,
} from './authentication.ts'
export { bootstrap, type FirstKeys } from './bootstrap.ts'
export { getManagedEnvironment } from './managed-environment.ts'
export { registerManagementRoutes } from './management.routes.ts'
export { requireOperator } from './operator.ts'
export { recoverKeys } from './recover-keys.ts'
export { registerTeamRoutes } from './team.routes.ts'
export {
  ENVIRONMENTS,
  type Environment,
  REGIONS,
  type Region,
} from './teams.schema.ts'
