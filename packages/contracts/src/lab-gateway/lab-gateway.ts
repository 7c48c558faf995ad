import type { OrderUpdate } from './order-update.schema.ts'
import type { Requisition } from './requisition.ts'

/** What a laboratory said to a requisition. */
export type Placement =
  | { state: 'accepted'; sampleId: string | null }
  /** It took the requisition and will say later, by a message, whether it accepts it. */
  | { state: 'waiting' }

/**
 * One way to a laboratory and to whoever brings samples to it. Orders know this interface only;
 * what stands behind it (a sandbox, HL7 v2, FHIR) is chosen by the composition root.
 *
 * Whatever comes from the other side is a message: it is stored as it came, then acknowledged, then
 * read. So a gateway never writes to an order; it delivers messages and reads them into updates.
 */
export interface LabGateway {
  /** As in `lab_messages.gateway`. */
  readonly name: string
  /**
   * Hands over a requisition; also a second time, after a failure of which nobody knows how far it
   * came, so the other side must know it by `orderId`. Throwing has it tried again later.
   */
  place(requisition: Requisition): Promise<Placement>
  /** Tells the other side that nothing shall be done any more. */
  cancel(order: { environmentId: string; orderId: string; sampleId: string | null }): Promise<void>
  /**
   * Opens the inbound side, once, at the start. How messages get here is the gateway's own matter
   * (it is called, it asks, it is pushed); each goes into `deliver` and is acknowledged to its
   * sender when that resolves, and not before. When it rejects, the sender must send again.
   */
  open(deliver: Deliver): void
  /**
   * Reads a stored message.
   * @throws UnreadableMessage when it is none of this gateway's; the message is kept for the
   *   operator.
   */
  read(message: StoredMessage): OrderUpdate[]
}

/** Stores a message; what it says is applied after that. */
export type Deliver = (message: InboundMessage) => Promise<Receipt>

/** A message as it came, with what its transport knows of it. */
export interface InboundMessage extends StoredMessage {
  /** Whose it is; told by the connection through which it came, never by its content. */
  environmentId: string
  /** The sender's own id of it: sent again, it is acknowledged again and not stored twice. */
  controlId: string
  /** When it was sent, in the time of the environment. */
  at: Date
}

/** A message is stored, now or before. */
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

/** A message that cannot be read, with a code: the message's own words may be personal. */
export class UnreadableMessage extends Error {
  readonly reason: UnreadableReason

  constructor(reason: UnreadableReason, options?: ErrorOptions) {
    super(`The message cannot be read: ${reason}.`, options)
    this.name = 'UnreadableMessage'
    this.reason = reason
  }
}
