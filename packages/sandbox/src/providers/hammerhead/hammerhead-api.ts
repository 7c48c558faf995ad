import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Refusals, sendJson } from '../answers.ts'
import { type Caller, callerOf } from '../callers.ts'
import type { Grants } from '../oauth/grants.ts'
import { dayOfDate } from '../people/local-time.ts'
import type { Recorded } from '../people/recorded-workouts.ts'
import { RateLimit } from '../rate-limits.ts'
import type { VendorContext } from '../vendor.ts'
import {
  activityIdOf,
  activityOf,
  fileOf,
  isProcessed,
  summaryOf,
  uploadedRides,
} from './activities.ts'

const PAGE_SIZE = 10
const MOST_PAGE_SIZE = 100

const refuse = (reply: FastifyReply, status: number, message: string): FastifyReply =>
  reply.status(status).send({ statusCode: status, message })

const REFUSALS: Refusals = {
  rateLimited: (reply, seconds) =>
    refuse(reply.header('retry-after', seconds), 429, 'Too Many Requests'),
  failed: (reply, status) => refuse(reply, status, 'Internal Server Error'),
  unauthorized: (reply) => refuse(reply, 401, 'Unauthorized'),
}

export class HammerheadApi {
  readonly #context: VendorContext
  readonly #grants: Grants
  readonly #limit = new RateLimit(1000, 60)

  constructor(context: VendorContext, grants: Grants) {
    this.#context = context
    this.#grants = grants
  }

  async #caller(request: FastifyRequest, reply: FastifyReply): Promise<Caller | undefined> {
    const caller = await callerOf(this.#context, this.#grants, request, 'activities')
    if (caller === undefined) {
      REFUSALS.unauthorized(reply)
      return undefined
    }
    const { isAllowed, resetSeconds } = this.#limit.take(caller.clientId, caller.now)
    if (!isAllowed) {
      REFUSALS.rateLimited(reply, resetSeconds)
      return undefined
    }
    if (caller.scopes.includes('activity:read')) return caller
    refuse(reply, 403, 'Insufficient scope')
    return undefined
  }

  async list(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#caller(request, reply)
    if (caller === undefined) return reply
    const { calendar, faults, now } = caller
    const query = request.query as Record<string, string | undefined>
    const page = Number(query.page ?? 1)
    const perPage = Number(query.perPage ?? PAGE_SIZE)
    const first = query.startDate === undefined ? 0 : dayOfDate(query.startDate)
    const isValid = Number.isInteger(page) && page >= 1 && perPage >= 1 && perPage <= MOST_PAGE_SIZE
    if (!isValid || first === undefined) return refuse(reply, 400, 'Bad Request')
    return sendJson(reply, faults, REFUSALS, () => {
      const rides = uploadedRides(calendar, now).filter(
        ({ exercise: { from } }) => from >= first * 86_400_000,
      )
      const data = rides
        .slice((page - 1) * perPage, page * perPage)
        .map((ride) => summaryOf(calendar, ride))
      const isTwice = faults.some(({ kind }) => kind === 'duplicate_pages')
      return JSON.stringify({
        totalItems: rides.length,
        totalPages: Math.max(1, Math.ceil(rides.length / perPage)),
        perPage,
        currentPage: page,
        data: isTwice ? [...data, ...data] : data,
      })
    })
  }

  async one(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const found = await this.#find(request, reply)
    if (found === undefined) return reply
    const { caller, ride } = found
    return sendJson(reply, caller.faults, REFUSALS, () =>
      JSON.stringify(activityOf(caller.calendar, ride)),
    )
  }

  async file(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const found = await this.#find(request, reply)
    if (found === undefined) return reply
    const { calendar, now } = found.caller
    if (!isProcessed(calendar, found.ride, now)) return refuse(reply, 425, 'Too Early')
    return reply.type('application/vnd.ant.fit').send(fileOf(calendar, found.ride))
  }

  async #find(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<{ caller: Caller; ride: Recorded } | undefined> {
    const caller = await this.#caller(request, reply)
    if (caller === undefined) return undefined
    const { calendar, now } = caller
    const { id } = request.params as { id: string }
    const ride = uploadedRides(calendar, now).find((one) => activityIdOf(calendar, one) === id)
    if (ride === undefined) refuse(reply, 404, 'Not Found')
    return ride && { caller, ride }
  }
}
