export { portalJobs } from './portal.jobs.ts'
export { registerPortalRoutes } from './portal.routes.ts'
export { registerTeamPortalRoutes } from './team.routes.ts'
