import { DAY_MS } from '@salus/contracts/time-units'
import { type Collection, type Connector, VendorError } from '@salus/health/connectors'
import { openPage } from './pages.ts'

/** What connectors with messages of all kinds did, and how the vendor behaves. */
export interface MessageLog {
  /** Days whose weights the vendor no longer has, epoch milliseconds. */
  deleted: Set<number>
  /** Addresses of subscriptions for one user. */
  userSubscriptions: string[]
  /** Secrets that `subscribe` saw. */
  subscribedWith: (Readonly<Record<string, string>> | undefined)[]
}

const unexpected = () => new VendorError('oura', { kind: 'unexpected', status: null })

/** The daily weights of the vendor as summaries, complete, and each with an id. */
function bodies(log: MessageLog): Collection {
  return {
    name: 'bodies',
    resources: ['weight'],
    history: 'by_range',
    mostDaysAtOnce: 30,
    overlapHours: 72,
    completes: { summaries: ['body'], series: ['body_weight'] },
    record: {
      request: (id) => ({
        path: log.deleted.has(Number(id)) ? '/gone' : '/weights',
        query: { from: id, to: String(Number(id) + 1) },
      }),
      toPage: (answer) => answer,
      remove: (id, data) => data.removeSummary('body', id),
    },
    page: ({ from, to }, cursor) => ({
      path: '/weights',
      query: { from: String(from), to: String(to), cursor: cursor ?? undefined },
    }),
    next: (answer) => openPage(answer)?.next ?? null,
    map(answer, data) {
      const page = openPage(answer)
      if (page === undefined) throw unexpected()
      for (const [at, value] of page.data) {
        if (log.deleted.has(at)) continue
        const start = { at, offset: null }
        data.addSummary('body', { recordId: String(at), start, values: {}, raw: { value } })
        data.addSample('body_weight', { start, value, unit: 'kg' })
      }
    },
  }
}

/** Heart rates that the vendor only sends in messages, also those of the past. */
const PUSHED: Collection = {
  name: 'pushed',
  resources: ['heartrate'],
  history: 'by_message',
  mostDaysAtOnce: 2,
  overlapHours: 0,
  page: ({ from, to }) => ({
    path: '/backfill',
    query: { from: String(from), to: String(to - DAY_MS) },
  }),
  next: () => null,
  map(answer, data) {
    const page = openPage(answer)
    if (page === undefined) throw unexpected()
    for (const [at, value] of page.data) {
      data.addSample('heartrate', { start: { at, offset: null }, value, unit: 'bpm' })
    }
  },
}

/** Parts of a connector whose vendor sends data, records and handshakes, unsigned. */
export function messageConnector(log: MessageLog): Partial<Connector> {
  return {
    collections: [bodies(log), PUSHED],
    push: {
      answerHandshake({ method, query, headers, body }, app) {
        if (method === 'HEAD') return { status: 200, body: '' }
        if (headers['x-event'] === 'PING') return { status: 200, body: 'pong' }
        const isToken = query.token === app.secrets?.token
        if (method === 'GET' && query.verify !== undefined) {
          return isToken ? { status: 204, body: '' } : { status: 401, body: 'no' }
        }
        return body.length === 0 && method === 'POST' ? { status: 200, body: '' } : undefined
      },
      parse: (body) => JSON.parse(new URLSearchParams(body.toString()).get('json') ?? ''),
      read(body) {
        if (!Array.isArray(body)) throw unexpected()
        return body
      },
      acceptedStatus: 204,
      async subscribe(send, app, callbackUrl) {
        log.subscribedWith.push(app.secrets)
        await send({ method: 'POST', path: '/subscribe', form: { callbackUrl } })
        return { token: 'of the subscription' }
      },
      async subscribeUser(_fetchJson, tokens, callbackUrl) {
        log.userSubscriptions.push(`${tokens.accessToken !== ''} ${callbackUrl}`)
      },
    },
  }
}
