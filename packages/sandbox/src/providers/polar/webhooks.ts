import { createHmac, randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { disturb } from '../changes.ts'
import { Grants } from '../oauth/grants.ts'
import { isKnownClient } from '../oauth/token.ts'
import type { Span } from '../people/days.ts'
import { dateText, utcText } from '../people/local-time.ts'
import { keyOf } from '../state/state.ts'
import type { VendorContext } from '../vendor.ts'
import { exerciseId, exercisesIn, nightOn, polarUntil, SLUG, userIdOf } from './frame.ts'
import { refuse, registrationKey } from './polar-api.ts'

interface Webhook {
  id: string
  events: string[]
  url: string
  active: boolean
  key: string
  clientId: string
}

const EVENTS = [
  'EXERCISE',
  'SLEEP',
  'CONTINUOUS_HEART_RATE',
  'SLEEP_WISE_CIRCADIAN_BEDTIME',
  'SLEEP_WISE_ALERTNESS',
  'ACTIVITY_SUMMARY',
  'PHYSICAL_INFORMATION',
]
const TIMEOUT_MS = 10_000
const BASE = 'https://www.polaraccesslink.com/v3'

const webhookKey = (clientId: string): string => keyOf('webhook', SLUG, clientId)

type Handler = (
  webhook: Webhook | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  clientId: string,
) => Promise<FastifyReply>

/** Registers the endpoints of the one webhook that an app may have. */
export function registerWebhooks(app: FastifyInstance, context: VendorContext): void {
  const { state } = context
  const store = (webhook: Webhook) =>
    state.update<Webhook>(webhookKey(webhook.clientId), () => webhook)
  const route = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, handle: Handler) =>
    app.route({
      method,
      url: `/api/v3/webhooks${path}`,
      async handler(request, reply) {
        const clientId = clientOf(context, request)
        if (clientId === undefined) return refuse(reply, 401, 'Unauthorized')
        const webhook = await state.get<Webhook>(webhookKey(clientId))
        return handle(webhook, request, reply, clientId)
      },
    })
  route('GET', '', async (webhook, _request, reply) =>
    webhook === undefined ? reply.status(204).send() : reply.send({ data: [shown(webhook)] }),
  )
  route('POST', '', async (webhook, request, reply, clientId) => {
    if (webhook !== undefined) return refuse(reply, 409, 'Webhook already exists')
    const wanted = wantedOf(request.body)
    if (wanted === undefined || !(await answersPing(context, wanted.url))) {
      return refuse(reply, 400, 'Webhook cannot be created')
    }
    const made = {
      id: randomUUID().slice(0, 8),
      ...wanted,
      active: true,
      key: randomUUID(),
      clientId,
    }
    await store(made)
    const { id, events, url, key } = made
    return reply.status(201).send({ data: { id, events, url, signature_secret_key: key } })
  })
  route('PATCH', '/:id', async (webhook, request, reply) => {
    if (webhook?.id !== idOf(request)) return refuse(reply, 404, 'Webhook not found')
    const wanted = wantedOf({ ...webhook, ...(request.body as object) })
    const isMoved = wanted !== undefined && wanted.url !== webhook.url
    if (wanted === undefined || (isMoved && !(await answersPing(context, wanted.url)))) {
      return refuse(reply, 400, 'Webhook cannot be updated')
    }
    await store({ ...webhook, ...wanted })
    return reply.send({ data: shown({ ...webhook, ...wanted }) })
  })
  route('DELETE', '/:id', async (webhook, request, reply, clientId) => {
    if (webhook?.id !== idOf(request)) return refuse(reply, 404, 'Webhook not found')
    await state.remove(webhookKey(clientId))
    return reply.status(204).send()
  })
  route('POST', '/activate', async (webhook, _request, reply) => {
    if (webhook === undefined) return reply.status(204).send()
    if (!(await answersPing(context, webhook.url))) return refuse(reply, 400, 'No answer')
    await store({ ...webhook, active: true })
    return reply.status(200).send()
  })
  route('POST', '/deactivate', async (webhook, _request, reply) => {
    if (webhook === undefined) return reply.status(204).send()
    await store({ ...webhook, active: false })
    return reply.status(200).send()
  })
}

const idOf = (request: FastifyRequest): string => (request.params as { id: string }).id

const shown = ({ id, events, url, active }: Webhook) => ({ id, events, url, active })

/** Returns the id of the app whose credential is sent by HTTP Basic. */
function clientOf(context: VendorContext, request: FastifyRequest): string | undefined {
  const [kind = '', text = ''] = (request.headers.authorization ?? '').split(' ')
  const [id = '', ...secret] = Buffer.from(text, 'base64').toString().split(':')
  const client = { id, secret: secret.join(':') }
  return kind.toLowerCase() === 'basic' && isKnownClient(context, client) ? id : undefined
}

function wantedOf(body: unknown): Pick<Webhook, 'events' | 'url'> | undefined {
  const { events, url } = (body ?? {}) as { events?: unknown; url?: unknown }
  if (!Array.isArray(events) || events.length === 0) return undefined
  if (!events.every((event) => EVENTS.includes(event))) return undefined
  return typeof url === 'string' && URL.canParse(url) ? { events, url } : undefined
}

/** Whether an address answers a ping with 200; the key of messages is not known there yet. */
async function answersPing(context: VendorContext, url: string): Promise<boolean> {
  const body = { timestamp: utcText(context.clock.now().getTime()), event: 'PING' }
  return post(context, url, JSON.stringify(body), { 'polar-webhook-event': 'PING' }, 200)
}

async function post(
  context: VendorContext,
  url: string,
  body: string,
  headers: Record<string, string>,
  status?: number,
): Promise<boolean> {
  try {
    const answer = await context.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await answer.arrayBuffer()
    return status === undefined ? answer.ok : answer.status === status
  } catch {
    return false
  }
}

async function webhooksOf({ state }: VendorContext): Promise<Webhook[]> {
  const found: Webhook[] = []
  for await (const { value } of state.list(`${keyOf('webhook', SLUG)}/`)) {
    found.push(value as Webhook)
  }
  return found
}

/** Yields accounts that an app with a webhook may see. */
export async function* listPushedAccounts(context: VendorContext): AsyncGenerator<string> {
  const clientIds = new Set((await webhooksOf(context)).map(({ clientId }) => clientId))
  if (clientIds.size === 0) return
  let last: string | undefined
  for await (const { account, grant } of new Grants(context, { accessSeconds: 0 }).list()) {
    if (account === last || !clientIds.has(grant.clientId)) continue
    last = account
    yield account
  }
}

type Message = Record<string, unknown> & { event: string }

/** Returns the messages about what the watch of an account uploaded in a span. */
function messagesOf(context: VendorContext, account: string, span: Span): Message[] {
  const calendar = context.calendarOf(account)
  const [before, until] = [polarUntil(calendar, span.from), polarUntil(calendar, span.to)]
  if (until <= before) return []
  const days = calendar.days({ from: before, to: until + 1 }).map(({ number }) => number)
  const exercises = exercisesIn(calendar, { from: before - 86_400_000, to: until }, until)
    .filter(({ exercise }) => exercise.to > before)
    .map(({ day }) => exerciseId(calendar, day))
  const nights = days.filter(
    (day) => nightOn(calendar, day, until) && !nightOn(calendar, day, before),
  )
  const ofDay = (event: string, path: string) => (day: number) => ({
    event,
    date: dateText(day),
    url: `${BASE}/users/${path}/${dateText(day)}`,
  })
  return [
    ...exercises.map((id) => ({
      event: 'EXERCISE',
      entity_id: id,
      url: `${BASE}/exercises/${id}`,
    })),
    // Sent twice at once.
    ...nights.flatMap((day) => [ofDay('SLEEP', 'sleep')(day), ofDay('SLEEP', 'sleep')(day)]),
    ...days.map(ofDay('CONTINUOUS_HEART_RATE', 'continuous-heart-rate')),
    ...days.map(ofDay('ACTIVITY_SUMMARY', 'activities')),
  ]
}

/**
 * Sends messages about an account to every app with a webhook that may see it.
 * @returns how many were accepted
 */
export async function pushPolar(
  context: VendorContext,
  account: string,
  span: Span,
): Promise<number> {
  const made = messagesOf(context, account, span)
  if (made.length === 0) return 0
  const messages = disturb(made, await context.faults.find(account, 'push'))
  let sent = 0
  for (const { events, url, active, key, clientId } of await webhooksOf(context)) {
    const isSeen = await context.state.get(registrationKey(account, clientId))
    if (!active || isSeen === undefined) continue
    for (const message of messages.filter(({ event }) => events.includes(event))) {
      const timestamp = utcText(span.to)
      const body = JSON.stringify({ ...message, user_id: userIdOf(account), timestamp })
      const signature = createHmac('sha256', key).update(body).digest('hex')
      const headers = {
        'polar-webhook-signature': signature,
        'polar-webhook-event': message.event,
      }
      if (await post(context, url, body, headers)) sent += 1
    }
  }
  return sent
}
