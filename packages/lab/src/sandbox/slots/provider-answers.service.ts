import type { Scope } from '@salus/kernel/scope'
import { findLab } from '../../catalog/index.ts'
import { type Inbox, processMessage } from '../../inbox/index.ts'
import { type DueAnswer, removeAnswer } from './sandbox-slots.repository.ts'
import { createSlotStore } from './slot-store.ts'

/**
 * Lets the provider of an appointment say what it said it would say later: that the time stands, or
 * that it does not. It is a message like any other; one that is sent a second time, after a crash
 * or beside another process, is the same message.
 * @throws Error when the message could not be applied for now; it will be tried again
 */
export async function sendAnswer(scope: Scope, inbox: Inbox, answer: DueAnswer): Promise<void> {
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
  // What it declines it does not keep a seat for.
  if (isDeclined) await createSlotStore(db).cancel(booking)
  else await removeAnswer(scope, answer)
}
