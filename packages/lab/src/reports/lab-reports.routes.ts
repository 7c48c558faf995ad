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

export const FileNumber = Type.Integer({
  minimum: 1,
  maximum: 8,
  description: 'Number of the file, from 1.',
})

/** The response of a route that returns an uploaded file. */
export const FILE_RESPONSE = {
  200: {
    description: 'File as it was uploaded.',
    content: {
      'application/pdf': { schema: Binary },
      'image/jpeg': { schema: Binary },
      'image/png': { schema: Binary },
    },
  },
}

/** Returns an uploaded file with headers that forbid caches to store it. */
export function sendUploadedFile(reply: FastifyReply, file: UploadedFile): Buffer {
  reply.type(file.contentType).header('cache-control', 'private, no-store')
  return file.content
}

/** Registers the routes for parsing jobs (docs/contract/16-lab-report-parsing.md#endpoints). */
export function registerLabReportRoutes(app: App, parts: PictureParts): void {
  app.get(
    JOBS,
    {
      config: { personIn: 'query', hasBodyTag: true },
      schema: {
        operationId: 'listParsingJobs',
        tags,
        summary: 'List parsing jobs',
        description:
          'Returns the parsing jobs, newest first, without their results. Read a single job for its results.',
        querystring: ParsingJobQuery,
        response: { 200: ParsingJobList },
      },
    },
    ({ scope, query }) => listParsingJobs(scope, query),
  )

  app.get(
    `${JOBS}/:job_id`,
    {
      config: { hasBodyTag: true },
      schema: {
        operationId: 'getParsingJob',
        tags,
        summary: 'Read a parsing job',
        description: 'Returns the state of the job, and the results when it is completed.',
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
          'Deletes the job with its files and results in any state, and discards a reading that is still running.',
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

/** Registers the routes for uploaded files, page images and evidence. */
function registerContentRoutes(app: App, parts: PictureParts): void {
  app.get(
    `${JOBS}/:job_id/evidence`,
    {
      schema: {
        operationId: 'getParsingJobEvidence',
        tags,
        summary: 'Read the evidence for the results of a report',
        description:
          'Returns the page, the position and the confidence of each field, for drawing them on the uploaded page.',
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
        summary: 'Read the image of a page of a report',
        description:
          'Renders a page. Positions in the evidence are fractions of this image. The page is available while the files are retained.',
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
        summary: 'Read an uploaded file of a parsing job',
        description: 'Returns the file as it was uploaded, until it is deleted.',
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
