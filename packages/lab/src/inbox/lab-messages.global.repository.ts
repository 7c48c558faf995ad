import type { JobKind } from '@salus/kernel/jobs/jobs'
import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'
import type { LabMessageRow } from './lab-messages.repository.ts'

/** A message to store, with what has to happen then. */
export interface NewLabMessage
  extends Pick<
    LabMessageRow,
    | 'id'
    | 'gateway'
    | 'control_id'
    | 'content_type'
    | 'content'
    | 'received_at'
    | 'state'
    | 'problem_class'
    | 'problem'
    | 'processed_at'
  > {
  environment_id: string
  content_hash: string
  /** Payload of the job that processes it; null for none. */
  job: string | null
}

/** The stored message of one that was given: itself, or the one that it repeats. */
export interface StoredMessageId {
  id: string
  isNew: boolean
}

/**
 * Inserts messages and adds their jobs, in one call and so in one commit. A message with the
 * sender's id and the content of a stored one, or of one before it in the list, is not inserted.
 * @returns for each message the stored one; undefined where the team of its environment is gone
 */
export async function insertLabMessages<Payload extends object>(
  db: Db,
  { name, maxAttempts }: JobKind<Payload>,
  messages: readonly NewLabMessage[],
): Promise<(StoredMessageId | undefined)[]> {
  const { records, contents } = toParameters(messages)
  const { rows } = await sql<{ ids: string[] | null }>`
    select store_lab_messages(${records}::json, ${contents}, ${name}, ${maxAttempts}) as ids`.execute(
    db,
  )
  const inserted = new Set(rows[0]?.ids)
  const stored: (StoredMessageId | undefined)[] = []
  for (const message of messages) {
    const isNew = inserted.has(message.id)
    stored.push(isNew ? { id: message.id, isNew } : await findRepeated(db, message))
  }
  return stored
}

/**
 * Returns messages as two parameters: one JSON, and the bytes of all one behind the other, because
 * bytes inside of JSON or an array would be sent as hexadecimal text.
 */
function toParameters(messages: readonly NewLabMessage[]): { records: string; contents: Buffer } {
  // The first byte of a value of PostgreSQL has the number 1.
  let start = 1
  const records = messages.map(({ content, ...row }, place) => {
    const { length } = content
    const record = { ...row, control_id: row.control_id?.toWellFormed() ?? null }
    start += length
    return { ...record, place, start: start - length, length }
  })
  const contents = messages.map(({ content }) => content)
  const [first = Buffer.alloc(0), ...others] = contents
  return {
    records: JSON.stringify(records),
    contents: others.length === 0 ? first : Buffer.concat(contents),
  }
}

/** Returns the stored message that another one repeats. */
async function findRepeated(db: Db, message: NewLabMessage): Promise<StoredMessageId | undefined> {
  const row = await db
    .selectFrom('lab_messages')
    .select('id')
    .where('environment_id', '=', message.environment_id)
    .where('gateway', '=', message.gateway)
    .where(sql<boolean>`coalesce(control_id, '') = ${message.control_id ?? ''}`)
    .where('content_hash', '=', message.content_hash)
    .executeTakeFirst()
  return row && { ...row, isNew: false }
}

/** Returns the number of failed messages of all environments. */
export async function countFailedMessages(db: Db): Promise<number> {
  const { total } = await db
    .selectFrom('lab_messages')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('state', '=', 'failed')
    .executeTakeFirstOrThrow()
  return total
}

/**
 * Returns the number of failed messages by environment and gateway: of all, or of those that are
 * named.
 */
export function countFailedByGateway(
  db: Db,
  { environmentId, gateway }: { environmentId?: string; gateway?: string } = {},
) {
  let query = db
    .selectFrom('lab_messages')
    .select(({ fn }) => ['environment_id', 'gateway', fn.countAll<number>().as('total')])
    .where('state', '=', 'failed')
  if (environmentId !== undefined) query = query.where('environment_id', '=', environmentId)
  if (gateway !== undefined) query = query.where('gateway', '=', gateway)
  return query.groupBy(['environment_id', 'gateway']).execute()
}
