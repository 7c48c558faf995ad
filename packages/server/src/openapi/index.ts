export { registerHome } from './home.routes.ts'
export { registerDocs, registerOpenApi } from './openapi.ts'
