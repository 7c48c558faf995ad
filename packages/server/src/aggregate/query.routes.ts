import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import Type from 'typebox'
import type { ClickHouse } from '../platform/clickhouse/clickhouse.ts'
import type { App } from '../platform/http/app-types.ts'
import { Uuid } from '../platform/http/schema-types.ts'
import type { Db } from '../platform/postgres/database.ts'
import type { Clock } from '../platform/time/clock.ts'
import { QueryRequest, QueryResponse } from './query.schema.ts'
import { answerJson, answerParquet, prepareQueries, type QueryContext } from './query.service.ts'

export interface QueryRoutesOptions {
  db: Db
  clickhouse: ClickHouse
  clock: Clock
  config: {
    /** Most rows that one query may look at. */
    queryMaxSourceRows: number
  }
}

const JSON_TYPE = 'application/json'
const ARCHIVE_TYPE = 'application/vnd.service.tar+gzip+parquet'
/** The same under the name of the public client (contract 01, section 2). */
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
export function registerQueryRoutes(app: App, options: QueryRoutesOptions): void {
  const { db, clickhouse, clock, config } = options
  const context = (request: FastifyRequest): QueryContext => ({
    db,
    clickhouse,
    clock,
    tenant: request.tenant,
    maxSourceRows: config.queryMaxSourceRows,
  })

  app.post(
    '/aggregate/v1/user/:user_id/query',
    {
      config: { produces: PRODUCES },
      schema: {
        tags: ['Aggregate queries'],
        summary: "Query a user's data as tables",
        description:
          'Times are those of the wall clock where the person was. The scores of ' +
          '`derived_readiness` and `sleep_score` are plain formulas and no medical advice.',
        params: ByUserId,
        body: QueryRequest,
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
      const { params, body, raw } = request
      const type = new Negotiator(raw).mediaType(PRODUCES) ?? JSON_TYPE
      const prepared = await prepareQueries(context(request), params.user_id, body)
      const isJson = type === JSON_TYPE
      return send(reply, isJson ? answerJson(prepared) : answerParquet(prepared), type)
    },
  )
}

/** Sends the head of the answer once there is something of its body, so that errors have their status. */
async function send(reply: FastifyReply, body: AsyncIterable<Uint8Array>, type: string) {
  const chunks = body[Symbol.asyncIterator]()
  const first = await chunks.next()
  async function* all() {
    try {
      for (let chunk = first; !chunk.done; chunk = await chunks.next()) yield chunk.value
    } finally {
      await chunks.return?.()
    }
  }
  return reply.type(type).send(Readable.from(all(), { objectMode: false }))
}
