export { registerConsoleRoutes } from './console.routes.ts'
export { createConsoleAuthentication } from './console-sessions.service.ts'
