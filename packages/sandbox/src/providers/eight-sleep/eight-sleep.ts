import { DAY_MS, DAY_SECONDS } from '@salus/contracts/time-units'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Refusals, sendJson } from '../answers.ts'
import { ROBOT_PAGE } from '../pages.ts'
import { dayOfDate } from '../people/local-time.ts'
import { seedOf, uuidAt } from '../people/noise.ts'
import { Sessions } from '../sessions.ts'
import { keyOf } from '../state/state.ts'
import type { Vendor, VendorContext } from '../vendor.ts'
import { daysOf, trendsOf } from './nights.ts'

const SLUG = 'eight_sleep'
/** Value of both settings of the app. */
const APP = 'sandbox'
const MOST_TRENDS = 90

const accountIdOf = (account: string): string =>
  uuidAt(seedOf(`eight sleep id/${account}`), 0).replaceAll('-', '')

const bedlessKey = (account: string): string => keyOf('eight sleep without a bed', account)

const refuse = (reply: FastifyReply, status: number, error: string): FastifyReply =>
  reply.status(status).send({ error })

const REFUSALS: Refusals = {
  // There is no Retry-After.
  rateLimited: (reply) => refuse(reply, 429, 'Too Many Requests'),
  failed: (reply, status) => reply.status(status).type('text/html').send('<html>Bad</html>'),
  unauthorized: (reply) => refuse(reply, 401, 'Unauthorized'),
}

const bearerOf = (request: FastifyRequest): string =>
  /^bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''

class EightSleepApi {
  readonly #context: VendorContext
  readonly #sessions: Sessions

  constructor(context: VendorContext) {
    this.#context = context
    this.#sessions = new Sessions(context, DAY_MS)
  }

  async signIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const body = (request.body ?? {}) as Record<string, unknown>
    const { client_id, client_secret, grant_type, username, password } = body
    if (client_id !== APP || client_secret !== APP) return refuse(reply, 401, 'invalid_client')
    if (grant_type !== 'password') return refuse(reply, 400, 'unsupported_grant_type')
    const account = typeof username === 'string' ? username.trim() : ''
    const { faults, state } = this.#context
    const befalling = await faults.find(account, 'token')
    if (befalling.length > 0) {
      // In an outage right passwords are wrong.
      const isDenied = befalling.some(({ kind }) => kind === 'unauthorized')
      if (isDenied) return refuse(reply, 400, 'invalid_grant')
      return sendJson(reply, befalling, REFUSALS, () => '{}')
    }
    const outcome = await this.#sessions.outcomeOf(account, String(password))
    if (outcome === 'down') return refuse(reply, 502, 'Bad Gateway')
    if (outcome === 'robot') return reply.status(403).type('text/html').send(ROBOT_PAGE)
    if (outcome === 'locked') return refuse(reply, 429, 'Too Many Requests')
    if (outcome !== 'signed_in' && outcome !== 'unshared') {
      return refuse(reply, 400, 'invalid_grant')
    }
    await state.update(bedlessKey(account), () => outcome === 'unshared' || undefined)
    const { token } = await this.#sessions.open(account)
    return reply.send({
      access_token: token,
      token_type: 'bearer',
      expires_in: DAY_SECONDS,
      userId: accountIdOf(account),
    })
  }

  async me(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const account = await this.#accountOf(request)
    if (account === undefined) return REFUSALS.unauthorized(reply)
    const { calendarOf, state } = this.#context
    const isBedless = (await state.get(bedlessKey(account))) === true
    const id = `bed-${seedOf(account).toString(16)}`
    const timeZone = calendarOf(account).person.homeZone
    return reply.send({
      user: {
        userId: accountIdOf(account),
        devices: isBedless ? [] : [id],
        features: ['cooling'],
        ...(!isBedless && { currentDevice: { id, side: 'left', timeZone } }),
      },
    })
  }

  async trends(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const account = await this.#accountOf(request)
    if (account === undefined) return REFUSALS.unauthorized(reply)
    const { calendarOf, clock, faults } = this.#context
    const { userId } = request.params as { userId: string }
    if (userId !== accountIdOf(account)) return refuse(reply, 403, 'Forbidden')
    const query = request.query as Record<string, string | undefined>
    const [from, to] = [dayOfDate(query.from ?? ''), dayOfDate(query.to ?? '')]
    const calendar = calendarOf(account)
    const isZone = query.tz === calendar.person.homeZone
    if (from === undefined || to === undefined || !isZone) return refuse(reply, 400, 'Bad Request')
    if (to - from >= MOST_TRENDS) return refuse(reply, 400, 'Bad Request')
    const befalling = await faults.find(account, 'data', 'trends')
    const now = clock.now().getTime()
    return sendJson(reply, befalling, REFUSALS, () =>
      JSON.stringify({ days: trendsOf(calendar, { from, to }, now) }),
    )
  }

  async #accountOf(request: FastifyRequest): Promise<string | undefined> {
    return (await this.#sessions.check(bearerOf(request), () => []))?.account
  }
}

function register(app: FastifyInstance, context: VendorContext): void {
  const vendor = new EightSleepApi(context)
  app.post('/auth/v1/tokens', (request, reply) => vendor.signIn(request, reply))
  app.get('/api/v1/users/me', (request, reply) => vendor.me(request, reply))
  app.get('/api/v1/users/:userId/trends', (request, reply) => vendor.trends(request, reply))
}

/** 8Sleep (docs/sandbox.md#eight_sleep). */
export const eightSleep: Vendor = {
  slug: SLUG,
  name: '8Sleep',
  register,
  truth: (calendar, span, now) => ({ trends: trendsOf(calendar, daysOf(calendar, span), now) }),
  accountIdOf,
  expire: (context, account) => new Sessions(context, DAY_MS).end(account, false),
  revoke: (context, account) => new Sessions(context, DAY_MS).end(account, true),
}
