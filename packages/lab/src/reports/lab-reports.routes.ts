import { Success, Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import type { FastifyReply } from 'fastify'
import Type from 'typebox'
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
  readFileOfJob,
  type UploadedFile,
} from './show-jobs.service.ts'

const tags = ['Lab reports']
const params = Type.Object({ job_id: Uuid })
const JOBS = '/lab_report/v1/parser/job'
const Binary = Type.Unsafe<Buffer>({ type: 'string', format: 'binary' })

export const FileNumber = Type.Integer({ minimum: 1, maximum: 8, description: 'From 1.' })

/** The success of a route that gives an uploaded file. */
export const FILE_RESPONSE = {
  200: {
    description: 'The file as it was uploaded.',
    content: {
      'application/pdf': { schema: Binary },
      'image/jpeg': { schema: Binary },
      'image/png': { schema: Binary },
    },
  },
}

/** The answer with an uploaded file, which nobody on the way may keep. */
export function sendUploadedFile(reply: FastifyReply, file: UploadedFile): Buffer {
  reply.type(file.contentType).header('cache-control', 'private, no-store')
  return file.content
}

/** Reads and removes parsing jobs (docs/contract/16-lab-report-parsing.md#endpoints). */
export function registerLabReportRoutes(app: App, parts: PictureParts): void {
  app.get(
    JOBS,
    {
      config: { personIn: 'query' },
      schema: {
        operationId: 'listParsingJobs',
        tags,
        summary: 'List parsing jobs, newest first',
        description: 'Without what was read; that is in each job.',
        querystring: ParsingJobQuery,
        response: { 200: ParsingJobList },
      },
    },
    ({ scope, query }) => listParsingJobs(scope, query),
  )

  app.get(
    `${JOBS}/:job_id`,
    {
      schema: {
        operationId: 'getParsingJob',
        tags,
        summary: 'Read a parsing job',
        description: 'The state of the job, and the results once it is completed.',
        params,
        response: { 200: ParsingJob },
      },
    },
    ({ scope, params: { job_id: id } }) => getParsingJob(scope, id.toLowerCase()),
  )

  app.delete(
    `${JOBS}/:job_id`,
    {
      schema: {
        operationId: 'deleteParsingJob',
        tags,
        summary: 'Delete a parsing job',
        description:
          'With its files and results, in whatever state it is; what is being read then comes to nothing.',
        params,
        response: { 200: Success },
      },
    },
    async ({ scope, params: { job_id: id } }) => {
      await deleteParsingJob(scope, parts.files, id.toLowerCase())
      return { success: true }
    },
  )
  registerContentRoutes(app, parts)
}

/** What was uploaded with a job, and where on it the results stand. */
function registerContentRoutes(app: App, parts: PictureParts): void {
  app.get(
    `${JOBS}/:job_id/evidence`,
    {
      schema: {
        operationId: 'getParsingJobEvidence',
        tags,
        summary: 'Where the results of a report stand',
        description:
          'For every field page, place and confidence, to be drawn on the page as it was uploaded.',
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
        operationId: 'getParsingJobPage',
        tags,
        summary: 'A picture of a page of a report',
        description:
          'Rendered when it is asked for; what evidence says of places is in parts of it. For as long as files are kept.',
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

  app.get(
    `${JOBS}/:job_id/file/:number`,
    {
      schema: {
        operationId: 'getParsingJobFile',
        tags,
        summary: 'An uploaded file of a parsing job',
        description: 'As it was uploaded, until it is deleted.',
        params: Type.Object({ ...params.properties, number: FileNumber }),
        response: FILE_RESPONSE,
      },
    },
    async ({ scope, params: { job_id: id, number } }, reply) => {
      const row = await getJobRow(scope, id.toLowerCase())
      return sendUploadedFile(reply, await readFileOfJob(parts, row, number))
    },
  )
}
