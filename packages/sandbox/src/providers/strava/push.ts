import { createHmac, randomBytes } from 'node:crypto'
import { DAY_MS } from '@salus/contracts/time-units'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { changesBetween, disturb, type RecordChange } from '../changes.ts'
import { Grants } from '../oauth/grants.ts'
import { isKnownClient } from '../oauth/token.ts'
import type { Calendar, Span } from '../people/days.ts'
import { seedOf } from '../people/noise.ts'
import { keyOf } from '../state/state.ts'
import type { VendorContext } from '../vendor.ts'
import { activitiesIn, athleteIdOf } from './activities.ts'
import { isVisible, refuse } from './strava-api.ts'

interface Subscription {
  id: number
  callback_url: string
  clientId: string
  clientSecret: string
}

const PREFIX = 'strava-subscription'
const PATH = '/api/api/v3/push_subscriptions'
const TIMEOUT_MS = 2000
/** Activities change no later than this after they begin. */
const CHANGES_WITHIN_MS = 6 * DAY_MS

const subscriptionKey = (clientId: string): string => keyOf(PREFIX, clientId)

const subscriptionOf = (context: VendorContext, clientId: string) =>
  context.state.get<Subscription>(subscriptionKey(clientId))

/** Registers the endpoints with which an app subscribes; it has one subscription. */
export function registerSubscriptions(app: FastifyInstance, context: VendorContext): void {
  type Form = Record<string, string | undefined>
  const route = (
    act: (form: Form, reply: FastifyReply, request: FastifyRequest) => Promise<FastifyReply>,
  ) => {
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const form = { ...(request.query as Form), ...((request.body ?? {}) as Form) }
      const client = { id: form.client_id ?? '', secret: form.client_secret ?? '' }
      if (isKnownClient(context, client)) return act(form, reply, request)
      return refuse(reply, 401, 'Authorization Error', ['Application', 'client_id', 'invalid'])
    }
  }
  app.get(
    PATH,
    route(async ({ client_id = '' }, reply) => {
      const known = await subscriptionOf(context, client_id)
      const { id, callback_url } = known ?? {}
      return reply.send(known === undefined ? [] : [{ id, resource_state: 2, callback_url }])
    }),
  )
  app.post(
    PATH,
    route(
      async (
        { client_id = '', client_secret = '', callback_url = '', verify_token = '' },
        reply,
      ) => {
        if ((await subscriptionOf(context, client_id)) !== undefined) {
          return refuse(reply, 400, 'Bad Request', ['PushSubscription', 'null', 'already exists'])
        }
        if (!(await isTheirs(context, callback_url, verify_token))) {
          const field = 'callback url'
          return refuse(reply, 400, 'Bad Request', [
            'PushSubscription',
            field,
            'GET to callback URL does not return 200',
          ])
        }
        const id = 100_000 + (seedOf(callback_url) % 900_000)
        const made: Subscription = {
          id,
          callback_url,
          clientId: client_id,
          clientSecret: client_secret,
        }
        await context.state.update<Subscription>(subscriptionKey(client_id), () => made)
        return reply.status(201).send({ id })
      },
    ),
  )
  app.delete(
    `${PATH}/:id`,
    route(async ({ client_id = '' }, reply, request) => {
      const known = await subscriptionOf(context, client_id)
      if (String(known?.id) !== (request.params as { id: string }).id) {
        return refuse(reply, 404, 'Record Not Found', ['PushSubscription', 'id', 'invalid'])
      }
      await context.state.remove(subscriptionKey(client_id))
      return reply.status(204).send()
    }),
  )
}

/** Sends a challenge to an address, to check that it wants messages. */
async function isTheirs(
  context: VendorContext,
  callbackUrl: string,
  token: string,
): Promise<boolean> {
  if (!URL.canParse(callbackUrl)) return false
  const url = new URL(callbackUrl)
  const challenge = randomBytes(8).toString('hex')
  url.searchParams.set('hub.mode', 'subscribe')
  url.searchParams.set('hub.challenge', challenge)
  url.searchParams.set('hub.verify_token', token)
  try {
    const answer = await context.fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const body = (await answer.json()) as Record<string, unknown>
    return answer.ok && body['hub.challenge'] === challenge
  } catch {
    return false
  }
}

/** Yields accounts that an app with a subscription may see. */
export async function* listSubscribedAccounts(context: VendorContext): AsyncGenerator<string> {
  let last: string | undefined
  // The grants of an account are consecutive.
  for await (const { account, grant } of new Grants(context, { accessSeconds: 0 }).list()) {
    if (account === last || (await subscriptionOf(context, grant.clientId)) === undefined) continue
    last = account
    yield account
  }
}

/** Returns the scopes that an account granted, by app. */
async function grantsOf(context: VendorContext, account: string): Promise<Map<string, string[]>> {
  const scopesOf = new Map<string, string[]>()
  for await (const { grant } of new Grants(context, { accessSeconds: 0 }).list(account)) {
    scopesOf.set(grant.clientId, [...(scopesOf.get(grant.clientId) ?? []), ...grant.scopes])
  }
  return scopesOf
}

/** An activity that an app may no longer see is deleted for it. */
function changesFor(calendar: Calendar, span: Span, scopes: readonly string[]): RecordChange[] {
  const at = (now: number) =>
    activitiesIn(calendar, { from: span.from - CHANGES_WITHIN_MS, to: span.to }, now)
      .filter((one) => isVisible(one, scopes))
      .map(({ id, isPrivate, isRenamed }) => ({ id, isPrivate, isRenamed }))
  return changesBetween(at(span.from), at(span.to))
}

const ASPECTS = { created: 'create', updated: 'update', deleted: 'delete' } as const

/**
 * Sends messages about an account to every subscribed app that may see it.
 * @returns how many were accepted
 */
export async function pushStrava(
  context: VendorContext,
  account: string,
  span: Span,
): Promise<number> {
  const calendar = context.calendarOf(account)
  const faults = await context.faults.find(account, 'push')
  let sent = 0
  for (const [clientId, scopes] of await grantsOf(context, account)) {
    const subscription = await subscriptionOf(context, clientId)
    if (subscription === undefined) continue
    for (const { id, kind } of disturb(changesFor(calendar, span, scopes), faults)) {
      const message = {
        object_type: 'activity',
        object_id: Number(id),
        aspect_type: ASPECTS[kind],
        updates: kind === 'updated' ? { title: 'A good one' } : {},
      }
      if (await send(context, subscription, calendar, message)) sent += 1
    }
  }
  return sent
}

/** Ends all grants of an account, and sends the apps a message about it. */
export async function deauthorize(context: VendorContext, account: string): Promise<void> {
  const calendar = context.calendarOf(account)
  const apps = [...(await grantsOf(context, account)).keys()]
  await new Grants(context, { accessSeconds: 0 }).revokeAll(account)
  for (const clientId of apps) {
    const subscription = await subscriptionOf(context, clientId)
    if (subscription === undefined) continue
    await send(context, subscription, calendar, {
      object_type: 'athlete',
      object_id: athleteIdOf(calendar),
      aspect_type: 'update',
      updates: { authorized: 'false' },
    })
  }
}

/** Messages about people with the option `unsigned` have no signature. */
async function send(
  context: VendorContext,
  { id, callback_url, clientSecret }: Subscription,
  calendar: Calendar,
  message: object,
): Promise<boolean> {
  const time = Math.floor(context.clock.now().getTime() / 1000)
  const body = JSON.stringify({
    ...message,
    owner_id: athleteIdOf(calendar),
    subscription_id: id,
    event_time: time,
  })
  const signature = createHmac('sha256', clientSecret).update(`${time}.${body}`).digest('hex')
  const isSigned = !calendar.person.traits.has('unsigned')
  try {
    const answer = await context.fetch(callback_url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(isSigned && { 'x-strava-signature': `t=${time},v1=${signature}` }),
      },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}
