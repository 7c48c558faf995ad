import { Nullable, Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import Type from 'typebox'
import { describeFormats } from './formats/formats.registry.ts'
import { ImportOptions } from './import-options.ts'
import { ImportFormatList, ImportJob, ImportJobList } from './imports.schema.ts'
import { getImportJob, listImportJobs } from './imports.service.ts'
import { answerImport } from './receive-import.ts'

const tags = ['Imports']
const ByUserId = Type.Object({ user_id: Uuid })
const ByJobId = Type.Object({ user_id: Uuid, job_id: Uuid })

/** Routes that return formats and jobs, and answer the questions of a job. */
export function registerJobRoutes(app: App, config: { baseUrl: string | undefined }): void {
  registerListRoutes(app)

  app.get(
    '/v2/user/:user_id/import/:job_id',
    {
      schema: {
        operationId: 'getImport',
        tags,
        summary: 'Get an import',
        description:
          'Returns the progress of the job. Once the job has ended, the import summary counts what was stored, quarantined and not supported.',
        params: ByJobId,
        response: { 200: ImportJob },
      },
    },
    ({ scope, params }) => getImportJob(scope, params.user_id, params.job_id),
  )

  app.patch(
    '/v2/user/:user_id/import/:job_id',
    {
      schema: {
        operationId: 'answerImport',
        tags,
        summary: 'Give the options of an import',
        description:
          'Answers the questions of a job with the status `needs_options`, and continues it. The file is not sent again.',
        params: ByJobId,
        body: ImportOptions,
        response: { 202: ImportJob },
      },
    },
    async (request, reply) => {
      const { user_id: userId, job_id: jobId } = request.params
      const baseUrl = baseUrlOf(request, config.baseUrl)
      const job = await answerImport(request.scope, { userId, jobId, baseUrl }, request.body)
      return reply.code(202).send(job)
    },
  )
}

function registerListRoutes(app: App): void {
  app.get(
    '/v2/import/formats',
    {
      schema: {
        operationId: 'listImportFormats',
        tags,
        summary: 'List the formats of files',
        description: 'Returns the formats of files that can be imported.',
        response: { 200: ImportFormatList },
      },
    },
    () => ({ formats: describeFormats() }),
  )

  app.get(
    '/v2/user/:user_id/import',
    {
      schema: {
        operationId: 'listImports',
        tags,
        summary: 'List the imports of a user',
        description: 'Returns the import jobs of the user with their progress, newest first.',
        params: ByUserId,
        querystring: Type.Object({ next_cursor: Type.Optional(Nullable(Type.String())) }),
        response: { 200: ImportJobList },
      },
    },
    ({ scope, params, query }) => listImportJobs(scope, params.user_id, query.next_cursor),
  )
}
