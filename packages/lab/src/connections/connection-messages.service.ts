import { notFoundCode } from '@salus/kernel/errors'
import { KeysetPages, UUID_KEY } from '@salus/kernel/http/keyset-pages'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import type { OutgoingLabMessage, OutgoingLabMessageQuery } from './connections.schema.ts'
import { requireConnectionRow } from './connections.service.ts'
import { findOutgoing, listOutgoing, type OutgoingRow } from './outgoing-messages.repository.ts'

const PAGES = new KeysetPages({ id: UUID_KEY })

/**
 * Returns the messages of a connection to its laboratory, newest first, without their content.
 * @throws AppError 404 `lab_connection_not_found`; 400 `invalid_cursor`
 */
export async function listOutgoingMessages(
  scope: Scope,
  name: string,
  { state, limit, next_cursor: cursor }: OutgoingLabMessageQuery,
) {
  const { id } = await requireConnectionRow(scope, name)
  const list = ['outgoing_lab_message', id, state ?? null]
  const beforeId = PAGES.read(list, cursor)?.id ?? null
  const page = { state: state ?? null, beforeId, limit: limit + 1 }
  const found = await listOutgoing(scope, id, page)
  const cut = PAGES.cut(list, found, limit, (row) => row)
  return { data: cut.page.map(toOutgoing), next_cursor: cut.nextCursor }
}

/**
 * Returns one message with its bytes and those of its answer, in base64. It has personal data.
 * @throws AppError 404 `lab_connection_not_found`, `outgoing_message_not_found`
 */
export async function getOutgoingMessage(scope: Scope, name: string, messageId: string) {
  const { id } = await requireConnectionRow(scope, name)
  const row = await findOutgoing(scope, id, messageId)
  if (row === undefined) throw notFoundCode('outgoing_message_not_found')
  return {
    ...toOutgoing(row),
    content: row.content.toString('base64'),
    answer: row.answer_content?.toString('base64') ?? null,
  }
}

function toOutgoing(row: Omit<OutgoingRow, 'content' | 'answer_content'>): OutgoingLabMessage {
  return {
    id: row.id,
    order_id: row.order_id,
    purpose: row.purpose,
    control_id: row.control_id,
    placer_number: row.placer,
    requisition_number: row.requisition,
    state: row.state,
    answer_code: row.answer_code,
    answer_location: row.answer_location,
    problem: row.problem,
    attempts: row.attempts,
    created_at: formatInstant(row.created_at),
    attempted_at: row.attempted_at && formatInstant(row.attempted_at),
    answered_at: row.answered_at && formatInstant(row.answered_at),
  }
}
