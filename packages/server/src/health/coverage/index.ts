export { registerIntrospectionRoutes } from './introspection.routes.ts'
