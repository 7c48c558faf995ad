import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Refusals, sendJson } from '../answers.ts'
import { type Caller, callerOf } from '../callers.ts'
import type { Grants } from '../oauth/grants.ts'
import type { Calendar } from '../people/days.ts'
import type { VendorContext } from '../vendor.ts'
import {
  type Activity,
  activitiesIn,
  activitiesOn,
  athleteIdOf,
  dayOfActivity,
  detailOf,
  summaryOf,
} from './activities.ts'
import { streamsOf } from './streams.ts'
import { headersOf, Usage } from './usage.ts'

const USUAL_PAGE = 30
const MOST_PAGE = 200

type Problem = readonly [resource: string, field: string, code: string]

export function refuse(
  reply: FastifyReply,
  status: number,
  message: string,
  ...problems: readonly Problem[]
): FastifyReply {
  const errors = problems.map(([resource, field, code]) => ({ resource, field, code }))
  return reply.status(status).send({ message, errors })
}

const limited = (reply: FastifyReply): FastifyReply =>
  refuse(reply, 429, 'Rate Limit Exceeded', ['Application', 'rate limit', 'exceeded'])

const REFUSALS: Refusals = {
  rateLimited: (reply) => limited(reply.headers(headersOf('101,400'))),
  failed: (reply, status) => refuse(reply, status, 'Internal Server Error'),
  unauthorized: (reply) =>
    refuse(reply, 401, 'Authorization Error', ['Athlete', 'access_token', 'invalid']),
}

/** Whether an app may see an activity. */
export const isVisible = ({ isPrivate }: Activity, scopes: readonly string[]): boolean =>
  scopes.includes('activity:read_all') || (!isPrivate && scopes.includes('activity:read'))

export class StravaApi {
  readonly #context: VendorContext
  readonly #grants: Grants
  readonly #usage = new Usage()

  constructor(context: VendorContext, grants: Grants) {
    this.#context = context
    this.#grants = grants
  }

  /** Returns the caller, or undefined when the request was already answered. */
  async #ask(
    request: FastifyRequest,
    reply: FastifyReply,
    collection: string,
    scope: string,
  ): Promise<Caller | undefined> {
    // Clients count windows from this time.
    reply.header('date', this.#context.clock.now().toUTCString())
    const caller = await callerOf(this.#context, this.#grants, request, collection)
    if (caller === undefined) {
      REFUSALS.unauthorized(reply)
      return undefined
    }
    const { headers, isAllowed } = this.#usage.take(caller.clientId, caller.now)
    reply.headers(headers)
    if (!isAllowed) {
      limited(reply)
      return undefined
    }
    if (!caller.scopes.some((granted) => granted.startsWith(scope))) {
      const field = `${scope}_permission`
      refuse(reply, 401, 'Authorization Error', ['AccessToken', field, 'missing'])
      return undefined
    }
    return caller
  }

  async athlete(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#ask(request, reply, 'athlete', 'read')
    if (caller === undefined) return reply
    return sendJson(reply, caller.faults, REFUSALS, () =>
      JSON.stringify(athleteOf(caller.calendar)),
    )
  }

  async list(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#ask(request, reply, 'activities', 'activity:read')
    if (caller === undefined) return reply
    const { calendar, now, scopes, faults } = caller
    const query = request.query as Record<string, string | undefined>
    const number = (text: string | undefined, usual: number) =>
      text === undefined ? usual : /^\d+$/.test(text) ? Number(text) : Number.NaN
    const page = number(query.page, 1)
    const size = number(query.per_page, USUAL_PAGE)
    const after = number(query.after, 0) * 1000
    const before = query.before === undefined ? now : number(query.before, 0) * 1000
    if (!(page >= 1 && size >= 1 && size <= MOST_PAGE && after >= 0 && before >= 0)) {
      return refuse(reply, 400, 'Bad Request', ['Application', 'per_page', 'invalid'])
    }
    return sendJson(reply, faults, REFUSALS, () => {
      const found = activitiesIn(calendar, { from: after + 1, to: before }, now).filter((one) =>
        isVisible(one, scopes),
      )
      // With `after` the oldest are the first.
      const ordered = query.after === undefined ? found.reverse() : found
      const repeats = faults.some(({ kind }) => kind === 'duplicate_pages')
      const pages = repeats ? Math.ceil(page / 2) : page
      const listed = ordered.slice((pages - 1) * size, pages * size)
      return JSON.stringify(listed.map((one) => summaryOf(calendar, one)))
    })
  }

  async detail(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.#one(request, reply, (calendar, activity) => detailOf(calendar, activity))
  }

  async streams(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { keys = '', key_by_type: isByType } = request.query as Record<string, string>
    return this.#one(request, reply, (calendar, activity) => {
      const streams = streamsOf(calendar, activity, new Set(keys.split(',')))
      if (streams === undefined || isByType === 'true') return streams
      return Object.entries(streams).map(([type, stream]) => ({ type, ...stream }))
    })
  }

  async #one(
    request: FastifyRequest,
    reply: FastifyReply,
    show: (calendar: Calendar, activity: Activity) => object | undefined,
  ): Promise<FastifyReply> {
    const caller = await this.#ask(request, reply, 'activities', 'activity:read')
    if (caller === undefined) return reply
    const { calendar, now, scopes, faults } = caller
    const id = Number((request.params as { id: string }).id)
    const days = Number.isSafeInteger(id) ? [dayOfActivity(id)] : []
    const activity = days
      .flatMap((day) => activitiesOn(calendar, day, now))
      .find((one) => one.id === id && isVisible(one, scopes))
    const shown = activity && show(calendar, activity)
    if (shown === undefined) {
      return refuse(reply, 404, 'Record Not Found', ['Activity', 'id', 'invalid'])
    }
    return sendJson(reply, faults, REFUSALS, () => JSON.stringify(shown))
  }
}

export const athleteOf = (calendar: Calendar) => ({
  id: athleteIdOf(calendar),
  username: null,
  resource_state: 2,
  firstname: 'Sam',
  lastname: 'Sandbox',
  city: null,
  sex: calendar.person.sex === 'male' ? 'M' : 'F',
  weight: calendar.person.weightKilograms,
})
