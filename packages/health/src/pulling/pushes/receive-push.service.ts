import { createHash } from 'node:crypto'
import { enterEnvironment } from '@salus/accounts/teams'
import { MINUTE_MS } from '@salus/contracts/time-units'
import { AppError, notFound } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import { addJob, defineJob } from '@salus/kernel/jobs/jobs'
import { findApp, type Push, type PushMessage } from '../../connectors/index.ts'
import { appKeyOf } from '../access/budgets.ts'
import type { PullingContext } from '../pulling-context.ts'
import { isAboutSomebody } from './apply-message.service.ts'
import {
  insertMessage,
  listPushApps,
  recordSeen,
  type VendorMessage,
} from './push-subscriptions.global.repository.ts'

/**
 * Messages that were signed longer ago, or in the future, are not taken. Clocks of machines differ
 * by less.
 */
const WINDOW_MS = 10 * MINUTE_MS

/** Applies a stored message of a vendor. */
export const APPLY_VENDOR_MESSAGE = defineJob<{ messageId: string }>('apply_vendor_message', {
  maxAttempts: 10,
})

/**
 * Stores what a vendor sent. When this resolves it is on disk, and the vendor may be told so. A
 * message about nobody who is connected, and one that came before, is taken and stored nowhere.
 * @throws AppError 404 for a provider that sends none, 401 for a message that is not the vendor's,
 *   or not of now
 */
export async function receivePush(
  context: PullingContext,
  provider: string,
  message: Omit<PushMessage, 'receivedAt'>,
): Promise<void> {
  const push = pushOf(context, provider)
  const receivedAt = context.clock.now()
  if (push.signedAt !== undefined) {
    const distance = Math.abs(push.signedAt({ ...message, receivedAt }) - receivedAt.getTime())
    // NaN, too.
    if (!(distance <= WINDOW_MS)) throw invalidSignature()
  }
  let appKey: string | undefined
  for await (const sender of secretsOf(context, provider)) {
    if (push.verify({ ...message, receivedAt }, sender.secret)) appKey = sender.appKey
    if (appKey !== undefined) break
  }
  if (appKey === undefined) {
    throw invalidSignature()
  }
  if (!(await isAboutSomebody(context, { provider, app_key: appKey, body: message.body }))) return
  const row = {
    id: newId(),
    provider,
    app_key: appKey,
    body: message.body,
    received_at: receivedAt,
  }
  await context.db.transaction().execute(async (transaction) => {
    if (!(await recordSeen(transaction, digestOf(row, message), receivedAt))) return
    await insertMessage(transaction, row)
    await addJob(transaction, APPLY_VENDOR_MESSAGE, { messageId: row.id })
  })
}

const invalidSignature = () =>
  new AppError(401, 'invalid_signature', 'The message is not signed by the provider, or not now.')

/** What tells a message from all others: two at different times say the same in other words. */
function digestOf(
  { provider, app_key, body }: Pick<VendorMessage, 'provider' | 'app_key' | 'body'>,
  { headers }: Pick<PushMessage, 'headers'>,
): Buffer {
  const times = Object.entries(headers).filter(([name]) => name.endsWith('-timestamp'))
  const head = JSON.stringify([provider, app_key, times.sort()])
  return createHash('sha256').update(head).update(body).digest()
}

/**
 * Answers a vendor that asks whether this address is ours.
 * @throws AppError 404 when it is not asked by one
 */
export async function answerChallenge(
  context: PullingContext,
  provider: string,
  query: Readonly<Record<string, string>>,
): Promise<string> {
  const push = pushOf(context, provider)
  for await (const { secret } of secretsOf(context, provider)) {
    const answer = push.answerChallenge?.(query, secret)
    if (answer !== undefined) return answer
  }
  throw notFound('Challenge')
}

function pushOf({ connectors }: PullingContext, provider: string): Push {
  const push = connectors.find(provider)?.push
  if (push === undefined) throw notFound('Provider')
  return push
}

/** The secrets of the apps that people are connected by. */
async function* secretsOf(
  context: PullingContext,
  provider: string,
): AsyncGenerator<{ appKey: string; secret: string }> {
  const seen = new Set<string>()
  for (const { app_key: appKey, environment_id } of await listPushApps(context.db, provider)) {
    if (seen.has(appKey)) continue
    const scope = await enterEnvironment(context, environment_id)
    const app = scope && (await findApp(scope, context, provider))
    // The team may have another app by now.
    if (app === undefined || appKeyOf(provider, app) !== appKey) continue
    seen.add(appKey)
    yield { appKey, secret: app.clientSecret }
  }
}
