export { mobileJobs } from './mobile.jobs.ts'
export { registerMobileRoutes, registerPublicMobileRoutes } from './mobile.routes.ts'
export { AppTokens } from './sessions/app-tokens.ts'
export { createMobileAuthentication } from './sessions/mobile-authentication.ts'
