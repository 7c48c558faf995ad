import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Refusals, sendJson } from '../answers.ts'
import { type Caller, callerOf } from '../callers.ts'
import type { Grants } from '../oauth/grants.ts'
import { type Allowance, RateLimit } from '../rate-limits.ts'
import type { VendorContext } from '../vendor.ts'
import { userIdOf } from './frame.ts'
import { dayOfRecord } from './nights.ts'
import { recordsIn, recordsOn, type WhoopKind } from './records.ts'

const MOST_RECORDS = 25
const USUAL_RECORDS = 10

const refuse = (reply: FastifyReply, statusCode: number, message: string): FastifyReply =>
  reply.status(statusCode).send({ statusCode, message })

/** The vendor sends no Retry-After. */
const limited = (reply: FastifyReply, seconds: number): FastifyReply =>
  refuse(
    reply
      .header('x-ratelimit-limit', '100;window=60, 10000;window=86400')
      .header('x-ratelimit-remaining', 0)
      .header('x-ratelimit-reset', seconds),
    429,
    'Too Many Requests',
  )

const REFUSALS: Refusals = {
  rateLimited: limited,
  failed: (reply, status) => refuse(reply, status, 'Internal Server Error'),
  unauthorized: (reply) => refuse(reply, 401, 'Authorization was not valid'),
}

const SCOPES: Readonly<Record<WhoopKind, string>> = {
  cycle: 'read:cycles',
  sleep: 'read:sleep',
  workout: 'read:workout',
  recovery: 'read:recovery',
}

export class WhoopApi {
  readonly #context: VendorContext
  readonly #grants: Grants
  readonly #limits = [new RateLimit(100, 60), new RateLimit(10_000, 86_400)]

  constructor(context: VendorContext, grants: Grants) {
    this.#context = context
    this.#grants = grants
  }

  /** Returns the caller, or undefined when the request was already answered. */
  async #ask(
    request: FastifyRequest,
    reply: FastifyReply,
    collection: string,
    scope?: string,
  ): Promise<Caller | undefined> {
    const caller = await callerOf(this.#context, this.#grants, request, collection)
    if (caller === undefined) {
      REFUSALS.unauthorized(reply)
      return undefined
    }
    const { clientId, now, scopes } = caller
    const used = this.#limits
      .map((limit): Allowance => limit.take(clientId, now))
      .find(({ isAllowed }) => !isAllowed)
    if (used !== undefined) {
      limited(reply, used.resetSeconds)
      return undefined
    }
    if (scope !== undefined && !scopes.includes(scope)) {
      refuse(reply, 403, 'The token has not the scope.')
      return undefined
    }
    return caller
  }

  async profile(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#ask(request, reply, 'profile', 'read:profile')
    if (caller === undefined) return reply
    const profile = {
      user_id: userIdOf(caller.calendar),
      email: 'person@example.com',
      first_name: caller.account,
      last_name: 'Example',
    }
    return sendJson(reply, caller.faults, REFUSALS, () => JSON.stringify(profile))
  }

  async body(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#ask(request, reply, 'body_measurement', 'read:body_measurement')
    if (caller === undefined) return reply
    return sendJson(reply, caller.faults, REFUSALS, () => JSON.stringify(bodyOf(caller.calendar)))
  }

  async list(request: FastifyRequest, reply: FastifyReply, kind: WhoopKind): Promise<FastifyReply> {
    const caller = await this.#ask(request, reply, kind, SCOPES[kind])
    if (caller === undefined) return reply
    const { calendar, now, faults } = caller
    const query = request.query as Record<string, string | undefined>
    const from = query.start === undefined ? 0 : Date.parse(query.start)
    const to = query.end === undefined ? now : Date.parse(query.end)
    const limit = Number(query.limit ?? USUAL_RECORDS)
    const isLimit = Number.isInteger(limit) && limit >= 1 && limit <= MOST_RECORDS
    const cursor = readCursor(query.nextToken)
    if (Number.isNaN(from) || Number.isNaN(to) || !isLimit || cursor === undefined) {
      return refuse(reply, 400, 'Bad Request')
    }
    return sendJson(reply, faults, REFUSALS, () => {
      const listed = recordsIn(calendar, kind, { from, to }, now)
      const left = listed.filter((one) => one.from < cursor.before)
      const page = left.slice(0, limit)
      const last = page.at(-1)
      const repeats = !cursor.isAgain && faults.some((fault) => fault.kind === 'duplicate_pages')
      const more = last !== undefined && left.length > limit ? String(last.from) : undefined
      const next = repeats ? `${cursor.before}r` : more
      const records = page.map(({ make }) => shown(kind, make()))
      // The token is missing at the end.
      return JSON.stringify({ records, ...(next !== undefined && { next_token: encode(next) }) })
    })
  }

  async one(request: FastifyRequest, reply: FastifyReply, kind: WhoopKind): Promise<FastifyReply> {
    const caller = await this.#ask(request, reply, kind, SCOPES[kind])
    if (caller === undefined) return reply
    const { calendar, now, faults } = caller
    const { id } = request.params as { id: string }
    const day = dayOfRecord(id)
    const found =
      day === undefined
        ? undefined
        : recordsOn(calendar, kind, day, now)
            .map(({ make }) => make())
            .find((record) => record.id === id)
    if (found === undefined) return refuse(reply, 404, 'Not Found')
    return sendJson(reply, faults, REFUSALS, () => JSON.stringify(shown(kind, found)))
  }

  /** Ends the grant of the token. */
  async endAccess(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#ask(request, reply, 'access')
    if (caller === undefined) return reply
    await this.#grants.revoke(caller.token)
    return reply.status(204).send()
  }
}

/** A recovery has no id of its own. */
export function shown(kind: WhoopKind, record: object): object {
  if (kind !== 'recovery') return record
  const { id: _, ...fields } = record as { id: unknown }
  return fields
}

export const bodyOf = ({ person }: Caller['calendar']) => ({
  height_meter: person.heightMeters,
  weight_kilogram: person.weightKilograms,
  max_heart_rate: person.maximalHeartRate,
})

const encode = (text: string): string => Buffer.from(text).toString('base64url')

/** @returns undefined for a token that is none */
function readCursor(token: string | undefined): { before: number; isAgain: boolean } | undefined {
  if (token === undefined) return { before: Number.POSITIVE_INFINITY, isAgain: false }
  const text = Buffer.from(token, 'base64url').toString()
  const [, before, again] = /^(\d+|Infinity)(r?)$/.exec(text) ?? []
  return before === undefined ? undefined : { before: Number(before), isAgain: again === 'r' }
}
