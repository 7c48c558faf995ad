export { type BulkOptions, registerBulkRoutes } from './bulk.routes.ts'
export { eraseBulkExports, SEALED_BULK_KEYS } from './bulk-exports.service.ts'
export { bulkExportJobs } from './run-bulk-export.service.ts'
