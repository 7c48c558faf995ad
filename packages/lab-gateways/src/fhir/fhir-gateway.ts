import {
  type CancellationAnswer,
  type LabConnection,
  type LabGateway,
  type Placement,
  type Requisition,
  UnreadableMessage,
} from '@salus/contracts/lab-gateway'
import type { Clock } from '@salus/kernel/time/clock'
import { cancellationOf, placementOf } from '../hl7/exchange/answers.ts'
import { OrderNotWritable } from '../hl7/orders/order-not-writable.ts'
import { resolveFhirConnection } from './connection.ts'
import { receiveFhir } from './exchange/receive.ts'
import { type FhirDispatch, sendFhir } from './exchange/send.ts'
import type { FhirSides } from './fhir-sides.ts'
import { readUpdates } from './results/read-updates.ts'
import { FHIR_CONTENT_TYPE } from './systems.ts'

/** Code of a refusal of our own: the connection has no transport for orders. */
const SENDS_NO_ORDERS = 'NO_ORDER_TRANSPORT'
/** Media types under which senders post FHIR. */
const CONTENT_TYPES = [FHIR_CONTENT_TYPE, 'application/json', 'application/json+fhir']

/**
 * Creates the gateway of a connection that speaks FHIR R4. A side is null for a direction that the
 * connection does not have.
 */
export function createFhirGateway(
  connection: LabConnection,
  { dispatch, receiver }: Pick<FhirSides, 'dispatch' | 'receiver'>,
  clock: Clock,
): LabGateway {
  const rules = resolveFhirConnection(connection.config)
  return {
    name: connection.gatewayName,
    place: (requisition) => place(requisition, dispatch),
    cancel: ({ requisition }) => cancel(requisition, dispatch),
    async open(deliver) {
      const reception = { connection, deliver, clock }
      await receiver?.open((content) => receiveFhir(content, reception))
    },
    close: async () => receiver?.close(),
    read({ contentType, content }) {
      const mediaType = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
      if (!CONTENT_TYPES.includes(mediaType)) throw new UnreadableMessage('wrong_content_type')
      return readUpdates(rules, content)
    },
  }
}

async function place(requisition: Requisition, dispatch: FhirDispatch | null): Promise<Placement> {
  // A kit goes out before its patient is known; the order follows when it is.
  if (requisition.patient === null) return { state: 'waiting' }
  if (dispatch === null) {
    return { state: 'refused', refusal: { code: SENDS_NO_ORDERS, location: null } }
  }
  try {
    const { answer, message } = await sendFhir('order', requisition, dispatch)
    const ofLaboratory = dispatch.rules.isRequisitionOfLaboratory && answer.fillerNumbers?.[0]
    return placementOf(answer, message.requisition ?? (ofLaboratory || null))
  } catch (error) {
    if (!(error instanceof OrderNotWritable)) throw error
    return { state: 'refused', refusal: { code: error.code, location: error.location } }
  }
}

async function cancel(
  requisition: Requisition | null,
  dispatch: FhirDispatch | null,
): Promise<CancellationAnswer> {
  // Its tests cannot be named any more.
  if (requisition === null) return { state: 'by_telephone' }
  // A kit without a patient never became an order of the laboratory.
  if (requisition.patient === null) return { state: 'cancelled' }
  if (dispatch === null || dispatch.rules.cancelBy === 'telephone') return { state: 'by_telephone' }
  try {
    return cancellationOf((await sendFhir('cancellation', requisition, dispatch)).answer)
  } catch (error) {
    if (!(error instanceof OrderNotWritable)) throw error
    return { state: 'by_telephone' }
  }
}
