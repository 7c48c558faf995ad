import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Refusals, sendJson } from '../answers.ts'
import { type Caller, callerOf } from '../callers.ts'
import { registerAuthorize, type Scope } from '../oauth/authorize.ts'
import { Grants } from '../oauth/grants.ts'
import { registerToken } from '../oauth/token.ts'
import type { Calendar, Span } from '../people/days.ts'
import { dateText, dayOfDate } from '../people/local-time.ts'
import { seedOf } from '../people/noise.ts'
import { RateLimit } from '../rate-limits.ts'
import type { Vendor, VendorContext } from '../vendor.ts'
import { type Entry, metricsOf } from './records.ts'

const SLUG = 'ultrahuman'

const SCOPES: readonly Scope[] = [
  { name: 'profile', meaning: 'Name and time zone' },
  { name: 'ring_data', meaning: 'Sleep, heart, temperature and movement of the ring' },
  { name: 'cgm_data', meaning: 'Glucose of the sensor' },
]

const ACCESS_SECONDS = 86_399

const grantsOf = (context: VendorContext): Grants =>
  new Grants(context, { accessSeconds: ACCESS_SECONDS })

const accountIdOf = (account: string): string =>
  String(1_000_000 + (seedOf(`ultrahuman id/${account}`) % 9_000_000))

/** Errors have the envelope of data. */
const refuse = (reply: FastifyReply, status: number, error: string): FastifyReply =>
  reply.status(status).send({ data: null, error, status })

const REFUSALS: Refusals = {
  rateLimited: (reply, seconds) =>
    refuse(reply.header('retry-after', seconds), 429, 'Too many requests'),
  failed: (reply, status) => refuse(reply, status, 'Internal server error'),
  unauthorized: (reply) => refuse(reply, 401, 'Unauthorized'),
}

class UltrahumanApi {
  readonly #context: VendorContext
  readonly #grants: Grants
  readonly #limit = new RateLimit(1000, 300)

  constructor(context: VendorContext, grants: Grants) {
    this.#context = context
    this.#grants = grants
  }

  /** Returns the caller, or undefined when the request was already answered. */
  async #ask(
    request: FastifyRequest,
    reply: FastifyReply,
    collection: string,
    scopes: readonly string[],
  ): Promise<Caller | undefined> {
    const caller = await callerOf(this.#context, this.#grants, request, collection)
    if (caller === undefined) {
      REFUSALS.unauthorized(reply)
      return undefined
    }
    const allowance = this.#limit.take(caller.clientId, caller.now)
    if (!allowance.isAllowed) {
      REFUSALS.rateLimited(reply, allowance.resetSeconds)
      return undefined
    }
    if (!scopes.some((scope) => caller.scopes.includes(scope))) {
      refuse(reply, 403, 'The token has no scope for this')
      return undefined
    }
    return caller
  }

  async userInfo(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#ask(request, reply, 'user_info', ['profile'])
    if (caller === undefined) return reply
    const { account, calendar, now } = caller
    const user = { id: accountIdOf(account), name: account, time_zone: calendar.zoneAt(now) }
    return this.#send(reply, caller, user)
  }

  /** Answers with everything of one day. */
  async metrics(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#ask(request, reply, 'metrics', ['ring_data', 'cgm_data'])
    if (caller === undefined) return reply
    const { calendar, now, scopes } = caller
    const { date = '' } = request.query as Record<string, string | undefined>
    const day = dayOfDate(date)
    if (day === undefined) return refuse(reply, 400, 'Invalid date')
    const metrics = { [date]: metricsOf(calendar, day, now, scopes) }
    return this.#send(reply, caller, { metrics, latest_time_zone: calendar.zoneAt(now) })
  }

  #send(reply: FastifyReply, { faults }: Caller, data: object): Promise<FastifyReply> {
    return sendJson(reply, faults, REFUSALS, () =>
      JSON.stringify({ data, error: null, status: 200 }),
    )
  }
}

function register(app: FastifyInstance, context: VendorContext): void {
  const grants = grantsOf(context)
  registerAuthorize(app, context, { path: '/auth/authorise', scopes: SCOPES })
  registerToken(app, context, { path: '/api/api/partners/oauth/token', grants })
  const api = new UltrahumanApi(context, grants)
  const base = '/api/api/partners/v1/user_data'
  app.get(`${base}/user_info`, (request, reply) => api.userInfo(request, reply))
  app.get(`${base}/metrics`, (request, reply) => api.metrics(request, reply))
}

/** Returns the metrics of the days that a span overlaps. */
function truth(calendar: Calendar, span: Span, now: number): Record<string, unknown[]> {
  const scopes = SCOPES.map(({ name }) => name)
  const days = calendar.days({ from: span.from, to: Math.min(span.to, now + 1) })
  const metrics = days.map(({ number }): { date: string; metrics: Entry[] } => ({
    date: dateText(number),
    metrics: metricsOf(calendar, number, now, scopes),
  }))
  return { metrics }
}

/** Ultrahuman Partner API (https://vision.ultrahuman.com/developer-docs). */
export const ultrahuman: Vendor = {
  slug: SLUG,
  name: 'Ultrahuman',
  register,
  truth,
  accountIdOf,
  expire: (context, account) => grantsOf(context).expireAll(account),
  revoke: (context, account) => grantsOf(context).revokeAll(account),
  grant: async (context, account, scopes, clientId) =>
    (await grantsOf(context).make(account, clientId, scopes)).tokens,
}
