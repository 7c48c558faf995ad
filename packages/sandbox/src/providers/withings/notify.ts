import { DAY_MS } from '@salus/contracts/time-units'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Fault } from '../faults.ts'
import { Grants } from '../oauth/grants.ts'
import type { Calendar, Span } from '../people/days.ts'
import { dateText } from '../people/local-time.ts'
import { keyOf } from '../state/state.ts'
import type { VendorContext } from '../vendor.ts'
import { groupsOn } from './groups.ts'
import { seenSleeps } from './nights.ts'
import { type Fields, heartOn, secondsOf, watchUntil } from './records.ts'
import { type Ask, type Asker, type Form, refuse } from './withings-api.ts'

/** Messages about one person, of one kind, to one app. */
interface Subscription {
  account: string
  clientId: string
  appli: string
  callbackurl: string
  comment: string
}

const APPLIS = new Set(['1', '2', '4', '16', '44', '46', '50', '51', '54', '58'])
/** Scopes that a kind needs; others need that of metrics. */
const SCOPES: Readonly<Record<string, string>> = {
  16: 'user.activity',
  44: 'user.activity',
  46: 'user.info',
  50: 'user.sleepevents',
  51: 'user.sleepevents',
  54: 'user.activity',
}
const LIFETIME_MS = 400 * DAY_MS
/** The vendor waits no longer for an answer. */
const TIMEOUT_MS = 2_000

const keyOfSubscription = ({ account, clientId, appli }: Omit<Subscription, 'comment'>) =>
  keyOf('notify', 'withings', account, clientId, appli)

async function subscriptionsOf(
  { state }: VendorContext,
  account?: string,
): Promise<Subscription[]> {
  const parts = account === undefined ? [] : [account]
  const found: Subscription[] = []
  for await (const { value } of state.list(keyOf('notify', 'withings', ...parts, ''))) {
    found.push(value as Subscription)
  }
  return found
}

/** Registers the service by which apps subscribe to messages about a person. */
export function registerNotify(app: FastifyInstance, context: VendorContext, ask: Ask): void {
  app.post('/api/notify', async (request: FastifyRequest, reply: FastifyReply) => {
    const { action = '', appli = '' } = (request.body ?? {}) as Form
    const scope = SCOPES[appli] ?? (action === 'list' ? 'user.info' : 'user.metrics')
    const asked = await ask(request, reply, 'notify', scope)
    if (asked === undefined) return reply
    const body = await act(context, asked.asker, action)
    if (typeof body === 'number') return refuse(reply, body, 'Invalid Params')
    return reply.send({ status: 0, body })
  })
}

/** @returns the body of the answer, or a status */
async function act(
  context: VendorContext,
  { form, account, clientId }: Asker,
  action: string,
): Promise<Fields | number> {
  const { callbackurl = '', appli = '', comment = '' } = form
  const own = (await subscriptionsOf(context, account)).filter((one) => one.clientId === clientId)
  const same = own.find((one) => one.appli === appli && one.callbackurl === callbackurl)
  const put = async (one: Subscription): Promise<Fields | number> => {
    if (!APPLIS.has(one.appli)) return 503
    if (!(await answers(context, one.callbackurl))) return 293
    await context.state.update(keyOfSubscription(one), () => one, LIFETIME_MS)
    return {}
  }
  switch (action) {
    case 'list':
      return {
        profiles: own.map((one) => ({
          appli: Number(one.appli),
          callbackurl: one.callbackurl,
          expires: 2_147_483_647,
          comment: one.comment,
        })),
      }
    case 'subscribe':
      // An app has one address for each kind.
      if (own.some((one) => one.appli === appli && one.callbackurl !== callbackurl)) return 293
      return put({ account, clientId, appli, callbackurl, comment })
    case 'update':
      if (same === undefined) return 286
      return put({
        ...same,
        appli: form.new_appli ?? appli,
        callbackurl: form.new_callbackurl ?? callbackurl,
      })
    case 'get':
      return same === undefined ? 286 : { appli: Number(appli), callbackurl, comment: same.comment }
    case 'revoke':
      if (same === undefined) return 286
      await context.state.remove(keyOfSubscription(same))
      return {}
    default:
      return 2554
  }
}

/** Looks whether an address answers: with HEAD, then with an empty form. */
async function answers({ fetch }: VendorContext, callbackUrl: string): Promise<boolean> {
  if (!/^https?:/.test(callbackUrl) || !URL.canParse(callbackUrl)) return false
  try {
    for (const method of ['HEAD', 'POST']) {
      const answer = await fetch(callbackUrl, { method, signal: AbortSignal.timeout(TIMEOUT_MS) })
      await answer.arrayBuffer()
      if (answer.status !== 200) return false
    }
    return true
  } catch {
    return false
  }
}

/** A message without the person that it is about. */
export type Message = Readonly<Record<string, string>> & { readonly appli: string }

const timed = (appli: string, startdate: number, enddate = startdate): Message => ({
  appli,
  startdate: String(startdate),
  enddate: String(enddate),
})

const APPLI_OF: Readonly<Record<number, string>> = { 1: '1', 71: '2', 9: '4', 54: '4' }

/** Returns messages about what an account uploaded between two instants. */
function messagesOf(calendar: Calendar, { from, to }: Span): Message[] {
  const [before, until] = [watchUntil(calendar, from), watchUntil(calendar, to)]
  const isNew = (at: number): boolean => at > from && at <= to
  const messages: Message[] = []
  const first = calendar.dayAt(Math.min(from, before)).number
  for (let day = first; day <= calendar.dayAt(to).number; day++) {
    for (const { date, category, measures } of groupsOn(calendar, day, to)) {
      const [measure] = measures as { type: number }[]
      const appli = APPLI_OF[measure?.type ?? 0]
      if (category !== 1 || appli === undefined || !isNew((date as number) * 1000)) continue
      messages.push(timed(appli, date as number))
    }
    for (const sleep of seenSleeps(calendar, day, until)) {
      if (sleep.to > before) messages.push(timed('44', secondsOf(sleep.from), secondsOf(sleep.to)))
    }
    const heart = heartOn(calendar, day, until)
    const at = heart?.timestamp as number | undefined
    if (at !== undefined && at * 1000 > before) messages.push(timed('54', at))
  }
  if (until > before) {
    for (let day = calendar.dayAt(before).number; day <= calendar.dayAt(until).number; day++) {
      messages.push({ appli: '16', date: dateText(day) })
    }
  }
  return messages
}

/** Applies faults of pushes, in the order of the messages. */
function disturb(messages: readonly Message[], faults: readonly Fault[]): Message[] {
  const has = (kind: Fault['kind']): boolean => faults.some((fault) => fault.kind === kind)
  if (has('push_silent')) return []
  const twice = has('push_twice') ? messages.flatMap((one) => [one, one]) : [...messages]
  return has('push_shuffled') ? twice.reverse() : twice
}

/** Yields accounts about which messages were subscribed to. */
export async function* listSubscribedAccounts(context: VendorContext): AsyncGenerator<string> {
  const accounts = new Set((await subscriptionsOf(context)).map(({ account }) => account))
  yield* accounts
}

/** @returns how many messages were accepted */
export async function pushWithings(
  context: VendorContext,
  account: string,
  span: Span,
  userid: string,
): Promise<number> {
  const subscriptions = await subscriptionsOf(context, account)
  if (subscriptions.length === 0) return 0
  const messages = messagesOf(context.calendarOf(account), span)
  const disturbed = disturb(messages, await context.faults.find(account, 'push'))
  return sendAll(context, subscriptions, disturbed, userid)
}

async function sendAll(
  context: VendorContext,
  subscriptions: readonly Subscription[],
  messages: readonly Message[],
  userid: string,
): Promise<number> {
  let sent = 0
  for (const message of messages) {
    for (const { appli, callbackurl } of subscriptions) {
      if (appli !== message.appli) continue
      if (await send(context, callbackurl, { userid, ...message })) sent += 1
    }
  }
  return sent
}

/** A message is a form without a signature. */
async function send({ fetch }: VendorContext, url: string, form: Record<string, string>) {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}

/** The person ends the access of all apps: they get a last message. */
export async function unlink(
  context: VendorContext,
  account: string,
  userid: string,
): Promise<void> {
  await new Grants(context, { accessSeconds: 0 }).revokeAll(account)
  const subscriptions = await subscriptionsOf(context, account)
  await sendAll(context, subscriptions, [{ appli: '46', action: 'unlink' }], userid)
  for (const one of subscriptions) await context.state.remove(keyOfSubscription(one))
}
