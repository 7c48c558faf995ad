import { createHash } from 'node:crypto'
import { DAY_MS } from '@salus/contracts/time-units'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Refusals, sendJson } from '../answers.ts'
import type { Fault } from '../faults.ts'
import type { Calendar } from '../people/days.ts'
import { sensorAt } from '../people/glucose.ts'
import { Sessions } from '../sessions.ts'
import type { Vendor, VendorContext } from '../vendor.ts'
import {
  aloneKey,
  bearerOf,
  refuseTicket,
  registerLogin,
  ticketOf,
  userIdOf,
  userOf,
} from './libreview-login.ts'
import {
  graphOf,
  logbookOf,
  measurement,
  newestOf,
  type ShownValue,
  serialOf,
} from './measurements.ts'

const SESSION_MS = 180 * DAY_MS

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
  /** Whether no one shares with the account. */
  isAlone: boolean
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
    const { faults, clock, calendarOf, state } = this.#context
    const token = bearerOf(request)
    const found = await this.#sessions.check(token, (account) => faults.keysOf(account))
    if (found === undefined) {
      refuseTicket(reply)
      return undefined
    }
    const { account, rows } = found
    const hashed = createHash('sha256').update(userIdOf(account)).digest('hex')
    if (request.headers['account-id'] !== hashed) {
      refuse(reply, 400, 'RequiredHeaderMissing')
      return undefined
    }
    const { patientId } = request.params as { patientId?: string }
    const isAlone = (await state.get(aloneKey(account))) === true
    if (patientId !== undefined && (isAlone || patientId !== userIdOf(account))) {
      reply.send({ status: 4, error: { message: 'couldNotLoadPatient' } })
      return undefined
    }
    const now = clock.now().getTime()
    const befalling = await faults.find(account, 'data', name, rows)
    const ticket = ticketOf(token, now + SESSION_MS, now)
    return { account, isAlone, calendar: calendarOf(account), faults: befalling, now, ticket }
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
    return this.#answer(request, reply, 'connections', (asker) =>
      asker.isAlone ? [] : [this.#connectionOf(asker)],
    )
  }

  graph(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.#answer(request, reply, 'graph', (asker) => {
      const { calendar, now } = asker
      const graphData = graphOf(calendar, now).map((value) => measurement(calendar, value))
      const connection = this.#connectionOf(asker)
      const { sensor } = connection
      return { connection, activeSensors: [{ sensor, device: deviceOf(calendar) }], graphData }
    })
  }

  logbook(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.#answer(request, reply, 'logbook', ({ calendar, now }) =>
      logbookOf(calendar, now).map((value) => measurement(calendar, value)),
    )
  }

  #connectionOf({ account, calendar, now }: Asker) {
    const { id, country, firstName, lastName } = userOf(account, this.#context)
    const { from } = sensorAt(calendar, now)
    const newest = newestOf(calendar, now)
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
      glucoseMeasurement: newest === undefined ? null : measurement(calendar, newest),
    }
  }
}

function deviceOf({ person: { seed } }: Calendar) {
  return { did: `device-${seed.toString(16)}`, dtid: 40068, v: '3.4.2', l: true, ll: 65, hl: 240 }
}

const LEAST_VERSION = '4.16.0'

/** LibreLinkUp only answers known apps, and no old versions. */
function refuseUnknownApp(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const { product, version = '' } = request.headers
  const isNew = String(version).localeCompare(LEAST_VERSION, 'en', { numeric: true }) >= 0
  if (!request.url.includes('/llu/') || (product && isNew)) done()
  else reply.status(403).send({ status: 920, data: { minimumVersion: LEAST_VERSION } })
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
}

/** LibreView and LibreLinkUp (docs/sandbox.md#abbott_libreview). */
export const abbottLibreview: Vendor = {
  slug: 'abbott_libreview',
  name: 'LibreView',
  register,
  truth(calendar, { from, to }, now) {
    const show = (values: readonly ShownValue[]) =>
      values.filter(({ at }) => at >= from && at < to).map((value) => measurement(calendar, value))
    const newest = newestOf(calendar, now)
    return {
      graph: show(graphOf(calendar, now)),
      newest: show(newest ? [newest] : []),
      logbook: show(logbookOf(calendar, now)),
    }
  },
  accountIdOf: userIdOf,
  expire: (context, account) => new Sessions(context, SESSION_MS).end(account, false),
  revoke: (context, account) => new Sessions(context, SESSION_MS).end(account, true),
}
