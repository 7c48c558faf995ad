import type { Scope } from '@salus/kernel/scope'
import { findOrder } from '../../orders/index.ts'
import type { ConnectionParts } from '../connection-parts.ts'
import { recordFillers, toOutgoingMessage } from '../connection-store.service.ts'
import { findConnection } from '../connections.repository.ts'
import { findOutgoing, type OutgoingRow, recordResend } from '../outgoing-messages.repository.ts'
import type { ResendJob } from './resend-job.ts'

/**
 * Sends the bytes of a message again and records the answer. Without an answer the message has the
 * problem, and the operator decides whether to try again. Does nothing for a connection that was
 * deleted, disabled or held in the meantime, and for a cancelled order that was not accepted.
 */
export async function resend(
  scope: Scope,
  { registry }: Pick<ConnectionParts, 'registry'>,
  { connection: name, messageId }: ResendJob,
): Promise<void> {
  const row = await findConnection(scope, name)
  if (row === undefined || row.deleted_at !== null || !row.is_enabled || row.is_held) return
  const message = await findOutgoing(scope, row.id, messageId)
  const opened = await registry.openedOf(row.id)
  if (message === undefined || opened?.resend == null) return
  if (await isUnwanted(scope, message)) return
  try {
    const answer = await opened.resend(toOutgoingMessage(message))
    await scope.transaction(async (tx) => {
      await recordResend(tx, messageId, { at: scope.clock.now(), answer })
      await recordFillers(tx, opened.gateway.name, message.order_id, answer)
    })
  } catch (error) {
    await recordResend(scope, messageId, { at: scope.clock.now(), answer: null })
    const { name: problem } = error as Error
    scope.log.warn({ messageId, problem }, 'a message could not be sent to a laboratory again')
  }
}

/** Whether the laboratory would begin an order that was cancelled. */
async function isUnwanted(
  scope: Scope,
  { purpose, state, order_id: orderId }: OutgoingRow,
): Promise<boolean> {
  if (purpose !== 'order' || state === 'accepted') return false
  return (await findOrder(scope, orderId))?.last_status === 'cancelled'
}
