import { DAY_MS } from '@salus/contracts/time-units'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Refusals, sendJson } from '../answers.ts'
import { type Caller, callerOf } from '../callers.ts'
import type { Fault } from '../faults.ts'
import type { Grants } from '../oauth/grants.ts'
import type { Calendar } from '../people/days.ts'
import { dayOfDate } from '../people/local-time.ts'
import { seedOf } from '../people/noise.ts'
import { RateLimit } from '../rate-limits.ts'
import type { VendorContext } from '../vendor.ts'
import { DATA_TYPES, scopeName } from './data-types.registry.ts'
import { civilOf, durationText, googleUntil, timeText } from './points.ts'
import { readFilter, recordsOf } from './records.ts'
import { exercisesIn, trackOf } from './sessions.ts'
import { SUMS } from './sums.ts'

const MOST_POINTS = 10_000
const MOST_SESSIONS = 25
/** Of these a request covers 14 days, of the others 90. */
const SHORT_SUMS = new Set(['heart-rate', 'total-calories', 'active-minutes'])

/** Answers with an error in the form of Google. */
export function refuse(
  reply: FastifyReply,
  code: number,
  status: string,
  reason?: string,
): FastifyReply {
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason,
    domain: 'googleapis.com',
  }
  const error = { code, message: `The request failed: ${status}.`, status }
  return reply.status(code).send({ error: { ...error, ...(reason && { details: [info] }) } })
}

const REFUSALS: Refusals = {
  rateLimited: (reply) => refuse(reply, 429, 'RESOURCE_EXHAUSTED', 'RATE_LIMIT_EXCEEDED'),
  failed: (reply, status) => refuse(reply, status, 'INTERNAL'),
  unauthorized: (reply) => refuse(reply, 401, 'UNAUTHENTICATED'),
}

type Params = Record<string, string>

/** Returns the vendor's id of an account, a long number. */
export const accountIdOf = (account: string): string =>
  String(10n ** 18n + BigInt(seedOf(`google_health id/${account}`)) * 1_000_003n)

export class GoogleApi {
  readonly #context: VendorContext
  readonly #grants: Grants
  readonly #limit = new RateLimit(300, 60)

  constructor(context: VendorContext, grants: Grants) {
    this.#context = context
    this.#grants = grants
  }

  /** Returns the caller, or undefined when the request was already answered. */
  async #ask(
    request: FastifyRequest,
    reply: FastifyReply,
    collection: string,
    scope: string | undefined,
  ): Promise<Caller | undefined> {
    const caller = await callerOf(this.#context, this.#grants, request, collection)
    if (caller === undefined) {
      REFUSALS.unauthorized(reply)
      return undefined
    }
    if (!this.#limit.take(`${caller.clientId}/${caller.account}`, caller.now).isAllowed) {
      REFUSALS.rateLimited(reply, 0)
      return undefined
    }
    if (caller.calendar.person.traits.has('unlinked')) {
      refuse(reply, 400, 'FAILED_PRECONDITION', 'ACCOUNT_NOT_LINKED')
      return undefined
    }
    if (scope !== undefined && !caller.scopes.includes(scopeName(scope))) {
      refuse(reply, 403, 'PERMISSION_DENIED', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT')
      return undefined
    }
    return caller
  }

  /** Answers `list` and `reconcile`. */
  async points(
    request: FastifyRequest,
    reply: FastifyReply,
    method: 'list' | 'reconcile',
  ): Promise<FastifyReply> {
    const { type = '' } = request.params as Params
    const known = DATA_TYPES.get(type)
    if (known === undefined) {
      return refuse(reply, 400, 'INVALID_ARGUMENT', 'INVALID_PARENT_DATA_TYPE_COLLECTION')
    }
    const caller = await this.#ask(request, reply, type, known.scope)
    if (caller === undefined) return reply
    if (!known.methods.includes(method)) {
      return refuse(reply, 400, 'INVALID_ARGUMENT', 'UNSUPPORTED_DATA_TYPE_ACTION')
    }
    const query = request.query as Record<string, string | undefined>
    const bounds = readFilter(type, query.filter)
    if (bounds === undefined) {
      return refuse(reply, 400, 'INVALID_ARGUMENT', 'INVALID_DATA_POINT_FILTER_DATA_TYPE_MEMBER')
    }
    const isSmall = type === 'sleep' || type === 'exercise'
    const most = isSmall ? MOST_SESSIONS : MOST_POINTS
    const size = Math.min(most, Number(query.pageSize) || (isSmall ? MOST_SESSIONS : 1440))
    const { calendar, now, faults } = caller
    return sendJson(reply, faults, REFUSALS, () => {
      const records = recordsOf(type, method, calendar, bounds, now)
      return JSON.stringify(pageOf('dataPoints', records, size, query.pageToken, faults))
    })
  }

  /** Answers `rollUp`. */
  async rollUp(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { type = '' } = request.params as Params
    const caller = await this.#askForSums(request, reply, type, 'rollUp')
    if (caller === undefined) return reply
    const { range, windowSize, pageSize, pageToken } = (request.body ?? {}) as Record<string, never>
    const { startTime, endTime } = (range ?? {}) as Record<string, string>
    const [from, to] = [Date.parse(startTime ?? ''), Date.parse(endTime ?? '')]
    const step = Number(/^(\d+(?:\.\d+)?)s$/.exec(String(windowSize))?.[1]) * 1000
    if (!(from < to) || !(step >= 1000) || !isWithinLimit(type, from, to)) {
      return refuse(reply, 400, 'INVALID_ARGUMENT')
    }
    const { calendar, now, faults } = caller
    const until = Math.min(to, googleUntil(calendar, now))
    return sendJson(reply, faults, REFUSALS, () => {
      const windows: object[] = []
      for (let at = from; at < until; at += step) {
        const span = { from: at, to: Math.min(at + step, until) }
        const content = SUMS[type]?.(calendar, span)
        const times = { startTime: timeText(at), endTime: timeText(Math.min(at + step, to)) }
        if (content !== undefined) windows.push({ ...times, ...content })
      }
      const size = Number(pageSize) || 1440
      return JSON.stringify(pageOf('rollupDataPoints', windows, size, pageToken, faults))
    })
  }

  /** Answers `dailyRollUp`. */
  async dailyRollUp(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { type = '' } = request.params as Params
    const caller = await this.#askForSums(request, reply, type, 'dailyRollUp')
    if (caller === undefined) return reply
    const { range, pageToken } = (request.body ?? {}) as Record<string, never>
    const { start, end } = (range ?? {}) as Record<string, unknown>
    const [first, last] = [dayOf(start), dayOf(end)]
    if (first === undefined || last === undefined || first >= last) {
      return refuse(reply, 400, 'INVALID_ARGUMENT')
    }
    if (!isWithinLimit(type, first * DAY_MS, last * DAY_MS)) {
      return refuse(reply, 400, 'INVALID_ARGUMENT')
    }
    const { calendar, now, faults } = caller
    const until = googleUntil(calendar, now)
    return sendJson(reply, faults, REFUSALS, () => {
      const days: object[] = []
      for (let number = first; number < last && calendar.day(number).from < until; number += 1) {
        const { from, to } = calendar.day(number)
        const content = SUMS[type]?.(calendar, { from, to: Math.min(to, until) })
        const civil = {
          civilStartTime: { date: civilOf(calendar, from).date },
          civilEndTime: { date: civilOf(calendar, to).date },
        }
        if (content !== undefined) days.push({ ...civil, ...content })
      }
      return JSON.stringify(pageOf('rollupDataPoints', days, 90, pageToken, faults))
    })
  }

  async #askForSums(
    request: FastifyRequest,
    reply: FastifyReply,
    type: string,
    method: 'rollUp' | 'dailyRollUp',
  ): Promise<Caller | undefined> {
    const known = DATA_TYPES.get(type)
    const caller = await this.#ask(request, reply, type, known?.scope)
    if (caller === undefined) return undefined
    if (known?.methods.includes(method) && Object.hasOwn(SUMS, type)) return caller
    refuse(reply, 400, 'INVALID_ARGUMENT', 'UNSUPPORTED_DATA_TYPE_ACTION')
    return undefined
  }

  /** Answers an export, as the text of the file in JSON. */
  async track(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { name = '' } = request.params as Params
    const [id = '', action] = name.split(':')
    const caller = await this.#ask(request, reply, 'exercise', 'location')
    if (caller === undefined) return reply
    const { calendar, now, faults } = caller
    const span = { from: now - 400 * DAY_MS, to: googleUntil(calendar, now) }
    const found = exercisesIn(calendar, span).find((one) => one.id === id)
    if (found === undefined || action !== 'exportExerciseTcx') {
      return refuse(reply, 404, 'NOT_FOUND')
    }
    return sendJson(reply, faults, REFUSALS, () =>
      JSON.stringify({ tcxData: trackOf(calendar, found.exercise) }),
    )
  }

  /** Answers a resource of the person that is one object. */
  async single(
    request: FastifyRequest,
    reply: FastifyReply,
    scope: string | undefined,
    make: (calendar: Calendar, now: number, account: string) => object,
  ): Promise<FastifyReply> {
    const caller = await this.#ask(request, reply, 'single', scope)
    if (caller === undefined) return reply
    const { calendar, now, account, faults } = caller
    return sendJson(reply, faults, REFUSALS, () => JSON.stringify(make(calendar, now, account)))
  }
}

const isWithinLimit = (type: string, from: number, to: number): boolean =>
  to - from <= (SHORT_SUMS.has(type) ? 14 : 90) * DAY_MS

/** Reads `{date: {year, month, day}}`; a text or the bare date is refused. */
function dayOf(civil: unknown): number | undefined {
  const { date } = (civil ?? {}) as { date?: Record<string, number> }
  const two = (value: number | undefined) => String(value).padStart(2, '0')
  return dayOfDate(`${date?.year}-${two(date?.month)}-${two(date?.day)}`)
}

/** Returns a page; an empty list and the token of the last page are left out. */
function pageOf(
  name: string,
  records: readonly object[],
  size: number,
  token: string | undefined,
  faults: readonly Fault[],
): object {
  const [, position = '0', again = ''] =
    /^(\d+)(r?)$/.exec(Buffer.from(token ?? '', 'base64url').toString()) ?? []
  const from = Number(position)
  const list = records.slice(from, from + size)
  const repeats = again === '' && faults.some(({ kind }) => kind === 'duplicate_pages')
  const next = repeats ? `${from}r` : from + size < records.length ? String(from + size) : undefined
  return {
    ...(list.length > 0 && { [name]: list }),
    ...(next !== undefined && { nextPageToken: Buffer.from(next).toString('base64url') }),
  }
}

export const settingsOf = (calendar: Calendar, now: number): object => ({
  name: 'users/me/settings',
  timeZone: calendar.zoneAt(now),
  utcOffset: durationText(calendar.offsetAt(now)),
  distanceUnit: 'DISTANCE_UNIT_KILOMETERS',
  weightUnit: 'WEIGHT_UNIT_KILOGRAMS',
})

export const profileOf = ({ person }: Calendar): object => ({
  name: 'users/me/profile',
  age: person.age,
  membershipStartDate: { year: 2021, month: 3, day: 14 },
  autoWalkingStrideLengthMm: Math.round(person.heightMeters * 415),
})

export const devicesOf = (calendar: Calendar, now: number): object => ({
  pairedDevices: [
    {
      name: `users/me/pairedDevices/${calendar.person.seed}`,
      deviceType: 'TRACKER',
      deviceVersion: 'Charge 6',
      batteryLevel: 64,
      batteryStatus: 'Medium',
      lastSyncTime: timeText(googleUntil(calendar, now)),
      macAddress: '0A1B2C3D4E5F',
      features: ['HEART_RATE', 'SLEEP', 'GPS'],
    },
    {
      name: `users/me/pairedDevices/${calendar.person.seed + 1}`,
      deviceType: 'SCALE',
      deviceVersion: 'Aria Air',
      batteryLevel: 90,
      batteryStatus: 'High',
    },
  ],
})
