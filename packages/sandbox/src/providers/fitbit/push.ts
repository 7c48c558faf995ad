import { createHmac } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { changesBetween, disturb } from '../changes.ts'
import { Grants } from '../oauth/grants.ts'
import type { Calendar, Span } from '../people/days.ts'
import { dateText, localText } from '../people/local-time.ts'
import { listPushAddresses, type PushAddress } from '../push-addresses.ts'
import { keyOf } from '../state/state.ts'
import type { VendorContext } from '../vendor.ts'
import { daySummary } from './days.ts'
import { daysOf, type FitbitApi } from './fitbit-api.ts'
import { accountIdOf, dayAt, fitbitUntil } from './frame.ts'
import { foodsOn } from './logs.ts'

/** Kinds of messages, each with the scope of its data; the last one is about an ended access. */
const KINDS: Readonly<Record<string, string>> = {
  activities: 'activity',
  body: 'weight',
  foods: 'nutrition',
  sleep: 'sleep',
  userRevokedAccess: 'profile',
}
const TIMEOUT_MS = 5_000

interface Subscription {
  readonly clientId: string
  readonly account: string
  readonly kind: string
  readonly id: string
}

const PREFIX = ['fitbit-subscription']
const keyOfSubscription = ({ account, clientId, kind }: Omit<Subscription, 'id'>): string =>
  keyOf(...PREFIX, account, clientId, kind)

/** Registers subscriptions, which an app makes with the token of a person. */
export function registerSubscriptions(
  app: FastifyInstance,
  { state }: VendorContext,
  api: FitbitApi,
): void {
  for (const [kind, scope] of Object.entries(KINDS)) {
    app.post(`/api/1/user/-/${kind}/apiSubscriptions/:id.json`, async (request, reply) => {
      const asked = await api.ask(request, reply, 'apiSubscriptions', scope)
      if (asked === undefined) return reply
      const { id } = request.params as { id: string }
      const wanted = { account: asked.account, clientId: asked.clientId, kind, id }
      let status = 201
      await state.update<Subscription>(keyOfSubscription(wanted), (known) => {
        if (known !== undefined) status = known.id === id ? 200 : 409
        return known ?? wanted
      })
      const ownerId = accountIdOf(asked.account)
      const shown = {
        collectionType: kind,
        ownerId,
        ownerType: 'user',
        subscriberId: '1',
        subscriptionId: id,
      }
      return reply.status(status).send(shown)
    })
  }
}

async function subscriptionsOf(
  { state }: VendorContext,
  account?: string,
): Promise<Subscription[]> {
  const found: Subscription[] = []
  const prefix = keyOf(...PREFIX, ...(account === undefined ? [] : [account]), '')
  for await (const { value } of state.list(prefix)) found.push(value as Subscription)
  return found
}

/** Yields accounts that an app with an address subscribed to. */
export async function* listSubscribedAccounts(context: VendorContext): AsyncGenerator<string> {
  const apps = new Set((await listPushAddresses(context)).map(({ clientId }) => clientId))
  if (apps.size === 0) return
  const all = (await subscriptionsOf(context)).filter(({ clientId }) => apps.has(clientId))
  yield* new Set(all.map(({ account }) => account))
}

/** What the vendor has of a day, by kind of messages. */
function servedOn(calendar: Calendar, kind: string, day: number, until: number, now: number) {
  const records: Readonly<Record<string, () => unknown>> = {
    activities: () => daySummary(calendar, day, until),
    body: () => daysOf('weight', calendar, day, day, until),
    foods: () => foodsOn(calendar, day, now),
    sleep: () => daysOf('sleep', calendar, day, day, until),
  }
  return { id: day, value: records[kind]?.() }
}

interface Message {
  readonly collectionType: string
  readonly date: string
}

function messagesOf(calendar: Calendar, span: Span): Message[] {
  const [before, until] = [fitbitUntil(calendar, span.from), fitbitUntil(calendar, span.to)]
  const [first, last] = [dayAt(calendar, before) - 1, dayAt(calendar, span.to)]
  const days = Array.from({ length: last - first + 1 }, (_, position) => first + position)
  return Object.keys(KINDS).flatMap((kind) => {
    const at = (synced: number, now: number) =>
      days.map((day) => servedOn(calendar, kind, day, synced, now))
    return changesBetween(at(before, span.from), at(until, span.to)).map(({ id }) => ({
      collectionType: kind,
      date: dateText(Number(id)),
    }))
  })
}

/** @returns how many messages were accepted */
export async function pushFitbit(
  context: VendorContext,
  account: string,
  span: Span,
): Promise<number> {
  const subscriptions = await subscriptionsOf(context, account)
  const messages = messagesOf(context.calendarOf(account), span)
  const disturbed = disturb(messages, await context.faults.find(account, 'push'))
  let sent = 0
  for (const address of await listPushAddresses(context)) {
    const own = subscriptions.filter(({ clientId }) => clientId === address.clientId)
    const wanted = disturbed.flatMap((message) =>
      own
        .filter(({ kind }) => kind === message.collectionType)
        .map(({ id }) => ({ ...message, ...ownerOf(account), subscriptionId: id })),
    )
    // The vendor collects the messages of a moment.
    if (wanted.length > 0 && (await send(context, address, wanted))) sent += wanted.length
  }
  return sent
}

const ownerOf = (account: string) => ({ ownerId: accountIdOf(account), ownerType: 'user' })

/** Ends all grants of a person, and sends a message to each app that subscribed. */
export async function revokeAccess(context: VendorContext, account: string): Promise<void> {
  await new Grants(context, { accessSeconds: 0 }).revokeAll(account)
  const subscriptions = await subscriptionsOf(context, account)
  for (const address of await listPushAddresses(context)) {
    const own = subscriptions.filter(({ clientId }) => clientId === address.clientId)
    const ends = own.filter(({ kind }) => kind === 'userRevokedAccess')
    const date = localText(context.clock.now().getTime(), 0).slice(0, 10)
    const messages = ends.map(({ id }) => ({
      collectionType: 'userRevokedAccess',
      date,
      ...ownerOf(account),
      subscriptionId: id,
    }))
    if (messages.length > 0) await send(context, address, messages)
  }
  for (const subscription of subscriptions) {
    await context.state.remove(keyOfSubscription(subscription))
  }
}

async function send(
  context: VendorContext,
  { callbackUrl, clientSecret }: PushAddress,
  messages: readonly object[],
): Promise<boolean> {
  const body = JSON.stringify(messages)
  const signature = createHmac('sha1', `${clientSecret}&`).update(body).digest('base64')
  try {
    const answer = await context.fetch(callbackUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-fitbit-signature': signature },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await answer.arrayBuffer()
    return answer.status === 204
  } catch {
    return false
  }
}
