import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import {
  type Collection,
  type Connector,
  type Connectors,
  type OAuthConnector,
  type TimeRange,
  VendorError,
} from '@salus/health/connectors'
import { createOutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import { PLAIN_GUIDE } from '../connectors/plain-guide.ts'
import { openHttpSink, type SinkOwner } from '../local-sink.ts'
import { openPage, type Page } from './pages.ts'

/** What the vendor does with requests for data, or for new tokens. */
export type VendorMood = 'well' | 'down' | 'refuses' | 'limits' | 'talks nonsense'

/**
 * A vendor on this machine that has a heart rate of everybody for every minute, and a weight for
 * every day.
 */
export interface FakeVendor {
  connectors: Connectors
  connector: Connector
  mood: VendorMood
  /** Ends every grant. */
  isRevoked: boolean
  /** Seconds of Retry-After while it limits. */
  retryAfter: number
  /** Sends every page twice. */
  repeatsPages: boolean
  /** Each answer of a collection of which this is a divisor makes no sense; 0: none. */
  breaksEach: number
  /** Requests for data by collection. */
  counts: Map<string, number>
  /** Requested ranges, by collection, first pages only. */
  asked: { collection: string; range: TimeRange }[]
  /** Requests for data that it answered, whatever the mood. */
  requestCount: number
  refreshCount: number
  revoked: string[]
  subscriptions: string[]
  /** Waits before it answers data. */
  hold: Promise<void> | undefined
  /** The signature of a message. */
  sign(body: string): string
  /** A token that is taken. */
  issue(): { accessToken: string; refreshToken: string }
}

const SECRET = 'sandbox'

interface State extends Omit<FakeVendor, 'connectors' | 'connector' | 'sign' | 'issue'> {
  access: Set<string>
  refresh: Set<string>
  issued: number
}

function issue(state: State) {
  state.issued += 1
  const [accessToken, refreshToken] = [`access-${state.issued}`, `refresh-${state.issued}`]
  state.access.add(accessToken)
  state.refresh.add(refreshToken)
  return { accessToken, refreshToken }
}

function send(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

async function answerToken(state: State, request: IncomingMessage, response: ServerResponse) {
  const form = await readForm(request)
  state.refreshCount += 1
  if (state.mood === 'down') return send(response, 503, {})
  const given = form.get('refresh_token') ?? ''
  if (state.isRevoked || !state.refresh.delete(given)) {
    return send(response, 400, { error: 'invalid_grant' })
  }
  const { accessToken, refreshToken } = issue(state)
  const tokens = { access_token: accessToken, refresh_token: refreshToken }
  send(response, 200, { ...tokens, token_type: 'bearer', expires_in: 86_400 })
}

/** Refuses as the mood is; true when it did. */
function refuses(state: State, request: IncomingMessage, response: ServerResponse): boolean {
  const token = request.headers.authorization?.slice('Bearer '.length) ?? ''
  const answers: Record<Exclude<VendorMood, 'well'>, () => void> = {
    down: () => send(response, 503, {}),
    refuses: () => send(response, 403, {}),
    limits: () => send(response, 429, {}, { 'retry-after': String(state.retryAfter) }),
    'talks nonsense': () => send(response, 200, { what: 'ever' }),
  }
  if (state.isRevoked || !state.access.has(token)) {
    send(response, 401, {})
    return true
  }
  if (state.mood === 'well') return false
  answers[state.mood]()
  return true
}

/** Minutes of a page. */
const PAGE = 7_200

async function answerData(state: State, request: IncomingMessage, response: ServerResponse) {
  state.requestCount += 1
  await state.hold
  if (refuses(state, request, response)) return
  const url = new URL(request.url ?? '', 'http://vendor')
  const collection = url.pathname.slice(1)
  const [from, to] = ['from', 'to'].map((name) => Number(url.searchParams.get(name))) as [
    number,
    number,
  ]
  const cursor = url.searchParams.get('cursor')
  const count = (state.counts.get(collection) ?? 0) + 1
  state.counts.set(collection, count)
  if (state.breaksEach > 0 && count % state.breaksEach === 0) {
    return send(response, 200, { what: 'ever' })
  }
  if (cursor === null) state.asked.push({ collection, range: { from, to } })
  const step = collection === 'weights' ? DAY_MS : MINUTE_MS
  const start = cursor === null ? Math.ceil(from / step) * step : Number(cursor)
  const end = Math.min(to, start + PAGE * MINUTE_MS)
  const data: [at: number, value: number][] = []
  for (let at = start; at < end; at += step) data.push([at, 60 + ((at / step) % 40)])
  if (state.repeatsPages) data.push(...data)
  send(response, 200, { data, next: end < to ? String(end) : null })
}

const page =
  (name: string): Collection['page'] =>
  ({ from, to }, cursor) => ({
    path: `/${name}`,
    query: { from: String(from), to: String(to), ...(cursor !== null && { cursor }) },
  })

function collectionOf(
  name: string,
  resources: string[],
  series: 'heartrate' | 'body_weight',
  unit: string,
): Collection {
  return {
    name,
    resources,
    history: 'by_range',
    mostDaysAtOnce: 30,
    overlapHours: 2,
    page: page(name),
    next: (answer) => (answer as Page).next,
    map(answer, data) {
      const values = openPage(answer)?.data
      if (values === undefined) throw new VendorError('oura', { kind: 'unexpected', status: 200 })
      for (const [at, value] of values) {
        data.addSample(series, { start: { at, offset: null }, value, unit })
      }
    },
  }
}

const COLLECTIONS: Collection[] = [
  collectionOf('heart', ['heartrate'], 'heartrate', 'bpm'),
  collectionOf('weights', ['weight'], 'body_weight', 'kg'),
]

const signatureOf = (body: string | Buffer): string =>
  createHmac('sha256', SECRET).update(body).digest('hex')

const PUSH: NonNullable<Connector['push']> = {
  verify({ headers, body }) {
    const [wanted, given] = [signatureOf(body), headers['x-signature'] ?? '']
    return (
      given.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted))
    )
  },
  answerHandshake: ({ query: { challenge = '', token } }, { clientSecret }) =>
    token === clientSecret ? { status: 200, body: challenge } : undefined,
  read(body) {
    const { notices } = body as { notices?: ReturnType<NonNullable<Connector['push']>['read']> }
    if (notices === undefined) throw new VendorError('oura', { kind: 'unexpected', status: null })
    return notices
  },
  async subscribe(send, _app, callbackUrl) {
    await send({ method: 'POST', path: '/subscribe', form: { callbackUrl } })
    return undefined
  },
}

/** Opens it; it ends with its owner. */
export async function openFakeVendor(
  owner: SinkOwner,
  change: Partial<Connector> = {},
): Promise<FakeVendor> {
  const state: State = {
    mood: 'well',
    isRevoked: false,
    retryAfter: 120,
    repeatsPages: false,
    breaksEach: 0,
    counts: new Map(),
    asked: [],
    requestCount: 0,
    refreshCount: 0,
    revoked: [],
    subscriptions: [],
    hold: undefined,
    access: new Set(),
    refresh: new Set(),
    issued: 0,
  }
  const sink = await openHttpSink(owner, (request, response) => {
    const answer = async (): Promise<void> => {
      if (request.url === '/token') return answerToken(state, request, response)
      if (request.url === '/revoke') {
        if (state.mood === 'down') return send(response, 503, {})
        state.revoked.push((await readForm(request)).get('token') ?? '')
        return send(response, 200, {})
      }
      if (request.url === '/subscribe') {
        state.subscriptions.push((await readForm(request)).get('callbackUrl') ?? '')
        return send(response, 200, {})
      }
      if (request.url?.startsWith('/gone')) return send(response, 404, {})
      return answerData(state, request, response)
    }
    void answer()
  })
  const agent = createOutboundAgent({ allowPrivate: true })
  owner.after(() => agent.destroy())
  const connector: OAuthConnector = {
    slug: 'oura',
    hosts: { api: sink.url },
    auth: {
      kind: 'oauth',
      authorizationEndpoint: { host: 'api', path: '/authorize' },
      tokenEndpoint: { host: 'api', path: '/token' },
      revocationEndpoint: { host: 'api', path: '/revoke' },
      clientAuthentication: 'client_secret_post',
      usesPkce: false,
      scopes: ['heart', 'body'],
      identify: async () => 'someone',
    },
    scopes: {
      heartrate: { required: ['heart'], optional: [] },
      weight: { required: ['body'], optional: [] },
    },
    guide: PLAIN_GUIDE,
    collections: COLLECTIONS,
    budgets: [],
    push: PUSH,
    ...(change as object),
  }
  const connectors: Connectors = {
    all: [connector],
    find: (slug) => (slug === connector.slug ? connector : undefined),
    addressOf: () => ({ slug: connector.slug, hosts: connector.hosts, agent }),
    publicHostsOf: () => connector.hosts,
    enterPushAddress: async () => {},
  }
  return Object.assign(state, {
    connectors,
    connector,
    sign: (body: string) => signatureOf(body),
    issue: () => issue(state),
  })
}
