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
  registerPage(app, parts)
  registerDecisions(app)
}

function registerFile(app: App, parts: PictureParts): void {
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

function registerPage(app: App, parts: PictureParts): void {
  app.get(
    `${ONE}/page/:number`,
    {
      schema: {
        tags,
        summary: 'A picture of a page of a report, for its reviewer',
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
