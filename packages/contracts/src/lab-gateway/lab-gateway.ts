import type { OrderUpdate } from './order-update.schema.ts'
import type { Requisition } from './requisition.ts'

/** Answer of a laboratory to a requisition. */
export type Placement =
  | { state: 'accepted'; sampleId: string | null }
  /**
   * The laboratory received the requisition and reports later, in a message, whether it accepts it.
   */
  | { state: 'waiting' }

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
  /** Informs the other side that the order is canceled. */
  cancel(order: { environmentId: string; orderId: string; sampleId: string | null }): Promise<void>
  /**
   * Starts the inbound side, once, at startup. Each gateway receives messages in its own way (it is
   * called, polls or is pushed to). It passes each to `deliver` and acknowledges it to its sender
   * only after that resolved. When it rejects, the sender must send again.
   */
  open(deliver: Deliver): void
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
  /** Id given by the sender. A repeated message is acknowledged again and not stored twice. */
  controlId: string
  /** Time of sending, in the time of the environment. */
  at: Date
}

/** Receipt of a message that is stored, now or before. */
export interface Receipt {
  messageId: string
}

/** A message as it was stored. */
export interface StoredMessage {
  contentType: string
  content: Buffer
}

/** Why a message cannot be read. */
export type UnreadableReason = 'wrong_content_type' | 'not_utf8' | 'not_json' | 'wrong_shape'

/** A message that cannot be read. It has only a code, because its text may be personal. */
export class UnreadableMessage extends Error {
  readonly reason: UnreadableReason

  constructor(reason: UnreadableReason, options?: ErrorOptions) {
    super(`The message cannot be read: ${reason}.`, options)
    this.name = 'UnreadableMessage'
    this.reason = reason
  }
}
