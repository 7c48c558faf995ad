export { registerDocumentListRoutes } from './document-list.routes.ts'
