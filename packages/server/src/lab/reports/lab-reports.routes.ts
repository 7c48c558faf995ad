import Type from 'typebox'
import type { App } from '../../platform/http/app-types.ts'
import { Success, Uuid } from '../../platform/http/schema-types.ts'
import { LabReportEvidence } from './evidence.schema.ts'
import { ParsingJob, ParsingJobList, ParsingJobQuery } from './lab-reports.schema.ts'
import {
  PAGE_NUMBER,
  PAGE_PICTURE_SCHEMA,
  type PictureParts,
  renderReportPage,
} from './page-pictures.ts'
import {
  deleteParsingJob,
  getEvidence,
  getJobRow,
  getParsingJob,
  listParsingJobs,
} from './show-jobs.service.ts'

const tags = ['Lab reports']
const params = Type.Object({ job_id: Uuid })
const JOBS = '/lab_report/v1/parser/job'

/** Reads and removes parsing jobs (docs/contract/16-lab-report-parsing.md#endpoints). */
export function registerLabReportRoutes(app: App, parts: PictureParts): void {
  app.get(
    JOBS,
    {
      schema: {
        tags,
        summary: 'List parsing jobs, newest first',
        querystring: ParsingJobQuery,
        response: { 200: ParsingJobList },
      },
    },
    ({ scope, query }) => listParsingJobs(scope, query),
  )

  app.get(
    `${JOBS}/:job_id`,
    { schema: { tags, summary: 'Read a parsing job', params, response: { 200: ParsingJob } } },
    ({ scope, params: { job_id: id } }) => getParsingJob(scope, id.toLowerCase()),
  )

  app.delete(
    `${JOBS}/:job_id`,
    { schema: { tags, summary: 'Delete a parsing job', params, response: { 200: Success } } },
    async ({ scope, params: { job_id: id } }) => {
      await deleteParsingJob(scope, parts.files, id.toLowerCase())
      return { success: true }
    },
  )

  app.get(
    `${JOBS}/:job_id/evidence`,
    {
      schema: {
        tags,
        summary: 'Where the results of a report stand',
        params,
        response: { 200: LabReportEvidence },
      },
    },
    ({ scope, params: { job_id: id } }) => getEvidence(scope, id.toLowerCase()),
  )

  app.get(
    `${JOBS}/:job_id/page/:number`,
    {
      schema: {
        tags,
        summary: 'A picture of a page of a report',
        params: Type.Object({ ...params.properties, number: PAGE_NUMBER }),
        ...PAGE_PICTURE_SCHEMA,
      },
    },
    async ({ scope, params: { job_id: id, number }, query: { width } }, reply) => {
      const job = await getJobRow(scope, id.toLowerCase())
      const picture = await renderReportPage(scope, parts, job, number, width)
      return reply.type('image/jpeg').send(picture)
    },
  )
}
