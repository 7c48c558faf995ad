import { createHmac, randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { EmulatorClock } from './partner-emulator.ts'

/** Credentials that the emulator knows. */
export const GETLABS_CLIENT_ID = 'sandbox'
export const GETLABS_SECRET = 'sandbox-secret'

const TOKEN_S = 15 * 60
const DAY_MS = 24 * 3600 * 1000
/** Local hours at which visits start in Phoenix, where the offset is the same all year. */
const HOURS = [8, 10, 12, 14]
const PHOENIX_OFFSET_HOURS = 7
const NOT_SERVED = /^(00|99)/

interface EmulatedVisit {
  id: string
  patientId: string
  reference: string
  startAt: string
  endAt: string
  status: 'confirmed' | 'cancelled'
}

type Body = Record<string, unknown>

/**
 * Getlabs with the authentication of its public documentation; the fields of the rest are the
 * assumptions of its client. Each slot takes one visit; ZIP codes that begin with 00 or 99 are not
 * served.
 */
export function registerGetlabs(app: FastifyInstance, clock: EmulatorClock): void {
  const tokens = new Map<string, number>()
  const patients = new Map<string, string>()
  const visits: EmulatedVisit[] = []
  const now = () => clock.now().getTime()

  app.post('/v2/oauth/token', (request, reply) => {
    const { grant_type: grant, assertion = '' } = request.body as Record<string, string>
    const isGrant = grant === 'urn:ietf:params:oauth:grant-type:jwt-bearer'
    if (!isGrant || !isAssertion(assertion, now() / 1000)) {
      return reply.status(400).send({ error: 'invalid_grant' })
    }
    const token = randomUUID()
    tokens.set(token, now() + TOKEN_S * 1000)
    const refresh = randomUUID()
    return reply.send({ access_token: token, refresh_token: refresh, expires_in: TOKEN_S })
  })

  app.addHook('preHandler', async (request, reply) => {
    if (request.routeOptions.url?.endsWith('/oauth/token')) return undefined
    const token = (request.headers.authorization ?? '').replace(/^Bearer /, '')
    if ((tokens.get(token) ?? 0) > now()) return undefined
    return reply.status(401).send({ message: 'Unauthorized' })
  })

  app.get('/v2/availability', (request, reply) => {
    const query = request.query as Record<string, string>
    if (NOT_SERVED.test(query.zipCode ?? ''))
      return reply.status(404).send({ message: 'Not served' })
    const slots = listSlots(query.startDate ?? '', Number(query.days))
    return reply.send({ timeSlots: slots.filter(({ startAt }) => !isTaken(visits, startAt)) })
  })

  app.post('/v2/patient', (request, reply) => {
    const { email, dob } = request.body as Body
    const key = `${email} ${dob}`
    const id = patients.get(key) ?? randomUUID()
    patients.set(key, id)
    return reply.send({ id, ...(request.body as Body) })
  })

  app.get('/v2/appointment', (request, reply) => {
    const { reference } = request.query as Record<string, string>
    return reply.send({ appointments: visits.filter((visit) => visit.reference === reference) })
  })
  registerChanges(app, visits, patients)
}

function registerChanges(
  app: FastifyInstance,
  visits: EmulatedVisit[],
  patients: ReadonlyMap<string, string>,
): void {
  const find = (request: FastifyRequest) =>
    visits.find(({ id }) => id === (request.params as Record<string, string>).id)
  const notFound = (reply: FastifyReply) => reply.status(404).send({ message: 'Not found' })

  app.post('/v2/appointment', (request, reply) => {
    const { patientId, reference, startAt, endAt, address } = request.body as Record<string, string>
    if (![...patients.values()].includes(patientId ?? '')) return notFound(reply)
    const zip = String((address as unknown as Body | undefined)?.zipCode ?? '')
    if (NOT_SERVED.test(zip)) return reply.status(422).send({ message: 'Not served' })
    if (isTaken(visits, startAt)) return reply.status(409).send({ message: 'Taken' })
    const visit = { id: randomUUID(), patientId, reference, startAt, endAt, status: 'confirmed' }
    visits.push(visit as EmulatedVisit)
    return reply.status(201).send(visit)
  })

  app.patch('/v2/appointment/:id', (request, reply) => {
    const visit = find(request)
    const { startAt, endAt } = request.body as { startAt: string; endAt: string }
    if (visit === undefined) return notFound(reply)
    if (isTaken(visits, startAt)) return reply.status(409).send({ message: 'Taken' })
    return reply.send(Object.assign(visit, { startAt, endAt }))
  })

  app.post('/v2/appointment/:id/cancel', (request, reply) => {
    const visit = find(request)
    if (visit === undefined) return notFound(reply)
    return reply.send(Object.assign(visit, { status: 'cancelled' }))
  })
}

const isTaken = (visits: readonly EmulatedVisit[], startAt: string | undefined): boolean =>
  visits.some((visit) => visit.startAt === startAt && visit.status === 'confirmed')

function listSlots(startDate: string, days: number) {
  const first = Date.parse(`${startDate}T00:00:00Z`)
  if (Number.isNaN(first)) return []
  return Array.from({ length: days }, (_, day) => first + day * DAY_MS).flatMap((midnight) =>
    HOURS.map((hour) => {
      const start = midnight + (hour + PHOENIX_OFFSET_HOURS) * 3_600_000
      return {
        startAt: new Date(start).toISOString(),
        endAt: new Date(start + 2 * 3_600_000).toISOString(),
        price: hour === HOURS[0] ? 99.5 : 79,
        priority: hour === HOURS[0],
      }
    }),
  )
}

/** Checks a JWT: HS512 with the secret, the client, the audience and the time. */
function isAssertion(text: string, seconds: number): boolean {
  const [header = '', claims = '', signature] = text.split('.')
  const expected = createHmac('sha512', GETLABS_SECRET).update(`${header}.${claims}`)
  if (signature !== expected.digest('base64url')) return false
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Body
  const { sub, aud, exp } = read(claims)
  const isOurs = sub === GETLABS_CLIENT_ID && String(aud).endsWith('/oauth/token')
  return read(header).alg === 'HS512' && isOurs && Number(exp) > seconds
}
