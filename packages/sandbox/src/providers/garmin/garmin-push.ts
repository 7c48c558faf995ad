import { disturb } from '../changes.ts'
import { type Grant, Grants } from '../oauth/grants.ts'
import type { Span } from '../people/days.ts'
import { listPushAddresses, type PushAddress } from '../push-addresses.ts'
import type { VendorContext } from '../vendor.ts'
import { type Summary, userIdOf, watchUntil } from './place.ts'
import { changesIn, SUMMARY_TYPES, summariesIn } from './summaries.ts'

const TIMEOUT_MS = 30_000
/** Summaries of a message. */
const MOST_SUMMARIES = 25

/** Returns the permissions that a user gave to each app. */
async function permissionsOf(
  context: VendorContext,
  account: string,
): Promise<Map<string, Set<string>>> {
  const permissions = new Map<string, Set<string>>()
  for await (const { grant } of new Grants(context, { accessSeconds: 0 }).list(account)) {
    const known = permissions.get(grant.clientId) ?? []
    permissions.set(grant.clientId, new Set([...known, ...grant.scopes]))
  }
  return permissions
}

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

/** Divides the summaries of a type into messages. */
function messagesOf(userId: string, name: string, summaries: readonly Summary[]): object[] {
  const messages: object[] = []
  for (let from = 0; from < summaries.length; from += MOST_SUMMARIES) {
    const part = summaries.slice(from, from + MOST_SUMMARIES)
    messages.push({
      [name]: part.map((one) => ({ userId, userAccessToken: 'of-oauth-1', ...one })),
    })
  }
  return messages
}

/**
 * Sends all summaries that an account uploaded within a span of time.
 * @returns how many messages were accepted
 */
export async function pushGarmin(
  context: VendorContext,
  account: string,
  span: Span,
): Promise<number> {
  const calendar = context.calendarOf(account)
  const [before, until] = [watchUntil(calendar, span.from), watchUntil(calendar, span.to)]
  if (until <= before) return 0
  const permissions = await permissionsOf(context, account)
  const faults = await context.faults.find(account, 'push')
  let sent = 0
  for (const address of await listPushAddresses(context)) {
    const given = permissions.get(address.clientId)
    if (given === undefined) continue
    const messages = SUMMARY_TYPES.filter(({ permission }) => given.has(permission)).flatMap(
      (type) => messagesOf(userIdOf(calendar), type.name, changesIn(type, calendar, before, until)),
    )
    sent += await sendAll(context, address, disturb(messages, faults))
  }
  return sent
}

/** Sends the summaries of a type that an app asked for, of the days of a span. */
export async function pushBackfill(
  context: VendorContext,
  { account, grant }: { account: string; grant: Pick<Grant, 'clientId'> },
  backfill: string,
  span: Span,
): Promise<void> {
  const calendar = context.calendarOf(account)
  const until = watchUntil(calendar, context.clock.now().getTime())
  const faults = await context.faults.find(account, 'push')
  const addresses = await listPushAddresses(context)
  const address = addresses.find(({ clientId }) => clientId === grant.clientId)
  const type = SUMMARY_TYPES.find((one) => one.backfill === backfill)
  if (address === undefined || type === undefined) return
  const summaries = summariesIn(type, calendar, span, until)
  const messages = messagesOf(userIdOf(calendar), type.name, summaries)
  await sendAll(context, address, disturb(messages, faults))
}

/** Says that a user has ended the access of an app. */
export async function pushDeregistration(
  context: VendorContext,
  account: string,
  clientIds: ReadonlySet<string>,
): Promise<void> {
  const userId = userIdOf(context.calendarOf(account))
  for (const address of await listPushAddresses(context)) {
    if (!clientIds.has(address.clientId)) continue
    await sendAll(context, address, [{ deregistrations: [{ userId }] }])
  }
}

async function sendAll(
  context: VendorContext,
  to: PushAddress,
  messages: readonly object[],
): Promise<number> {
  let sent = 0
  for (const message of messages) if (await send(context, to, message)) sent += 1
  return sent
}

async function send(context: VendorContext, to: PushAddress, message: object): Promise<boolean> {
  try {
    const answer = await context.fetch(to.callbackUrl, {
      method: 'POST',
      // Messages are not signed; the header names the app.
      headers: { 'content-type': 'application/json', 'garmin-client-id': to.clientId },
      body: JSON.stringify(message),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}
