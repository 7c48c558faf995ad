export { sandboxJobs } from './sandbox.jobs.ts'
export { registerSandboxRoutes } from './sandbox.routes.ts'
export { createSlotStore } from './slots/slot-store.ts'
