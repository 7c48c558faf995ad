import { DAY_MS } from '@salus/contracts/time-units'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Refusals, sendJson } from '../answers.ts'
import type { Fault } from '../faults.ts'
import type { Grants } from '../oauth/grants.ts'
import type { Calendar, Span } from '../people/days.ts'
import { dayOfDate } from '../people/local-time.ts'
import { seedOf, uuidAt } from '../people/noise.ts'
import { RateLimit } from '../rate-limits.ts'
import type { VendorContext } from '../vendor.ts'
import { DAILY, heartRateStep, heartRateText, ouraUntil, PAST_DAYS } from './collections.ts'
import { dayOfRecord, type OuraCollection } from './record-id.ts'
import { ringOn, ringRecord } from './records.ts'

/** Number of records on a page: of samples for `heartrate`, and of days for all others. */
const SAMPLES_A_PAGE = 10_000
const DAYS_A_PAGE = 30
const MOST_HEART_RATE_DAYS = 30

function refuse(reply: FastifyReply, status: number, title: string, detail: string): FastifyReply {
  return reply.status(status).send({ status, title, detail })
}

const REFUSALS: Refusals = {
  rateLimited: (reply, seconds) =>
    refuse(
      reply
        .header('retry-after', seconds)
        .header('x-ratelimit-limit', 5000)
        .header('x-ratelimit-remaining', 0)
        .header('x-ratelimit-reset', seconds),
      429,
      'Too Many Requests',
      'Request rate limit exceeded.',
    ),
  failed: (reply, status) => refuse(reply, status, 'Server Error', 'Something went wrong.'),
  unauthorized: (reply) =>
    refuse(reply, 401, 'Unauthorized', 'The access token is expired, malformed or revoked.'),
}

/** Answers wrong parameters as the provider's framework does. */
function refuseQuery(reply: FastifyReply, name: string, message: string): FastifyReply {
  const detail = [{ loc: ['query', name], msg: message, type: 'value_error' }]
  return reply.status(422).send({ detail })
}

interface Asker {
  account: string
  calendar: Calendar
  scopes: readonly string[]
  faults: readonly Fault[]
  now: number
}

export class OuraApi {
  readonly #context: VendorContext
  readonly #grants: Grants
  readonly #limit = new RateLimit(5000, 300)

  constructor(context: VendorContext, grants: Grants) {
    this.#context = context
    this.#grants = grants
  }

  /** Returns the caller, or undefined when the request was already answered. */
  async ask(
    request: FastifyRequest,
    reply: FastifyReply,
    collection: string,
    scopes: readonly string[],
  ): Promise<Asker | undefined> {
    const [kind = '', token = ''] = (request.headers.authorization ?? '').split(' ')
    const { faults, clock, calendarOf } = this.#context
    const found =
      kind.toLowerCase() === 'bearer'
        ? await this.#grants.check(token, (account) => faults.keysOf(account))
        : undefined
    if (found === undefined) {
      REFUSALS.unauthorized(reply)
      return undefined
    }
    const { account, grant, rows } = found
    const now = clock.now().getTime()
    const allowance = this.#limit.take(grant.clientId, now)
    if (!allowance.isAllowed) {
      REFUSALS.rateLimited(reply, allowance.resetSeconds)
      return undefined
    }
    if (!grant.scopes.some((scope) => scopes.includes(scope))) {
      refuse(reply, 401, 'Unauthorized', `The token has no scope for ${collection}.`)
      return undefined
    }
    const befalling = await faults.find(account, 'data', collection, rows)
    return { account, calendar: calendarOf(account), scopes: grant.scopes, faults: befalling, now }
  }

  async personalInfo(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const scopes = ['personal', 'email', 'daily']
    const asker = await this.ask(request, reply, 'personal_info', scopes)
    if (asker === undefined) return reply
    const info = personalInfo(asker.account, asker.calendar)
    const shown = asker.scopes.includes('personal') ? info : { id: info.id }
    const email = asker.scopes.includes('email') ? info.email : null
    return sendJson(reply, asker.faults, REFUSALS, () => JSON.stringify({ ...shown, email }))
  }

  async heartRate(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const asker = await this.ask(request, reply, 'heartrate', ['heartrate'])
    if (asker === undefined) return reply
    const { calendar, now, faults } = asker
    const query = request.query as Record<string, string | undefined>
    const to = query.end_datetime === undefined ? now : Date.parse(query.end_datetime)
    const from = query.start_datetime === undefined ? to - DAY_MS : Date.parse(query.start_datetime)
    if (Number.isNaN(from)) return refuseQuery(reply, 'start_datetime', 'invalid datetime format')
    if (Number.isNaN(to)) return refuseQuery(reply, 'end_datetime', 'invalid datetime format')
    if (from > to) return refuse(reply, 400, 'Bad Request', 'Start time is greater than end time.')
    if (to - from > MOST_HEART_RATE_DAYS * DAY_MS) {
      return refuse(reply, 400, 'Bad Request', 'The range is longer than 30 days.')
    }
    const cursor = readCursor(query.next_token, from)
    if (cursor === undefined) return refuseQuery(reply, 'next_token', 'invalid token')
    const span = withinPast(
      { from: cursor.from, to: Math.min(to, ouraUntil(calendar, now) + 1) },
      now,
    )
    const end = Math.min(span.to, cursor.from + SAMPLES_A_PAGE * heartRateStep(calendar))
    const next = nextCursor(cursor, faults, end < span.to ? end : undefined)
    return sendJson(reply, faults, REFUSALS, () => {
      const { text } = heartRateText(calendar, { from: span.from, to: end })
      return `{"data":[${text}],"next_token":${next}}`
    })
  }

  async daily(
    request: FastifyRequest,
    reply: FastifyReply,
    name: OuraCollection,
  ): Promise<FastifyReply> {
    const asker = await this.ask(request, reply, name, DAILY[name].scopes)
    if (asker === undefined) return reply
    const { calendar, now, faults } = asker
    const query = request.query as Record<string, string | undefined>
    const today = calendar.dayAt(now).number
    const to = query.end_date === undefined ? today : dayOfDate(query.end_date)
    if (to === undefined) return refuseQuery(reply, 'end_date', 'invalid date format')
    const from = query.start_date === undefined ? to - 1 : dayOfDate(query.start_date)
    if (from === undefined) return refuseQuery(reply, 'start_date', 'invalid date format')
    if (from > to) return refuse(reply, 400, 'Bad Request', 'Start date is greater than end date.')
    const cursor = readCursor(query.next_token, Math.max(from, today - PAST_DAYS))
    if (cursor === undefined) return refuseQuery(reply, 'next_token', 'invalid token')
    const last = Math.min(to, today)
    const end = Math.min(last, cursor.from + DAYS_A_PAGE - 1)
    const next = nextCursor(cursor, faults, end < last ? end + 1 : undefined)
    return sendJson(reply, faults, REFUSALS, () => {
      const records =
        name === 'ring_configuration' && query.start_date === undefined
          ? ringsOf(calendar, now)
          : dailyRecords(calendar, name, { from: cursor.from, to: end }, now)
      return `{"data":${JSON.stringify(records)},"next_token":${next}}`
    })
  }

  async document(
    request: FastifyRequest,
    reply: FastifyReply,
    name: OuraCollection,
  ): Promise<FastifyReply> {
    const asker = await this.ask(request, reply, name, DAILY[name].scopes)
    if (asker === undefined) return reply
    const { calendar, now, faults } = asker
    const { id } = request.params as { id: string }
    const day = dayOfRecord(id)
    const records = day === undefined ? [] : documentsAt(calendar, name, day, now)
    const record = records.find((one) => (one as { id: string }).id === id)
    if (record === undefined) return refuse(reply, 404, 'Not Found', 'There is no such document.')
    return sendJson(reply, faults, REFUSALS, () => JSON.stringify(record))
  }
}

/** Returns the rings of a person, the present one last. */
export function ringsOf(calendar: Calendar, now: number): object[] {
  const ring = ringOn(calendar, calendar.dayAt(now).number)
  return [ringRecord(calendar, ring - 1), ringRecord(calendar, ring)]
}

/** Returns documents that an id may name: for rings it contains the number of the ring. */
function documentsAt(calendar: Calendar, name: OuraCollection, day: number, now: number): object[] {
  if (name !== 'ring_configuration')
    return dailyRecords(calendar, name, { from: day, to: day }, now)
  return day <= ringOn(calendar, calendar.dayAt(now).number) ? [ringRecord(calendar, day)] : []
}

/** @param days Both inclusive. */
export function dailyRecords(
  calendar: Calendar,
  name: OuraCollection,
  days: Span,
  now: number,
): object[] {
  const until = ouraUntil(calendar, now)
  const first = Math.max(days.from, calendar.dayAt(now).number - PAST_DAYS)
  const records: object[] = []
  for (let day = first; day <= days.to; day++) {
    records.push(...DAILY[name].records(calendar, day, until))
  }
  return records
}

export const withinPast = ({ from, to }: Span, now: number): Span => ({
  from: Math.max(from, now - PAST_DAYS * DAY_MS),
  to,
})

interface Cursor {
  from: number
  /** Whether a fault already served the page once. */
  isAgain: boolean
}

function readCursor(token: string | undefined, from: number): Cursor | undefined {
  if (token === undefined || token === '') return { from, isAgain: false }
  const [, position, again] = /^(\d+)(r?)$/.exec(Buffer.from(token, 'base64url').toString()) ?? []
  return position === undefined ? undefined : { from: Number(position), isAgain: again === 'r' }
}

/** As JSON. */
function nextCursor(cursor: Cursor, faults: readonly Fault[], next: number | undefined): string {
  const repeats = !cursor.isAgain && faults.some(({ kind }) => kind === 'duplicate_pages')
  const position = repeats ? `${cursor.from}r` : next
  if (position === undefined) return 'null'
  return `"${Buffer.from(String(position)).toString('base64url')}"`
}

/** Returns the provider's id of an account. */
export const accountIdOf = (account: string): string => uuidAt(seedOf(`oura id/${account}`), 0)

function personalInfo(account: string, { person }: Calendar) {
  return {
    id: accountIdOf(account),
    age: person.age,
    weight: person.weightKilograms,
    height: person.heightMeters,
    biological_sex: person.sex,
    email: account.includes('@') ? account : `${encodeURIComponent(account)}@example.com`,
  }
}
