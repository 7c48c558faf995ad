import { DAY_MS } from '@salus/contracts/time-units'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Refusals, sendJson } from '../answers.ts'
import type { Fault } from '../faults.ts'
import { Calendar } from '../people/days.ts'
import { personOf } from '../people/person.ts'
import { Sessions } from '../sessions.ts'
import type { Vendor, VendorContext } from '../vendor.ts'
import { userIdOf } from '../whoop-v2/frame.ts'
import { ACCESS_SECONDS, Cognito } from './cognito.ts'
import { cyclesIn, stageEvents } from './cycles.ts'

const SLUG = 'whoop'
const MOST_CYCLES = 26
const MOST_RANGE_MS = 200 * DAY_MS

const refuse = (reply: FastifyReply, status: number, message: string): FastifyReply =>
  reply.status(status).send({ code: status, message })

const REFUSALS: Refusals = {
  rateLimited: (reply, seconds) =>
    refuse(reply.header('retry-after', seconds), 429, 'Too Many Requests'),
  failed: (reply, status) => refuse(reply, status, 'Internal Server Error'),
  unauthorized: (reply) => refuse(reply, 401, 'Unauthorized'),
}

interface Caller {
  account: string
  calendar: Calendar
  faults: readonly Fault[]
  now: number
}

const sessionsOf = (context: VendorContext): Sessions =>
  new Sessions(context, ACCESS_SECONDS * 1000)

class WhoopApp {
  readonly #context: VendorContext
  readonly #sessions: Sessions

  constructor(context: VendorContext, sessions: Sessions) {
    this.#context = context
    this.#sessions = sessions
  }

  /** Returns the caller, or undefined when the request was already answered. */
  async #ask(
    request: FastifyRequest,
    reply: FastifyReply,
    collection: string,
  ): Promise<Caller | undefined> {
    const { faults, clock, calendarOf } = this.#context
    const [, token = ''] = (request.headers.authorization ?? '').split(' ')
    const found = await this.#sessions.check(token, (account) => faults.keysOf(account))
    if (found === undefined) {
      REFUSALS.unauthorized(reply)
      return undefined
    }
    const { apiVersion } = request.query as { apiVersion?: string }
    if (apiVersion !== '7') {
      refuse(reply, 400, 'apiVersion is missing')
      return undefined
    }
    const { account, rows } = found
    return {
      account,
      calendar: calendarOf(account),
      faults: await faults.find(account, 'data', collection, rows),
      now: clock.now().getTime(),
    }
  }

  async account(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#ask(request, reply, 'account')
    if (caller === undefined) return reply
    return reply.send({
      user: { id: userIdOf(caller.calendar), first_name: caller.account, last_name: 'Example' },
      account: { email: 'person@example.com', type: 'users' },
      profile: { height: caller.calendar.person.heightMeters },
    })
  }

  async cycles(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#ask(request, reply, 'cycles')
    if (caller === undefined) return reply
    const { calendar, faults, now } = caller
    const query = request.query as Record<string, string | undefined>
    if (query.id !== String(userIdOf(calendar))) return refuse(reply, 403, 'Forbidden')
    const [from, to] = [Date.parse(query.startTime ?? ''), Date.parse(query.endTime ?? '')]
    const limit = Number(query.limit ?? MOST_CYCLES)
    const isRange = from <= to && to - from <= MOST_RANGE_MS
    if (!isRange || !(limit >= 1 && limit <= MOST_CYCLES)) return refuse(reply, 400, 'Bad Request')
    return sendJson(reply, faults, REFUSALS, () => {
      const cycles = cyclesIn(calendar, { from, to }, now).slice(0, limit)
      const repeats = faults.some(({ kind }) => kind === 'duplicate_pages')
      return JSON.stringify(repeats ? [...cycles, ...cycles] : cycles)
    })
  }

  async stages(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#ask(request, reply, 'sleep-events')
    if (caller === undefined) return reply
    const { activityId = '' } = request.query as { activityId?: string }
    const events = stageEvents(caller.calendar, activityId, caller.now)
    if (events === undefined) return refuse(reply, 404, 'Not Found')
    return sendJson(reply, caller.faults, REFUSALS, () => JSON.stringify(events))
  }
}

function register(app: FastifyInstance, context: VendorContext): void {
  app.addContentTypeParser(
    'application/x-amz-json-1.1',
    { parseAs: 'string' },
    async (_request: unknown, body: string | Buffer) => JSON.parse(String(body)),
  )
  const sessions = sessionsOf(context)
  const cognito = new Cognito(context, sessions)
  app.post('/api/auth-service/v3/whoop/', (request, reply) => cognito.answer(request, reply))
  const api = new WhoopApp(context, sessions)
  app.get('/api/users-service/v2/bootstrap/', (request, reply) => api.account(request, reply))
  app.get('/api/core-details-bff/v0/cycles/details', (request, reply) => api.cycles(request, reply))
  app.get('/api/sleep-service/v1/sleep-events', (request, reply) => api.stages(request, reply))
}

/** The interface of WHOOP's own apps (docs/sandbox.md#whoop). */
export const whoopLegacy: Vendor = {
  slug: SLUG,
  name: 'WHOOP (legacy)',
  register,
  truth: (calendar, span, now) => ({ cycles: cyclesIn(calendar, span, now) }),
  accountIdOf: (account) => String(userIdOf(new Calendar(personOf(SLUG, account)))),
  expire: (context, account) => sessionsOf(context).end(account, false),
  revoke: (context, account) => sessionsOf(context).end(account, true),
}
