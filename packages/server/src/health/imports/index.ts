export { importJobs } from './imports.jobs.ts'
export { registerImportRoutes } from './imports.routes.ts'
