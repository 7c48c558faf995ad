export { linkJobs } from './link.jobs.ts'
export { registerLinkRoutes, registerTeamLinkRoutes } from './link.routes.ts'
export { readLinkToken } from './link-token.ts'
export { registerTeamSettingsRoutes } from './team-settings/team-settings.routes.ts'
