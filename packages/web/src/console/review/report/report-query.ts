import { queryOptions } from '@tanstack/react-query'
import { management, unwrapResponse } from '../../api/client.ts'
import type { Environment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'

type Schemas = components['schemas']
export type ReportJob = Schemas['ParsingJob']
export type ReportData = Schemas['ParsedLabReportData']
export type ReportResult = Schemas['LabReportResult']
export type ReportHead = Schemas['ResultMetadata']
export type Evidence = Schemas['LabReportEvidence']
export type FieldEvidence = Schemas['FieldEvidence']
export type ReportReview = Schemas['LabReportReview']
export type PatientMatch = Schemas['PatientMatch']

/** A report with everything that its reader may see: reviewers see results before the team does. */
export interface Report {
  job: ReportJob
  /** The parsed report without corrections; null before it is parsed. */
  reading: ReportData | null
  /** Evidence, numbered as the results of `reading`. */
  evidence: Evidence | null
  /** Null for a report without a review. */
  review: ReportReview | null
}

export const isRunning = ({ status }: Pick<ReportJob, 'status'>): boolean =>
  status === 'upload_pending' || status === 'started'

const FOLLOW_MS = 1000

/** Loads a report; reloads while it is being parsed. */
export const reportQuery = (environment: Environment, jobId: string) =>
  queryOptions({
    queryKey: [...environment.key, 'report', jobId],
    queryFn: ({ signal }) => readReport(environment, jobId, signal),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isRunning(data.job) ? FOLLOW_MS : false,
  })

async function readReport(
  { team, path }: Environment,
  jobId: string,
  signal: AbortSignal,
): Promise<Report> {
  const params = { path: { job_id: jobId } }
  const job = await unwrapResponse(
    team.GET('/lab_report/v1/parser/job/{job_id}', { params, signal }),
  )
  if (isRunning(job)) return { job, reading: null, evidence: null, review: null }
  if (job.review_reasons.length > 0) {
    const review = await unwrapResponse(
      management.GET('/v1/org/{org_id}/team/{team_id}/{env}/lab_report_review/{job_id}', {
        params: { path: { ...path, job_id: jobId } },
        signal,
      }),
    )
    return { job: review.job, reading: review.reading, evidence: review.evidence, review }
  }
  if (job.status !== 'completed') return { job, reading: null, evidence: null, review: null }
  const evidence = await unwrapResponse(
    team.GET('/lab_report/v1/parser/job/{job_id}/evidence', { params, signal }),
  )
  return { job, reading: job.data, evidence, review: null }
}

/** Loads a picture of a page; it never changes. */
export const pagePictureQuery = (
  { team, key }: Environment,
  jobId: string,
  number: number,
  width: number,
) =>
  queryOptions({
    queryKey: [...key, 'report page', jobId, number, width],
    queryFn: async ({ signal }) =>
      (await unwrapResponse(
        team.GET('/lab_report/v1/parser/job/{job_id}/page/{number}', {
          params: { path: { job_id: jobId, number }, query: { width } },
          parseAs: 'blob',
          signal,
        }),
      )) as unknown as Blob,
    staleTime: Number.POSITIVE_INFINITY,
  })
