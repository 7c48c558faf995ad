import type { LabNews } from './lab-news.ts'
import type { Requisition } from './requisition.ts'

/** What a laboratory said to a requisition. */
export type Placement =
  | { state: 'accepted'; sampleId: string | null }
  /** It took the requisition and will say later, by a message, whether it accepts it. */
  | { state: 'waiting' }

/**
 * One way to a laboratory and to whoever brings samples to it. Orders know this interface only; what
 * stands behind it (a sandbox, HL7 v2, FHIR) is chosen by the registry.
 *
 * Whatever comes back from the other side is a message: it is stored as it came, then acknowledged,
 * then read. So a gateway never writes to an order; it only tells news.
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
   * Reads a stored message.
   * @throws UnreadableMessage when it is none of this gateway's; the message is kept for people.
   */
  read(message: StoredMessage): LabNews[]
}

/** A message as it was stored. */
export interface StoredMessage {
  contentType: string
  content: Buffer
}

/** A message that cannot be read. `problem` is a code; the message's own words may be personal. */
export class UnreadableMessage extends Error {
  readonly problem: string

  constructor(problem: string, options?: ErrorOptions) {
    super(`The message cannot be read: ${problem}.`, options)
    this.name = 'UnreadableMessage'
    this.problem = problem
  }
}
