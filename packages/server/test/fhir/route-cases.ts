import type { RouteCase } from '../route-cases.ts'
import type { Subject } from '../subject.ts'

const own = { stranger: 'own view' } as const
const theirs = { stranger: 'not found' } as const

const ofReport = ({ orderId }: Subject) => ({
  resource_type: 'DiagnosticReport',
  resource_id: orderId,
})
const reports = { params: { resource_type: 'DiagnosticReport' } }

/** Requests of the FHIR interface. */
export const FHIR_CASES: readonly RouteCase[] = [
  { method: 'GET', path: '/fhir/R4/metadata', credential: 'none', ...own },
  { method: 'GET', path: '/fhir/R4/{resource_type}', ...reports, ...own },
  {
    method: 'POST',
    path: '/fhir/R4/{resource_type}/_search',
    ...reports,
    body: () => new URLSearchParams({ status: 'final' }),
    ...own,
  },
  { method: 'GET', path: '/fhir/R4/{resource_type}/{resource_id}', params: ofReport, ...theirs },
]
