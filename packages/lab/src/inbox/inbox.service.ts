import { createHash } from 'node:crypto'
import { enterEnvironment } from '@salus/accounts/teams'
import type { InboundMessage, Receipt, UnreadableReason } from '@salus/contracts/lab-gateway'
import type { FileStore } from '@salus/kernel/files/file-store'
import { newTimedId } from '@salus/kernel/ids'
import { addJob, defineJob } from '@salus/kernel/jobs/jobs'
import type { Scope, Stores } from '@salus/kernel/scope'
import type { LabGateways } from '../gateways/index.ts'
import { insertLabMessage } from './lab-messages.repository.ts'

/** Dependencies for reading and applying messages. */
export interface Inbox {
  files: FileStore
  gateways: LabGateways
}

export interface LabMessageJob {
  environmentId: string
  messageId: string
}

/**
 * The job that processes a message. graphile-worker waits e^attempt seconds after each failure, so
 * ten attempts take about three and a half hours; then the message waits for the operator.
 */
export const PROCESS_LAB_MESSAGE = defineJob<LabMessageJob>('process_lab_message', {
  maxAttempts: 10,
})

/** Opens the inbound side of every gateway, so that messages are stored from now on. */
export function openInbox(stores: Stores, gateways: LabGateways): void {
  const { simulator, couriers, connected } = gateways
  // A step of a sandbox is the id of its message, whatever the message says when it is made again.
  // So is the scan of a parcel, whatever else the courier says of it.
  const isIdUnique = true
  for (const gateway of [simulator, ...couriers.sandbox, ...couriers.production]) {
    void gateway.open((message) => storeMessage(stores, gateway.name, message, { isIdUnique }))
  }
  connected.open((gateway, message) => storeMessage(stores, gateway, message))
}

/**
 * Stores what a laboratory, courier or kit vendor sent, unchanged, and adds a job that applies it.
 * When this resolves it is on disk, and the sender may receive an acknowledgement. A message with
 * the sender's id and the content of a stored one is a repetition, which is not stored again.
 * A message with a known problem fails at once and waits for the operator.
 * @throws Error when the environment does not exist
 */
async function storeMessage(
  stores: Stores,
  gateway: string,
  message: InboundMessage,
  { isIdUnique = false } = {},
): Promise<Receipt> {
  const { environmentId, controlId, contentType, content, problem, at } = message
  const scope = await enterEnvironment(stores, environmentId)
  if (scope === undefined) throw new Error('A message is for an environment that does not exist.')
  return scope.transaction(async (tx) => {
    const stored = await insertLabMessage(tx, {
      id: newTimedId(),
      gateway,
      control_id: controlId,
      content_type: contentType,
      content,
      content_hash: isIdUnique ? '' : createHash('sha256').update(content).digest('hex'),
      received_at: at,
      ...(problem === undefined ? { state: 'waiting' } : failedWith(problem, at)),
    })
    if (stored.isNew && problem === undefined) await addMessageJob(tx, stored.id)
    if (stored.isNew && problem !== undefined) {
      const about = { environmentId, messageId: stored.id, problemClass: 'unreadable', problem }
      tx.log.warn(about, 'a laboratory message was not applied')
    }
    return { messageId: stored.id, isNew: stored.isNew }
  })
}

const failedWith = (problem: UnreadableReason, at: Date) =>
  ({ state: 'failed', problem_class: 'unreadable', problem, processed_at: at }) as const

/** Adds the job that processes a message when the transaction commits. */
export function addMessageJob({ db, environment }: Scope, messageId: string): Promise<void> {
  return addJob(db, PROCESS_LAB_MESSAGE, { environmentId: environment.id, messageId })
}
