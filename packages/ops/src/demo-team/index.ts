export { registerDemoTeamRoutes } from './demo-team.routes.ts'
export type { DemoTeamContext } from './demo-team.service.ts'
