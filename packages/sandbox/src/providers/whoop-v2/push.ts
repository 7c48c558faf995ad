import { createHmac } from 'node:crypto'
import { DAY_MS } from '@salus/contracts/time-units'
import { changesBetween, disturb } from '../changes.ts'
import { Grants } from '../oauth/grants.ts'
import type { Calendar, Span } from '../people/days.ts'
import { uuidAt } from '../people/noise.ts'
import { listPushAddresses, type PushAddress } from '../push-addresses.ts'
import type { VendorContext } from '../vendor.ts'
import { userIdOf, type WhoopRecord } from './frame.ts'
import { recordsIn, type WhoopKind } from './records.ts'

/** Kinds of records with messages; there are none about cycles. */
const PUSHED: readonly (readonly [kind: WhoopKind, scope: string])[] = [
  ['sleep', 'read:sleep'],
  ['recovery', 'read:recovery'],
  ['workout', 'read:workout'],
]
/** Records change no later than this after they begin. */
const CHANGES_WITHIN_MS = 9 * DAY_MS
const TIMEOUT_MS = 10_000

/** Yields accounts that an app with an address may see. */
export async function* listPushedAccounts(context: VendorContext): AsyncGenerator<string> {
  const apps = new Set((await listPushAddresses(context)).map(({ clientId }) => clientId))
  if (apps.size === 0) return
  let last: string | undefined
  // The grants of an account are consecutive.
  for await (const { account, grant } of new Grants(context, { accessSeconds: 0 }).list()) {
    if (account === last || !apps.has(grant.clientId)) continue
    last = account
    yield account
  }
}

interface Message {
  user_id: number
  id: string
  type: string
  trace_id: string
  scope: string
}

/** Returns the messages about what changed within a span of time. */
function messagesOf(calendar: Calendar, span: Span): Message[] {
  const listedAt = (kind: WhoopKind, now: number) =>
    recordsIn(calendar, kind, { from: span.from - CHANGES_WITHIN_MS, to: span.to }, now).map(
      ({ make }) => make(),
    )
  /** A message follows when the score is known. */
  const isPending = ({ score_state: state }: WhoopRecord) => state === 'PENDING_SCORE'
  const changesOf = (kind: WhoopKind) => {
    const after = listedAt(kind, span.to)
    const waiting = new Set(after.filter(isPending).map(({ id }) => id))
    const known = (records: readonly WhoopRecord[]) =>
      records.filter((record) => !isPending(record) && !waiting.has(record.id))
    return changesBetween(known(listedAt(kind, span.from)), known(after))
  }
  return PUSHED.flatMap(([kind, scope]) =>
    changesOf(kind).map((change, position) => ({
      user_id: userIdOf(calendar),
      id: change.id,
      type: `${kind}.${change.kind === 'deleted' ? 'deleted' : 'updated'}`,
      trace_id: uuidAt(span.to >>> 0, position),
      scope,
    })),
  )
}

/**
 * Sends messages about an account to the addresses of the apps that may see it.
 * @returns how many were accepted
 */
export async function pushWhoop(
  context: VendorContext,
  account: string,
  span: Span,
): Promise<number> {
  const scopesOf = new Map<string, readonly string[]>()
  for await (const { grant } of new Grants(context, { accessSeconds: 0 }).list(account)) {
    scopesOf.set(grant.clientId, [...(scopesOf.get(grant.clientId) ?? []), ...grant.scopes])
  }
  const addresses = await listPushAddresses(context)
  const wanted = addresses.filter(({ clientId }) => scopesOf.has(clientId))
  if (wanted.length === 0) return 0
  const messages = messagesOf(context.calendarOf(account), span)
  const disturbed = disturb(messages, await context.faults.find(account, 'push'))
  let sent = 0
  for (const address of wanted) {
    const scopes = scopesOf.get(address.clientId) ?? []
    for (const { scope, ...message } of disturbed) {
      if (scopes.includes(scope) && (await send(context, address, message))) sent += 1
    }
  }
  return sent
}

async function send(context: VendorContext, to: PushAddress, message: object): Promise<boolean> {
  const body = JSON.stringify(message)
  const timestamp = String(context.clock.now().getTime())
  const signature = createHmac('sha256', to.clientSecret)
    .update(timestamp + body)
    .digest('base64')
  try {
    const answer = await context.fetch(to.callbackUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-whoop-signature': signature,
        'x-whoop-signature-timestamp': timestamp,
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
