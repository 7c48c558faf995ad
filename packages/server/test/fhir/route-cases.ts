import type { RouteCase } from '../route-cases.ts'
import type { Subject } from '../subject.ts'
import { tokenRequest } from './smart-client.ts'

const own = { stranger: 'own view' } as const
const theirs = { stranger: 'not found' } as const

const ofReport = ({ orderId }: Subject) => ({
  resource_type: 'DiagnosticReport',
  resource_id: orderId,
})
const reports = { params: { resource_type: 'DiagnosticReport' } }
const ofExport = ({ fhirExportId }: Subject) => ({
  export_id: fhirExportId,
  file_name: 'Patient.ndjson',
})
const ofScheduled = ({ scheduledOrderId }: Subject) => ({
  resource_type: 'ServiceRequest',
  resource_id: scheduledOrderId,
})

const requestFor = ({ userId, labTestId }: Subject) => ({
  resourceType: 'ServiceRequest',
  status: 'active',
  intent: 'order',
  subject: { reference: `Patient/${userId}` },
  code: { coding: [{ system: 'urn:salus:lab_test', code: labTestId }] },
})
const bundleFor = (subject: Subject) => ({
  resourceType: 'Bundle',
  type: 'transaction',
  entry: [{ resource: requestFor(subject), request: { method: 'POST', url: 'ServiceRequest' } }],
})
/** The order stays as it is; ordering.test.ts cancels some. */
const unchanged = [{ op: 'replace', path: '/status', value: 'active' }]

const ENVIRONMENT = '/v1/org/{org_id}/team/{team_id}/{env}'
const ofClient = ({ smartClientId }: Subject) => ({ client_id: smartClientId })

/** SMART clients of a further team's sandbox. */
export const FHIR_OPERATOR_CASES: readonly RouteCase[] = [
  { method: 'GET', path: `${ENVIRONMENT}/smart_client`, ...theirs },
  {
    method: 'POST',
    path: `${ENVIRONMENT}/smart_client`,
    body: () => ({ label: 'Records', jwks: { keys: [{ kty: 'EC' }] }, scopes: ['system/*.rs'] }),
    ...theirs,
  },
  {
    method: 'DELETE',
    path: `${ENVIRONMENT}/smart_client/{client_id}`,
    params: ofClient,
    ...theirs,
  },
]

/** Requests of the FHIR interface. */
export const FHIR_CASES: readonly RouteCase[] = [
  { method: 'GET', path: '/fhir/R4/metadata', credential: 'none', ...own },
  {
    method: 'GET',
    path: '/fhir/R4/.well-known/smart-configuration',
    credential: 'none',
    ...own,
  },
  {
    method: 'POST',
    path: '/fhir/R4/auth/token',
    body: ({ smartAssertion }) => new URLSearchParams(tokenRequest(smartAssertion)),
    credential: 'none',
    ...own,
  },
  { method: 'GET', path: '/fhir/R4/{resource_type}', ...reports, ...own },
  {
    method: 'POST',
    path: '/fhir/R4/{resource_type}/_search',
    ...reports,
    body: () => new URLSearchParams({ status: 'final' }),
    ...own,
  },
  { method: 'GET', path: '/fhir/R4/{resource_type}/{resource_id}', params: ofReport, ...theirs },
  {
    method: 'GET',
    path: '/fhir/R4/{resource_type}/{resource_id}/_history',
    params: ofReport,
    ...theirs,
  },
  {
    method: 'GET',
    path: '/fhir/R4/{resource_type}/{resource_id}/_history/{version_id}',
    params: (subject) => ({ ...ofReport(subject), version_id: '1' }),
    ...theirs,
  },
  { method: 'GET', path: '/fhir/R4/Patient/{user_id}/$everything', ...theirs },
  {
    method: 'GET',
    path: '/fhir/R4/DocumentReference/$docref',
    query: ({ userId }) => ({ patient: userId }),
    ...own,
  },
  { method: 'POST', path: '/fhir/R4/ServiceRequest', body: requestFor, ...theirs },
  { method: 'POST', path: '/fhir/R4', body: bundleFor, ...theirs },
  {
    method: 'PUT',
    path: '/fhir/R4/{resource_type}/{resource_id}',
    params: ofScheduled,
    body: (subject) => ({
      ...requestFor(subject),
      id: subject.scheduledOrderId,
      status: 'active',
    }),
    ...theirs,
  },
  {
    method: 'PATCH',
    path: '/fhir/R4/{resource_type}/{resource_id}',
    params: ofScheduled,
    headers: { 'content-type': 'application/json-patch+json' },
    body: () => unchanged,
    ...theirs,
  },
  { method: 'GET', path: '/fhir/R4/Patient/$export', ...own },
  { method: 'GET', path: '/fhir/R4/Group/{team_id}/$export', ...theirs, isOfWholeTeam: true },
  { method: 'GET', path: '/fhir/R4/bulk_export/status/{export_id}', params: ofExport, ...theirs },
  {
    method: 'GET',
    path: '/fhir/R4/bulk_export/file/{export_id}/{file_name}',
    params: ofExport,
    ...theirs,
  },
  {
    method: 'DELETE',
    path: '/fhir/R4/bulk_export/status/{export_id}',
    params: ofExport,
    ...theirs,
  },
]
