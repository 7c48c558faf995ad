import { Nullable, Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { ENVIRONMENT_PARAMS, ENVIRONMENT_PATH } from '@salus/kernel/http/environment-path'
import Type from 'typebox'
import { FILE_RESPONSE, FileNumber, sendUploadedFile } from '../lab-reports.routes.ts'
import {
  PAGE_NUMBER,
  PAGE_PICTURE_SCHEMA,
  type PictureParts,
  renderReportPage,
} from '../page-pictures.ts'
import {
  ReportCorrections,
  ReportRejection,
  ReportReview,
  ReportReviewList,
  ReportReviewQuery,
} from './review.schema.ts'
import {
  approveReport,
  getReviewedRow,
  listReviews,
  readUploadedFile,
  rejectReport,
  showReview,
} from './review.service.ts'

const tags = ['Lab reports']
const ALL = `${ENVIRONMENT_PATH}/lab_report_review`
const ONE = `${ALL}/:job_id`
const params = Type.Object({ ...ENVIRONMENT_PARAMS, job_id: Uuid })

/** Registers the routes for reviewers, among those of managed environments. */
export function registerReportReviewRoutes(app: App, parts: PictureParts): void {
  app.get(
    ALL,
    {
      schema: {
        operationId: 'listLabReportReviews',
        tags,
        summary: 'List the reviews of lab reports',
        description:
          'Returns the reports that wait for a reviewer, or reviewed reports by their current status, newest first.',
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
        operationId: 'getLabReportReview',
        tags,
        summary: 'Read the review of a lab report',
        description:
          'Returns the machine reading of the report with positions and confidences, and the corrections of reviewers.',
        params,
        response: { 200: ReportReview },
      },
    },
    ({ scope, params: { job_id: id } }) => showReview(scope, id.toLowerCase()),
  )

  registerFile(app, parts)
  registerPage(app, parts)
  registerDecisions(app)
}

function registerFile(app: App, parts: PictureParts): void {
  app.get(
    `${ONE}/file/:number`,
    {
      schema: {
        operationId: 'getLabReportFile',
        tags,
        summary: 'Read an uploaded file of a report under review',
        description: 'Returns the file while the files are retained.',
        params: Type.Object({ ...params.properties, number: FileNumber }),
        response: FILE_RESPONSE,
      },
    },
    async ({ scope, params: { job_id: id, number } }, reply) =>
      sendUploadedFile(reply, await readUploadedFile(scope, parts, id.toLowerCase(), number)),
  )
}

function registerPage(app: App, parts: PictureParts): void {
  app.get(
    `${ONE}/page/:number`,
    {
      schema: {
        operationId: 'getLabReportPage',
        tags,
        summary: 'Read the image of a page of a report under review',
        description: 'Renders a page. Positions in the evidence are fractions of this image.',
        params: Type.Object({ ...params.properties, number: PAGE_NUMBER }),
        ...PAGE_PICTURE_SCHEMA,
      },
    },
    async ({ scope, params: { job_id: id, number }, query: { width } }, reply) => {
      const job = await getReviewedRow(scope, id.toLowerCase())
      const picture = await renderReportPage(scope, parts, job, number, width)
      return reply.type('image/jpeg').send(picture)
    },
  )
}

function registerDecisions(app: App): void {
  app.post(
    `${ONE}/approve`,
    {
      schema: {
        operationId: 'approveLabReport',
        tags,
        summary: 'Approve a lab report',
        description:
          'Completes the job with the values of the reading and the corrections of the reviewer. The reading stays stored. A report that may belong to another person requires `patient_confirmed`.',
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
        operationId: 'rejectLabReport',
        tags,
        summary: 'Reject a lab report',
        description: 'Fails the job. The team does not see the reading.',
        params,
        body: Nullable(ReportRejection),
        response: { 200: ReportReview },
      },
    },
    ({ scope, params: { job_id: id }, body, managementKey }) =>
      rejectReport(scope, id.toLowerCase(), managementKey.id, body?.note ?? null),
  )
}
