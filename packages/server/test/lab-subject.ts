import { findEnvironment } from '@salus/accounts/teams'
import type { ResultMessage } from '@salus/contracts/lab-gateway'
import { createScope } from '@salus/kernel/scope'
import { inResultTransaction, receiveResultMessage } from '@salus/lab/results'
import { runDueStep } from '../../lab/src/sandbox/run-step.service.ts'
import {
  type BookingSubject,
  bookingPartOf,
  makeBookingSubject,
  type SlotKeys,
} from './booking/booking-subject.ts'
import type { Harness } from './harness.ts'
import {
  type ConnectionSubject,
  failMessage,
  makeConnectionSubject,
} from './lab-connections/route-cases.ts'
import { orderBody, SHIPPING_DETAILS, startingLabTests } from './orders/order-bodies.ts'
import { makeReportSubject, type ReportSubject, reportPartOf } from './reports/report-subject.ts'
import { addDocument, openTask } from './results/result-subject.ts'

/** Things of the laboratory half that a route can name, all of the subject's user. */
export interface LabSubject extends BookingSubject, ConnectionSubject, SlotKeys, ReportSubject {
  labTestId: string
  /** A test that waits for approval. */
  pendingLabTestId: string
  markerId: string
  labId: string
  providerId: string
  /** Completed, with results and all documents. */
  orderId: string
  transactionId: string
  /** Ordered, for a day to come. */
  scheduledOrderId: string
  /** Of a collection on site, with its requisition. */
  siteOrderId: string
  /** A test that is done with a kit. */
  kitTestId: string
  /** The number on a kit that is not registered. */
  kitNumber: string
  /** A critical result of the order that waits for an acknowledgement. */
  taskId: string
  stuckTaskId: string
  /** A document of the laboratory in the results of the order. */
  resultDocumentId: string
  /** A result that waits for review. */
  rawResultId: string
  /** One that was rejected. */
  rejectedResultId: string
  /** One that the operators have. */
  operatorResultId: string
  /** A test of the review queue. */
  runId: string
  /** A message to the managed team that could not be applied. */
  failedMessageId: string
  /** An order of the managed team that could not be handed over. */
  stuckOrderId: string
  /** A cancelled order of the managed team that its laboratory did not cancel. */
  uncancelledOrderId: string
  /** A saved view of the managed team. */
  savedViewId: string
}

let nextNumber = 0

/** A result message about an unknown patient. */
function strangeReport(name: string): ResultMessage {
  return {
    status: 'final',
    account_id: null,
    sample_id: `UNKNOWN${name}`,
    specimen_number: `A${name}`,
    patient: {
      first_name: 'Unknown',
      last_name: `Known${name}`,
      dob: '1970-01-01',
      gender: 'male',
      patient_id: null,
    },
    ordering_physician: null,
    collected_at: null,
    received_at: null,
    reported_at: { timestamp: '2026-03-01T12:00:00Z', timezone_offset: 0 },
    fasting: false,
    notes: null,
    total_volume: null,
    ordered_provider_ids: [],
    results: [],
    missing_results: [],
    performing_laboratories: {},
    pdf: null,
  }
}

/** The parts of a subject that are of a laboratory. */
export function labPartOf(subject: LabSubject): LabSubject {
  return {
    labTestId: subject.labTestId,
    pendingLabTestId: subject.pendingLabTestId,
    markerId: subject.markerId,
    labId: subject.labId,
    providerId: subject.providerId,
    orderId: subject.orderId,
    transactionId: subject.transactionId,
    scheduledOrderId: subject.scheduledOrderId,
    siteOrderId: subject.siteOrderId,
    kitTestId: subject.kitTestId,
    kitNumber: subject.kitNumber,
    taskId: subject.taskId,
    stuckTaskId: subject.stuckTaskId,
    resultDocumentId: subject.resultDocumentId,
    rawResultId: subject.rawResultId,
    rejectedResultId: subject.rejectedResultId,
    operatorResultId: subject.operatorResultId,
    runId: subject.runId,
    failedMessageId: subject.failedMessageId,
    stuckOrderId: subject.stuckOrderId,
    uncancelledOrderId: subject.uncancelledOrderId,
    savedViewId: subject.savedViewId,
    connectionName: subject.connectionName,
    outgoingMessageId: subject.outgoingMessageId,
    receivedMessageId: subject.receivedMessageId,
    sendingConnectionName: subject.sendingConnectionName,
    sentMessageId: subject.sentMessageId,
    ...bookingPartOf(subject),
    ...reportPartOf(subject),
  }
}

interface Managed {
  teamId: string
  key: string
  /** Whose completed order and test run it has, instead of its own. */
  shared: LabSubject | undefined
}

/** Makes what a case of the laboratory half may name, of the first team and of the managed one. */
export async function makeLabSubject(
  harness: Harness,
  userId: string,
  managed: Managed,
): Promise<LabSubject> {
  const succeed = createCaller(harness)
  const tests = await startingLabTests(harness)
  const { markers } = await succeed('GET', '/v3/lab_tests/markers?size=1&a_la_carte_enabled=true')
  const [marker] = markers
  const place = async (labTestId: string, changes: object = {}) =>
    (await succeed('POST', '/v3/order', orderBody(userId, labTestId, changes))).order
  const complete = async () => {
    const order = await place(tests.walk_in_test, { billing_type: 'patient_bill' })
    await succeed('POST', `/v3/order/${order.id}/test`)
    await runSteps(harness, order.id)
    return { orderId: order.id, transactionId: order.order_transaction.id }
  }
  const { orderId, transactionId } = managed.shared ?? (await complete())
  const scheduled = await place(tests.walk_in_test, { activate_by: '2026-05-01' })
  const site = await place(tests.on_site_collection)
  const accepted = '?final_status=received.on_site_collection.requisition_created'
  await succeed('POST', `/v3/order/${site.id}/test${accepted}`)
  nextNumber += 1
  const rejectedResultId = await holdResult(harness, harness.teamId, `Once${nextNumber}`)
  const rejection = { action: 'reject' }
  await succeed('POST', `/v3/unmatched_result/${rejectedResultId}/resolve`, rejection)
  // Without a queue of the team it is the operators' to look at; then they hand it over.
  const operatorResultId = await holdResult(harness, managed.teamId, `${nextNumber}`)
  const path = `/v1/org/${harness.organizationId}/team/${managed.teamId}`
  const headers = { 'x-management-key': harness.managementKey }
  const view = { name: `View ${nextNumber}`, filters: { status: ['completed'] } }
  const stuckOrderId = await makeStuckOrder(harness, managed.key)
  const reviews = { match_review_enabled: true, lab_report_review_enabled: true }
  await succeed('PATCH', path, { sandbox: reviews }, headers)
  return {
    labTestId: tests.walk_in_test,
    pendingLabTestId: await makePendingTest(harness, managed.key, marker.id),
    markerId: String(marker.id),
    labId: String(marker.lab_id),
    providerId: marker.provider_id,
    orderId,
    transactionId,
    scheduledOrderId: scheduled.id,
    siteOrderId: site.id,
    kitTestId: tests.testkit,
    kitNumber: await orderKit(harness, userId, tests.testkit),
    taskId: await openTask(harness, orderId),
    stuckTaskId: await openTask(harness, orderId, 'stuck_order'),
    resultDocumentId: managed.shared?.resultDocumentId ?? (await addDocument(harness, orderId)),
    rawResultId: await holdResult(harness, harness.teamId, `${nextNumber}`),
    rejectedResultId,
    operatorResultId,
    runId: managed.shared?.runId ?? (await startReviewTest(harness)),
    failedMessageId: await failMessage(harness, managed.teamId),
    stuckOrderId,
    ...(await makeConnectionSubject(harness, managed.teamId, stuckOrderId)),
    uncancelledOrderId: await makeUncancelledOrder(harness, managed.key),
    savedViewId: (await succeed('POST', `${path}/sandbox/saved_view`, view, headers)).id,
    ...(await makeReportSubject(harness, userId, managed.key)),
    ...(await makeBookingSubject(harness, userId)),
  }
}

function createCaller({ call }: Harness) {
  return async (method: string, url: string, body?: unknown, headers?: object) => {
    const answer = await call(method, url, body, headers)
    if (answer.status >= 300) throw new Error(`${method} ${url}: ${answer.text}`)
    return answer.body
  }
}

async function startReviewTest(harness: Harness): Promise<string> {
  const body = { case: 'no_match', order_source: 'provided' }
  const headers = { 'x-idempotency-key': `subject ${nextNumber}` }
  const url = '/v3/unmatched_result_test'
  const { run_id: runId } = await createCaller(harness)('POST', url, body, headers)
  return runId
}

/** Lets happen what is planned for an order. */
async function runSteps({ dependencies, database }: Harness, orderId: string): Promise<void> {
  const { rows } = await database.pool.query('select environment_id from orders where id = $1', [
    orderId,
  ])
  const environment = await findEnvironment(dependencies.db, rows[0].environment_id)
  if (environment === undefined) throw new Error('The sandbox of a test is gone.')
  const scope = createScope(dependencies, environment)
  const until = dependencies.clock.now()
  while (await runDueStep(scope, dependencies, { until, orderId }));
}

/** An order whose dispatch was given up. */
export async function makeStuckOrder(
  harness: Harness,
  key: string,
  name = 'stuck',
): Promise<string> {
  const succeed = createCaller(harness)
  const headers = { 'x-service-api-key': key }
  const user = { client_user_id: `${name} ${nextNumber}` }
  const { user_id: userId } = await succeed('POST', '/v2/user', user, headers)
  const { data } = await succeed('GET', '/v3/lab_test?status=active', undefined, headers)
  const { order } = await succeed('POST', '/v3/order', orderBody(userId, data[0].id), headers)
  const givenUp = `update orders set dispatch_failed_at = now(), dispatch_problem = 'not_reached'
    where id = $1`
  await harness.database.pool.query(givenUp, [order.id])
  return order.id
}

async function makeUncancelledOrder(harness: Harness, key: string): Promise<string> {
  const id = await makeStuckOrder(harness, key, 'uncancelled')
  const notCancelled = `update orders set dispatch_failed_at = null, cancel_failed_at = now(),
    cancel_problem = 'by_telephone' where id = $1`
  await harness.database.pool.query(notCancelled, [id])
  return id
}

async function makePendingTest(harness: Harness, key: string, markerId: number): Promise<string> {
  const succeed = createCaller(harness)
  const body = {
    name: 'Waits for approval',
    description: 'A test of one marker',
    method: 'walk_in_test',
    marker_ids: [markerId],
  }
  const test = await succeed('POST', '/v3/lab_tests', body, { 'x-service-api-key': key })
  return test.id
}

async function orderKit(harness: Harness, userId: string, labTestId: string): Promise<string> {
  const body = { user_id: userId, lab_test_id: labTestId, shipping_details: SHIPPING_DETAILS }
  const { order } = await createCaller(harness)('POST', '/v3/order/testkit', body)
  const kitNumber = `KIT-${nextNumber}-${order.id.slice(0, 8)}`
  const sample = 'update orders set sample_id = $1 where id = $2'
  await harness.database.pool.query(sample, [kitNumber, order.id])
  return kitNumber
}

/** Has a report taken that matches nothing. Returns the id under which it is held. */
async function holdResult(harness: Harness, teamId: string, name: string): Promise<string> {
  const { db, pool } = harness.database
  const { rows } = await pool.query(
    "select id from team_environments where team_id = $1 and environment = 'sandbox'",
    [teamId],
  )
  const environmentId = rows[0].id
  const environment = await findEnvironment(db, environmentId)
  if (environment === undefined) throw new Error('The sandbox of a test is gone.')
  const taken = { message: strangeReport(name), labSlug: 'quest', messageId: null }
  const context = { ...harness.dependencies, ...createScope(harness.dependencies, environment) }
  await inResultTransaction(context, (tx) =>
    receiveResultMessage(tx, { ...taken, at: harness.clock.now() }),
  )
  const held = await pool.query(
    'select id from unmatched_results where environment_id = $1 and patient_name like $2',
    [environmentId, `%known${name.toLowerCase()}`],
  )
  return held.rows[0].id
}
