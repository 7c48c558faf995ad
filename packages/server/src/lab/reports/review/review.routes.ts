import Type from 'typebox'
import type { App } from '../../../platform/http/app-types.ts'
import { ENVIRONMENT_PARAMS, ENVIRONMENT_PATH } from '../../../platform/http/environment-path.ts'
import { Nullable, Uuid } from '../../../platform/http/schema-types.ts'
import type { LabReportParts } from '../lab-reports.parts.ts'
import { FILE_RESPONSE, FileNumber, sendUploadedFile } from '../lab-reports.routes.ts'
import {
  ReportCorrections,
  ReportRejection,
  ReportReview,
  ReportReviewList,
  ReportReviewQuery,
} from './review.schema.ts'
import {
  approveReport,
  listReviews,
  readUploadedFile,
  rejectReport,
  showReview,
} from './review.service.ts'

const tags = ['Lab reports']
const ALL = `${ENVIRONMENT_PATH}/lab_report_review`
const ONE = `${ALL}/:job_id`
const params = Type.Object({ ...ENVIRONMENT_PARAMS, job_id: Uuid })

type Files = Pick<LabReportParts, 'files' | 'secrets'>

/** What reviewers do with reports that were read. Among the routes of managed environments. */
export function registerReportReviewRoutes(app: App, parts: Files): void {
  app.get(
    ALL,
    {
      schema: {
        tags,
        summary: 'List reports that wait for a reviewer',
        params: Type.Object(ENVIRONMENT_PARAMS),
        querystring: ReportReviewQuery,
        response: { 200: ReportReviewList },
      },
    },
    ({ scope, query }) => listReviews(scope, query),
  )

  app.get(
    ONE,
    {
      schema: {
        tags,
        summary: 'Read what the machine read in a report',
        params,
        response: { 200: ReportReview },
      },
    },
    ({ scope, params: { job_id: id } }) => showReview(scope, id.toLowerCase()),
  )

  registerFile(app, parts)
  registerDecisions(app)
}

function registerFile(app: App, parts: Files): void {
  app.get(
    `${ONE}/file/:number`,
    {
      schema: {
        tags,
        summary: 'An uploaded file of a report',
        params: Type.Object({ ...params.properties, number: FileNumber }),
        response: FILE_RESPONSE,
      },
    },
    async ({ scope, params: { job_id: id, number } }, reply) =>
      sendUploadedFile(reply, await readUploadedFile(scope, parts, id.toLowerCase(), number)),
  )
}

function registerDecisions(app: App): void {
  app.post(
    `${ONE}/approve`,
    {
      schema: {
        tags,
        summary: 'Approve a report, with corrections or without',
        params,
        body: Nullable(ReportCorrections),
        response: { 200: ReportReview },
      },
    },
    ({ scope, params: { job_id: id }, body, managementKey }) =>
      approveReport(scope, id.toLowerCase(), managementKey.id, body ?? {}),
  )

  app.post(
    `${ONE}/reject`,
    {
      schema: {
        tags,
        summary: 'Reject a report',
        params,
        body: Nullable(ReportRejection),
        response: { 200: ReportReview },
      },
    },
    ({ scope, params: { job_id: id }, body, managementKey }) =>
      rejectReport(scope, id.toLowerCase(), managementKey.id, body?.note ?? null),
  )
}
