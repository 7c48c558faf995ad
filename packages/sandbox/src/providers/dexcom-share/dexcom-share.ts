import { randomUUID } from 'node:crypto'
import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Refusals, sendJson } from '../answers.ts'
import { Calendar, type Span } from '../people/days.ts'
import { personOf } from '../people/person.ts'
import { RateLimit } from '../rate-limits.ts'
import { Sessions } from '../sessions.ts'
import { keyOf } from '../state/state.ts'
import type { Vendor, VendorContext } from '../vendor.ts'
import { accountIdOf, readingsOf, recordOf } from './readings.ts'

const SLUG = 'dexcom'
const SESSION_MS = DAY_MS / 2
const MOST_MINUTES = 1440
const MOST_READINGS = 288
const APPLICATIONS: ReadonlySet<unknown> = new Set([
  'd89443d2-327c-4a6f-89e5-496bbb0317db',
  'd8665ade-9673-4e27-9ff6-92db4ce13d13',
])
/** Answered in place of an id. */
const NO_ID = '00000000-0000-0000-0000-000000000000'
const SERVICES = '/api/ShareWebServices/Services'

/** All errors have the status 500. */
const refuse = (reply: FastifyReply, Code: string, Message = Code): FastifyReply =>
  reply.status(500).send({ Code, Message, SubCode: null, TypeName: 'FaultException' })

const REFUSALS: Refusals = {
  rateLimited: (reply, seconds) =>
    reply.header('retry-after', seconds).status(429).send({ Message: 'Too many requests' }),
  failed: (reply, status) => reply.status(status).send({ Message: 'Server error' }),
  unauthorized: (reply) => refuse(reply, 'SessionIdNotFound'),
}

class ShareApi {
  readonly #context: VendorContext
  readonly #sessions: Sessions
  readonly #wrongTries = new RateLimit(5, 600)

  constructor(context: VendorContext) {
    this.#context = context
    this.#sessions = new Sessions(context, SESSION_MS)
  }

  async authenticate(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { accountName, password, applicationId } = bodyOf(request)
    if (!APPLICATIONS.has(applicationId)) return refuse(reply, 'InvalidArgument')
    const account = String(accountName ?? '')
    const refused = await this.#refuse(reply, account, password)
    if (refused !== undefined) return refused
    const id = accountIdOf(this.#context.calendarOf(account))
    await this.#context.state.update(keyOf('share account', id), () => account, 400 * DAY_MS)
    return reply.send(JSON.stringify(id))
  }

  async login(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { accountId, password, applicationId } = bodyOf(request)
    if (!APPLICATIONS.has(applicationId)) return refuse(reply, 'InvalidArgument')
    const key = keyOf('share account', String(accountId))
    const account = (await this.#context.state.get<string>(key)) ?? ''
    const refused = await this.#refuse(reply, account, password)
    if (refused !== undefined) return refused
    const { token } = await this.#sessions.open(account)
    const id = randomUUID()
    await this.#context.state.add(keyOf('share session', id), token, SESSION_MS)
    return reply.send(JSON.stringify(id))
  }

  /** @returns undefined for a password that is right */
  async #refuse(
    reply: FastifyReply,
    account: string,
    password: unknown,
  ): Promise<FastifyReply | undefined> {
    const outcome = await this.#sessions.outcomeOf(account, String(password ?? ''))
    reply.type('application/json; charset=utf-8')
    if (outcome === 'signed_in') return undefined
    if (outcome === 'down') return REFUSALS.failed(reply, 503)
    // The vendor has several ways to refuse.
    if (outcome === 'elsewhere') return reply.send(JSON.stringify(NO_ID))
    const { isAllowed } = this.#wrongTries.take(account, this.#context.clock.now().getTime())
    if (!isAllowed || outcome === 'locked')
      return refuse(reply, 'SSO_AuthenticateMaxAttemptsExceeded')
    if (outcome === 'expired') {
      return refuse(reply, 'SSO_InternalError', 'Cannot Authenticate by AccountName')
    }
    return refuse(reply, 'AccountPasswordInvalid')
  }

  async read(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { state, faults, clock, calendarOf } = this.#context
    const query = request.query as Record<string, string | undefined>
    const token = await state.get<string>(keyOf('share session', query.sessionId ?? ''))
    const found = await this.#sessions.check(token ?? '', (account) => faults.keysOf(account))
    if (found === undefined) return refuse(reply, 'SessionIdNotFound')
    const minutes = Number(query.minutes)
    const count = Number(query.maxCount)
    const isValid =
      Number.isInteger(minutes) &&
      minutes >= 1 &&
      minutes <= MOST_MINUTES &&
      count >= 0 &&
      count <= MOST_READINGS
    if (!isValid) return refuse(reply, 'InvalidArgument')
    const { account, rows } = found
    const now = clock.now().getTime()
    const calendar = calendarOf(account)
    const befalling = await faults.find(account, 'data', 'readings', rows)
    return sendJson(reply, befalling, REFUSALS, () => {
      const span = { from: now - minutes * MINUTE_MS, to: now }
      const readings = readingsOf(calendar, span, now).slice(0, count)
      const records = readings.map((one) => recordOf(calendar, one))
      const isTwice = befalling.some(({ kind }) => kind === 'duplicate_pages')
      return JSON.stringify(isTwice ? [...records, ...records] : records)
    })
  }
}

const bodyOf = (request: FastifyRequest): Record<string, unknown> =>
  typeof request.body === 'object' && request.body !== null
    ? (request.body as Record<string, unknown>)
    : {}

function register(app: FastifyInstance, context: VendorContext): void {
  const api = new ShareApi(context)
  app.post(`${SERVICES}/General/AuthenticatePublisherAccount`, (request, reply) =>
    api.authenticate(request, reply),
  )
  app.post(`${SERVICES}/General/LoginPublisherAccountById`, (request, reply) =>
    api.login(request, reply),
  )
  app.post(`${SERVICES}/Publisher/ReadPublisherLatestGlucoseValues`, (request, reply) =>
    api.read(request, reply),
  )
}

/** Dexcom Share (docs/sandbox.md#dexcom). */
export const dexcomShare: Vendor = {
  slug: SLUG,
  name: 'Dexcom Share',
  register,
  truth: (calendar: Calendar, span: Span, now: number) => ({
    readings: readingsOf(calendar, span, now).map((one) => recordOf(calendar, one)),
  }),
  accountIdOf: (account) => accountIdOf(new Calendar(personOf(SLUG, account))),
  expire: (context, account) => new Sessions(context, SESSION_MS).end(account, false),
  revoke: (context, account) => new Sessions(context, SESSION_MS).end(account, true),
}
