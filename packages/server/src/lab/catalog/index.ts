export {
  type AccountPurpose,
  type AccountWish,
  checkBilling,
  getLabAccount,
  selectLabAccount,
} from './accounts/account-selection.ts'
export type { LabAccountRow } from './accounts/lab-accounts.repository.ts'
export { type LabCatalogRoutesOptions, registerLabCatalogRoutes } from './lab-catalog.routes.ts'
export {
  AoeAnswer,
  BILLINGS,
  type Billing,
  COLLECTION_METHODS,
  type CollectionMethod,
  type DelegatedFlow,
  LABS,
  type LabSlug,
  LabTest,
  Marker,
  OrderSetRequest,
  Question,
  SAMPLE_TYPES,
  type SampleType,
  US_STATES,
  type UsState,
} from './lab-catalog.schema.ts'
export type {
  LabAccountsTable,
  LabsTable,
  LabTestMarkersTable,
  LabTestsTable,
  MarkersTable,
} from './lab-catalog.tables.ts'
export { registerLabTestApprovalRoutes } from './lab-tests/lab-test-approval.routes.ts'
export {
  getLabTestForInstructions,
  type LabTestForInstructions,
} from './lab-tests/lab-test-instructions.ts'
export type { LabTestRow } from './lab-tests/lab-tests.repository.ts'
export { showLabTests } from './lab-tests/lab-tests-of-orders.ts'
export { makeStartingLabTests } from './lab-tests/starting-lab-tests.ts'
export { findLab, findLabBySlug, type LabRow, listLabs } from './labs/labs.repository.ts'
export { registerCatalogImportRoutes } from './loading/catalog.routes.ts'
export type { CatalogReport } from './loading/catalog-format.schema.ts'
export {
  loadCatalog,
  loadStartingCatalog,
  STARTING_CATALOG,
} from './loading/catalog-loading.service.ts'
export {
  listOrderedMarkers,
  listReflexMarkers,
  type OrderedMarker,
  type OrderedResult,
} from './markers/markers.repository.ts'
export { checkAoeAnswers } from './order-entry-questions/aoe-answers.ts'
export { decideMethod } from './order-sets/collection-method.ts'
export {
  type OrderSet,
  type OrderWish,
  resolveMarkers,
  resolveOrderSet,
} from './order-sets/order-set.ts'
export { findOrMakeOrderedTest } from './order-sets/ordered-test.ts'
