import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Refusals, sendJson } from '../answers.ts'
import type { Fault } from '../faults.ts'
import { Calendar, type Span } from '../people/days.ts'
import { personOf } from '../people/person.ts'
import { Sessions } from '../sessions.ts'
import type { Vendor, VendorContext } from '../vendor.ts'
import { clockOf, eventsOf } from './events.ts'
import { accountIdOf, pumperIdOf, pumpIdOf, sparePumpIdOf, uploadedUntil } from './pump.ts'
import { TandemLogin } from './tandem-login.ts'

const SLUG = 'tandem_source'
const SESSION_MS = 8 * HOUR_MS
const MOST_DAYS = 28
const PAST_DAYS = 400
const ORIGINS: ReadonlySet<unknown> = new Set([
  'https://source.tandemdiabetes.com',
  'https://source.eu.tandemdiabetes.com',
])
const PARAMETERS: ReadonlySet<string> = new Set(['pumperId', 'startDate', 'endDate', 'eventCodes'])

const refuse = (reply: FastifyReply, status: number, message: string): FastifyReply =>
  reply.status(status).send({ statusCode: status, message })

const REFUSALS: Refusals = {
  rateLimited: (reply, seconds) =>
    refuse(reply.header('retry-after', seconds), 429, 'Too Many Requests'),
  failed: (reply, status) => refuse(reply, status, 'Internal Server Error'),
  unauthorized: (reply) => refuse(reply, 401, 'Unauthorized'),
}

interface Caller {
  readonly calendar: Calendar
  readonly faults: readonly Fault[]
  readonly now: number
}

class TandemApi {
  readonly #context: VendorContext
  readonly #sessions: Sessions

  constructor(context: VendorContext, sessions: Sessions) {
    this.#context = context
    this.#sessions = sessions
  }

  async #caller(request: FastifyRequest, reply: FastifyReply): Promise<Caller | undefined> {
    const { faults, clock, calendarOf } = this.#context
    if (!ORIGINS.has(request.headers.origin)) {
      reply.status(403).type('text/html').send('<html><body>Access Denied</body></html>')
      return undefined
    }
    const [, token = ''] = /^bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? []
    const found = await this.#sessions.check(token, (account) => faults.keysOf(account))
    if (found === undefined) {
      REFUSALS.unauthorized(reply)
      return undefined
    }
    const { account, rows } = found
    const befalling = await faults.find(account, 'data', 'events', rows)
    return { calendar: calendarOf(account), faults: befalling, now: clock.now().getTime() }
  }

  async pumper(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#caller(request, reply)
    if (caller === undefined) return reply
    const { calendar, faults, now } = caller
    const { id } = request.params as { id: string }
    if (id !== pumperIdOf(calendar)) return refuse(reply, 404, 'Not Found')
    return sendJson(reply, faults, REFUSALS, () => JSON.stringify(pumperOf(calendar, now)))
  }

  async logs(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#caller(request, reply)
    if (caller === undefined) return reply
    const { calendar, faults, now } = caller
    const { id } = request.params as { id: string }
    const query = request.query as Record<string, string | undefined>
    if (Object.keys(query).some((name) => !PARAMETERS.has(name))) {
      return refuse(reply, 400, 'unrecognized_keys')
    }
    if (query.pumperId !== pumperIdOf(calendar)) return refuse(reply, 404, 'Not Found')
    const clock = { from: Date.parse(query.startDate ?? ''), to: Date.parse(query.endDate ?? '') }
    const isValid = clock.from < clock.to && clock.to - clock.from <= MOST_DAYS * DAY_MS
    if (!isValid) return refuse(reply, 400, 'invalid range')
    const codes = new Set(query.eventCodes?.split(',').map(Number))
    return sendJson(reply, faults, REFUSALS, () => {
      const until = uploadedUntil(calendar, now)
      const span = { from: clock.from, to: clock.to + 1000 }
      const all = id === pumpIdOf(calendar) ? eventsOf(calendar, span, until) : []
      const events = (all as { eventCode: number }[]).filter(({ eventCode }) =>
        codes.has(eventCode),
      )
      const isTwice = faults.some(({ kind }) => kind === 'duplicate_pages')
      return JSON.stringify({
        events: isTwice ? [...events, ...events] : events,
        clockChanges: [],
      })
    })
  }
}

const timeText = (at: number): string => new Date(at).toISOString().slice(0, 19)

function pumperOf(calendar: Calendar, now: number) {
  const until = uploadedUntil(calendar, now)
  const [start, end] = [now - PAST_DAYS * DAY_MS, until].map((at) =>
    timeText(clockOf(calendar, at)),
  )
  const frame = { modelNumber: '1000354', serialNumber: '90000001', softwareVersion: '7.8.0.0' }
  return {
    firstName: 'Sandbox',
    lastName: 'Person',
    dateOfBirth: '1980-01-01',
    country: 'US',
    pumps: [
      {
        ...frame,
        assignmentId: pumpIdOf(calendar),
        availableDataRange: { start, end },
        maxDateOfEvents: end,
        lastUploadDate: new Date(until).toISOString(),
        settings: null,
      },
      {
        ...frame,
        assignmentId: sparePumpIdOf(calendar),
        availableDataRange: { start: null, end: null },
        maxDateOfEvents: null,
        lastUploadDate: null,
        settings: null,
      },
    ],
  }
}

function register(app: FastifyInstance, context: VendorContext): void {
  const sessions = new Sessions(context, SESSION_MS)
  new TandemLogin(context, sessions).register(app)
  const api = new TandemApi(context, sessions)
  app.get('/api/api/reports/bff/pumper/:id', (request, reply) => api.pumper(request, reply))
  app.get('/api/api/reports/bff/pump-logs/:id', (request, reply) => api.logs(request, reply))
}

/** Returns the events of a span by the clock of the pump. */
const truth = (calendar: Calendar, span: Span, now: number): Record<string, unknown[]> => ({
  events: eventsOf(calendar, span, uploadedUntil(calendar, now)),
})

/** Tandem Source (docs/sandbox.md#tandem_source). */
export const tandemSource: Vendor = {
  slug: SLUG,
  name: 'Tandem Source',
  register,
  truth,
  accountIdOf: (account) => accountIdOf(new Calendar(personOf(SLUG, account))),
  expire: (context, account) => new Sessions(context, SESSION_MS).end(account, false),
  revoke: (context, account) => new Sessions(context, SESSION_MS).end(account, true),
}
