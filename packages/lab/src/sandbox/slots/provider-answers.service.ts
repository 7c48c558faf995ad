import type { Scope } from '@salus/kernel/scope'
import { findLab } from '../../catalog/index.ts'
import { type Inbox, processMessage } from '../../inbox/index.ts'
import { type DueAnswer, removeAnswer } from './sandbox-slots.repository.ts'
import { createSlotStore } from './slot-store.ts'

/**
 * Sends a later answer of an appointment provider: it confirms or declines the time. The answer is
 * a message like any other; a repetition after a crash or in another process is the same message.
 * @throws Error when the message could not be applied now; it is retried
 */
export async function sendProviderAnswer(
  scope: Scope,
  inbox: Inbox,
  answer: DueAnswer,
): Promise<void> {
  const { db, environment } = scope
  const { appointmentId, orderId, kind, at } = answer
  const lab = await findLab(db, answer.labId)
  if (lab === undefined) throw new Error('The laboratory of an order is gone.')
  const about = { order: { orderId, labSlug: lab.slug }, at: at.toISOString(), appointmentId }
  const isDeclined = kind === 'appointment_cancelled'
  const reason = 'The provider cannot keep the appointment.'
  const { messageId } = await inbox.gateways.simulator.send({
    environmentId: environment.id,
    id: `${appointmentId} ${at.toISOString()}`,
    at,
    updates: [isDeclined ? { kind, ...about, reason } : { kind, ...about }],
  })
  await processMessage(scope, inbox, messageId)
  const booking = { environmentId: environment.id, appointmentId }
  // A declined appointment frees its seat.
  if (isDeclined) await createSlotStore(db).cancel(booking)
  else await removeAnswer(scope, answer)
}
