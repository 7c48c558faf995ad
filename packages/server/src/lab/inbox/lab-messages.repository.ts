import type { Generated, Selectable } from 'kysely'
import type { Db } from '../../platform/postgres/database.ts'

interface LabMessagesTable {
  id: string
  gateway: string
  environment_id: string | null
  content_type: string
  content: Buffer
  state: 'waiting' | 'processed' | 'ignored' | 'held' | 'failed'
  problem: Generated<string | null>
  order_id: Generated<string | null>
  received_at: Date
  processed_at: Generated<Date | null>
}

declare module '../../platform/postgres/database.ts' {
  interface Database {
    lab_messages: LabMessagesTable
  }
}

export type LabMessageRow = Selectable<LabMessagesTable>
export type NewLabMessage = Pick<
  LabMessageRow,
  'id' | 'gateway' | 'content_type' | 'content' | 'received_at'
>

export async function insertLabMessage(
  db: Db,
  environmentId: string,
  message: NewLabMessage,
): Promise<void> {
  await db
    .insertInto('lab_messages')
    .values({ ...message, environment_id: environmentId, state: 'waiting' })
    .execute()
}

/** A message that nobody has processed, locked until the transaction ends. */
export function lockWaitingMessage(
  db: Db,
  environmentId: string,
  id: string,
): Promise<LabMessageRow | undefined> {
  return db
    .selectFrom('lab_messages')
    .selectAll()
    .where('environment_id', '=', environmentId)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .forUpdate()
    .executeTakeFirst()
}

export async function updateLabMessage(
  db: Db,
  environmentId: string,
  id: string,
  outcome: {
    state: LabMessageRow['state']
    problem: string | null
    orderId: string | null
    at: Date
  },
): Promise<void> {
  await db
    .updateTable('lab_messages')
    .set({
      state: outcome.state,
      problem: outcome.problem,
      order_id: outcome.orderId,
      processed_at: outcome.at,
    })
    .where('environment_id', '=', environmentId)
    .where('id', '=', id)
    .execute()
}
