import {
  type CancellationAnswer,
  type ConnectionStore,
  type LabConnection,
  type LabGateway,
  type Placement,
  type Requisition,
  UnreadableMessage,
} from '@salus/contracts/lab-gateway'
import type { Clock } from '@salus/kernel/time/clock'
import type { Receiver, Sender } from '../transports/transport.ts'
import { resolveConnection } from './connection/resolve-connection.ts'
import { cancellationOf, placementOf } from './exchange/answers.ts'
import { HL7_CONTENT_TYPE, receive } from './exchange/receive.ts'
import { type Dispatch, send } from './exchange/send.ts'
import { OrderNotWritable } from './orders/order-not-writable.ts'
import { readMessages } from './results/read-messages.ts'

/** Code of a refusal of our own: the connection has no transport for orders. */
const SENDS_NO_ORDERS = 'NO_ORDER_TRANSPORT'

/**
 * Creates the gateway of a connection that speaks HL7 v2. A transport is null for a direction that
 * the connection does not have.
 * @throws Error for a connection with problems, which `findConnectionProblems` lists
 */
export function createHl7Gateway(
  connection: LabConnection,
  store: ConnectionStore,
  transports: { sender: Sender | null; receiver: Receiver | null },
  clock: Clock,
): LabGateway {
  const rules = resolveConnection(connection.config, connection.environmentKind)
  const { sender, receiver } = transports
  const dispatch = sender && { rules, store, sender }
  return {
    name: connection.gatewayName,
    place: (requisition) => place(requisition, dispatch),
    cancel: ({ requisition }) => cancel(requisition, dispatch, rules.order.cancel),
    async open(deliver) {
      const reception = { connection, rules, deliver, store, clock }
      await receiver?.open((content) => receive(content, reception))
    },
    async close() {
      await receiver?.close()
      await sender?.close()
    },
    read({ contentType, content }) {
      const mediaType = contentType.split(';')[0]?.trim().toLowerCase()
      if (mediaType !== HL7_CONTENT_TYPE) throw new UnreadableMessage('wrong_content_type')
      return readMessages(rules, content)
    },
  }
}

async function place(requisition: Requisition, dispatch: Dispatch | null): Promise<Placement> {
  // A kit goes out before its patient is known; the order follows when it is.
  if (requisition.patient === null) return { state: 'waiting' }
  if (dispatch === null) {
    return { state: 'refused', refusal: { code: SENDS_NO_ORDERS, location: null } }
  }
  try {
    const { answer, requisition: number } = await send('order', requisition, dispatch)
    return placementOf(answer, number)
  } catch (error) {
    if (!(error instanceof OrderNotWritable)) throw error
    return { state: 'refused', refusal: { code: error.code, location: error.location } }
  }
}

async function cancel(
  requisition: Requisition | null,
  dispatch: Dispatch | null,
  by: 'message' | 'telephone',
): Promise<CancellationAnswer> {
  // Its tests cannot be named any more.
  if (requisition === null) return { state: 'by_telephone' }
  // A kit without a patient never became an order of the laboratory.
  if (requisition.patient === null) return { state: 'cancelled' }
  if (dispatch === null || by === 'telephone') return { state: 'by_telephone' }
  try {
    const { answer } = await send('cancellation', requisition, dispatch)
    // Nothing acknowledges it, so people have to make sure.
    if (answer.state === 'accepted' && dispatch.rules.ack.mode === 'none') {
      return { state: 'by_telephone' }
    }
    return cancellationOf(answer)
  } catch (error) {
    if (!(error instanceof OrderNotWritable)) throw error
    return { state: 'by_telephone' }
  }
}
