import { notFoundCode } from '@salus/kernel/errors'
import { KeysetPages, UUID_KEY } from '@salus/kernel/http/keyset-pages'
import type { Scope } from '@salus/kernel/scope'
import { findMessageOfGateway, listMessagesOfGateway, toMessage } from '../../inbox/index.ts'
import { findOrder } from '../../orders/index.ts'
import { requireConnectionRow } from '../connections.service.ts'
import { gatewayNameOf } from '../to-connection.ts'
import type {
  MessageViewParts,
  ReceivedLabMessage,
  ReceivedLabMessageDetail,
  ReceivedLabMessageQuery,
} from './message-views.schema.ts'

const PAGES = new KeysetPages({ id: UUID_KEY })

/**
 * Returns the messages that a laboratory sent over a connection, newest first, without their
 * content.
 * @throws AppError 404 `lab_connection_not_found`; 400 `invalid_cursor`
 */
export async function listReceivedMessages(
  scope: Scope,
  name: string,
  { state, limit, next_cursor: cursor }: ReceivedLabMessageQuery,
) {
  const connection = await requireConnectionRow(scope, name)
  const list = ['received_lab_message', connection.id, state ?? null]
  const beforeId = PAGES.read(list, cursor)?.id ?? null
  const page = { state: state ?? null, beforeId, limit: limit + 1 }
  const found = await listMessagesOfGateway(scope, gatewayNameOf(connection), page)
  const cut = PAGES.cut(list, found, limit, (row) => row)
  return { data: cut.page.map(toReceived), next_cursor: cut.nextCursor }
}

/**
 * Returns one message with its bytes in base64 and with named fields. It has personal data.
 * @throws AppError 404 `lab_connection_not_found`, `lab_message_not_found`
 */
export async function getReceivedMessage(
  scope: Scope,
  { describeMessage, locateProblem }: MessageViewParts,
  name: string,
  messageId: string,
): Promise<ReceivedLabMessageDetail> {
  const connection = await requireConnectionRow(scope, name)
  const row = await findMessageOfGateway(scope, gatewayNameOf(connection), messageId)
  if (row === undefined) throw notFoundCode('lab_message_not_found')
  const { content, content_type: contentType, problem, order_id: orderId } = row
  const segments = describeMessage({ contentType, content })
  const order = orderId === null ? undefined : await findOrder(scope, orderId)
  return {
    ...toReceived(row),
    user_id: order?.user_id ?? null,
    problem_location: problem && locateProblem(problem, segments ?? []),
    content: content.toString('base64'),
    segments,
  }
}

const toReceived = (
  row: Parameters<typeof toMessage>[0] & { control_id: string | null },
): ReceivedLabMessage => ({ ...toMessage(row), control_id: row.control_id })
