import { createHmac } from 'node:crypto'
import type { Fault } from '../faults.ts'
import { type Grant, Grants } from '../oauth/grants.ts'
import type { Calendar, Span } from '../people/days.ts'
import { utcText } from '../people/local-time.ts'
import type { VendorContext } from '../vendor.ts'
import { DAILY, ouraUntil } from './collections.ts'
import { DATA_TYPES, PUSH_TIMEOUT_MS, type Subscription, subscriptionsOf } from './subscriptions.ts'

interface Changed {
  event_type: 'create' | 'update'
  data_type: string
  object_id: string
}

/** Returns the data that the ring of an account uploaded between two instants. */
function changesOf(calendar: Calendar, before: number, until: number): Changed[] {
  const [first, last] = [calendar.dayAt(before).number, calendar.dayAt(until).number]
  const changed: Changed[] = []
  for (const [dataType, name] of DATA_TYPES) {
    const { records, grows = false } = DAILY[name]
    for (let day = first; day <= last; day++) {
      const known = new Set(records(calendar, day, before).map(idOf))
      for (const id of records(calendar, day, until).map(idOf)) {
        if (known.has(id) && !grows) continue
        const event_type = known.has(id) ? 'update' : 'create'
        changed.push({ event_type, data_type: dataType, object_id: id })
      }
    }
  }
  return changed
}

const idOf = (record: object): string => (record as { id: string }).id

/** Applies faults of pushes, in the order of the messages. */
function disturb(changed: readonly Changed[], faults: readonly Fault[]): Changed[] {
  const has = (kind: Fault['kind']): boolean => faults.some((fault) => fault.kind === kind)
  if (has('push_silent')) return []
  const twice = has('push_twice') ? changed.flatMap((one) => [one, one]) : [...changed]
  return has('push_shuffled') ? twice.reverse() : twice
}

/** Yields accounts that an app with a subscription may see. */
export async function* listSubscribedAccounts(context: VendorContext): AsyncGenerator<string> {
  const clientIds = new Set((await subscriptionsOf(context)).map(({ clientId }) => clientId))
  if (clientIds.size === 0) return
  let last: string | undefined
  // The grants of an account are consecutive.
  for await (const { account, grant } of new Grants(context, { accessSeconds: 0 }).list()) {
    if (account === last || !clientIds.has(grant.clientId)) continue
    last = account
    yield account
  }
}

/**
 * Notifies every subscribed app that may see an account of new data.
 * @returns how many messages were accepted
 */
export async function pushOura(
  context: VendorContext,
  account: string,
  span: Span,
  accountId: string,
): Promise<number> {
  const calendar = context.calendarOf(account)
  const [before, until] = [ouraUntil(calendar, span.from), ouraUntil(calendar, span.to)]
  // Most accounts have no news most of the time.
  if (until <= before) return 0
  const grants: Grant[] = []
  for await (const { grant } of new Grants(context, { accessSeconds: 0 }).list(account))
    grants.push(grant)
  const clientIds = [...new Set(grants.map(({ clientId }) => clientId))]
  const changed = clientIds.length === 0 ? [] : changesOf(calendar, before, until)
  if (changed.length === 0) return 0
  const disturbed = disturb(changed, await context.faults.find(account, 'push'))
  let sent = 0
  for (const clientId of clientIds) {
    const scopes = grants.flatMap((grant) => (grant.clientId === clientId ? grant.scopes : []))
    const subscriptions = await subscriptionsOf(context, clientId)
    for (const { event_type, data_type, object_id } of disturbed) {
      const name = DATA_TYPES.get(data_type)
      if (name === undefined || !DAILY[name].scopes.some((scope) => scopes.includes(scope)))
        continue
      const wanted = subscriptions.filter(
        (one) => one.data_type === data_type && one.event_type === event_type,
      )
      const event_time = utcText(span.to)
      const body = JSON.stringify({
        event_type,
        data_type,
        object_id,
        event_time,
        user_id: accountId,
      })
      for (const subscription of wanted) if (await send(context, subscription, body)) sent += 1
    }
  }
  return sent
}

async function send(context: VendorContext, to: Subscription, body: string): Promise<boolean> {
  const timestamp = String(Math.floor(context.clock.now().getTime() / 1000))
  const signature = createHmac('sha256', to.clientSecret)
    .update(timestamp + body)
    .digest('hex')
  try {
    const answer = await context.fetch(to.callback_url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-oura-timestamp': timestamp,
        'x-oura-signature': signature.toUpperCase(),
      },
      body,
      signal: AbortSignal.timeout(PUSH_TIMEOUT_MS),
    })
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}
