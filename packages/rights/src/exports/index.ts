export { exportJobs } from './exports.jobs.ts'
export {
  EXPORT_FILE_RESPONSE,
  registerExportLinkRoute,
  registerExportRoutes,
  sendExport,
} from './exports.routes.ts'
export { PersonExport, PersonExportCreate, PersonExportList } from './exports.schema.ts'
export {
  createExport,
  type ExportParts,
  eraseExports,
  listExports,
  openExport,
  SEALED_EXPORT_KEYS,
} from './exports.service.ts'
