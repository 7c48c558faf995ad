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

/** What reviewers do with reports that were read. Among the routes of managed environments. */
export function registerReportReviewRoutes(app: App, parts: PictureParts): void {
  app.get(
    ALL,
    {
      schema: {
        operationId: 'listLabReportReviews',
        tags,
        summary: 'List reports that wait for a reviewer',
        description: 'Newest first; those that were reviewed by their status of today.',
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
        summary: 'Read what the machine read in a report',
        description:
          'The reading of the machine with places and confidences, and what reviewers corrected.',
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
        summary: 'An uploaded file of a report',
        description: 'For as long as files are kept.',
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
        summary: 'A picture of a page of a report, for its reviewer',
        description:
          'Rendered when it is asked for; what evidence says of places is in parts of it.',
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
        summary: 'Approve a report, with corrections or without',
        description:
          'The job is completed with the corrected values; what the machine read stays beside them. A report that may be of another person needs `patient_confirmed`.',
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
        summary: 'Reject a report',
        description: 'The job fails; nothing of what was read is shown to the team.',
        params,
        body: Nullable(ReportRejection),
        response: { 200: ReportReview },
      },
    },
    ({ scope, params: { job_id: id }, body, managementKey }) =>
      rejectReport(scope, id.toLowerCase(), managementKey.id, body?.note ?? null),
  )
}
