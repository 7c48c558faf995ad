export { sandboxJobs } from './sandbox.jobs.ts'
export { registerSandboxRoutes } from './sandbox.routes.ts'
export type { SandboxContext } from './sandbox-clock.service.ts'
