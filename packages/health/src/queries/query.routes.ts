import type { Readable } from 'node:stream'
import { Uuid } from '@salus/contracts/schema-types'
import { AppError } from '@salus/kernel/errors'
import type { App } from '@salus/kernel/http/app-types'
import { startStream } from '@salus/kernel/http/stream-answer'
import type { FastifyReply } from 'fastify'
import Negotiator from 'negotiator'
import Type from 'typebox'
import { QueryRequest, QueryResponse } from './query.schema.ts'
import { answerJson, answerParquet, prepareQueries } from './query.service.ts'

const DAILY_STEPS = {
  select: [{ group_key: '*' }, { func: 'sum', arg: { timeseries: 'steps', field: 'value' } }],
  group_by: [{ date_trunc: { value: 1, unit: 'day' }, arg: { index: 'timeseries' } }],
}

const JSON_TYPE = 'application/json'
const ARCHIVE_TYPE = 'application/vnd.service.tar+gzip+parquet'
/** The same under the name of the public client (docs/contract/01-conventions.md#credentials). */
const ARCHIVE_ALIAS = 'application/vnd.vital.tar+gzip+parquet'
const PRODUCES = [JSON_TYPE, ARCHIVE_TYPE, ARCHIVE_ALIAS]

const ByUserId = Type.Object({ user_id: Uuid })

const archive = {
  schema: Type.String({
    format: 'binary',
    description: 'A gzipped tar of 0.parquet, 1.parquet and so on, in the order of the queries.',
  }),
}

/** Queries about the data of one person. */
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
        summary: "Query a user's data as tables",
        description:
          'Times are those of the wall clock where the person was. The scores of ' +
          '`derived_readiness` and `sleep_score` are plain formulas and no medical advice.',
        params: ByUserId,
        body: QueryRequest,
        'x-body-example': {
          timeframe: { type: 'relative', anchor: '2026-02-20', past: { unit: 'week' } },
          queries: [DAILY_STEPS],
        },
        response: {
          200: {
            description: 'One table a query, in the order of the queries.',
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
      const signal = leavingOf(reply)
      const isJson = type === JSON_TYPE
      const answer = isJson ? answerJson(prepared, signal) : answerParquet(prepared, signal)
      const stream = await startStream(answer)
      reply.header('x-source-rule', prepared.sourceRules.join(', '))
      return sendStream(reply, type, stream)
    },
  )
}

const CLIENT_GONE = new AppError(499, 'client_gone', 'The client did not wait for the answer.')

/** Aborts when the client goes before it has its answer. */
function leavingOf({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  raw.once('close', () => leaving.abort(CLIENT_GONE))
  return leaving.signal
}

/** Chunks that are the body already, so that no schema writes them. */
const sendStream = (reply: FastifyReply, type: string, stream: Readable) =>
  reply.type(type).send(stream)
