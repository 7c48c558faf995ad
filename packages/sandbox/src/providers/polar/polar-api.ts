import { DAY_MS } from '@salus/contracts/time-units'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Refusals, sendJson } from '../answers.ts'
import { type Caller, callerOf } from '../callers.ts'
import type { Grants } from '../oauth/grants.ts'
import { dateText, dayOfDate, utcText } from '../people/local-time.ts'
import { RateLimit } from '../rate-limits.ts'
import { keyOf } from '../state/state.ts'
import type { VendorContext } from '../vendor.ts'
import {
  EXERCISE_MS,
  exercisesIn,
  lastDays,
  NIGHT_DAYS,
  nightOn,
  polarUntil,
  SLUG,
  userIdOf,
  zonedText,
} from './frame.ts'
import {
  dayRecord,
  exerciseRecord,
  heartRateRecord,
  nightRecord,
  nightsOf,
  type Parts,
  physicalInfo,
  rechargeRecord,
} from './records.ts'

type Query = Record<string, string | undefined>

/** An error of the vendor; some have no body. */
export function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.status(status).send({
    timestamp: utcText(0),
    status,
    errorType: 'error',
    message,
    corrId: '0',
  })
}

const REFUSALS: Refusals = {
  rateLimited: (reply, seconds) => limited(reply, [520, 1], [seconds, 86_400]),
  failed: (reply, status) => refuse(reply, status, 'Internal error'),
  unauthorized: (reply) => refuse(reply, 401, 'Unauthorized'),
}

/** Requests of a quarter of an hour and of a day, of an app with one user. */
const LIMITS = [520, 5100] as const

/** Both windows are in each header; there is no Retry-After. */
function limited(
  reply: FastifyReply,
  usage: readonly number[],
  resets: readonly number[],
): FastifyReply {
  reply
    .header('ratelimit-usage', usage.join(', '))
    .header('ratelimit-limit', LIMITS.join(', '))
    .header('ratelimit-reset', resets.join(', '))
  return refuse(reply, 429, 'Too many requests')
}

/** A user whom an app registered; data of before are not served. */
export interface Registration {
  registeredAt: number
}

export const registrationKey = (account: string, clientId: string): string =>
  keyOf('registered', SLUG, account, clientId)

const MOST_RANGE_DAYS = 28
const MOST_PAST_DAYS = 365

export class PolarApi {
  readonly #context: VendorContext
  readonly #grants: Grants
  readonly #limits = [new RateLimit(LIMITS[0], 900), new RateLimit(LIMITS[1], 86_400)]

  constructor(context: VendorContext, grants: Grants) {
    this.#context = context
    this.#grants = grants
  }

  /** Returns the caller, or undefined when the request was already answered. */
  async #ask(
    request: FastifyRequest,
    reply: FastifyReply,
    collection: string,
  ): Promise<(Caller & Registration) | undefined> {
    const caller = await callerOf(this.#context, this.#grants, request, collection)
    if (caller === undefined) {
      REFUSALS.unauthorized(reply)
      return undefined
    }
    const { account, clientId, now } = caller
    const taken = this.#limits.map((limit) => limit.take(clientId, now))
    if (taken.some(({ isAllowed }) => !isAllowed)) {
      const usage = taken.map(({ limit, remaining }) => limit - remaining)
      limited(
        reply,
        usage,
        taken.map(({ resetSeconds }) => resetSeconds),
      )
      return undefined
    }
    const key = registrationKey(account, clientId)
    const registration = await this.#context.state.get<Registration>(key)
    if (registration === undefined && collection !== 'users') {
      refuse(reply, 403, 'User has not accepted all mandatory consents')
      return undefined
    }
    return { ...caller, registeredAt: registration?.registeredAt ?? now }
  }

  /** Registers the user of a token with the app. */
  async register(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#ask(request, reply, 'users')
    if (caller === undefined) return reply
    const { account, clientId, now } = caller
    const { 'member-id': member } = (request.body ?? {}) as Query
    if (typeof member !== 'string' || member === '') return refuse(reply, 400, 'member-id')
    const isNew = await this.#context.state.add(
      registrationKey(account, clientId),
      { registeredAt: now },
      MOST_PAST_DAYS * 10 * DAY_MS,
    )
    if (!isNew) return refuse(reply, 409, 'User is already registered')
    return reply.send({ 'polar-user-id': userIdOf(account), 'member-id': member })
  }

  /** Ends the registration and the grants of the app. */
  async remove(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#ask(request, reply, 'users')
    if (caller === undefined) return reply
    const { account, clientId } = caller
    const { id } = request.params as { id: string }
    if (id !== String(userIdOf(account))) return refuse(reply, 403, 'Not the user of the token')
    for await (const { id: grantId, grant } of this.#grants.list(account)) {
      if (grant.clientId === clientId) await this.#grants.remove(account, grantId)
    }
    await this.#context.state.remove(registrationKey(account, clientId))
    return reply.status(204).send()
  }

  async exercises(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#ask(request, reply, 'exercises')
    if (caller === undefined) return reply
    const { id } = request.params as { id?: string }
    const records = servedExercises(caller, partsOf(request.query as Query))
    if (id === undefined) return this.#send(reply, caller, records)
    const found = records.find((record) => (record as { id: string }).id === id)
    return found === undefined ? reply.status(404).send() : this.#send(reply, caller, found)
  }

  /** Answers with a list of nights; an empty one has no body. */
  async nights(
    request: FastifyRequest,
    reply: FastifyReply,
    kind: 'sleep' | 'nightly-recharge' | 'available',
  ): Promise<FastifyReply> {
    const caller = await this.#ask(request, reply, kind)
    if (caller === undefined) return reply
    const { calendar, now } = caller
    const sleeps = nightsOf(
      calendar,
      lastDays(calendar, now, NIGHT_DAYS),
      polarUntil(calendar, now),
    )
    if (sleeps.length === 0) return reply.status(204).send()
    if (kind === 'sleep') {
      const nights = sleeps.map((sleep) => nightRecord(calendar, sleep))
      return this.#send(reply, caller, { nights })
    }
    if (kind === 'nightly-recharge') {
      const recharges = sleeps.map((sleep) => rechargeRecord(calendar, sleep))
      return this.#send(reply, caller, { recharges })
    }
    const available = sleeps.map(({ day, from, to }) => ({
      date: dateText(day),
      start_time: zonedText(calendar, from),
      end_time: zonedText(calendar, to),
    }))
    return this.#send(reply, caller, { available })
  }

  /** Answers with days of a range. */
  async days(
    request: FastifyRequest,
    reply: FastifyReply,
    kind: 'activities' | 'continuous-heart-rate',
  ): Promise<FastifyReply> {
    const caller = await this.#ask(request, reply, kind)
    if (caller === undefined) return reply
    const { calendar, now } = caller
    const query = request.query as Query
    const today = calendar.dayAt(now).number
    const from = query.from === undefined ? today - MOST_RANGE_DAYS + 1 : dayOfDate(query.from)
    const to = query.to === undefined ? today : dayOfDate(query.to)
    if (from === undefined || to === undefined || from > to || to - from >= MOST_RANGE_DAYS) {
      return refuse(reply, 400, 'Invalid range')
    }
    if (from < today - MOST_PAST_DAYS) return refuse(reply, 400, 'Too old date')
    const hasZones = query.activity_zones === 'true'
    return this.#send(reply, caller, servedDays(caller, kind, [from, to], hasZones))
  }

  async physicalInfo(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#ask(request, reply, 'physical-info')
    return caller === undefined ? reply : this.#send(reply, caller, physicalInfo(caller.calendar))
  }

  #send(reply: FastifyReply, { faults }: Caller, body: unknown): Promise<FastifyReply> {
    return sendJson(reply, faults, REFUSALS, () => JSON.stringify(body))
  }
}

const partsOf = ({ samples, zones, route }: Query): Parts => ({
  samples: samples === 'true',
  zones: zones === 'true',
  route: route === 'true',
})

type Served = Pick<Caller, 'calendar' | 'now'>

/** Returns the exercises of the last 30 days, of those since the registration. */
export function servedExercises(
  { calendar, now, registeredAt }: Served & Registration,
  parts: Parts,
): object[] {
  const span = { from: now - EXERCISE_MS, to: now }
  return exercisesIn(calendar, span, polarUntil(calendar, now))
    .filter(({ exercise }) => exercise.to > registeredAt)
    .map(({ day, exercise }) => exerciseRecord(calendar, day, exercise, parts))
}

/** Returns what was uploaded of days, both inclusive. */
export function servedDays(
  { calendar, now }: Served,
  kind: 'activities' | 'continuous-heart-rate',
  [from, to]: readonly [number, number],
  hasZones: boolean,
): object[] {
  const last = Math.min(to, calendar.dayAt(polarUntil(calendar, now)).number)
  const days = Array.from({ length: Math.max(0, last - from + 1) }, (_, index) => from + index)
  return kind === 'activities'
    ? days.map((day) => dayRecord(calendar, day, now, hasZones))
    : days.map((day) => heartRateRecord(calendar, day, now))
}

/** Returns a served night of a day. */
export function servedNight({ calendar, now }: Served, day: number): object | undefined {
  const sleep = nightOn(calendar, day, polarUntil(calendar, now))
  return sleep && nightRecord(calendar, sleep)
}
