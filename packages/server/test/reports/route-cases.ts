import type { RouteCase } from '../route-cases.ts'
import type { Subject } from '../subject.ts'
import { JOBS, pdf, UploadForm } from './report-client.ts'

/** Requests about lab reports, and about what is read in them. */

const theirs = { stranger: 'not found' } as const
const fresh = { subject: 'fresh' } as const
const ofJob = { params: ({ reportJobId }: Subject) => ({ job_id: reportJobId, number: '1' }) }
const ofReview = { params: ({ reviewJobId }: Subject) => ({ job_id: reviewJobId, number: '1' }) }

export const REPORT_CASES: readonly RouteCase[] = [
  {
    method: 'POST',
    path: JOBS,
    body: ({ userId }) =>
      new UploadForm([
        ['user_id', userId],
        ['file', pdf(), 'application/pdf'],
      ]),
    ...theirs,
  },
  { method: 'GET', path: JOBS, stranger: 'own view' },
  { method: 'GET', path: `${JOBS}/{job_id}`, ...ofJob, ...theirs },
  { method: 'GET', path: `${JOBS}/{job_id}/evidence`, ...ofJob, ...theirs },
  { method: 'GET', path: `${JOBS}/{job_id}/file/{number}`, ...ofJob, ...theirs },
  { method: 'GET', path: `${JOBS}/{job_id}/page/{number}`, ...ofJob, ...theirs },
  { method: 'DELETE', path: `${JOBS}/{job_id}`, ...ofJob, ...theirs, ...fresh },
  { method: 'GET', path: '/v3/user/{user_id}/document', ...theirs },
  { method: 'GET', path: '/v3/user/{user_id}/result', ...theirs },
  {
    method: 'GET',
    path: '/v3/user/{user_id}/result/trend',
    query: () => ({ loinc_code: '2345-7' }),
    ...theirs,
  },
]

const REVIEWS = '/v1/org/{org_id}/team/{team_id}/{env}/lab_report_review'

/** What reviewers do with a management key. */
export const REPORT_OPERATOR_CASES: readonly RouteCase[] = [
  { method: 'GET', path: REVIEWS, ...theirs },
  { method: 'GET', path: `${REVIEWS}/{job_id}`, ...ofReview, ...theirs },
  { method: 'GET', path: `${REVIEWS}/{job_id}/file/{number}`, ...ofReview, ...theirs },
  { method: 'GET', path: `${REVIEWS}/{job_id}/page/{number}`, ...ofReview, ...theirs },
  {
    method: 'POST',
    path: `${REVIEWS}/{job_id}/approve`,
    body: () => ({ metadata: { lab_name: 'Corrected Laboratory' } }),
    ...ofReview,
    ...theirs,
    ...fresh,
  },
  {
    method: 'POST',
    path: `${REVIEWS}/{job_id}/reject`,
    body: () => ({ note: 'Not legible' }),
    ...ofReview,
    ...theirs,
    ...fresh,
  },
]
