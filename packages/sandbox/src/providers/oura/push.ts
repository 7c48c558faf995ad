import { createHmac } from 'node:crypto'
import type { Fault } from '../faults.ts'
import { type Grant, Grants } from '../oauth/grants.ts'
import type { Calendar, Span } from '../people/days.ts'
import { utcText } from '../people/local-time.ts'
import type { VendorContext } from '../vendor.ts'
import { DAILY, ouraUntil } from './collections.ts'
import { DATA_TYPES, PUSH_TIMEOUT_MS, type Subscription, subscriptionsOf } from './subscriptions.ts'

interface News {
  event_type: 'create' | 'update'
  data_type: string
  object_id: string
}

/** What the ring of an account handed over within a span of time. */
function newsOf(calendar: Calendar, span: Span): News[] {
  const [before, until] = [ouraUntil(calendar, span.from), ouraUntil(calendar, span.to)]
  if (until <= before) return []
  const [first, last] = [calendar.dayAt(before).number - 1, calendar.dayAt(until).number]
  const news: News[] = []
  for (const [dataType, name] of DATA_TYPES) {
    for (let day = first; day <= last; day++) {
      const old = new Map(
        DAILY[name]
          .records(calendar, day, before)
          .map((record) => [idOf(record), JSON.stringify(record)]),
      )
      for (const record of DAILY[name].records(calendar, day, until)) {
        const known = old.get(idOf(record))
        if (known === JSON.stringify(record)) continue
        const event_type = known === undefined ? 'create' : 'update'
        news.push({ event_type, data_type: dataType, object_id: idOf(record) })
      }
    }
  }
  return news
}

const idOf = (record: object): string => (record as { id: string }).id

/** Faults of pushes, in the order of the messages. */
function disturb(news: readonly News[], faults: readonly Fault[]): News[] {
  const has = (kind: Fault['kind']): boolean => faults.some((fault) => fault.kind === kind)
  if (has('push_silent')) return []
  const twice = has('push_twice') ? news.flatMap((one) => [one, one]) : [...news]
  return has('push_shuffled') ? twice.reverse() : twice
}

/** Tells every app that may see an account, and wants to hear, what is new. @returns how many messages were taken */
export async function pushOura(
  context: VendorContext,
  account: string,
  span: Span,
  accountId: string,
): Promise<number> {
  const grants: Grant[] = []
  for await (const { grant } of new Grants(context, { accessSeconds: 0 }).list(account))
    grants.push(grant)
  const clientIds = [...new Set(grants.map(({ clientId }) => clientId))]
  const news = clientIds.length === 0 ? [] : newsOf(context.calendarOf(account), span)
  if (news.length === 0) return 0
  const disturbed = disturb(news, await context.faults.find(account, 'push'))
  let sent = 0
  for (const clientId of clientIds) {
    const scopes = grants.flatMap((grant) => (grant.clientId === clientId ? grant.scopes : []))
    const subscriptions = await subscriptionsOf(context, clientId)
    for (const { event_type, data_type, object_id } of disturbed) {
      const name = DATA_TYPES.get(data_type)
      if (name === undefined || !DAILY[name].scopes.some((scope) => scopes.includes(scope)))
        continue
      const wanted = subscriptions.find(
        (one) => one.data_type === data_type && one.event_type === event_type,
      )
      if (wanted === undefined) continue
      const event_time = utcText(span.to)
      const body = JSON.stringify({
        event_type,
        data_type,
        object_id,
        event_time,
        user_id: accountId,
      })
      if (await send(context, wanted, body)) sent += 1
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
