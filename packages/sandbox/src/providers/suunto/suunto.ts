import { createHmac } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Refusals, sendJson } from '../answers.ts'
import { type Caller, callerOf } from '../callers.ts'
import { disturb } from '../changes.ts'
import { registerAuthorize } from '../oauth/authorize.ts'
import { Grants } from '../oauth/grants.ts'
import { registerToken } from '../oauth/token.ts'
import type { Calendar, Span } from '../people/days.ts'
import { listPushAddresses } from '../push-addresses.ts'
import { RateLimit } from '../rate-limits.ts'
import type { TokenAnswer, Vendor, VendorContext } from '../vendor.ts'
import {
  exercisesIn,
  samplesIn,
  sleepRecord,
  sleepsIn,
  suuntoUntil,
  workoutRecord,
} from './records.ts'

const SLUG = 'suunto'
const ACCESS_SECONDS = 86_400
const MOST_RANGE_MS = 28 * 86_400_000
const TIMEOUT_MS = 2_000

const grantsOf = (context: VendorContext): Grants =>
  new Grants(context, { accessSeconds: ACCESS_SECONDS })

/** Name of a user, as tokens and messages have it. */
const usernameOf = (account: string): string => `user-${encodeURIComponent(account)}`

/** Access tokens are JWTs that name the user. */
function toJwt(answer: TokenAnswer, { account }: { account: string }): TokenAnswer {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const token = Buffer.from(answer.access_token).toString('base64url')
  const jwt = `${part({ alg: 'none' })}.${part({ user: usernameOf(account) })}.${token}`
  return { ...answer, access_token: jwt }
}

/** Returns the request with the token that is inside its JWT. */
function unwrapped(request: FastifyRequest): FastifyRequest {
  const [kind = '', jwt = ''] = (request.headers.authorization ?? '').split(' ')
  const token = Buffer.from(jwt.split('.')[2] ?? '', 'base64url').toString()
  return { headers: { authorization: `${kind} ${token}` } } as FastifyRequest
}

const refuse = (reply: FastifyReply, statusCode: number, message: string): FastifyReply =>
  reply.status(statusCode).send({ statusCode, message })

const REFUSALS: Refusals = {
  rateLimited: (reply, seconds) =>
    refuse(reply.header('retry-after', seconds), 429, 'Rate limit is exceeded.'),
  failed: (reply, status) => refuse(reply, status, 'Internal server error'),
  unauthorized: (reply) => refuse(reply, 401, 'Unauthorized'),
}

type Query = Record<string, string | undefined>

class SuuntoApi {
  readonly #context: VendorContext
  readonly #grants: Grants
  readonly #limit = new RateLimit(1000, 300)

  constructor(context: VendorContext, grants: Grants) {
    this.#context = context
    this.#grants = grants
  }

  async #ask(
    request: FastifyRequest,
    reply: FastifyReply,
    collection: string,
  ): Promise<Caller | undefined> {
    if (request.headers['ocp-apim-subscription-key'] === 'wrong') {
      refuse(reply, 401, 'Access denied due to invalid subscription key.')
      return undefined
    }
    const caller = await callerOf(this.#context, this.#grants, unwrapped(request), collection)
    const allowance = caller && this.#limit.take(caller.clientId, caller.now)
    if (caller === undefined) REFUSALS.unauthorized(reply)
    if (allowance?.isAllowed === false) REFUSALS.rateLimited(reply, allowance.resetSeconds)
    return allowance?.isAllowed ? caller : undefined
  }

  async workouts(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#ask(request, reply, 'workouts')
    if (caller === undefined) return reply
    const { key } = request.params as { key?: string }
    const { since = '0', until, limit = '50', offset = '0' } = request.query as Query
    const to = until === undefined ? caller.now : Number(until)
    const from = Math.max(Number(since), caller.now - 400 * 86_400_000)
    const records = workoutsIn(caller.calendar, { from, to }, caller.now)
    if (key === undefined) {
      const first = Number(offset)
      const payload = records.slice(first, first + Math.min(100, Number(limit)))
      return this.#send(reply, caller, { error: null, payload })
    }
    const found = records.find(({ workoutKey }) => workoutKey === key)
    if (found === undefined) return refuse(reply, 404, 'Workout not found')
    return this.#send(reply, caller, { error: null, payload: found })
  }

  async samples(
    request: FastifyRequest,
    reply: FastifyReply,
    kind: 'sleep' | 'activity',
  ): Promise<FastifyReply> {
    const caller = await this.#ask(request, reply, kind)
    if (caller === undefined) return reply
    const { from = '', to = '' } = request.query as Query
    const span = { from: Number(from), to: Number(to) + 1 }
    const isRange = from !== '' && span.to - span.from <= MOST_RANGE_MS && span.from < span.to
    if (!isRange) return refuse(reply, 400, 'The range is longer than 28 days.')
    return this.#send(reply, caller, entriesIn(caller.calendar, kind, span, caller.now))
  }

  /** Ends the grants of the app. */
  async deauthorize(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await callerOf(this.#context, this.#grants, unwrapped(request), 'oauth')
    if (caller === undefined) return REFUSALS.unauthorized(reply)
    for await (const { id, grant } of this.#grants.list(caller.account)) {
      if (grant.clientId === caller.clientId) await this.#grants.remove(caller.account, id)
    }
    return reply.send({})
  }

  #send(reply: FastifyReply, { faults }: Caller, body: unknown): Promise<FastifyReply> {
    return sendJson(reply, faults, REFUSALS, () => JSON.stringify(body))
  }
}

const workoutsIn = (calendar: Calendar, span: Span, now: number) =>
  exercisesIn(calendar, span, suuntoUntil(calendar, now)).map(({ day, exercise }) =>
    workoutRecord(calendar, day, exercise),
  )

function entriesIn(calendar: Calendar, kind: 'sleep' | 'activity', span: Span, now: number) {
  const until = suuntoUntil(calendar, now)
  return kind === 'sleep'
    ? sleepsIn(calendar, span, until).map((sleep) => sleepRecord(calendar, sleep))
    : samplesIn(calendar, span, until)
}

function register(app: FastifyInstance, context: VendorContext): void {
  const grants = grantsOf(context)
  registerAuthorize(app, context, { path: '/oauth/oauth/authorize', scopes: [] })
  registerToken(app, context, { path: '/oauth/oauth/token', grants, toVendorAnswer: toJwt })
  const api = new SuuntoApi(context, grants)
  app.get('/oauth/oauth/deauthorize', (request, reply) => api.deauthorize(request, reply))
  app.get('/api/v3/workouts', (request, reply) => api.workouts(request, reply))
  app.get('/api/v3/workouts/:key', (request, reply) => api.workouts(request, reply))
  for (const kind of ['sleep', 'activity'] as const) {
    app.get(`/api/247samples/${kind}`, (request, reply) => api.samples(request, reply, kind))
  }
}

function truth(calendar: Calendar, span: Span, now: number): Record<string, unknown[]> {
  return {
    workouts: workoutsIn(calendar, span, now),
    sleep: entriesIn(calendar, 'sleep', span, now),
    activity: entriesIn(calendar, 'activity', span, now),
  }
}

async function* listAccounts(context: VendorContext): AsyncGenerator<string> {
  const clientIds = new Set((await listPushAddresses(context)).map(({ clientId }) => clientId))
  if (clientIds.size === 0) return
  let last: string | undefined
  for await (const { account, grant } of grantsOf(context).list()) {
    if (account === last || !clientIds.has(grant.clientId)) continue
    last = account
    yield account
  }
}

/** Sends what the watch uploaded in a span; a workout has neither end nor watch yet. */
async function push(context: VendorContext, account: string, span: Span): Promise<number> {
  const calendar = context.calendarOf(account)
  const uploaded = { from: suuntoUntil(calendar, span.from), to: suuntoUntil(calendar, span.to) }
  if (uploaded.to <= uploaded.from) return 0
  const earlier = { from: uploaded.from - 86_400_000, to: uploaded.to }
  const workouts = exercisesIn(calendar, earlier, uploaded.to)
    .filter(({ exercise }) => exercise.to > uploaded.from)
    .map(({ day, exercise }) => {
      const { stopTime: _stop, gear: _gear, ...workout } = workoutRecord(calendar, day, exercise)
      return { type: 'WORKOUT_CREATED', workout }
    })
  const sleeps = sleepsIn(calendar, uploaded, uploaded.to)
  const samples = samplesIn(calendar, uploaded, uploaded.to)
  const made: object[] = [
    ...workouts,
    ...sleeps.map((sleep) => ({
      type: 'SUUNTO_247_SLEEP_CREATED',
      samples: [sleepRecord(calendar, sleep)],
    })),
    ...(samples.length > 0 ? [{ type: 'SUUNTO_247_ACTIVITY_CREATED', samples }] : []),
  ]
  const messages = disturb(made, await context.faults.find(account, 'push'))
  const clientIds = new Set<string>()
  for await (const { grant } of grantsOf(context).list(account)) clientIds.add(grant.clientId)
  let sent = 0
  for (const address of await listPushAddresses(context)) {
    if (!clientIds.has(address.clientId)) continue
    for (const message of messages) {
      const body = JSON.stringify({ username: usernameOf(account), ...message })
      if (await post(context, address.callbackUrl, address.clientSecret, body)) sent += 1
    }
  }
  return sent
}

async function post(context: VendorContext, url: string, secret: string, body: string) {
  try {
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const headers = { 'content-type': 'application/json', 'x-hmac-sha256-signature': signature }
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const answer = await context.fetch(url, { method: 'POST', headers, body, signal })
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}

/** Suunto Cloud API (https://apizone.suunto.com). */
export const suunto: Vendor = {
  slug: SLUG,
  name: 'Suunto',
  register,
  truth,
  accountIdOf: usernameOf,
  expire: (context, account) => grantsOf(context).expireAll(account),
  revoke: (context, account) => grantsOf(context).revokeAll(account),
  grant: async (context, account, scopes, clientId) =>
    toJwt((await grantsOf(context).make(account, clientId, scopes)).tokens, { account }),
  push: { accounts: listAccounts, send: push },
}
