import type { OrderUpdate } from './order-update.schema.ts'
import type { Requisition } from './requisition.ts'

/** Answer of a laboratory to a requisition. */
export type Placement =
  | { state: 'accepted'; sampleId: string | null }
  /**
   * The laboratory received the requisition and reports later, in a message, whether it accepts it.
   */
  | { state: 'waiting' }
  /** The laboratory refused it for good. The same requisition is not sent again. */
  | { state: 'refused'; refusal: Refusal }

/** Why a laboratory refused a requisition or a cancellation, without text of the laboratory. */
export interface Refusal {
  /** The laboratory's codes, such as `AE 204`. */
  code: string
  /** Segment and field that it named, such as `OBR-4`. */
  location: string | null
}

/** An order to cancel at the laboratory. */
export interface CancelledOrder {
  environmentId: string
  orderId: string
  sampleId: string | null
  /** The requisition, whose tests laboratories want repeated; null after its person was erased. */
  requisition: Requisition | null
}

/** Answer of a laboratory to a cancellation. */
export type CancellationAnswer =
  | { state: 'cancelled' }
  /** It was received, and its outcome follows in a message. */
  | { state: 'waiting' }
  /** The laboratory refused it, as after the specimen was processed. */
  | { state: 'refused'; refusal: Refusal }
  /** The laboratory takes no messages about it; people have to call. */
  | { state: 'by_telephone' }

/**
 * A connection to a laboratory and to the carriers of its samples. Orders know only this interface;
 * the composition root chooses the implementation (a sandbox, HL7 v2, FHIR).
 *
 * Everything from the other side is a message, which is stored as it was received, then
 * acknowledged, then read. A gateway therefore never changes an order; it delivers messages and
 * reads them into updates.
 */
export interface LabGateway {
  /** Name in `lab_messages.gateway`. */
  readonly name: string
  /**
   * Sends a requisition. It may be sent again after a failure that leaves the outcome unknown, so
   * the other side must identify it by `orderId`. A thrown error has it retried later.
   */
  place(requisition: Requisition): Promise<Placement>
  /**
   * Informs the other side that the order is cancelled. A thrown error has it retried later.
   */
  cancel(order: CancelledOrder): Promise<CancellationAnswer>
  /**
   * Starts the inbound side, once, at startup. Each gateway receives messages in its own way (it is
   * called, polls or is pushed to). It passes each to `deliver` and acknowledges it to its sender
   * only after that resolved. When it rejects, the sender must send again.
   */
  open(deliver: Deliver): void | Promise<void>
  /** Ends the inbound side: nothing is received, and what is being received is finished. */
  close(): Promise<void>
  /**
   * Reads a stored message.
   * @throws UnreadableMessage for a message that is not of this gateway; it is kept for the
   *   operator.
   */
  read(message: StoredMessage): OrderUpdate[]
}

/** Stores a message; its content is applied afterwards. */
export type Deliver = (message: InboundMessage) => Promise<Receipt>

/** A message as it was received, with what its transport knows. */
export interface InboundMessage extends StoredMessage {
  /** Environment of the connection over which it was received; never taken from its content. */
  environmentId: string
  /**
   * Id given by the sender; null when it gave none. Laboratories use one id for several messages,
   * so a message is a repetition only with the same id and the same content.
   */
  controlId: string | null
  /** Why the gateway could not read it, when it already knows. It is kept for the operator. */
  problem?: UnreadableReason
  /** Time of sending, in the time of the environment. */
  at: Date
}

/** Receipt of a message that is stored, now or before. */
export interface Receipt {
  messageId: string
  /** Whether it was not stored before. */
  isNew: boolean
}

/** A message as it was stored. */
export interface StoredMessage {
  contentType: string
  content: Buffer
}

/** Why a message cannot be read. */
export type UnreadableReason =
  | 'wrong_content_type'
  | 'not_utf8'
  | 'not_json'
  | 'wrong_shape'
  | 'not_hl7'
  | 'no_control_id'
  | 'no_message_type'
  | 'wrong_message_type'
  | 'wrong_processing_id'
  | 'wrong_receiver'
  | 'bad_frame'
  | 'too_large'

/** A message that cannot be read. It has only a code, because its text may be personal. */
export class UnreadableMessage extends Error {
  readonly reason: UnreadableReason

  constructor(reason: UnreadableReason, options?: ErrorOptions) {
    super(`The message cannot be read: ${reason}.`, options)
    this.name = 'UnreadableMessage'
    this.reason = reason
  }
}
