export { registerPostingRoute } from './addresses/addresses.routes.ts'
export { importJobs } from './imports.jobs.ts'
export { registerImportRoutes } from './imports.routes.ts'
export { eraseImportFiles } from './imports.service.ts'
