import { DAY_MS } from '@salus/contracts/time-units'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Refusals, sendJson } from '../answers.ts'
import { type Caller, callerOf } from '../callers.ts'
import { fitFile } from '../fit-file.ts'
import type { Grants } from '../oauth/grants.ts'
import type { Calendar, Exercise } from '../people/days.ts'
import { RateLimit } from '../rate-limits.ts'
import type { VendorContext } from '../vendor.ts'
import {
  fitRecordsOf,
  PAST_DAYS,
  plannedOf,
  uploadedAt,
  userIdOf,
  workoutIdOf,
  workoutOf,
} from './workouts.ts'

const PAGE_SIZE = 30
const MOST_PAGE_SIZE = 100

const refuse = (reply: FastifyReply, status: number, error: string): FastifyReply =>
  reply.status(status).send({ error })

const REFUSALS: Refusals = {
  rateLimited: (reply, seconds) =>
    refuse(
      reply
        .header('x-ratelimit-limit', '5000, 1000, 200')
        .header('x-ratelimit-remaining', '4000, 500, 0')
        .header('x-ratelimit-reset', `80000, 3000, ${seconds}`),
      429,
      'Rate limit exceeded',
    ),
  failed: (reply, status) => refuse(reply, status, 'Something went wrong'),
  unauthorized: (reply) => refuse(reply, 401, 'The access token is invalid'),
}

/** An exercise that was uploaded, and its day. */
interface Uploaded {
  readonly day: number
  readonly exercise: Exercise
}

/** Returns the uploaded exercises, the newest first. */
export function uploadedExercises(calendar: Calendar, now: number): Uploaded[] {
  const today = calendar.dayAt(now).number
  const found: Uploaded[] = []
  for (let day = today; day > today - PAST_DAYS; day--) {
    for (const exercise of calendar.day(day).exercises) {
      if (uploadedAt(calendar, day, exercise) <= now) found.push({ day, exercise })
    }
  }
  return found
}

/** Returns the profile of a person. */
export const userOf = (calendar: Calendar) => {
  const { sex, age, heightMeters, weightKilograms } = calendar.person
  return {
    id: userIdOf(calendar),
    height: heightMeters.toFixed(2),
    weight: weightKilograms.toFixed(2),
    first: 'Sandbox',
    last: 'Person',
    email: 'person@example.com',
    birth: `${2026 - age}-01-15`,
    gender: sex === 'male' ? 0 : 1,
    created_at: '2025-01-01T00:00:00.000Z',
    updated_at: '2025-01-01T00:00:00.000Z',
  }
}

export class WahooApi {
  readonly #context: VendorContext
  readonly #grants: Grants
  readonly #limits = [
    new RateLimit(200, 300),
    new RateLimit(1000, 3600),
    new RateLimit(5000, DAY_MS / 1000),
  ] as const

  constructor(context: VendorContext, grants: Grants) {
    this.#context = context
    this.#grants = grants
  }

  async #caller(
    request: FastifyRequest,
    reply: FastifyReply,
    { collection, scope }: { collection: string; scope: string },
  ): Promise<Caller | undefined> {
    const caller = await callerOf(this.#context, this.#grants, request, collection)
    if (caller === undefined) {
      REFUSALS.unauthorized(reply)
      return undefined
    }
    const allowances = this.#limits.map((limit) => limit.take(caller.clientId, caller.now))
    const headers = (of: (one: (typeof allowances)[number]) => number): string =>
      allowances.toReversed().map(of).join(', ')
    reply
      .header(
        'x-ratelimit-limit',
        headers(({ limit }) => limit),
      )
      .header(
        'x-ratelimit-remaining',
        headers(({ remaining }) => remaining),
      )
      .header(
        'x-ratelimit-reset',
        headers(({ resetSeconds }) => resetSeconds),
      )
    if (allowances.some(({ isAllowed }) => !isAllowed)) {
      refuse(reply, 429, 'Rate limit exceeded')
      return undefined
    }
    if (caller.scopes.includes(scope)) return caller
    refuse(reply, 403, 'The scope is insufficient')
    return undefined
  }

  async user(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#caller(request, reply, { collection: 'user', scope: 'user_read' })
    if (caller === undefined) return reply
    const { calendar, faults } = caller
    return sendJson(reply, faults, REFUSALS, () => JSON.stringify(userOf(calendar)))
  }

  async list(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const needs = { collection: 'workouts', scope: 'workouts_read' }
    const caller = await this.#caller(request, reply, needs)
    if (caller === undefined) return reply
    const { calendar, faults, now } = caller
    const query = request.query as Record<string, string | undefined>
    const page = Math.max(1, Math.floor(Number(query.page ?? 1)) || 1)
    const wanted = Math.floor(Number(query.per_page ?? PAGE_SIZE)) || PAGE_SIZE
    const size = Math.min(MOST_PAGE_SIZE, Math.max(1, wanted))
    return sendJson(reply, faults, REFUSALS, () => {
      const uploaded = uploadedExercises(calendar, now)
      // The planned workout of tomorrow is the newest.
      const all: (Uploaded | undefined)[] = [undefined, ...uploaded]
      const workouts = all
        .slice((page - 1) * size, page * size)
        .map((one) => (one ? this.#shown(request, caller, one) : plannedOf(calendar, now)))
      const total = all.length
      const isTwice = faults.some(({ kind }) => kind === 'duplicate_pages')
      const shown = isTwice ? [...workouts, ...workouts] : workouts
      const order = { order: 'descending', sort: 'starts' }
      return JSON.stringify({ workouts: shown, total, page, per_page: size, ...order })
    })
  }

  async one(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.#answerOne(request, reply, (workout) => workout)
  }

  async summary(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.#answerOne(request, reply, ({ workout_summary }) => workout_summary)
  }

  async #answerOne(
    request: FastifyRequest,
    reply: FastifyReply,
    part: (workout: ReturnType<typeof workoutOf>) => object,
  ): Promise<FastifyReply> {
    const needs = { collection: 'workouts', scope: 'workouts_read' }
    const caller = await this.#caller(request, reply, needs)
    if (caller === undefined) return reply
    const { calendar, now, faults } = caller
    const { id } = request.params as { id: string }
    const uploaded = uploadedExercises(calendar, now)
    const found = uploaded.find(({ day }) => String(workoutIdOf(calendar, day)) === id)
    if (found === undefined) return refuse(reply, 404, 'The workout does not exist')
    return sendJson(reply, faults, REFUSALS, () =>
      JSON.stringify(part(this.#shown(request, caller, found))),
    )
  }

  #shown(request: FastifyRequest, { account, calendar, now }: Caller, { day, exercise }: Uploaded) {
    const path = `/sandbox/providers/wahoo/api/uploads/workout_file`
    const fileUrl = `http://${request.headers.host}${path}/${encodeURIComponent(account)}/${day}.fit`
    return workoutOf(calendar, day, exercise, { now, fileUrl })
  }

  /** A file needs no token, and does not count to limits. */
  async file(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { account, name } = request.params as { account: string; name: string }
    const day = Number(/^(\d{1,6})\.fit$/.exec(name)?.[1] ?? Number.NaN)
    const calendar = this.#context.calendarOf(account)
    const exercise = Number.isNaN(day) ? undefined : calendar.day(day).exercises[0]
    if (exercise === undefined) return refuse(reply, 403, 'The address has expired')
    return reply.type('application/octet-stream').send(fitFile(fitRecordsOf(calendar, exercise)))
  }

  /** Ends the grant of the token. */
  async endAccess(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const needs = { collection: 'user', scope: 'user_read' }
    const caller = await this.#caller(request, reply, needs)
    if (caller === undefined) return reply
    await this.#grants.revoke(caller.token)
    return reply.send({ success: 'Application has been revoked.' })
  }
}
