export { registerFhirRoutes } from './fhir.routes.ts'
