import { createHash } from 'node:crypto'
import { enterEnvironment } from '@salus/accounts/teams'
import { MINUTE_MS } from '@salus/contracts/time-units'
import { AppError, notFound } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import { addJob, defineJob } from '@salus/kernel/jobs/jobs'
import {
  findApp,
  type HandshakeAnswer,
  type Push,
  type PushHandshake,
  type PushMessage,
  type VendorApp,
} from '../../connectors/index.ts'
import { appKeyOf } from '../access/budgets.ts'
import type { PullingContext } from '../pulling-context.ts'
import { isAboutConnectedUser } from './apply-message.service.ts'
import {
  insertMessage,
  listPushApps,
  recordSeenMessage,
  type VendorMessage,
} from './push-subscriptions.global.repository.ts'

/** Messages signed longer ago, or in the future, are refused. Clocks of machines differ by less. */
const WINDOW_MS = 10 * MINUTE_MS

/** Applies a stored message of a vendor. */
export const APPLY_VENDOR_MESSAGE = defineJob<{ messageId: string }>('apply_vendor_message', {
  maxAttempts: 10,
})

/**
 * Stores a vendor's message; durable when it resolves, so that the vendor may be answered. A
 * message without a connected user, or a repeated one, is accepted but not stored.
 * @throws AppError 404 for a provider without messages, 401 for a message with an invalid or
 *   expired signature
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
    // Also refuses NaN.
    if (!(distance <= WINDOW_MS)) throw invalidSignature()
  }
  let appKey: string | undefined
  for await (const sender of appsOf(context, provider)) {
    if (push.verify?.({ ...message, receivedAt }, sender.app)) appKey = sender.appKey
    if (appKey !== undefined) break
  }
  if (appKey === undefined) {
    throw invalidSignature()
  }
  if (!(await isAboutConnectedUser(context, { provider, app_key: appKey, body: message.body })))
    return
  const row = {
    id: newId(),
    provider,
    app_key: appKey,
    body: message.body,
    received_at: receivedAt,
  }
  await context.db.transaction().execute(async (transaction) => {
    if (!(await recordSeenMessage(transaction, digestOf(row, message), receivedAt))) return
    await insertMessage(transaction, row)
    await addJob(transaction, APPLY_VENDOR_MESSAGE, { messageId: row.id })
  })
}

const invalidSignature = () =>
  new AppError(401, 'invalid_signature', 'The signature of the message is invalid or expired.')

/** Identifies a message: the texts of different messages always differ. */
function digestOf(
  { provider, app_key, body }: Pick<VendorMessage, 'provider' | 'app_key' | 'body'>,
  { headers }: Pick<PushMessage, 'headers'>,
): Buffer {
  const times = Object.entries(headers).filter(([name]) => name.endsWith('-timestamp'))
  const head = JSON.stringify([provider, app_key, times.sort()])
  return createHash('sha256').update(head).update(body).digest()
}

/**
 * Answers a vendor's verification of this address.
 * @throws AppError 404 for any other request
 */
export async function answerHandshake(
  context: PullingContext,
  provider: string,
  handshake: PushHandshake,
): Promise<HandshakeAnswer> {
  const push = pushOf(context, provider)
  for await (const { app } of appsOf(context, provider)) {
    const answer = push.answerHandshake?.(handshake, app)
    if (answer !== undefined) return answer
  }
  throw notFound('Challenge')
}

function pushOf({ connectors }: PullingContext, provider: string): Push {
  const push = connectors.find(provider)?.push
  if (push === undefined) throw notFound('Provider')
  return push
}

/** Yields the apps that users are connected by. */
async function* appsOf(
  context: PullingContext,
  provider: string,
): AsyncGenerator<{ appKey: string; app: VendorApp }> {
  const seen = new Set<string>()
  for (const { app_key: appKey, environment_id } of await listPushApps(context.db, provider)) {
    if (seen.has(appKey)) continue
    const scope = await enterEnvironment(context, environment_id)
    const app = scope && (await findApp(scope, context, provider))
    // The team may have changed its app.
    if (app === undefined || appKeyOf(provider, app) !== appKey) continue
    seen.add(appKey)
    yield { appKey, app }
  }
}
