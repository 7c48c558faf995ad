import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Refusals, sendJson } from '../answers.ts'
import { isKnownClient } from '../oauth/token.ts'
import type { Calendar } from '../people/days.ts'
import {
  type DiaryEntry,
  type DiaryKind,
  diaryOf,
  diaryPage,
  GLUCOSE_KINDS,
} from '../people/diary.ts'
import { sensorAt } from '../people/glucose.ts'
import { localText, utcText } from '../people/local-time.ts'
import { deriveSeed, seedOf, uuidAt } from '../people/noise.ts'
import { RateLimit } from '../rate-limits.ts'
import { Sessions } from '../sessions.ts'
import { keyOf } from '../state/state.ts'
import type { Vendor, VendorContext } from '../vendor.ts'

const SLUG = 'freestyle_libre'

/** Countries with a LibreView. */
const REGIONS = new Set(
  'de fr br ar cl co mx us gb ca ie au nz nl at be bh ch cz dk eg es fi gr hr il it jo kw lb lu no om pl pt qa sa se si sk tr za in sg hk kr ph tw'.split(
    ' ',
  ),
)
const SESSION_MS = 12 * HOUR_MS
const MOST_RANGE_MS = 90 * DAY_MS
const MOST_RECORDS = 1000
const USUAL_RECORDS = 500
const CONSENT_MS = 400 * DAY_MS

/** A user who allowed a practice to see their data. */
interface Patient {
  account: string
  region: string
  /** Whether the user, or the practice, ended it. */
  isEnded: boolean
}

const COLLECTIONS: Record<string, ReadonlySet<DiaryKind>> = {
  glucose: GLUCOSE_KINDS,
  insulin: new Set(['insulin']),
  carbohydrates: new Set(['food']),
  notes: new Set(['note']),
}

const refuse = (reply: FastifyReply, status: number, code: string, message: string): FastifyReply =>
  reply.status(status).send({ error: { code, message } })

const REFUSALS: Refusals = {
  rateLimited: (reply, seconds) =>
    refuse(reply.header('retry-after', seconds), 429, 'rate_limited', 'Too many requests.'),
  failed: (reply, status) => refuse(reply, status, 'internal', 'Something went wrong.'),
  unauthorized: (reply) => refuse(reply, 401, 'session_expired', 'The session is over.'),
}

const patientIdOf = (account: string): string => uuidAt(seedOf(`practice patient/${account}`), 0)
const serialOf = ({ person: { seed } }: Calendar, number: number): string =>
  `0M${uuidAt(deriveSeed(seed, 820), number).slice(0, 7).toUpperCase()}`

/** People write addresses in upper or lower case. */
const accountOf = (email: string): string => email.trim().toLowerCase()

function recordOf(calendar: Calendar, entry: DiaryEntry): object {
  const { at, kind } = entry
  const frame = {
    id: uuidAt(deriveSeed(calendar.person.seed, 830 + kind.length), Math.floor(at / 1000)),
    recorded_at: localText(at, calendar.offsetAt(at)),
  }
  if (kind === 'insulin') return { ...frame, units: entry.units, kind: entry.type }
  if (kind === 'food') return { ...frame, grams: entry.grams }
  if (kind === 'note') return { ...frame, text: entry.text }
  const device = serialOf(calendar, sensorAt(calendar, at).number)
  return { ...frame, value: entry.value, unit: 'mg/dL', kind, device }
}

class PracticeApi {
  readonly #context: VendorContext
  readonly #sessions: Sessions
  readonly #limit = new RateLimit(600, 60)

  constructor(context: VendorContext) {
    this.#context = context
    this.#sessions = new Sessions(context, SESSION_MS)
  }

  #now(): number {
    return this.#context.clock.now().getTime()
  }

  #keyOf(patientId: string, clientId: string): string {
    return keyOf('patient', SLUG, patientId, clientId)
  }

  async signIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { client_id: id, client_secret: secret } = (request.body ?? {}) as Record<string, unknown>
    if (!isKnownClient(this.#context, { id: String(id ?? ''), secret: String(secret ?? '') })) {
      return refuse(reply, 401, 'invalid_client', 'The client, or its secret, is wrong.')
    }
    const { token, expiresAt } = await this.#sessions.open(String(id))
    const practice = { id: uuidAt(seedOf(`practice/${id}`), 0), name: `Practice ${id}` }
    return reply
      .status(201)
      .send({ session_token: token, expires_at: utcText(expiresAt), practice })
  }

  /** Returns the calling practice, or undefined when the request was already answered. */
  async #ask(
    request: FastifyRequest,
    reply: FastifyReply,
    keys: (clientId: string) => readonly string[] = () => [],
  ): Promise<{ clientId: string; rows: unknown[] } | undefined> {
    const token = /^bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const found = await this.#sessions.check(token, keys)
    if (found === undefined) {
      REFUSALS.unauthorized(reply)
      return undefined
    }
    const { isAllowed, resetSeconds } = this.#limit.take(found.account, this.#now())
    if (isAllowed) return { clientId: found.account, rows: found.rows }
    REFUSALS.rateLimited(reply, resetSeconds)
    return undefined
  }

  async invite(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const practice = await this.#ask(request, reply)
    if (practice === undefined) return reply
    const { email, region } = (request.body ?? {}) as Record<string, unknown>
    if (typeof email !== 'string' || !/^[^@\s]+@[^@\s]+$/.test(email) || email.length > 320) {
      return refuse(reply, 422, 'invalid_email', 'This is no e-mail address.')
    }
    const account = accountOf(email)
    const [name = ''] = account.split(/[+@]/)
    if (name === 'down') return refuse(reply, 503, 'unavailable', 'Try again later.')
    if (name === 'elsewhere' || !REGIONS.has(String(region))) {
      return refuse(reply, 422, 'unsupported_region', 'There is no LibreView in this region.')
    }
    if (name === 'unknown') {
      return refuse(reply, 404, 'account_not_found', 'No user has an account with this address.')
    }
    const id = uuidAt(seedOf(`invitation/${practice.clientId}/${account}`), 0)
    if (name === 'declined' || name === 'pending') {
      return reply.status(201).send({ invitation: { id, status: name } })
    }
    let isNew = false
    const accept = (known: Patient | undefined): Patient => {
      isNew = known === undefined || known.isEnded
      return { account, region: String(region), isEnded: false }
    }
    const patientId = patientIdOf(account)
    const key = this.#keyOf(patientId, practice.clientId)
    await this.#context.state.update<Patient>(key, accept, CONSENT_MS)
    const patient = { id: patientId, region }
    return reply.status(isNew ? 201 : 200).send({ invitation: { id, status: 'accepted' }, patient })
  }

  /**
   * Returns the requested patient of a practice, or undefined when the request was already
   * answered.
   */
  async #findPatient(request: FastifyRequest, reply: FastifyReply): Promise<Patient | undefined> {
    const { id } = request.params as { id: string }
    const practice = await this.#ask(request, reply, (clientId) => [this.#keyOf(id, clientId)])
    if (practice === undefined) return undefined
    const patient = practice.rows[0] as Patient | undefined
    if (patient?.isEnded === false) return patient
    if (patient === undefined) refuse(reply, 404, 'patient_not_found', 'There is no such patient.')
    else refuse(reply, 403, 'no_consent', 'The patient took their consent back.')
    return undefined
  }

  async patient(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const patient = await this.#findPatient(request, reply)
    if (patient === undefined) return reply
    const { account, region } = patient
    const { faults, calendarOf } = this.#context
    const befalling = await faults.find(account, 'data', 'patient')
    return sendJson(reply, befalling, REFUSALS, () => {
      const calendar = calendarOf(account)
      const { person } = calendar
      const { number } = sensorAt(calendar, this.#now())
      const devices = [number, number - 1].map((sensor) => ({
        serial: serialOf(calendar, sensor),
        model: 'FreeStyle Libre 3',
      }))
      const birth_year = new Date(this.#now()).getUTCFullYear() - person.age
      const profile = { sex: person.sex, birth_year, time_zone: person.homeZone, devices }
      return JSON.stringify({ id: patientIdOf(account), region, ...profile })
    })
  }

  async list(request: FastifyRequest, reply: FastifyReply, name: string): Promise<FastifyReply> {
    const patient = await this.#findPatient(request, reply)
    if (patient === undefined) return reply
    const { account } = patient
    const { faults, calendarOf } = this.#context
    const query = request.query as Record<string, string | undefined>
    const span = { from: Date.parse(query.from ?? ''), to: Date.parse(query.to ?? '') }
    if (!(span.from <= span.to && span.to - span.from <= MOST_RANGE_MS)) {
      return refuse(reply, 422, 'invalid_range', 'from and to span at most 90 days.')
    }
    const limit = Number(query.limit ?? USUAL_RECORDS)
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST_RECORDS) {
      return refuse(reply, 422, 'invalid_limit', 'limit is from 1 to 1000.')
    }
    const befalling = await faults.find(account, 'data', name)
    const repeats = befalling.some(({ kind }) => kind === 'duplicate_pages')
    const kinds = COLLECTIONS[name] ?? GLUCOSE_KINDS
    const calendar = calendarOf(account)
    const options = { kinds, limit, cursor: query.cursor, repeats }
    const page = diaryPage(calendar, span, this.#now(), options)
    if (page === undefined) return refuse(reply, 422, 'invalid_cursor', 'This is no cursor.')
    return sendJson(reply, befalling, REFUSALS, () => {
      const data = page.entries.map((entry) => recordOf(calendar, entry))
      return JSON.stringify({ data, next_cursor: page.cursor })
    })
  }

  async remove(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { id } = request.params as { id: string }
    const practice = await this.#ask(request, reply, (clientId) => [this.#keyOf(id, clientId)])
    if (practice === undefined) return reply
    await endConsent(this.#context, this.#keyOf(id, practice.clientId))
    return reply.status(204).send()
  }
}

async function endConsent({ state }: VendorContext, key: string): Promise<void> {
  const end = (patient: Patient | undefined) => patient && { ...patient, isEnded: true }
  await state.update<Patient>(key, end, CONSENT_MS)
}

function register(app: FastifyInstance, context: VendorContext): void {
  const api = new PracticeApi(context)
  app.post('/api/v1/sessions', (request, reply) => api.signIn(request, reply))
  app.post('/api/v1/invitations', (request, reply) => api.invite(request, reply))
  const patient = '/api/v1/patients/:id'
  app.get(patient, (request, reply) => api.patient(request, reply))
  app.delete(patient, (request, reply) => api.remove(request, reply))
  for (const name of Object.keys(COLLECTIONS)) {
    app.get(`${patient}/${name}`, (request, reply) => api.list(request, reply, name))
  }
}

/** A practice that sees the users who accept its invitation (docs/sandbox.md#freestyle_libre). */
export const freestyleLibre: Vendor = {
  slug: SLUG,
  name: 'FreeStyle Libre',
  register,
  truth: (calendar, span, now) =>
    Object.fromEntries(
      Object.entries(COLLECTIONS).map(([name, kinds]) => [
        name,
        diaryOf(calendar, span, now, kinds).map((entry) => recordOf(calendar, entry)),
      ]),
    ),
  accountOf,
  accountIdOf: (account) => patientIdOf(accountOf(account)),
  // Sessions belong to the practice, which has those of the usual app.
  expire: (context) => new Sessions(context, SESSION_MS).end('sandbox', false),
  async revoke(context, account) {
    const prefix = keyOf('patient', SLUG, patientIdOf(accountOf(account)), '')
    for await (const { key } of context.state.list(prefix)) await endConsent(context, key)
  },
}
