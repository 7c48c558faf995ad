import { badRequest } from '@salus/kernel/errors'
import type { App } from '@salus/kernel/http/app-types'
import { ENVIRONMENT_PATH } from '@salus/kernel/http/environment-path'
import Type from 'typebox'
import { refuseUnknownTypes } from '../endpoints/filter-types.ts'
import { knownTypes, tags, type WebhookRoutesOptions } from '../webhook-routes-options.ts'
import { InEnvironment } from '../webhooks.schema.ts'
import { streamEvents } from './event-stream.ts'
import { EventWatch } from './event-watch.ts'
import { findCurrentPosition } from './feed.global.repository.ts'
import type { FeedPosition } from './feed.repository.ts'
import { StreamRights } from './stream-rights.ts'

const MEANING = `Sends events as server-sent events. Each message is {id, event_type, created_at, body}; body is the exact text of the webhook message. A request with the last id as Last-Event-ID or as \`after\` continues without loss; without either the stream begins with new events.`

/** The id of an event in the stream. */
const POSITION = /^\d{1,20}-\d{1,15}$/

const StreamQuery = Type.Object({
  after: Type.Optional(Type.String({ pattern: POSITION.source })),
  follow: Type.Boolean({
    default: true,
    description:
      'Whether the stream stays open for new events; with false it ends after the newest event.',
  }),
  event_type: Type.Optional(
    Type.Array(Type.String(), { description: 'Event types, exact or with a trailing *.' }),
  ),
})

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // A connection that is kept open would keep a closing server waiting.
  connection: 'close',
  // Proxies such as nginx would buffer the stream.
  'x-accel-buffering': 'no',
}

/** Registers the stream that `salus webhooks listen` reads. */
export function registerFeedRoutes(app: App, options: WebhookRoutesOptions): void {
  const { db, clock, reauthorize } = options
  const rights = new StreamRights(clock)
  const eventTypes = knownTypes(options)
  const watch = new EventWatch(options)
  const stopping = new AbortController()
  // The server waits for open answers before it closes, and these would never end by themselves.
  app.addHook('preClose', async () => stopping.abort())

  app.get(
    `${ENVIRONMENT_PATH}/event_stream`,
    {
      config: { produces: ['text/event-stream'] },
      schema: {
        operationId: 'followEvents',
        tags,
        summary: 'Stream events',
        description: MEANING,
        params: InEnvironment,
        querystring: StreamQuery,
        response: {
          200: {
            description: 'The events, until the client disconnects.',
            content: { 'text/event-stream': { schema: Type.String() } },
          },
        },
      },
    },
    async (request, reply) => {
      const { scope } = request
      const { event_type: wanted = [], follow: isFollowed } = request.query
      refuseUnknownTypes(eventTypes, wanted, ['query', 'event_type'])
      const last = request.query.after ?? readLastId(request.headers['last-event-id'])
      const current = await findCurrentPosition(db)
      const after = last === undefined ? current : readPosition(last, current)
      const { signal } = stopping
      await request.audit(200)
      const { raw } = reply.hijack()
      raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...STREAM_HEADERS })
      const name = `${request.managementKey.id} ${scope.environment.id}`
      rights.grant(name)
      const isAllowed = () => rights.hold(name, () => reauthorize(request))
      const subscription = { watch, eventTypes: wanted, after, isFollowed, signal, isAllowed }
      await streamEvents(scope, raw, subscription)
      rights.forget(name)
    },
  )
}

function readLastId(header: string | string[] | undefined): string | undefined {
  if (header === undefined || header === '') return undefined
  if (typeof header === 'string' && POSITION.test(header)) return header
  throw badRequest(
    'invalid_last_event_id',
    'Last-Event-ID is not the id of an event of the stream.',
  )
}

/**
 * @throws AppError 400 for one that is ahead: it belongs to another database, and its stream would
 *   stay silent
 */
function readPosition(text: string, current: FeedPosition): FeedPosition {
  const [transactionId = '', sequence] = text.split('-')
  if (BigInt(transactionId) > BigInt(current.transactionId)) {
    throw badRequest(
      'unknown_position',
      'The position is not one of this stream. Start without a position.',
    )
  }
  return { transactionId, sequence: Number(sequence) }
}
