export { registerDocs, registerOpenApi } from './openapi.ts'
