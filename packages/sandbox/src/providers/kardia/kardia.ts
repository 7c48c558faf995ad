import { DAY_MS } from '@salus/contracts/time-units'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Refusals, sendJson } from '../answers.ts'
import type { Fault } from '../faults.ts'
import { Calendar } from '../people/days.ts'
import { personOf } from '../people/person.ts'
import { Sessions } from '../sessions.ts'
import type { Vendor, VendorContext } from '../vendor.ts'
import {
  dayOfRecording,
  type Fields,
  patientIdOf,
  recordingAt,
  recordingsIn,
  withVoltages,
} from './recordings.ts'

const SESSION_MS = 30 * DAY_MS
const MOST_RECORDINGS = 50

const refuse = (reply: FastifyReply, status: number, message: string): FastifyReply =>
  reply.status(status).send({ error: message })

const REFUSALS: Refusals = {
  rateLimited: (reply, seconds) => refuse(reply.header('retry-after', seconds), 429, 'slow down'),
  failed: (reply, status) => refuse(reply, status, 'server error'),
  unauthorized: (reply) => refuse(reply, 401, 'unauthorized'),
}

interface Caller {
  calendar: Calendar
  faults: readonly Fault[]
  now: number
}

const sessionsOf = (context: VendorContext): Sessions => new Sessions(context, SESSION_MS)

class KardiaApi {
  readonly #context: VendorContext
  readonly #sessions: Sessions

  constructor(context: VendorContext) {
    this.#context = context
    this.#sessions = sessionsOf(context)
  }

  async signIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { calendarOf } = this.#context
    const { email, password } = (request.body ?? {}) as Record<string, unknown>
    const account = String(email ?? '').trim()
    const trouble = await this.#context.faults.find(account, 'token')
    const isDown = trouble.some(({ kind }) => kind === 'unavailable')
    const outcome = isDown ? 'down' : await this.#sessions.outcomeOf(account, String(password))
    if (outcome === 'down') return refuse(reply, 503, 'unavailable')
    if (outcome !== 'signed_in') return refuse(reply, 401, 'wrong email or password')
    const { token } = await this.#sessions.open(account)
    return reply.send({
      token,
      patientID: patientIdOf(calendarOf(account)),
      expiresIn: SESSION_MS / 1000,
    })
  }

  async #ask(request: FastifyRequest, reply: FastifyReply): Promise<Caller | undefined> {
    const { faults, clock, calendarOf } = this.#context
    const [, token = ''] = (request.headers.authorization ?? '').split(' ')
    const found = await this.#sessions.check(token, (account) => faults.keysOf(account))
    if (found === undefined) {
      REFUSALS.unauthorized(reply)
      return undefined
    }
    const { account, rows } = found
    const { patientId } = request.params as { patientId?: string }
    if (patientId !== undefined && patientId !== patientIdOf(calendarOf(account))) {
      refuse(reply, 404, 'not found')
      return undefined
    }
    return {
      calendar: calendarOf(account),
      faults: await faults.find(account, 'data', 'recordings', rows),
      now: clock.now().getTime(),
    }
  }

  /** The newest first. The list has no voltages, and no ranges. */
  async list(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#ask(request, reply)
    if (caller === undefined) return reply
    const { calendar, faults, now } = caller
    const query = request.query as Record<string, string | undefined>
    const limit = Number(query.limit ?? MOST_RECORDINGS)
    const [, position = query.start === undefined ? '0' : undefined, again = ''] =
      /^c(\d+)(r?)$/.exec(query.start ?? '') ?? []
    if (!(limit >= 1 && limit <= MOST_RECORDINGS) || position === undefined) {
      return refuse(reply, 422, 'invalid limit or start')
    }
    const repeats = again === '' && faults.some(({ kind }) => kind === 'duplicate_pages')
    return sendJson(reply, faults, REFUSALS, () => {
      const all = recordingsIn(calendar, { from: 0, to: now + 1 }, now)
      const from = Number(position)
      const to = Math.min(all.length, from + limit)
      return JSON.stringify({
        totalCount: all.length,
        data: all.slice(from, to).map(({ record }) => record),
        pageInfo: {
          startCursor: `c${from}`,
          endCursor: repeats ? `c${from}r` : `c${to}`,
          hasNextPage: repeats || to < all.length,
        },
      })
    })
  }

  async one(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#ask(request, reply)
    if (caller === undefined) return reply
    const { calendar, faults, now } = caller
    const { id } = request.params as { id: string }
    const day = dayOfRecording(id)
    const record: Fields | undefined =
      day === undefined || Math.abs(day) > now / DAY_MS + 1
        ? undefined
        : recordingAt(calendar, day, now)
    if (day === undefined || record?.id !== id) return refuse(reply, 404, 'not found')
    return sendJson(reply, faults, REFUSALS, () =>
      JSON.stringify(withVoltages(calendar, day, record)),
    )
  }
}

function register(app: FastifyInstance, context: VendorContext): void {
  const api = new KardiaApi(context)
  app.post('/api/v1/sessions', (request, reply) => api.signIn(request, reply))
  app.get('/api/v1/patients/:patientId/recordings', (request, reply) => api.list(request, reply))
  app.get('/api/v1/recordings/:id', (request, reply) => api.one(request, reply))
}

/** Recordings of Kardia (docs/sandbox.md#kardia). */
export const kardia: Vendor = {
  slug: 'kardia',
  name: 'Kardia',
  register,
  truth: (calendar, span, now) => ({
    recordings: recordingsIn(calendar, span, now).map(({ day, record }) =>
      withVoltages(calendar, day, record),
    ),
  }),
  accountIdOf: (account) => patientIdOf(new Calendar(personOf('kardia', account))),
  expire: (context, account) => sessionsOf(context).end(account, false),
  revoke: (context, account) => sessionsOf(context).end(account, true),
}
