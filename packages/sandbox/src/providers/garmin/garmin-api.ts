import { DAY_MS } from '@salus/contracts/time-units'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Refusals, sendJson } from '../answers.ts'
import { type Caller, callerOf } from '../callers.ts'
import type { Grants } from '../oauth/grants.ts'
import type { Span } from '../people/days.ts'
import { RateLimit } from '../rate-limits.ts'
import { keyOf } from '../state/state.ts'
import type { VendorContext } from '../vendor.ts'
import { pushBackfill } from './garmin-push.ts'
import { userIdOf } from './place.ts'
import { SUMMARY_TYPES } from './summaries.ts'

const MOST_DAYS = 90
/** Without the permission for historical data the past begins this long before now. */
const RECENT_DAYS = 31

/** The vendor never forgets them; an emulator need not. */
const REMEMBERED_MS = 400 * DAY_MS

const refuse = (reply: FastifyReply, status: number, errorMessage: string): FastifyReply =>
  reply.status(status).send({ errorMessage })

const REFUSALS: Refusals = {
  rateLimited: (reply, seconds) =>
    refuse(reply.header('retry-after', seconds), 429, 'Too many requests.'),
  failed: (reply, status) => refuse(reply, status, 'Something went wrong.'),
  unauthorized: (reply) => refuse(reply, 401, 'The token is invalid or expired.'),
}

export class GarminApi {
  readonly #context: VendorContext
  readonly #grants: Grants
  readonly #limit = new RateLimit(3000, 60)

  constructor(context: VendorContext, grants: Grants) {
    this.#context = context
    this.#grants = grants
  }

  /** Returns the caller, or undefined when the request was already answered. */
  async #caller(
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
  ): Promise<Caller | undefined> {
    const caller = await callerOf(this.#context, this.#grants, request, name)
    if (caller === undefined) {
      REFUSALS.unauthorized(reply)
      return undefined
    }
    const { isAllowed, resetSeconds } = this.#limit.take(caller.clientId, caller.now)
    if (isAllowed) return caller
    REFUSALS.rateLimited(reply, resetSeconds)
    return undefined
  }

  async userId(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#caller(request, reply, 'user')
    if (caller === undefined) return reply
    const { calendar, faults } = caller
    return sendJson(reply, faults, REFUSALS, () => JSON.stringify({ userId: userIdOf(calendar) }))
  }

  async permissions(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#caller(request, reply, 'user')
    if (caller === undefined) return reply
    const { scopes, faults } = caller
    return sendJson(reply, faults, REFUSALS, () => JSON.stringify({ permissions: scopes }))
  }

  /** Ends the grant of the token. */
  async endAccess(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#caller(request, reply, 'user')
    if (caller === undefined) return reply
    await this.#grants.revoke(caller.token)
    return reply.status(204).send()
  }

  /** Accepts a request for the past, whose records come in messages. */
  async backfill(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { type: name } = request.params as { type: string }
    const type = SUMMARY_TYPES.find(({ backfill }) => backfill === name)
    if (type === undefined) return refuse(reply, 404, `There is no type ${name}.`)
    const caller = await this.#caller(request, reply, name)
    if (caller === undefined) return reply
    const { account, clientId, scopes, faults, now } = caller
    const span = spanOf(request.query as Record<string, string | undefined>)
    if (typeof span === 'string') return refuse(reply, 400, span)
    if (!scopes.includes(type.permission)) {
      return refuse(reply, 412, `The user did not give ${type.permission}.`)
    }
    const isRecent = span.from >= now - RECENT_DAYS * DAY_MS
    if (!isRecent && !scopes.includes('HISTORICAL_DATA_EXPORT')) {
      return refuse(reply, 400, 'The start is before the earliest time.')
    }
    if (faults.length > 0) return sendJson(reply, faults, REFUSALS, () => '')
    const key = keyOf('backfill', 'garmin', account, clientId, name, `${span.from}`, `${span.to}`)
    if (!(await this.#context.state.add(key, true, REMEMBERED_MS))) {
      return refuse(reply, 409, 'This time was requested before.')
    }
    await pushBackfill(this.#context, { account, grant: { clientId } }, name, span)
    return reply.status(202).send()
  }
}

/** Reads the span of a request, or returns what is wrong with it. */
function spanOf(query: Record<string, string | undefined>): Span | string {
  const [from, to] = [query.summaryStartTimeInSeconds, query.summaryEndTimeInSeconds].map((text) =>
    /^\d{1,10}$/.test(text ?? '') ? Number(text) * 1000 : Number.NaN,
  )
  if (from === undefined || Number.isNaN(from)) return 'summaryStartTimeInSeconds is missing.'
  if (to === undefined || Number.isNaN(to)) return 'summaryEndTimeInSeconds is missing.'
  if (from >= to) return 'The start is not before the end.'
  return to - from > MOST_DAYS * DAY_MS ? 'The time is longer than 90 days.' : { from, to }
}
