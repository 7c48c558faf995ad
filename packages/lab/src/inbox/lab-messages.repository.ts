import type { Scope, TransactionScope } from '@salus/kernel/scope'
import { type Generated, type Selectable, sql } from 'kysely'
import type { ProblemClass } from './message-problems.registry.ts'

/** `waiting` until it is processed; `held` with results that wait for review. */
export const MESSAGE_STATES = [
  'waiting',
  'processed',
  'ignored',
  'held',
  'failed',
  'discarded',
] as const
export type MessageState = (typeof MESSAGE_STATES)[number]

interface LabMessagesTable {
  id: string
  gateway: string
  environment_id: string | null
  control_id: string | null
  /** SHA-256 in hex; empty where the ids of the sender are unique, null in old rows. */
  content_hash: string | null
  content_type: string
  content: Buffer
  state: MessageState
  attempts: Generated<number>
  problem_class: Generated<ProblemClass | null>
  problem: Generated<string | null>
  order_id: Generated<string | null>
  received_at: Date
  processed_at: Generated<Date | null>
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    lab_messages: LabMessagesTable
  }
}

export type LabMessageRow = Selectable<LabMessagesTable>
export type NewLabMessage = Pick<
  LabMessageRow,
  'id' | 'gateway' | 'control_id' | 'content_type' | 'content' | 'received_at' | 'state'
> & { content_hash: string } & Partial<
    Pick<LabMessageRow, 'problem_class' | 'problem' | 'processed_at'>
  >

/**
 * Inserts the message unless one with the sender's id and the content is already stored. Returns
 * the id of the stored message.
 */
export async function insertLabMessage(
  { db, environment }: TransactionScope,
  message: NewLabMessage,
): Promise<{ id: string; isNew: boolean }> {
  const inserted = await db
    .insertInto('lab_messages')
    .values({ ...message, environment_id: environment.id })
    .onConflict((conflict) =>
      conflict
        .expression(sql`environment_id, gateway, coalesce(control_id, ''), content_hash`)
        .where('content_hash', 'is not', null)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  if (inserted !== undefined) return { id: inserted.id, isNew: true }
  const { id } = await db
    .selectFrom('lab_messages')
    .select('id')
    .where('environment_id', '=', environment.id)
    .where('gateway', '=', message.gateway)
    .where(sql<boolean>`coalesce(control_id, '') = ${message.control_id ?? ''}`)
    .where('content_hash', '=', message.content_hash)
    .executeTakeFirstOrThrow()
  return { id, isNew: false }
}

export function findLabMessage(
  { db, environment }: Scope,
  id: string,
): Promise<LabMessageRow | undefined> {
  return db
    .selectFrom('lab_messages')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Returns a message, locked until the transaction ends. */
export function lockLabMessage(
  { db, environment }: TransactionScope,
  id: string,
): Promise<LabMessageRow | undefined> {
  return db
    .selectFrom('lab_messages')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function updateLabMessage(
  { db, environment }: Scope,
  id: string,
  changes: Partial<Omit<LabMessageRow, 'id' | 'environment_id' | 'content_hash'>>,
): Promise<LabMessageRow> {
  return db
    .updateTable('lab_messages')
    .set(changes)
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Columns of a message without its content. */
const SUMMARY = [
  'id',
  'gateway',
  'environment_id',
  'control_id',
  'content_type',
  'state',
  'attempts',
  'problem_class',
  'problem',
  'order_id',
  'received_at',
  'processed_at',
] as const

export type LabMessageSummary = Omit<LabMessageRow, 'content' | 'content_hash'>

/** Returns messages in a state without their content, in order of their ids. */
export function listLabMessages(
  { db, environment }: Scope,
  state: MessageState,
  page: { afterId: string | null; limit: number },
): Promise<LabMessageSummary[]> {
  let query = db
    .selectFrom('lab_messages')
    .select(SUMMARY)
    .where('environment_id', '=', environment.id)
    .where('state', '=', state)
  if (page.afterId !== null) query = query.where('id', '>', page.afterId)
  return query.orderBy('id').limit(page.limit).execute()
}

/** Returns messages of a gateway without their content, newest first. */
export function listMessagesOfGateway(
  { db, environment }: Scope,
  gateway: string,
  page: { state: MessageState | null; beforeId: string | null; limit: number },
): Promise<LabMessageSummary[]> {
  let query = db
    .selectFrom('lab_messages')
    .select(SUMMARY)
    .where('environment_id', '=', environment.id)
    .where('gateway', '=', gateway)
  if (page.state !== null) query = query.where('state', '=', page.state)
  if (page.beforeId !== null) query = query.where('id', '<', page.beforeId)
  return query.orderBy('id', 'desc').limit(page.limit).execute()
}

/** Returns one message of a gateway. */
export function findMessageOfGateway(
  { db, environment }: Scope,
  gateway: string,
  id: string,
): Promise<LabMessageRow | undefined> {
  return db
    .selectFrom('lab_messages')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('gateway', '=', gateway)
    .where('id', '=', id)
    .executeTakeFirst()
}
