import { badRequest, notFoundCode } from '@salus/kernel/errors'
import { KeysetPages, UUID_KEY } from '@salus/kernel/http/keyset-pages'
import { addJob } from '@salus/kernel/jobs/jobs'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { findOrder } from '../../orders/index.ts'
import type { ConnectionRow } from '../connections.global.repository.ts'
import type { OutgoingLabMessage, OutgoingLabMessageQuery } from '../connections.schema.ts'
import { requireConnectionRow } from '../connections.service.ts'
import {
  findOutgoing,
  listOutgoing,
  type OutgoingSummaryRow,
} from '../outgoing-messages.repository.ts'
import type { MessageViewParts, OutgoingLabMessageDetail } from './message-views.schema.ts'
import { RESEND_LAB_MESSAGE } from './resend-job.ts'

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
 * Returns one message with its bytes and those of its answer, in base64, and with named fields. It
 * has personal data.
 * @throws AppError 404 `lab_connection_not_found`, `outgoing_message_not_found`
 */
export async function getOutgoingMessage(
  scope: Scope,
  { describeMessage }: MessageViewParts,
  name: string,
  messageId: string,
): Promise<OutgoingLabMessageDetail> {
  const connection = await requireConnectionRow(scope, name)
  const row = await findOutgoing(scope, connection.id, messageId)
  if (row === undefined) throw notFoundCode('outgoing_message_not_found')
  const contentType = contentTypeOf(connection)
  const { content, answer_content: answer } = row
  return {
    ...toOutgoing(row),
    user_id: (await findOrder(scope, row.order_id))?.user_id ?? null,
    content: content.toString('base64'),
    segments: describeMessage({ contentType, content }),
    answer: answer?.toString('base64') ?? null,
    answer_segments: answer && describeMessage({ contentType, content: answer }),
  }
}

const contentTypeOf = ({ config }: ConnectionRow): string =>
  config.profile === 'fhir-r4' ? 'application/fhir+json' : 'x-application/hl7-v2+er7'

/**
 * Has the bytes of a message sent again now, by a job. An answer that the laboratory gave before
 * stays, unless it was a refusal.
 * @throws AppError 404 `lab_connection_not_found`, `outgoing_message_not_found`; 400
 *   `lab_connection_not_sending`
 */
export async function resendMessage(
  scope: Scope,
  name: string,
  messageId: string,
): Promise<OutgoingLabMessage> {
  const connection = await requireConnectionRow(scope, name)
  const row = await findOutgoing(scope, connection.id, messageId)
  if (row === undefined) throw notFoundCode('outgoing_message_not_found')
  const { is_enabled: isEnabled, is_held: isHeld, config } = connection
  if (!isEnabled || isHeld || config.orders === undefined) {
    throw badRequest(
      'lab_connection_not_sending',
      'The connection is held, disabled, or sends no orders.',
    )
  }
  await scope.transaction((tx) =>
    addJob(
      tx.db,
      RESEND_LAB_MESSAGE,
      { environmentId: tx.environment.id, connection: name, messageId },
      { key: `resend:${messageId}` },
    ),
  )
  return toOutgoing(row)
}

function toOutgoing(row: OutgoingSummaryRow): OutgoingLabMessage {
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
    resent_count: row.resent_count,
    resent_at: row.resent_at && formatInstant(row.resent_at),
  }
}
