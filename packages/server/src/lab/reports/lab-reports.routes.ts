import Type from 'typebox'
import type { FileStore } from '../../platform/files/file-store.ts'
import type { App } from '../../platform/http/app-types.ts'
import { Success, Uuid } from '../../platform/http/schema-types.ts'
import { LabReportEvidence } from './evidence.schema.ts'
import { ParsingJob, ParsingJobList, ParsingJobQuery } from './lab-reports.schema.ts'
import {
  deleteParsingJob,
  getEvidence,
  getParsingJob,
  listParsingJobs,
} from './show-jobs.service.ts'

const tags = ['Lab reports']
const params = Type.Object({ job_id: Uuid })
const JOBS = '/lab_report/v1/parser/job'

/** Reads and removes parsing jobs (docs/contract/16-lab-report-parsing.md#endpoints). */
export function registerLabReportRoutes(app: App, { files }: { files: FileStore }): void {
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
      await deleteParsingJob(scope, files, id.toLowerCase())
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
}
