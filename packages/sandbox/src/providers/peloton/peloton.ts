import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Refusals, sendJson } from '../answers.ts'
import { type Caller, callerOf } from '../callers.ts'
import { Grants } from '../oauth/grants.ts'
import { Calendar, type Span } from '../people/days.ts'
import { personOf } from '../people/person.ts'
import { Sessions } from '../sessions.ts'
import type { Vendor, VendorContext } from '../vendor.ts'
import { PelotonLogin } from './peloton-login.ts'
import {
  accountIdOf,
  presentWorkout,
  seriesOf,
  uploadedWorkouts,
  workoutIdOf,
  workoutOf,
} from './workouts.ts'

const SLUG = 'peloton'
const ACCESS_SECONDS = 172_800
const MOST_A_PAGE = 100

const refuse = (reply: FastifyReply, status: number, message: string): FastifyReply =>
  reply.status(status).send({ status, error_code: 0, message })

const REFUSALS: Refusals = {
  rateLimited: (reply, seconds) =>
    refuse(reply.header('retry-after', seconds), 429, 'Too many requests'),
  failed: (reply, status) => refuse(reply, status, 'Server error'),
  unauthorized: (reply) => refuse(reply, 401, 'Unauthorized'),
}

const grantsOf = (context: VendorContext): Grants =>
  new Grants(context, { accessSeconds: ACCESS_SECONDS })
/** Only says whether the password of an account is another one now. */
const sessionsOf = (context: VendorContext): Sessions => new Sessions(context, 0)

class PelotonApi {
  readonly #context: VendorContext
  readonly #grants: Grants

  constructor(context: VendorContext, grants: Grants) {
    this.#context = context
    this.#grants = grants
  }

  async #caller(request: FastifyRequest, reply: FastifyReply): Promise<Caller | undefined> {
    const caller = await callerOf(this.#context, this.#grants, request, 'workouts')
    if (caller === undefined) REFUSALS.unauthorized(reply)
    else if (request.headers['peloton-platform'] !== 'web') refuse(reply, 403, 'Forbidden')
    else return caller
    return undefined
  }

  async me(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#caller(request, reply)
    if (caller === undefined) return reply
    const { calendar, account } = caller
    return reply.send({ id: accountIdOf(calendar), username: account, default_max_heart_rate: 180 })
  }

  async list(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#caller(request, reply)
    if (caller === undefined) return reply
    const { calendar, faults, now } = caller
    const { id } = request.params as { id: string }
    if (id !== accountIdOf(calendar)) return refuse(reply, 404, 'Not found')
    const query = request.query as Record<string, string | undefined>
    const [page, limit] = [Number(query.page ?? 0), Number(query.limit ?? 20)]
    const isValid = Number.isInteger(page) && page >= 0 && limit >= 1 && limit <= MOST_A_PAGE
    if (!isValid || query.sort_by !== '-created') return refuse(reply, 400, 'Bad request')
    return sendJson(reply, faults, REFUSALS, () => {
      const present = presentWorkout(calendar, now)
      const all = [...(present ? [present] : []), ...uploadedWorkouts(calendar, now)]
      const data = all
        .slice(page * limit, (page + 1) * limit)
        .map((one) => workoutOf(calendar, one, now))
      const isTwice = faults.some(({ kind }) => kind === 'duplicate_pages')
      const count = Math.ceil(all.length / limit)
      return JSON.stringify({
        data: isTwice ? [...data, ...data] : data,
        limit,
        page,
        total: all.length,
        count: data.length,
        page_count: count,
        show_previous: page > 0,
        show_next: page + 1 < count,
        sort_by: query.sort_by,
        next: page + 1 < count ? { workout_id: data.at(-1)?.id } : {},
      })
    })
  }

  async series(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#caller(request, reply)
    if (caller === undefined) return reply
    const { calendar, faults, now } = caller
    const { id } = request.params as { id: string }
    const found = uploadedWorkouts(calendar, now).find((one) => workoutIdOf(calendar, one) === id)
    if (found === undefined) return refuse(reply, 404, 'Not found')
    return sendJson(reply, faults, REFUSALS, () => JSON.stringify(seriesOf(calendar, found)))
  }
}

function register(app: FastifyInstance, context: VendorContext): void {
  const grants = grantsOf(context)
  new PelotonLogin(context, grants, sessionsOf(context)).register(app)
  const api = new PelotonApi(context, grants)
  app.get('/api/api/me', (request, reply) => api.me(request, reply))
  app.get('/api/api/user/:id/workouts', (request, reply) => api.list(request, reply))
  app.get('/api/api/workout/:id/performance_graph', (request, reply) => api.series(request, reply))
}

/** Returns the workouts that begin in a span, the newest first. */
function truth(calendar: Calendar, span: Span, now: number): Record<string, unknown[]> {
  const workouts = uploadedWorkouts(calendar, now).filter(
    ({ exercise: { from } }) => from >= span.from && from < span.to,
  )
  return { workouts: workouts.map((one) => workoutOf(calendar, one, now)) }
}

/** Peloton (docs/sandbox.md#peloton). */
export const peloton: Vendor = {
  slug: SLUG,
  name: 'Peloton',
  register,
  truth,
  accountIdOf: (account) => accountIdOf(new Calendar(personOf(SLUG, account))),
  expire: (context, account) => grantsOf(context).expireAll(account),
  async revoke(context, account) {
    await grantsOf(context).revokeAll(account)
    await sessionsOf(context).end(account, true)
  },
}
