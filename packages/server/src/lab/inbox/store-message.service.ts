import { newId } from '../../platform/ids.ts'
import { addJob, defineJob } from '../../platform/jobs/jobs.ts'
import type { Db } from '../../platform/postgres/database.ts'
import type { StoredMessage } from '../gateways/index.ts'
import { insertLabMessage } from './lab-messages.repository.ts'

export interface LabMessageJob {
  environmentId: string
  messageId: string
}

export const PROCESS_LAB_MESSAGE = defineJob<LabMessageJob>('process_lab_message')

/**
 * Stores what a laboratory, courier or kit vendor sent, as it came, and has it processed. In the
 * caller's transaction: acknowledge the message after its commit and not before.
 */
export async function takeMessage(
  db: Db,
  environmentId: string,
  message: StoredMessage & { gateway: string; at: Date },
): Promise<void> {
  const messageId = await storeMessage(db, environmentId, message)
  await addJob(db, PROCESS_LAB_MESSAGE, { environmentId, messageId })
}

/** Stores a message that the caller processes in the same transaction. Returns its id. */
export async function storeMessage(
  db: Db,
  environmentId: string,
  message: StoredMessage & { gateway: string; at: Date },
): Promise<string> {
  const { gateway, contentType, content, at } = message
  const row = { id: newId(), gateway, content_type: contentType, content, received_at: at }
  await insertLabMessage(db, environmentId, row)
  return row.id
}
