import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { EmulatorClock } from './partner-emulator.ts'

/** Credentials that the emulator knows. */
const CLIENT = { client_id: 'sandbox', client_secret: 'sandbox-secret' }
const TOKEN_S = 8 * 3600
const HOUR_MS = 3600 * 1000

/** Steps of a parcel by the hours since it was first looked up. */
const STEPS = [
  { hours: 0, category: 'Pre-Shipment', event: 'Shipping Label Created', code: 'GX' },
  { hours: 6, category: 'In Transit', event: 'Arrived at USPS Facility', code: '10' },
  { hours: 48, category: 'Out for Delivery', event: 'Out for Delivery', code: 'OF' },
  { hours: 54, category: 'Delivered', event: 'Delivered, Front Door/Porch', code: '01' },
] as const

/** Other ends, by the last digit of the number, after the parcel was in transit for a day. */
const ENDS: Readonly<Record<string, { category: string; event: string; code: string }>> = {
  '7': { category: 'Alert', event: 'Insufficient Address', code: '22' },
  '8': { category: 'Delivery Attempt', event: 'Notice Left', code: '02' },
}
const END_HOURS = 30

/**
 * Tracking of USPS, version 3. A parcel begins its way when it is first looked up; the last digit
 * of its number chooses its end: 7 is not deliverable, 8 waits for the recipient, 9 is unknown.
 */
export function registerUsps(app: FastifyInstance, clock: EmulatorClock): void {
  const tokens = new Map<string, number>()
  const parcels = new Map<string, number>()
  const now = () => clock.now().getTime()

  app.post('/oauth2/v3/token', (request, reply) => {
    const { grant_type: grant, ...client } = request.body as Record<string, string>
    const isKnown = Object.entries(CLIENT).every(([name, value]) => client[name] === value)
    if (grant !== 'client_credentials' || !isKnown) {
      return reply.status(400).send({ error: 'invalid_client' })
    }
    const token = randomUUID()
    tokens.set(token, now() + TOKEN_S * 1000)
    return reply.send({ access_token: token, token_type: 'Bearer', expires_in: TOKEN_S })
  })

  app.get('/tracking/v3/tracking/:number', (request, reply) => {
    const token = (request.headers.authorization ?? '').replace(/^Bearer /, '')
    if ((tokens.get(token) ?? 0) <= now()) {
      return reply.status(401).send({ error: { code: '401', message: 'Invalid token' } })
    }
    const { number } = request.params as { number: string }
    if (number.endsWith('9')) {
      return reply.status(404).send({ error: { code: '404', message: 'Not found' } })
    }
    const since = parcels.get(number) ?? now()
    parcels.set(number, since)
    return reply.send(answerAbout(number, since, now()))
  })
}

function answerAbout(number: string, since: number, now: number): object {
  const hours = (now - since) / HOUR_MS
  const end = ENDS[number.slice(-1)]
  const done: { hours: number; category: string; event: string; code: string }[] = STEPS.filter(
    (step) => step.hours <= hours && (end === undefined || step.hours < END_HOURS),
  )
  if (end !== undefined && hours >= END_HOURS) done.push({ ...end, hours: END_HOURS })
  const last = done.at(-1)
  return {
    trackingNumber: number,
    mailClass: 'USPS Ground Advantage',
    statusCategory: last?.category,
    status: last?.event,
    statusSummary: `${last?.event}.`,
    trackingEvents: done.toReversed().map((step) => ({
      eventType: step.event,
      eventCode: step.code,
      GMTTimestamp: new Date(since + step.hours * HOUR_MS).toISOString(),
      eventTimestamp: new Date(since + step.hours * HOUR_MS).toISOString().slice(0, 19),
      eventCity: 'PHOENIX',
      eventState: 'AZ',
      eventZIP: '85004',
    })),
  }
}
