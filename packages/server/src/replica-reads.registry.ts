import type { Freshness } from '@salus/kernel/postgres/replicas/replicas'

/**
 * Operations that read from a replica of PostgreSQL when there is one, by `operationId`. A list is
 * `current`: it shows everything that was acknowledged before, through whichever process. Figures
 * of operation may be as old as the limit of the lag. All other operations read from the primary
 * (docs/decisions/0133-read-replicas.md); a test knows the reason of each GET among them.
 */
export const REPLICA_READS: Readonly<Record<string, Freshness>> = {
  // The team
  getOverview: 'current',
  listTasks: 'current',
  countTasks: 'current',
  exportTaskList: 'current',
  // Users
  listUsers: 'current',
  findUsers: 'current',
  exportUserList: 'current',
  getUserMetrics: 'current',
  explainMissingEventOfUser: 'current',
  listUserDevices: 'current',
  listTimeline: 'current',
  listNotes: 'current',
  listNoteVersions: 'current',
  listExports: 'current',
  listErasures: 'current',
  listLegalHolds: 'current',
  // Wearables
  listBulkOperations: 'current',
  listPutAsideItems: 'current',
  listImports: 'current',
  listHistoricalPulls: 'current',
  listResourceStatistics: 'current',
  listContinuousQueries: 'current',
  listContinuousQueryTasks: 'current',
  listRules: 'current',
  listRuleEpisodes: 'current',
  // Catalog and insurance
  listLabs: 'current',
  listLabAccounts: 'current',
  listLabTestMarkers: 'current',
  listMarkers: 'current',
  listOrderSetMarkers: 'current',
  searchCompendium: 'current',
  searchOrderableTests: 'current',
  listInsurance: 'current',
  searchPayors: 'current',
  searchPayorsByBody: 'current',
  searchDiagnoses: 'current',
  listServiceCenters: 'current',
  // Orders and results
  listOrders: 'current',
  exportOrderList: 'current',
  listTeamPhysicians: 'current',
  listStuckOrders: 'current',
  listAppointments: 'current',
  listDocuments: 'current',
  listOrderResultVersions: 'current',
  listCriticalResultTasks: 'current',
  listPersonResults: 'current',
  getResultTrend: 'current',
  listUnmatchedResults: 'current',
  listHeldResults: 'current',
  listParsingJobs: 'current',
  listLabReportReviews: 'current',
  listLabMessages: 'current',
  listOutgoingLabMessages: 'current',
  listReceivedLabMessages: 'current',
  // FHIR
  searchFhir: 'current',
  searchFhirByForm: 'current',
  getFhirEverything: 'current',
  getFhirDocuments: 'current',
  // Events
  listEvents: 'current',
  listEventAttempts: 'current',
  listWebhookAttempts: 'current',
  listWebhookStatus: 'current',
  getWebhookAttemptHistogram: 'current',
  explainMissingEvent: 'current',
  // Operation
  listEnvironmentAuditLog: 'lagging',
  listAuditLog: 'lagging',
  getDeliveryStatus: 'lagging',
  listProviderStatus: 'lagging',
  listJobKinds: 'lagging',
  listJobs: 'lagging',
}
