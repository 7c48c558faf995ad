import { prepared } from '@salus/kernel/postgres/prepared-statements'
import type { Scope, TransactionScope } from '@salus/kernel/scope'
import type { Generated, Selectable } from 'kysely'
import { withContent } from './message-contents.repository.ts'
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
  /** Empty where it was moved to ClickHouse. */
  content: Buffer
  /** Length of a content that was moved. */
  moved_bytes: Generated<number | null>
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

export async function findLabMessage(scope: Scope, id: string): Promise<LabMessageRow | undefined> {
  const row = await scope.db
    .selectFrom('lab_messages')
    .selectAll()
    .where('environment_id', '=', scope.environment.id)
    .where('id', '=', id)
    .executeTakeFirst()
  return withContent(scope, row)
}

/** Returns a message, locked until the transaction ends, with its content until it is over. */
export function lockLabMessage(
  { db, environment }: TransactionScope,
  id: string,
): Promise<LabMessageRow | undefined> {
  return prepared(db)
    .selectFrom('lab_messages')
    .select([...SUMMARY, 'content', 'content_hash', 'moved_bytes'])
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

type MessageChanges = Partial<
  Omit<LabMessageRow, 'id' | 'environment_id' | 'content_hash' | 'moved_bytes'>
>

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

export type LabMessageSummary = Omit<LabMessageRow, 'content' | 'content_hash' | 'moved_bytes'>

/** Changes a message and returns it without its content, which may be large. */
export function updateLabMessage(
  { db, environment }: Scope,
  id: string,
  changes: MessageChanges,
): Promise<LabMessageSummary> {
  return prepared(db)
    .updateTable('lab_messages')
    .set(changes)
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .returning(SUMMARY)
    .executeTakeFirstOrThrow()
}

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

/** Counts the messages that could not be applied. */
export async function countFailedMessages({ db, environment }: Scope): Promise<number> {
  const { total } = await db
    .selectFrom('lab_messages')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('environment_id', '=', environment.id)
    .where('state', '=', 'failed')
    .executeTakeFirstOrThrow()
  return total
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
export async function findMessageOfGateway(
  scope: Scope,
  gateway: string,
  id: string,
): Promise<LabMessageRow | undefined> {
  const row = await findLabMessage(scope, id)
  return row?.gateway === gateway ? row : undefined
}
