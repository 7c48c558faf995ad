export { exportJobs } from './exports.jobs.ts'
export { registerExportLinkRoute, registerExportRoutes } from './exports.routes.ts'
export { eraseExports, SEALED_EXPORT_KEYS } from './exports.service.ts'
