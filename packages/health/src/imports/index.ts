export { registerPostingRoute } from './addresses/addresses.routes.ts'
export { ImportFileError } from './files/import-file-error.ts'
export { previewCsv } from './formats/csv/csv-preview.ts'
export { describeFormats } from './formats/formats.registry.ts'
export type { ImportOptions } from './import-options.ts'
export { IMPORT_FILES } from './import-queue.ts'
export { importJobs } from './imports.jobs.ts'
export { registerImportRoutes } from './imports.routes.ts'
export { ImportJob, ImportJobList } from './imports.schema.ts'
export { eraseImportFiles, listImportJobs } from './imports.service.ts'
export { importUpload } from './receive-import.ts'
export { mapFile } from './running/map-file.ts'
export { requireTusVersion, setTusHeaders } from './uploads/uploads.routes.ts'
export {
  AppendHeaders,
  CreationHeaders,
  ImportUpload,
  TUS_VERSION,
  UPLOAD_TYPE,
} from './uploads/uploads.schema.ts'
export { appendToUpload, createUpload, getUpload } from './uploads/uploads.service.ts'
