import { createHash } from 'node:crypto'
import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Refusals, sendJson } from '../answers.ts'
import type { Fault } from '../faults.ts'
import type { Calendar } from '../people/days.ts'
import { ALL_KINDS, diaryOf, diaryPage, GLUCOSE_KINDS } from '../people/diary.ts'
import { sensorAt } from '../people/glucose.ts'
import { Sessions } from '../sessions.ts'
import type { Vendor, VendorContext } from '../vendor.ts'
import {
  bearerOf,
  refuseTicket,
  registerLogin,
  ticketOf,
  userIdOf,
  userOf,
} from './libreview-login.ts'
import { historyRecord, measurement, serialOf } from './measurements.ts'

const SESSION_MS = 180 * DAY_MS
const GRAPH_MS = 12 * HOUR_MS
const LOGBOOK_MS = 14 * DAY_MS
const MOST_RANGE_SECONDS = (90 * DAY_MS) / 1000
const MOST_RECORDS = 1000
const USUAL_RECORDS = 500

const refuse = (reply: FastifyReply, status: number, message: string): FastifyReply =>
  reply.status(status).send({ status, error: { message } })

const REFUSALS: Refusals = {
  rateLimited: (reply, seconds) =>
    refuse(reply.header('retry-after', seconds), 429, 'tooManyRequests'),
  failed: (reply, status) => refuse(reply, status, 'serverError'),
  unauthorized: refuseTicket,
}

interface Asker {
  account: string
  calendar: Calendar
  faults: readonly Fault[]
  now: number
  /** Answers repeat the ticket. */
  ticket: object
}

class LibreViewApi {
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
    name: string,
  ): Promise<Asker | undefined> {
    const { faults, clock, calendarOf } = this.#context
    const token = bearerOf(request)
    const found = await this.#sessions.check(token, (account) => faults.keysOf(account))
    if (found === undefined) {
      refuseTicket(reply)
      return undefined
    }
    const { account, rows } = found
    const hashed = createHash('sha256').update(userIdOf(account)).digest('hex')
    if ((request.headers['account-id'] ?? hashed) !== hashed) {
      refuse(reply, 400, 'RequiredHeaderMissing')
      return undefined
    }
    const { patientId } = request.params as { patientId?: string }
    if (patientId !== undefined && patientId !== userIdOf(account)) {
      refuse(reply, 404, 'notFound')
      return undefined
    }
    const now = clock.now().getTime()
    const befalling = await faults.find(account, 'data', name, rows)
    const ticket = ticketOf(token, now + SESSION_MS, now)
    return { account, calendar: calendarOf(account), faults: befalling, now, ticket }
  }

  async #answer(
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
    make: (asker: Asker) => unknown,
  ): Promise<FastifyReply> {
    const asker = await this.#ask(request, reply, name)
    if (asker === undefined) return reply
    return sendJson(reply, asker.faults, REFUSALS, () =>
      JSON.stringify({ status: 0, data: make(asker), ticket: asker.ticket }),
    )
  }

  user(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.#answer(request, reply, 'user', ({ account }) => ({
      user: userOf(account, this.#context),
    }))
  }

  connections(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.#answer(request, reply, 'connections', (asker) => [this.#connectionOf(asker)])
  }

  graph(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.#answer(request, reply, 'graph', (asker) => {
      const { calendar, now } = asker
      const values = diaryOf(calendar, { from: now - GRAPH_MS, to: now }, now, GLUCOSE_KINDS)
      const graphData = values.flatMap((entry) =>
        entry.kind === 'historic' ? [measurement(calendar, entry)] : [],
      )
      const connection = this.#connectionOf(asker)
      const { sensor } = connection
      return { connection, activeSensors: [{ sensor, device: deviceOf(calendar) }], graphData }
    })
  }

  logbook(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.#answer(request, reply, 'logbook', ({ calendar, now }) => {
      const values = diaryOf(calendar, { from: now - LOGBOOK_MS, to: now }, now, GLUCOSE_KINDS)
      return values
        .flatMap((entry) => (entry.kind === 'scan' ? [measurement(calendar, entry)] : []))
        .reverse()
    })
  }

  async measurements(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const asker = await this.#ask(request, reply, 'measurements')
    if (asker === undefined) return reply
    const { calendar, now, faults, ticket } = asker
    const query = request.query as Record<string, string | undefined>
    const [from, to] = [Number(query.from), Number(query.to)]
    if (!Number.isInteger(from) || !Number.isInteger(to) || from > to) {
      return refuse(reply, 400, 'invalidRange')
    }
    if (to - from > MOST_RANGE_SECONDS) return refuse(reply, 400, 'rangeTooLong')
    const limit = Number(query.limit ?? USUAL_RECORDS)
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST_RECORDS) {
      return refuse(reply, 400, 'invalidLimit')
    }
    const repeats = faults.some(({ kind }) => kind === 'duplicate_pages')
    const options = { kinds: ALL_KINDS, limit, cursor: query.cursor, repeats }
    const page = diaryPage(calendar, { from: from * 1000, to: to * 1000 }, now, options)
    if (page === undefined) return refuse(reply, 400, 'invalidCursor')
    return sendJson(reply, faults, REFUSALS, () => {
      const measurements = page.entries.map((entry) => historyRecord(calendar, entry))
      return JSON.stringify({ status: 0, data: { measurements, next: page.cursor }, ticket })
    })
  }

  #connectionOf({ account, calendar, now }: Asker) {
    const { id, country, firstName, lastName } = userOf(account, this.#context)
    const { from } = sensorAt(calendar, now)
    const last = diaryOf(calendar, { from: now - DAY_MS, to: now }, now, GLUCOSE_KINDS).at(-1)
    const isValue = last?.kind === 'historic' || last?.kind === 'scan'
    return {
      id: `${id.slice(0, 24)}000000000000`,
      patientId: id,
      country,
      status: 2,
      firstName,
      lastName,
      targetLow: 70,
      targetHigh: 180,
      uom: 1,
      sensor: { deviceId: '', sn: serialOf(calendar, now), a: Math.floor(from / 1000), pt: 4 },
      glucoseMeasurement: isValue ? measurement(calendar, last) : null,
    }
  }
}

function deviceOf({ person: { seed } }: Calendar) {
  return { did: `device-${seed.toString(16)}`, dtid: 40068, v: '3.4.2', l: true, ll: 65, hl: 240 }
}

/** LibreLinkUp only answers known apps and versions. */
function refuseUnknownApp(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const { product, version } = request.headers
  if (!request.url.includes('/llu/') || (product && version)) done()
  else
    reply
      .status(403)
      .send({ status: 920, message: 'minimumVersion', data: { minimumVersion: '4.16.0' } })
}

function register(app: FastifyInstance, context: VendorContext): void {
  const sessions = new Sessions(context, SESSION_MS)
  app.addHook('onRequest', refuseUnknownApp)
  registerLogin(app, context, sessions)
  const api = new LibreViewApi(context, sessions)
  app.get('/:host/user', (request, reply) => api.user(request, reply))
  app.get('/:host/llu/connections', (request, reply) => api.connections(request, reply))
  const connection = '/:host/llu/connections/:patientId'
  app.get(`${connection}/graph`, (request, reply) => api.graph(request, reply))
  app.get(`${connection}/logbook`, (request, reply) => api.logbook(request, reply))
  app.get('/:host/patients/:patientId/measurements', (request, reply) =>
    api.measurements(request, reply),
  )
}

/** LibreView and LibreLinkUp (docs/sandbox.md#abbott_libreview). */
export const abbottLibreview: Vendor = {
  slug: 'abbott_libreview',
  name: 'LibreView',
  register,
  truth: (calendar, span, now) => ({
    measurements: diaryOf(calendar, span, now).map((entry) => historyRecord(calendar, entry)),
  }),
  accountIdOf: userIdOf,
  expire: (context, account) => new Sessions(context, SESSION_MS).end(account, false),
  revoke: (context, account) => new Sessions(context, SESSION_MS).end(account, true),
}
