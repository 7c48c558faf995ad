import { createHash } from 'node:crypto'
import { MINUTE_MS } from '@salus/contracts/time-units'
import { AppError, notFound } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import { addJob, defineJob } from '@salus/kernel/jobs/jobs'
import type { HandshakeAnswer, Push, PushHandshake, PushMessage } from '../../connectors/index.ts'
import type { PullingContext } from '../pulling-context.ts'
import { isAboutConnectedUser } from './apply-message.service.ts'
import { isAddressOf, listMessagedApps, type PushApp } from './push-apps.ts'
import {
  insertMessage,
  recordSeenMessage,
  type VendorMessage,
} from './push-subscriptions.global.repository.ts'
import { recordMessaged } from './push-subscriptions.service.ts'

/** Messages signed longer ago, or in the future, are refused. Clocks of machines differ by less. */
const WINDOW_MS = 10 * MINUTE_MS

/** Applies a stored message of a vendor. */
export const APPLY_VENDOR_MESSAGE = defineJob<{ messageId: string }>('apply_vendor_message', {
  maxAttempts: 10,
})

/** A request of a vendor to the address of messages. */
export interface VendorCall extends PushHandshake {
  /** The part of the address that only the vendor knows, where it has one. */
  readonly addressKey: string | undefined
}

/**
 * Answers a request of a vendor: verifications of the address at once, messages when they are
 * durable. A message without a connected user, or a repeated one, is accepted but not stored.
 * @throws AppError 404 for a provider without messages or another request, 401 for a message with
 *   an invalid or expired signature
 */
export async function receivePush(
  context: PullingContext,
  provider: string,
  { addressKey, ...handshake }: VendorCall,
): Promise<HandshakeAnswer> {
  const push = context.connectors.find(provider)?.push
  if (push === undefined) throw notFound('Provider')
  const apps: PushApp[] = []
  for await (const found of listMessagedApps(context, provider)) {
    const isIts = isAddressOf(context.secrets, { slug: provider, push }, found.appKey, addressKey)
    if (isIts) apps.push(found)
  }
  for (const { app } of apps) {
    const answer = push.answerHandshake?.(handshake, app)
    if (answer !== undefined) return answer
  }
  if (handshake.method !== 'POST') throw notFound('Challenge')
  const { headers, body } = handshake
  await storeMessage(context, { provider, push, apps }, { headers, body })
  return { status: push.acceptedStatus ?? 200, body: '{"success":true}' }
}

async function storeMessage(
  context: PullingContext,
  { provider, push, apps }: { provider: string; push: Push; apps: readonly PushApp[] },
  message: Omit<PushMessage, 'receivedAt'>,
): Promise<void> {
  const receivedAt = context.clock.now()
  if (push.signedAt !== undefined) {
    const distance = Math.abs(push.signedAt({ ...message, receivedAt }) - receivedAt.getTime())
    // Also refuses NaN.
    if (!(distance <= WINDOW_MS)) throw invalidSignature()
  }
  // The address of an unsigned message named the app.
  const sender = apps.find(({ app }) => push.verify?.({ ...message, receivedAt }, app) ?? true)
  if (sender === undefined) throw invalidSignature()
  const { appKey } = sender
  if (push.subscribe === undefined) await recordMessaged(context, provider, appKey)
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
