import { DAY_MS } from '@salus/contracts/time-units'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Refusals, sendJson } from '../answers.ts'
import type { Fault } from '../faults.ts'
import { pressuresOn, stripsOn, weighingOn } from '../people/body.ts'
import type { Calendar, Span } from '../people/days.ts'
import { localText } from '../people/local-time.ts'
import { deriveSeed, seedOf, uuidAt } from '../people/noise.ts'
import { Sessions } from '../sessions.ts'
import type { Vendor, VendorContext } from '../vendor.ts'

const SESSION_MS = 30 * DAY_MS
const PAGE_SIZE = 40
const MOST_RANGE_MS = 90 * DAY_MS
const PAST_DAYS = 400
const MILLIGRAMS_A_MILLIMOLE = 18.0182

type Fields = Record<string, unknown>

const accountIdOf = (account: string): string => uuidAt(seedOf(`beurer/${account}`), 0)

const refuse = (reply: FastifyReply, status: number, message: string): FastifyReply =>
  reply.status(status).send({ error: message })

const REFUSALS: Refusals = {
  rateLimited: (reply, seconds) =>
    refuse(reply.header('retry-after', seconds), 429, 'rate limited'),
  failed: (reply, status) => refuse(reply, status, 'server error'),
  unauthorized: (reply) => refuse(reply, 401, 'session expired'),
}

/** A measurement with its time, by which pages select. */
interface Measured {
  at: number
  values: Fields
}

/** Half of the meters show mmol/L. */
function stripsOf(calendar: Calendar, day: number): Measured[] {
  const isMolar = calendar.person.seed % 2 === 0
  return stripsOn(calendar, day).map(({ at, value }) => ({
    at,
    values: isMolar
      ? { value: Number((value / MILLIGRAMS_A_MILLIMOLE).toFixed(4)), unit: 'mmol/L' }
      : { value, unit: 'mg/dL' },
  }))
}

/** A scale without electrodes, on every fifth day, measures the weight only. */
function weighingsOf(calendar: Calendar, day: number): Measured[] {
  const weighing = weighingOn(calendar, day)
  if (weighing === undefined) return []
  const { at, kilograms, fatPercent, muscleKilograms, waterKilograms, boneKilograms } = weighing
  const only = (value: number): number => (day % 5 === 0 ? 0 : value)
  const percentOf = (mass: number): number => only(Number(((100 * mass) / kilograms).toFixed(1)))
  const values = {
    kilograms,
    bmi: Number((kilograms / calendar.person.heightMeters ** 2).toFixed(1)),
    fat_percent: only(fatPercent),
    muscle_percent: percentOf(muscleKilograms),
    water_percent: percentOf(waterKilograms),
    bone_kilograms: only(boneKilograms),
  }
  return [{ at, values }]
}

const KINDS: Readonly<Record<string, (calendar: Calendar, day: number) => Measured[]>> = {
  blood_pressure: (calendar, day) =>
    pressuresOn(calendar, day).map(({ at, systolic, diastolic, beats }) => ({
      at,
      values: { systolic, diastolic, pulse: beats },
    })),
  glucose: stripsOf,
  weight: weighingsOf,
}

/** Returns the measurements of a kind in a span, the oldest first. */
function measurementsIn(calendar: Calendar, kind: string, span: Span, now: number): Fields[] {
  const from = Math.max(span.from, now - PAST_DAYS * DAY_MS)
  const to = Math.min(span.to, now + 1)
  if (from >= to) return []
  const seed = deriveSeed(calendar.person.seed, seedOf(kind))
  return calendar
    .days({ from, to })
    .flatMap(({ number }) => KINDS[kind]?.(calendar, number) ?? [])
    .filter(({ at }) => at >= from && at < to)
    .map(({ at, values }) => ({
      id: uuidAt(seed, Math.floor(at / 1000)),
      measured_at: localText(at, calendar.offsetAt(at)),
      ...values,
    }))
}

const sessionsOf = (context: VendorContext): Sessions => new Sessions(context, SESSION_MS)

class BeurerApi {
  readonly #context: VendorContext
  readonly #sessions: Sessions

  constructor(context: VendorContext) {
    this.#context = context
    this.#sessions = sessionsOf(context)
  }

  async signIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { email, password } = (request.body ?? {}) as Fields
    const account = String(email ?? '').trim()
    const trouble = await this.#context.faults.find(account, 'token')
    const isDown = trouble.some(({ kind }) => kind === 'unavailable')
    const outcome = isDown ? 'down' : await this.#sessions.outcomeOf(account, String(password))
    if (outcome === 'down') return refuse(reply, 503, 'unavailable')
    if (outcome !== 'signed_in') return refuse(reply, 401, 'wrong email or password')
    const { token, expiresAt } = await this.#sessions.open(account)
    return reply.send({
      session_token: token,
      user_id: accountIdOf(account),
      expires_at: new Date(expiresAt).toISOString(),
    })
  }

  async list(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { faults, clock, calendarOf } = this.#context
    const { kind } = request.params as { kind: string }
    const [, token = ''] = (request.headers.authorization ?? '').split(' ')
    const found = await this.#sessions.check(token, (account) => faults.keysOf(account))
    if (found === undefined) return REFUSALS.unauthorized(reply)
    if (!Object.hasOwn(KINDS, kind)) return refuse(reply, 404, 'not found')
    const { account, rows } = found
    const query = request.query as Record<string, string | undefined>
    const [from, to] = [Date.parse(query.from ?? ''), Date.parse(query.to ?? '')]
    const [, position, again = ''] = /^p(\d+)(r?)$/.exec(query.cursor ?? 'p0') ?? []
    if (!(from <= to && to - from <= MOST_RANGE_MS) || position === undefined) {
      return refuse(reply, 422, 'invalid range or cursor')
    }
    const befalling: readonly Fault[] = await faults.find(account, 'data', kind, rows)
    const repeats = again === '' && befalling.some((fault) => fault.kind === 'duplicate_pages')
    const now = clock.now().getTime()
    return sendJson(reply, befalling, REFUSALS, () => {
      const all = measurementsIn(calendarOf(account), kind, { from, to }, now)
      const end = Number(position) + PAGE_SIZE
      const more = end < all.length ? `p${end}` : null
      const data = all.slice(Number(position), end)
      return JSON.stringify({ data, next_cursor: repeats ? `p${position}r` : more })
    })
  }
}

function register(app: FastifyInstance, context: VendorContext): void {
  const api = new BeurerApi(context)
  app.post('/api/v1/sessions', (request, reply) => api.signIn(request, reply))
  app.get('/api/v1/measurements/:kind', (request, reply) => api.list(request, reply))
}

/** Meters of Beurer, by an API of ours (docs/sandbox.md#beurer_api). */
export const beurer: Vendor = {
  slug: 'beurer_api',
  name: 'Beurer',
  register,
  truth: (calendar, span, now) =>
    Object.fromEntries(
      Object.keys(KINDS).map((kind) => [kind, measurementsIn(calendar, kind, span, now)]),
    ),
  accountIdOf,
  expire: (context, account) => sessionsOf(context).end(account, false),
  revoke: (context, account) => sessionsOf(context).end(account, true),
}
