import { enterEnvironment } from '@salus/accounts/teams'
import type { InboundMessage, Receipt } from '@salus/contracts/lab-gateway'
import type { FileStore } from '@salus/kernel/files/file-store'
import { newId } from '@salus/kernel/ids'
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
  const { simulator, connected } = gateways
  void simulator.open((message) => storeMessage(stores, simulator.name, message))
  connected.open((gateway, message) => storeMessage(stores, gateway, message))
}

/**
 * Stores what a laboratory, courier or kit vendor sent, unchanged, and adds a job that applies it.
 * When this resolves it is on disk, and the sender may receive an acknowledgement. A message that
 * is already stored is not stored again.
 * @throws Error when the environment does not exist
 */
async function storeMessage(
  stores: Stores,
  gateway: string,
  { environmentId, controlId, contentType, content, at }: InboundMessage,
): Promise<Receipt> {
  const scope = await enterEnvironment(stores, environmentId)
  if (scope === undefined) throw new Error('A message is for an environment that does not exist.')
  return scope.transaction(async (tx) => {
    const stored = await insertLabMessage(tx, {
      id: newId(),
      gateway,
      control_id: controlId,
      content_type: contentType,
      content,
      received_at: at,
    })
    if (stored.isNew) await addMessageJob(tx, stored.id)
    return { messageId: stored.id, isNew: stored.isNew }
  })
}

/** Adds the job that processes a message when the transaction commits. */
export function addMessageJob({ db, environment }: Scope, messageId: string): Promise<void> {
  return addJob(db, PROCESS_LAB_MESSAGE, { environmentId: environment.id, messageId })
}
