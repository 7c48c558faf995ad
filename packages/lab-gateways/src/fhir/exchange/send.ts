import type {
  ConnectionStore,
  OutgoingMessage,
  OutgoingPurpose,
  Requisition,
  StoredAnswer,
} from '@salus/contracts/lab-gateway'
import type { LabFetch } from '../../transports/http-auth.ts'
import { TransportError } from '../../transports/transport.ts'
import type { FhirRules } from '../connection.ts'
import { type OrderShape, requestOf, writeFhirOrder } from '../orders/write-order.ts'
import { FHIR_CONTENT_TYPE } from '../systems.ts'
import { readFhirAnswer } from './answers.ts'

/** What sending to a FHIR server needs. */
export interface FhirDispatch {
  rules: FhirRules
  store: ConnectionStore
  fetch: LabFetch
  /** Address of the server, without a slash at its end. */
  base: string
  shape: OrderShape
}

/** An outgoing message with its answer. */
interface Answered {
  message: OutgoingMessage
  answer: StoredAnswer
}

/**
 * Sends the message of an order and records the answer. The message is stored before it is sent, so
 * every repetition has the same bytes; one that has an answer is not sent again.
 * @throws Error when it is to be sent again
 */
export async function sendFhir(
  purpose: OutgoingPurpose,
  requisition: Requisition,
  dispatch: FhirDispatch,
): Promise<Answered> {
  const { rules, store, shape } = dispatch
  const status = purpose === 'order' ? 'active' : 'revoked'
  const message = await store.prepare(
    {
      orderId: requisition.orderId,
      purpose,
      markerIds: requisition.tests.map(({ marker_id }) => marker_id),
      sampleId: requisition.sampleId,
    },
    (numbers) => writeFhirOrder({ requisition, numbers, rules, shape, status }),
  )
  if (message.answer !== null) return { message, answer: message.answer }
  const answer = await store.exclusively(() => transmitFhir(message, dispatch))
  await store.recordAnswer(message.id, answer)
  return { message, answer }
}

/**
 * Sends the bytes of a message and returns the answer; an attempt without one is recorded.
 * @throws Error when there is no answer
 */
export async function transmitFhir(
  { id, content }: OutgoingMessage,
  { store, fetch, base }: FhirDispatch,
): Promise<StoredAnswer> {
  try {
    const { url, method, headers } = requestOf(base, content)
    const types = { 'content-type': FHIR_CONTENT_TYPE, accept: FHIR_CONTENT_TYPE }
    return readFhirAnswer(
      await fetch({ url, method, headers: { ...types, ...headers }, body: content }),
    )
  } catch (error) {
    await store.recordAttempt(id, error instanceof TransportError ? error.code : 'not_sent')
    throw error
  }
}
