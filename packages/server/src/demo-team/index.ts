export { registerDemoTeamRoutes } from './demo-team.routes.ts'
