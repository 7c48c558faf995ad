import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { makeOpenApi } from '../../../scripts/generate/openapi.ts'
import { REPLICA_READS } from '../src/replica-reads.registry.ts'

/**
 * For every operation that reads it is decided whether it may read from a replica. That those which
 * may write nothing is seen by the walk over all routes, whose replicas are read-only.
 */

/** Reads that stay on the primary: the reason by pattern of their path, or by `operationId`. */
const PRIMARY_PATHS: readonly [pattern: RegExp, reason: string][] = [
  [/\}$/, 'one object, by its key; where it has a version, If-Match compares with it'],
  [/^\/v2\/(timeseries|summary)\//, 'writes the cache of days; ETags are versions of the data'],
  [/\/(pdf|abn_pdf|collection_instruction_pdf|download)$/, 'one file, by its key'],
  [/^\/v1\/console\//, 'signs in'],
  [/^\/me\//, 'shows what the person has just done'],
  [/\/portal_(session|share)$/, 'few rows; shows what changes of access do'],
  [/\$export$/, 'adds a job'],
]

const FEW = 'few rows, by a key'
const FIXED = 'reads no database'
const MANAGED = 'few rows; shows what changes of access do'
const STARTING = 'makes the starting lab tests of a sandbox'
const PRIMARY_OPERATIONS: Readonly<Record<string, string>> = {
  searchUsers: FEW,
  getUserInfo: FEW,
  getGlance: 'writes the cache of days',
  listProviders: FIXED,
  listLinkProviders: 'part of signing in to a provider',
  getLinkConfig: FEW,
  getLinkState: 'part of signing in to a provider',
  listReceiptKeys: FEW,
  getRetentionRules: FEW,
  listRetainedResources: FIXED,
  listImportFormats: FIXED,
  listImportTemplates: FEW,
  listImportAddresses: FEW,
  listTeamSourcePriorities: FEW,
  getUserSourcePriorities: FEW,
  listQueryTables: FIXED,
  listRuleTemplates: FIXED,
  getContinuousQueryResultTable: 'one table, by its key',
  listLabTests: STARTING,
  listLabTestsUnpaged: STARTING,
  getLatestInsurance: FEW,
  listOrderTransitions: 'right before a transition',
  listSimulationTargets: 'right before a transition',
  getOrderCommunicationSettings: FEW,
  listSavedViews: FEW,
  getAreaInfo: 'right before an order',
  listServiceCentersOfOrder: 'right before an appointment',
  listPhlebotomyAppointmentCancellationReasons: FIXED,
  listPscAppointmentCancellationReasons: FIXED,
  getPhlebotomyAppointment: FEW,
  getPscAppointment: FEW,
  getOrderResult: FEW,
  getOrderResultMetadata: FEW,
  getOrderTransactionResult: FEW,
  getParsingJobEvidence: FEW,
  listUnmatchedResultTestCases: FIXED,
  listLabConnections: FEW,
  getFhirCapabilities: FIXED,
  getSmartConfiguration: FIXED,
  listFhirVersions: 'has versions that If-Match compares with',
  listSmartClients: MANAGED,
  getSandboxClock: FEW,
  listWebhooks: MANAGED,
  getWebhookHeaders: MANAGED,
  getWebhookSecret: MANAGED,
  listEventTypes: FIXED,
  followEvents: 'follows the newest events, which it is notified of',
  getAccess: FIXED,
  getWebhookPortal: FIXED,
  listTeams: MANAGED,
  listManagementKeys: MANAGED,
  getScopeRequirements: FEW,
  getDemoTeam: FEW,
  getOperationStatus: 'sizes of the primary itself, and who holds its locks',
  listProviderSetups: FEW,
  listConsoleSessions: MANAGED,
  listOrganizationUsers: MANAGED,
}

interface Operation {
  id: string
  method: string
  path: string
}

let operations: Operation[]

before(async () => {
  const { paths } = JSON.parse(await makeOpenApi()) as {
    paths: Record<string, Record<string, { operationId?: string }>>
  }
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId: id }]) =>
      id === undefined ? [] : [{ id, method, path }],
    ),
  )
})

const reasonOf = ({ id, path }: Operation): string | undefined =>
  PRIMARY_OPERATIONS[id] ?? PRIMARY_PATHS.find(([pattern]) => pattern.test(path))?.[1]

test('every GET reads from replicas, or from the primary for a reason', () => {
  const reading = operations.filter(({ method }) => method === 'get')
  const undecided = reading.filter(
    (operation) => !(operation.id in REPLICA_READS) && reasonOf(operation) === undefined,
  )
  assert.deepEqual(undecided, [])
  assert.ok(reading.length > 250)
})

test('the lists of both name operations, and none twice', () => {
  const ids = new Set(operations.map(({ id }) => id))
  const named = [...Object.keys(REPLICA_READS), ...Object.keys(PRIMARY_OPERATIONS)]
  assert.deepEqual(
    named.filter((id) => !ids.has(id)),
    [],
  )
  assert.equal(new Set(named).size, named.length)
  const unused = PRIMARY_PATHS.filter(
    ([pattern]) => !operations.some(({ path }) => pattern.test(path)),
  )
  assert.deepEqual(unused, [])
})
