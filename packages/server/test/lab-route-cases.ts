import { APPOINTMENT_CASES } from './booking/route-cases.ts'
import { INSURANCE_CASES, INSURANCE_OPERATOR_CASES } from './insurance/route-cases.ts'
import { CONNECTION_CASES } from './lab-connections/route-cases.ts'
import { ORDER_CASES, ORDER_OPERATOR_CASES } from './orders/route-cases.ts'
import { REPORT_CASES, REPORT_OPERATOR_CASES } from './reports/route-cases.ts'
import type { RouteCase } from './route-cases.ts'
import type { Subject } from './subject.ts'

/** Requests of the laboratory half: the catalog, orders, documents, results, the sandbox. */

const theirs = { stranger: 'not found' } as const
const own = { stranger: 'own view' } as const
const fresh = { subject: 'fresh' } as const

const ofScheduled = { params: ({ scheduledOrderId }: Subject) => ({ order_id: scheduledOrderId }) }
const ofMessage = { params: ({ failedMessageId }: Subject) => ({ message_id: failedMessageId }) }
const ofTask = ({ taskId }: Subject) => ({ id: taskId })
const ofMarker = ({ markerId, providerId }: Subject) => ({
  marker_ids: [Number(markerId)],
  provider_ids: [providerId],
})

const CATALOG_CASES: RouteCase[] = [
  { method: 'GET', path: '/v3/lab_tests/labs', ...own },
  { method: 'GET', path: '/v3/lab_test/lab_account', ...own },
  { method: 'GET', path: '/v3/lab_test', ...own },
  { method: 'GET', path: '/v3/lab_tests', ...own },
  {
    method: 'POST',
    path: '/v3/lab_tests',
    body: (subject) => ({
      name: 'Mine',
      description: 'A test',
      method: 'walk_in_test',
      marker_ids: ofMarker(subject).marker_ids,
    }),
    ...own,
  },
  { method: 'GET', path: '/v3/lab_tests/{lab_test_id}', ...theirs },
  {
    method: 'PATCH',
    path: '/v3/lab_tests/{lab_test_id}',
    body: () => ({ name: 'Renamed' }),
    ...theirs,
    ...fresh,
  },
  { method: 'GET', path: '/v3/lab_test/{lab_test_id}/collection_instruction_pdf', ...theirs },
  { method: 'GET', path: '/v3/lab_tests/markers', query: () => ({ name: 'glucose' }), ...own },
  { method: 'GET', path: '/v3/lab_tests/{lab_test_id}/markers', ...theirs },
  {
    method: 'POST',
    path: '/v3/lab_tests/list_order_set_markers',
    body: ({ labTestId }) => ({ lab_test_ids: [labTestId] }),
    ...theirs,
  },
  { method: 'GET', path: '/v3/lab_tests/{lab_id}/markers/{provider_id}', ...own },
  {
    method: 'POST',
    path: '/v3/compendium/search',
    body: () => ({ mode: 'canonical', query: 'glucose' }),
    ...own,
  },
  {
    method: 'POST',
    path: '/v3/compendium/convert',
    body: ({ labTestId }) => ({ lab_test_id: labTestId, target_lab: 'labcorp' }),
    ...theirs,
  },
  {
    method: 'POST',
    path: '/v3/compendium/search_orderable_tests',
    body: (subject) => ({
      provider_ids: ofMarker(subject).provider_ids,
      target_lab: 'bioreference',
    }),
    ...own,
  },
]

const CENTER_CASES: RouteCase[] = [
  { method: 'GET', path: '/v3/order/area/info', query: () => ({ zip_code: '85004' }), ...own },
  {
    method: 'GET',
    path: '/v3/order/psc/info',
    query: ({ labId }) => ({ zip_code: '85004', lab_id: labId }),
    ...own,
  },
  { method: 'GET', path: '/v3/order/{order_id}/psc/info', ...theirs },
]

const RESULT_CASES: RouteCase[] = [
  { method: 'GET', path: '/v3/order/{order_id}/result', ...theirs },
  { method: 'GET', path: '/v3/order/{order_id}/result/version', ...theirs },
  { method: 'GET', path: '/v3/order/{order_id}/result/metadata', ...theirs },
  { method: 'GET', path: '/v3/order/{order_id}/result/pdf', ...theirs },
  { method: 'GET', path: '/v3/order/{order_id}/result/document/{document_id}', ...theirs },
  { method: 'GET', path: '/v3/order_transaction/{transaction_id}/result', ...theirs },
  { method: 'GET', path: '/v3/order_transaction/{transaction_id}/result/pdf', ...theirs },
  { method: 'GET', path: '/v3/critical_result_task', ...own },
  { method: 'GET', path: '/v3/critical_result_task/{task_id}', ...theirs },
  {
    method: 'POST',
    path: '/v3/critical_result_task/{task_id}/receive',
    body: () => ({ name: 'Dr. Park' }),
    ...theirs,
    ...fresh,
  },
  {
    method: 'POST',
    path: '/v3/critical_result_task/{task_id}/acknowledge',
    body: () => ({ name: 'Dr. Park', note: 'Called the patient.' }),
    ...theirs,
    ...fresh,
  },
  { method: 'GET', path: '/v3/task', ...own },
  { method: 'GET', path: '/v3/task/count', ...own },
  { method: 'GET', path: '/v3/task/export', ...own },
  { method: 'GET', path: '/v3/task/{id}', params: ofTask, ...theirs },
  {
    method: 'POST',
    path: '/v3/task/{id}/receive',
    params: ofTask,
    body: () => ({ name: 'Dr. Park' }),
    ...theirs,
    ...fresh,
  },
  {
    method: 'POST',
    path: '/v3/task/{id}/acknowledge',
    params: ofTask,
    body: () => ({ name: 'Dr. Park' }),
    ...theirs,
    ...fresh,
  },
  {
    method: 'POST',
    path: '/v3/task/{id}/assign',
    params: ofTask,
    body: () => ({ owner: 'Dr. Park' }),
    ...theirs,
    ...fresh,
  },
  ...['complete', 'cancel'].map(
    (action): RouteCase => ({
      method: 'POST',
      path: `/v3/task/{id}/${action}`,
      params: ({ stuckTaskId }) => ({ id: stuckTaskId }),
      body: () => ({ name: 'Dr. Park', note: 'Wrote to the user.' }),
      ...theirs,
      ...fresh,
    }),
  ),
  { method: 'GET', path: '/v3/unmatched_result', ...own },
  { method: 'GET', path: '/v3/unmatched_result/{raw_result_id}', ...theirs },
  {
    method: 'POST',
    path: '/v3/unmatched_result/{raw_result_id}/accept',
    body: ({ userId, scheduledOrderId }) => ({ user_id: userId, order_id: scheduledOrderId }),
    ...theirs,
    ...fresh,
  },
  {
    method: 'POST',
    path: '/v3/unmatched_result/{raw_result_id}/resolve',
    body: () => ({ action: 'reject' }),
    ...theirs,
    ...fresh,
  },
  {
    method: 'POST',
    path: '/v3/unmatched_result/{raw_result_id}/undo',
    params: ({ rejectedResultId }) => ({ raw_result_id: rejectedResultId }),
    ...theirs,
    ...fresh,
  },
]

const SANDBOX_CASES: RouteCase[] = [
  { method: 'GET', path: '/v3/unmatched_result_test/case', ...own, isOfSandbox: true },
  {
    method: 'POST',
    path: '/v3/unmatched_result_test',
    headers: { 'x-idempotency-key': 'a test' },
    body: () => ({ case: 'no_match', order_source: 'provided' }),
    ...own,
    isOfSandbox: true,
  },
  { method: 'GET', path: '/v3/unmatched_result_test/{run_id}', ...theirs },
  { method: 'GET', path: '/v3/order/{order_id}/test', ...ofScheduled, ...theirs },
  { method: 'POST', path: '/v3/order/{order_id}/test', ...ofScheduled, ...theirs, ...fresh },
  { method: 'GET', path: '/v3/sandbox/clock', ...own, isOfSandbox: true },
  {
    method: 'POST',
    path: '/v3/sandbox/advance',
    body: () => ({ seconds: 1 }),
    ...own,
    isOfSandbox: true,
  },
]

/** Cases of the team API. */
export const LAB_CASES: readonly RouteCase[] = [
  ...CATALOG_CASES,
  ...INSURANCE_CASES,
  ...CENTER_CASES,
  ...APPOINTMENT_CASES,
  ...ORDER_CASES,
  ...RESULT_CASES,
  ...REPORT_CASES,
  ...SANDBOX_CASES,
]

const MANUAL_LAB = {
  slug: 'manual',
  name: 'Manual',
  first_line_address: '1 Main St',
  city: 'Phoenix',
  state: 'AZ',
  zipcode: '85004',
  collection_methods: ['walk_in_test'],
  sample_types: ['serum'],
}
const MANAGED = '/v1/org/{org_id}/team/{team_id}/{env}'

/** What operators do with a management key. */
export const LAB_OPERATOR_CASES: readonly RouteCase[] = [
  ...REPORT_OPERATOR_CASES,
  ...INSURANCE_OPERATOR_CASES,
  ...ORDER_OPERATOR_CASES,
  {
    method: 'PUT',
    path: '/v1/catalog',
    query: () => ({ dry_run: 'true' }),
    body: () => ({ labs: [MANUAL_LAB] }),
    // The catalog is the installation's: only its operator loads it.
    stranger: 'forbidden',
  },
  {
    method: 'PUT',
    path: '/v1/compendium',
    query: () => ({ dry_run: 'true' }),
    body: () => ({
      lab: 'quest',
      mapping: { tables: { tests: [{ file: 'a.csv', fields: { code: 'C', name: 'N' } }] } },
      files: { 'a.csv': 'QyxOCg==' },
    }),
    stranger: 'forbidden',
  },
  {
    method: 'PUT',
    path: '/v1/service_centers',
    query: () => ({ dry_run: 'true' }),
    body: () => ({
      csv: 'lab,site_code,name,first_line,city,state,zip_code\nquest,A1,Site,1 Main St,Phoenix,AZ,85004',
    }),
    stranger: 'forbidden',
  },
  { method: 'GET', path: `${MANAGED}/lab_message`, ...theirs },
  { method: 'GET', path: `${MANAGED}/lab_message/{message_id}`, ...ofMessage, ...theirs },
  {
    method: 'POST',
    path: `${MANAGED}/lab_message/{message_id}/retry`,
    ...ofMessage,
    ...theirs,
    ...fresh,
  },
  {
    method: 'POST',
    path: `${MANAGED}/lab_message/{message_id}/discard`,
    ...ofMessage,
    ...theirs,
    ...fresh,
  },
  ...CONNECTION_CASES,
  { method: 'POST', path: `${MANAGED}/lab_test/{lab_test_id}/approve`, ...theirs, ...fresh },
  { method: 'GET', path: `${MANAGED}/unmatched_result`, ...theirs },
  { method: 'POST', path: `${MANAGED}/unmatched_result/{id}/hand_over`, ...theirs, ...fresh },
]
