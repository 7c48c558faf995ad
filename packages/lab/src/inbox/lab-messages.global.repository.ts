import { type JobKind, jobForRow } from '@salus/kernel/jobs/jobs'
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
 * Inserts messages and adds their jobs, in one statement and so in one commit. A message with the
 * sender's id and the content of a stored one, or of one before it in the list, is not inserted.
 * @returns for each message the stored one; undefined where the team of its environment is gone
 */
export async function insertLabMessages<Payload extends object>(
  db: Db,
  kind: JobKind<Payload>,
  messages: readonly NewLabMessage[],
): Promise<(StoredMessageId | undefined)[]> {
  const records = messages.map(
    (row, place) => sql`(${place}::integer, ${row.id}::uuid, ${row.environment_id}::uuid,
      ${row.gateway}::text, ${row.control_id}::text, ${row.content_hash}::text,
      ${row.content_type}::text, ${row.content}::bytea, ${row.state}::text,
      ${row.problem_class}::text, ${row.problem}::text, ${row.received_at}::timestamptz,
      ${row.processed_at}::timestamptz, ${row.job}::text)`,
  )
  const columns =
    sql.raw(`id, environment_id, gateway, control_id, content_hash, content_type, content,
    state, problem_class, problem, received_at, processed_at`)
  // The sender's number decides which of two equal messages is stored, and every process takes
  // them in the same order, so that none waits for another one that waits for it.
  const { rows } = await sql<{ id: string }>`
    with given (place, ${columns}, job) as (values ${sql.join(records)}),
    inserted as (
      insert into lab_messages (${columns})
      select ${columns} from given
      where environment_id in (
        select environment.id from team_environments as environment
        join teams as team on team.id = environment.team_id where team.deleted_at is null
      )
      order by content_hash, control_id, place
      on conflict (environment_id, gateway, coalesce(control_id, ''), content_hash)
        where content_hash is not null do nothing
      returning id
    )
    select given.id, case when job is not null then ${jobForRow(kind, sql`job`)} end
    from given join inserted on inserted.id = given.id
    order by place`.execute(db)
  const inserted = new Set(rows.map(({ id }) => id))
  const stored: (StoredMessageId | undefined)[] = []
  for (const message of messages) {
    const isNew = inserted.has(message.id)
    stored.push(isNew ? { id: message.id, isNew } : await findRepeated(db, message))
  }
  return stored
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
