import type { OutgoingPurpose, StoredAnswer } from '@salus/contracts/lab-gateway'
import type { RowScope } from '@salus/kernel/scope'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type ContentsScope, withContent } from '../inbox/index.ts'
import type { LabOutgoingMessagesTable, OutgoingState } from './connections.tables.ts'

export type OutgoingRow = Selectable<LabOutgoingMessagesTable>

/** The stores of messages and of their contents. */
type MessageScope = RowScope & ContentsScope

/** Returns the newest message of a purpose of an order. */
export async function findNewestOfOrder(
  scope: MessageScope,
  about: { connectionId: string; orderId: string; purpose: OutgoingPurpose },
): Promise<OutgoingRow | undefined> {
  const row = await scope.db
    .selectFrom('lab_outgoing_messages')
    .selectAll()
    .where('environment_id', '=', scope.environment.id)
    .where('connection_id', '=', about.connectionId)
    .where('order_id', '=', about.orderId)
    .where('purpose', '=', about.purpose)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return withContent(scope, row)
}

export async function insertOutgoing(
  { db, environment }: RowScope,
  message: Omit<Insertable<LabOutgoingMessagesTable>, 'environment_id'>,
): Promise<OutgoingRow> {
  return db
    .insertInto('lab_outgoing_messages')
    .values({ ...message, environment_id: environment.id })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Records when the newest attempt began; it is counted when it ends. */
export async function beginAttempt(
  { db, environment }: RowScope,
  id: string,
  at: Date,
): Promise<void> {
  await db
    .updateTable('lab_outgoing_messages')
    .set({ attempted_at: at })
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .execute()
}

/** Counts an attempt without an answer. */
export async function countAttempt(
  { db, environment }: RowScope,
  id: string,
  { problem, at }: { problem: string; at: Date },
): Promise<void> {
  await db
    .updateTable('lab_outgoing_messages')
    .set({ problem, attempted_at: at, attempts: sql<number>`attempts + 1` })
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .execute()
}

function columnsOf(
  { state, code, location, content }: StoredAnswer,
  at: Date,
): Updateable<LabOutgoingMessagesTable> {
  return {
    state,
    answer_code: code,
    answer_location: location,
    answer_content: content,
    answered_at: at,
    problem: null,
  }
}

/** Records an answer unless the message has one; an acceptance may follow a commitment. */
export async function answerOutgoing(
  { db, environment }: RowScope,
  id: string,
  { at, answer }: { at: Date; answer: StoredAnswer },
): Promise<void> {
  await db
    .updateTable('lab_outgoing_messages')
    .set({ ...columnsOf(answer, at), attempted_at: at, attempts: sql<number>`attempts + 1` })
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'committed'])
    .execute()
}

/** Ends the message of an order that has no answer, because the order was cancelled. */
export async function endWaitingOrder(
  { db, environment }: RowScope,
  about: { connectionId: string; orderId: string },
  answer: Pick<Updateable<LabOutgoingMessagesTable>, 'state' | 'answer_code' | 'answered_at'>,
): Promise<void> {
  await db
    .updateTable('lab_outgoing_messages')
    .set({ ...answer, problem: null })
    .where('environment_id', '=', environment.id)
    .where('connection_id', '=', about.connectionId)
    .where('order_id', '=', about.orderId)
    .where('purpose', '=', 'order')
    .where('state', '=', 'waiting')
    .execute()
}

/**
 * Counts that an operator had a message sent again. An answer to it replaces a refusal; what the
 * laboratory accepted stays accepted.
 */
export async function recordResend(
  { db, environment }: RowScope,
  id: string,
  { at, answer }: { at: Date; answer: StoredAnswer | null },
): Promise<void> {
  const ofMessage = db
    .updateTable('lab_outgoing_messages')
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
  await ofMessage.set({ resent_at: at, resent_count: sql<number>`resent_count + 1` }).execute()
  if (answer === null) return
  // Of a moved message an answer without bytes replaces the one in ClickHouse.
  const content = sql<Buffer | null>`coalesce(${answer.content}::bytea,
    case when moved_bytes is not null then ''::bytea end)`
  const columns = { ...columnsOf(answer, at), answer_content: content }
  await ofMessage.set(columns).where('state', '<>', 'accepted').execute()
}

/** Returns a message of a connection by the id that its answers name. */
export async function findByControlId(
  scope: MessageScope,
  connectionId: string,
  controlId: string,
): Promise<OutgoingRow | undefined> {
  const row = await scope.db
    .selectFrom('lab_outgoing_messages')
    .selectAll()
    .where('environment_id', '=', scope.environment.id)
    .where('connection_id', '=', connectionId)
    .where('control_id', '=', controlId)
    .executeTakeFirst()
  return withContent(scope, row)
}

/** What waits at each connection, or at one, and the last messages each way. */
export async function summarizeOutgoing(
  { db, environment }: RowScope,
  connectionId?: string,
): Promise<OutgoingSummary[]> {
  const query = db
    .selectFrom('lab_outgoing_messages')
    .select((select) => [
      'connection_id',
      select.fn.countAll<number>().filterWhere('state', '=', 'waiting').as('waiting'),
      select.fn.countAll<number>().filterWhere('state', '=', 'refused').as('refused'),
      select.fn.min('created_at').filterWhere('state', '=', 'waiting').as('oldest_waiting_at'),
      select.fn.max('answered_at').as('last_answered_at'),
    ])
    .where('environment_id', '=', environment.id)
    .groupBy('connection_id')
  return connectionId === undefined
    ? query.execute()
    : query.where('connection_id', '=', connectionId).execute()
}

export interface OutgoingSummary {
  connection_id: string
  waiting: number
  refused: number
  oldest_waiting_at: Date | null
  last_answered_at: Date | null
}

export type OutgoingSummaryRow = Omit<OutgoingRow, 'content' | 'answer_content' | 'moved_bytes'>

/** Returns messages of a connection, newest first. */
export function listOutgoing(
  { db, environment }: RowScope,
  connectionId: string,
  page: { state: OutgoingState | null; beforeId: string | null; limit: number },
): Promise<OutgoingSummaryRow[]> {
  let query = db
    .selectFrom('lab_outgoing_messages')
    .select([
      'environment_id',
      'id',
      'connection_id',
      'order_id',
      'purpose',
      'control_id',
      'placer',
      'requisition',
      'state',
      'answer_code',
      'answer_location',
      'attempts',
      'problem',
      'created_at',
      'attempted_at',
      'answered_at',
      'resent_at',
      'resent_count',
    ])
    .where('environment_id', '=', environment.id)
    .where('connection_id', '=', connectionId)
  if (page.state !== null) query = query.where('state', '=', page.state)
  if (page.beforeId !== null) query = query.where('id', '<', page.beforeId)
  return query.orderBy('id', 'desc').limit(page.limit).execute()
}

/** Returns one message of a connection. */
export async function findOutgoing(
  scope: MessageScope,
  connectionId: string,
  id: string,
): Promise<OutgoingRow | undefined> {
  const row = await scope.db
    .selectFrom('lab_outgoing_messages')
    .selectAll()
    .where('environment_id', '=', scope.environment.id)
    .where('connection_id', '=', connectionId)
    .where('id', '=', id)
    .executeTakeFirst()
  return withContent(scope, row)
}
