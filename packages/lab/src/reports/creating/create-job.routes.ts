import { createHash } from 'node:crypto'
import { findStoredUserId, findUserReference } from '@salus/accounts/users'
import { Uuid } from '@salus/contracts/schema-types'
import { DAY_MS } from '@salus/contracts/time-units'
import { forbidden, notFoundCode } from '@salus/kernel/errors'
import type { App } from '@salus/kernel/http/app-types'
import {
  IdempotencyHeaders,
  readIdempotencyHeaders,
  sendStored,
} from '@salus/kernel/idempotency/idempotent-reply'
import { runClaimed } from '@salus/kernel/idempotency/idempotent-request'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import type { LabReportSettings } from '../lab-report-settings.ts'
import type { LabReportParts } from '../lab-reports.parts.ts'
import { ParsingJob } from '../lab-reports.schema.ts'
import { createParsingJob } from './create-job.service.ts'
import { readUpload, registerForms, type Upload } from './read-upload.ts'

const PATH = '/lab_report/v1/parser/job'
/** The same as for orders (docs/contract/11-orders.md#idempotency-of-ordering). */
const RETENTION_MS = 14 * DAY_MS

export interface CreationOptions extends LabReportParts {
  config: LabReportSettings
}

const Form = Type.Object({
  file: Type.Array(Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }), {
    minItems: 1,
    maxItems: 8,
    description:
      'A PDF, or the pages of one report as JPEG or PNG files. Repeat the part for each file, in order.',
  }),
  user_id: Uuid,
  needs_human_review: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether a reviewer has to approve the results first.',
    }),
  ),
})

/**
 * Registers the upload in its own scope, because only this route accepts forms with several files.
 */
export async function registerLabReportUpload(app: App, options: CreationOptions): Promise<void> {
  await registerForms(app)
  app.post(
    PATH,
    {
      schema: {
        operationId: 'createParsingJob',
        tags: ['Lab reports'],
        summary: 'Upload a lab report',
        description:
          'Creates a parsing job for a PDF, or for JPEG and PNG images that are the pages of one report. The report is read on this server in the background; poll the job, or wait for its webhook. A report that may belong to another person than the user waits for a reviewer.',
        'x-form': Form,
        headers: IdempotencyHeaders,
        response: { 200: ParsingJob },
      },
    },
    (request, reply) => replyToUpload(options, request, reply) as Promise<never>,
  )
}

async function replyToUpload(
  options: CreationOptions,
  request: FastifyRequest<{ Headers: Static<typeof IdempotencyHeaders> }>,
  reply: FastifyReply,
): Promise<unknown> {
  const { scope } = request
  const { config } = options
  if (!config.labReportsEnabled) {
    throw forbidden('feature_not_enabled', 'The parsing of lab reports is switched off.')
  }
  const upload = await readUpload(request)
  const headers = readIdempotencyHeaders(request.headers)
  if (headers === undefined) return createParsingJob(scope, options, config, upload)
  const at = scope.clock.now()
  const body = fingerprintOf(upload)
  const userId = await findStoredUserId(scope, upload.userId)
  const once = { endpoint: `POST ${PATH}`, ...headers, body, userId, retentionMs: RETENTION_MS, at }
  const answer = await runClaimed(scope, once, (storeAnswer) =>
    createParsingJob(scope, options, config, upload, storeAnswer),
  )
  if (answer.isReplayed && (await findUserReference(scope, upload.userId)) === undefined) {
    throw notFoundCode('user_not_found')
  }
  return sendStored(reply, answer)
}

/** Returns the same value for the same upload, in any order of parts with different names. */
const fingerprintOf = ({ files, ...rest }: Upload) => ({
  ...rest,
  files: files.map(({ content }) => createHash('sha256').update(content).digest('hex')),
})
