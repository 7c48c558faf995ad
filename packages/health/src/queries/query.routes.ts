import type { Readable } from 'node:stream'
import { Uuid } from '@salus/contracts/schema-types'
import { AppError } from '@salus/kernel/errors'
import type { App } from '@salus/kernel/http/app-types'
import { startStream } from '@salus/kernel/http/stream-answer'
import type { FastifyReply } from 'fastify'
import Negotiator from 'negotiator'
import Type from 'typebox'
import { QueryRequest, QueryResponse } from './query.schema.ts'
import { prepareQueries, streamJsonAnswer, streamParquetAnswer } from './query.service.ts'

const DAILY_STEPS = {
  select: [{ group_key: '*' }, { func: 'sum', arg: { timeseries: 'steps', field: 'value' } }],
  group_by: [{ date_trunc: { value: 1, unit: 'day' }, arg: { index: 'timeseries' } }],
}

const JSON_TYPE = 'application/json'
const ARCHIVE_TYPE = 'application/vnd.service.tar+gzip+parquet'
/** The name that the public client uses (docs/contract/01-conventions.md#credentials). */
const ARCHIVE_ALIAS = 'application/vnd.vital.tar+gzip+parquet'
const PRODUCES = [JSON_TYPE, ARCHIVE_TYPE, ARCHIVE_ALIAS]

const ByUserId = Type.Object({ user_id: Uuid })

const archive = {
  schema: Type.String({
    format: 'binary',
    description:
      'Gzipped tar archive of 0.parquet, 1.parquet and so on, in the order of the queries.',
  }),
}

/** Registers queries about the data of one user. */
export function registerQueryRoutes(
  app: App,
  { config }: { config: { queryMaxSourceRows: number } },
): void {
  app.post(
    '/aggregate/v1/user/:user_id/query',
    {
      config: { produces: PRODUCES, isRead: true },
      schema: {
        operationId: 'queryUserData',
        tags: ['Aggregate queries'],
        summary: 'Query the data of a user',
        description:
          'Returns one table for each query. Times are local times of the user. The scores of `derived_readiness` and `sleep_score` are plain formulas and not medical advice.',
        params: ByUserId,
        body: QueryRequest,
        'x-body-example': {
          timeframe: { type: 'relative', anchor: '2026-02-20', past: { unit: 'week' } },
          queries: [DAILY_STEPS],
        },
        response: {
          200: {
            description: 'One table for each query, in the order of the queries.',
            content: {
              [JSON_TYPE]: { schema: QueryResponse },
              [ARCHIVE_TYPE]: archive,
              [ARCHIVE_ALIAS]: archive,
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { scope, params, body, raw } = request
      const type = new Negotiator(raw).mediaType(PRODUCES) ?? JSON_TYPE
      const prepared = await prepareQueries(scope, params.user_id, body, config.queryMaxSourceRows)
      const signal = disconnectSignalOf(reply)
      const isJson = type === JSON_TYPE
      const answer = isJson
        ? streamJsonAnswer(prepared, signal)
        : streamParquetAnswer(prepared, signal)
      const stream = await startStream(answer)
      reply.header('x-source-rule', prepared.sourceRules.join(', '))
      return sendStream(reply, type, stream)
    },
  )
}

const CLIENT_GONE = new AppError(
  499,
  'client_gone',
  'The client closed the connection before the response.',
)

/** Aborts when the client disconnects before the response is complete. */
function disconnectSignalOf({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  raw.once('close', () => leaving.abort(CLIENT_GONE))
  return leaving.signal
}

/** The chunks are the finished body, so that no schema serializes them. */
const sendStream = (reply: FastifyReply, type: string, stream: Readable) =>
  reply.type(type).send(stream)
