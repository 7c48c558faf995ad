import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Refusals, sendJson } from '../answers.ts'
import type { Fault } from '../faults.ts'
import { ROBOT_PAGE } from '../pages.ts'
import { Calendar, type Span } from '../people/days.ts'
import { personOf } from '../people/person.ts'
import { type Recorded, uploadedAt } from '../people/recorded-workouts.ts'
import { Sessions } from '../sessions.ts'
import type { Vendor, VendorContext } from '../vendor.ts'
import {
  activityIdOf,
  activityOf,
  detailOf,
  ghostOf,
  profileIdOf,
  secondsOf,
  uploadedActivities,
} from './activities.ts'

const SLUG = 'zwift'
const CLIENT_ID = 'Zwift Game Client'
const ACCESS_MS = 6 * HOUR_MS
const REFRESH_MS = 30 * 24 * HOUR_MS
/** The seconds of an activity exist some minutes after it. */
const PROCESSING_MS = 3 * MINUTE_MS
const MOST_A_PAGE = 50
/** Every so many days a session was opened and not used. */
const GHOST_DAYS = 5

const refuse = (reply: FastifyReply, status: number, message: string): FastifyReply =>
  reply.status(status).send({ message })

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

const accessOf = (context: VendorContext): Sessions => new Sessions(context, ACCESS_MS)
/** Refresh tokens are sessions of their own, which end with the password only. */
const refreshOf = (context: VendorContext): Sessions =>
  new Sessions({ ...context, slug: `${SLUG} refresh` }, REFRESH_MS)

class ZwiftApi {
  readonly #context: VendorContext
  readonly #access: Sessions
  readonly #refresh: Sessions

  constructor(context: VendorContext) {
    this.#context = context
    this.#access = accessOf(context)
    this.#refresh = refreshOf(context)
  }

  /** The OAuth grants of passwords and refresh tokens. */
  async token(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const form = (request.body ?? {}) as Record<string, string | undefined>
    const refuseGrant = (description: string) =>
      reply.status(401).send({ error: 'invalid_grant', error_description: description })
    if (form.client_id !== CLIENT_ID) {
      return reply.status(400).send({ error: 'invalid_client' })
    }
    if (form.grant_type === 'refresh_token') {
      const found = await this.#refresh.check(form.refresh_token ?? '', () => [])
      return found === undefined
        ? refuseGrant('Invalid refresh token')
        : this.#send(reply, found.account)
    }
    const account = form.username ?? ''
    const outcome = await this.#access.outcomeOf(account, form.password ?? '')
    if (outcome === 'down') return REFUSALS.failed(reply, 503)
    if (outcome === 'locked') return REFUSALS.rateLimited(reply, 600)
    if (outcome === 'robot') return reply.status(403).type('text/html').send(ROBOT_PAGE)
    if (outcome === 'consent') return refuseGrant('Account is not fully set up')
    if (outcome !== 'signed_in') return refuseGrant('Invalid user credentials')
    return this.#send(reply, account)
  }

  async #send(reply: FastifyReply, account: string): Promise<FastifyReply> {
    const access = await this.#access.open(account)
    const refresh = await this.#refresh.open(account)
    return reply.send({
      access_token: access.token,
      refresh_token: refresh.token,
      expires_in: ACCESS_MS / 1000,
      refresh_expires_in: REFRESH_MS / 1000,
      token_type: 'bearer',
    })
  }

  async #caller(
    request: FastifyRequest,
    reply: FastifyReply,
    collection?: string,
  ): Promise<Caller | undefined> {
    const { faults, clock, calendarOf } = this.#context
    const [, token = ''] = /^bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? []
    const found = await this.#access.check(token, (account) => faults.keysOf(account))
    if (found === undefined) {
      REFUSALS.unauthorized(reply)
      return undefined
    }
    if (!request.headers.platform || !request.headers.source) {
      refuse(reply, 403, 'Forbidden')
      return undefined
    }
    const { account, rows } = found
    const befalling = await faults.find(account, 'data', collection, rows)
    return { calendar: calendarOf(account), faults: befalling, now: clock.now().getTime() }
  }

  async profile(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#caller(request, reply, 'profile')
    if (caller === undefined) return reply
    const { person } = caller.calendar
    return reply.send({
      id: profileIdOf(caller.calendar),
      male: person.sex === 'male',
      weight: Math.round(person.weightKilograms * 1000),
      height: Math.round(person.heightMeters * 1000),
      ftp: 210,
    })
  }

  async list(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#caller(request, reply, 'activities')
    if (caller === undefined) return reply
    const { calendar, now, faults } = caller
    const { id } = request.params as { id: string }
    if (id !== String(profileIdOf(calendar))) return refuse(reply, 404, 'Not Found')
    const query = request.query as Record<string, string | undefined>
    const [start, limit] = [Number(query.start ?? 0), Number(query.limit ?? 20)]
    if (!(start >= 0) || !(limit >= 1 && limit <= MOST_A_PAGE)) {
      return refuse(reply, 400, 'Bad Request')
    }
    return sendJson(reply, faults, REFUSALS, () => {
      const all = uploadedActivities(calendar, now).flatMap((one) => [
        withId(activityOf(calendar, one)),
        ...(one.day % GHOST_DAYS === 0 ? [withId(ghostOf(calendar, one))] : []),
      ])
      const page = all.slice(start, start + limit)
      const isTwice = faults.some(({ kind }) => kind === 'duplicate_pages')
      return `[${(isTwice ? [...page, ...page] : page).join(',')}]`
    })
  }

  async one(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const found = await this.#find(request, reply)
    if (found === undefined) return reply
    const { calendar, now, faults } = found.caller
    const isProcessed = uploadedAt(calendar, found.recorded) + PROCESSING_MS <= now
    return sendJson(reply, faults, REFUSALS, () =>
      withId(detailOf(calendar, found.recorded, isProcessed)),
    )
  }

  async seconds(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const found = await this.#find(request, reply)
    if (found === undefined) return reply
    const { calendar, faults } = found.caller
    return sendJson(reply, faults, REFUSALS, () =>
      JSON.stringify(secondsOf(calendar, found.recorded)),
    )
  }

  async #find(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<{ caller: Caller; recorded: Recorded } | undefined> {
    const caller = await this.#caller(request, reply, 'activities')
    if (caller === undefined) return undefined
    const { calendar, now } = caller
    const { id } = request.params as { id: string }
    const recorded = uploadedActivities(calendar, now).find(
      (one) => activityIdOf(calendar, one) === id,
    )
    if (recorded === undefined) refuse(reply, 404, 'Not Found')
    return recorded && { caller, recorded }
  }
}

/** Writes the id as a number of more digits than a number has. */
const withId = (activity: { id_str: string }): string =>
  JSON.stringify(activity).replace('{', `{"id":${activity.id_str},`)

function register(app: FastifyInstance, context: VendorContext): void {
  const api = new ZwiftApi(context)
  app.post('/auth/auth/realms/zwift/protocol/openid-connect/token', (request, reply) =>
    api.token(request, reply),
  )
  app.get('/api/api/profiles/me', (request, reply) => api.profile(request, reply))
  app.get('/api/api/profiles/:id/activities', (request, reply) => api.list(request, reply))
  app.get('/api/api/activities/:id', (request, reply) => api.one(request, reply))
  app.get('/api/api/activities/:id/file/full', (request, reply) => api.seconds(request, reply))
}

/** Returns the activities that begin in a span, the newest first. */
function truth(calendar: Calendar, span: Span, now: number): Record<string, unknown[]> {
  const activities = uploadedActivities(calendar, now).filter(
    ({ exercise: { from } }) => from >= span.from && from < span.to,
  )
  return { activities: activities.map((one) => activityOf(calendar, one)) }
}

/** Zwift (docs/sandbox.md#zwift). */
export const zwift: Vendor = {
  slug: SLUG,
  name: 'Zwift',
  register,
  truth,
  accountIdOf: (account) => String(profileIdOf(new Calendar(personOf(SLUG, account)))),
  expire: (context, account) => accessOf(context).end(account, false),
  async revoke(context, account) {
    await accessOf(context).end(account, true)
    await refreshOf(context).end(account, true)
  },
}
