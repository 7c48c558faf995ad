export { enforceScopes, grantScopes, readScope } from './access-scopes.ts'
export { listAllOfType } from './all-of-type.service.ts'
export { registerDocrefRoute } from './docref.routes.ts'
export { registerEverythingRoute } from './everything.routes.ts'
export { readExportParameters } from './everything.service.ts'
export { FHIR_JSON, toOperationOutcome } from './operation-outcome.ts'
export { registerReadRoutes } from './read.routes.ts'
export { readResource } from './read-resource.service.ts'
export {
  FHIR_PATH,
  FHIR_TAGS,
  type FhirOptions,
  fhirBaseOf,
  givenInAddress,
  PRODUCES,
  prepareForFhir,
  Repeated,
  Resource,
  registerCapabilityRoutes,
  registerSearchRoutes,
  resourceAnswer,
  sendResource,
} from './reading.routes.ts'
export { SERVED_TYPES } from './resource-types.registry.ts'
export { readByIds } from './search/included-resources.service.ts'
export {
  findOrderByIdentifier,
  insertOrderIdentifiers,
  type OrderIdentifier,
} from './served/order-identifiers.repository.ts'
export type { ServedType } from './served/sources.ts'
