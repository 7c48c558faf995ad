export {
  checkBilling,
  getAllowedAccount,
  getLabAccount,
  listAllowedBillings,
  listOfferingAccounts,
  requireInsurableMarkers,
  selectLabAccount,
} from './accounts/account-selection.ts'
export type { LabAccountRow } from './accounts/lab-accounts.global.repository.ts'
export { registerLabCatalogRoutes } from './lab-catalog.routes.ts'
export {
  ADDRESS_STATES,
  AoeAnswer,
  BILLINGS,
  type Billing,
  CatalogId,
  type DelegatedFlow,
  LabTest,
  MARKER_TYPES,
  OrderSetRequest,
  QUESTION_TYPES,
  Question,
  SAMPLE_TYPES,
  type SampleType,
  type SpecimenRequirement,
} from './lab-catalog.schema.ts'
export { type OrderedTest, showLabTests, showOrderedTest } from './lab-tests/filled-lab-tests.ts'
export { getLabTestForInstructions } from './lab-tests/lab-test-instructions.ts'
export type { LabTestRow } from './lab-tests/lab-tests.repository.ts'
export { registerLabTestApprovalRoutes } from './lab-tests/lab-tests.routes.ts'
export {
  findLab,
  findLabBySlug,
  isLabOpen,
  type LabRow,
  listLabs,
} from './labs/labs.global.repository.ts'
export { findKnownLab } from './labs/labs.service.ts'
export { registerCatalogImportRoutes } from './loading/catalog.routes.ts'
export { checkQuestion } from './loading/catalog-checks.ts'
export { LOINCS_MERGE, type MergedTable } from './loading/catalog-columns.registry.ts'
export {
  type CatalogLoinc,
  type CatalogQuestion,
  Changes,
} from './loading/catalog-format.schema.ts'
export {
  listLoincs,
  lockCatalogLoads,
  mergeRows,
} from './loading/catalog-loading.global.repository.ts'
export {
  loadCatalog,
  loadStartingCatalog,
  STARTING_CATALOG,
} from './loading/catalog-loading.service.ts'
export {
  type CatalogMarker,
  listMarkersOfLab,
  listTestsOfMarkers,
  recordCompendiumOfLab,
  type TestOfMarkers,
} from './loading/catalog-markers.global.repository.ts'
export { CatalogProblems, findRepeated } from './loading/catalog-problems.ts'
export { pathOfCell, readCsvLines } from './loading/csv-lines.ts'
export { writeMarkers } from './loading/marker-merge.service.ts'
export { answerId, questionId } from './loading/question-ids.ts'
export { hashConcept, type MarkerDraft, type ResultDraft } from './loading/resolve-catalog.ts'
export { toSlug } from './loading/slug.ts'
export { checkStates, listStates } from './loading/state-lists.ts'
export {
  listMarkersOfMessage,
  listOrderedMarkers,
  listReflexMarkers,
  type OrderedMarker,
  type OrderedResult,
} from './markers/markers.global.repository.ts'
export { normalizeSearchText, searchTextOf } from './markers/search-text.ts'
export { correctSpelling, SHORTEST_CORRECTED } from './markers/spelling.ts'
export { checkAoeAnswers, listQuestions } from './order-entry-questions/aoe-answers.ts'
export {
  chooseCollectionMethod,
  type OrderSet,
  resolveMarkers,
  resolveOrderSet,
} from './order-sets/order-set.ts'
export { findOrCreateOrderedTest } from './order-sets/ordered-test.ts'
