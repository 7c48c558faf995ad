export { registerBulkUploadRoutes } from './bulk-uploads.routes.ts'
