export {
  createManagementAuthentication,
  createTeamAuthentication,
  type Tenant,
} from './authentication.ts'
export { bootstrap, type FirstKeys } from './bootstrap.ts'
export { registerManagementRoutes } from './management.routes.ts'
export { callerFor, type ManagementKeyIdentity } from './management-access.ts'
export { registerTeamRoutes } from './team.routes.ts'
export {
  ENVIRONMENTS,
  type Environment,
  REGIONS,
  type Region,
  type TeamEnvironment,
} from './teams.schema.ts'
export { getTeamEnvironment } from './teams.service.ts'
