import type { LabGateway, StoredMessage } from '../lab-gateway.ts'
import type { Requisition } from '../requisition.ts'
import type { LabConnectionConfig } from './lab-connection.schema.ts'

/** A stored connection, as the gateway that is made of it gets it. */
export interface LabConnection {
  /** UUID */
  id: string
  /** Environment of all its orders and messages. */
  environmentId: string
  environmentKind: 'production' | 'sandbox'
  /** `hl7:<connection>` or `fhir:<connection>`; `lab_messages.gateway` of its messages. */
  gatewayName: string
  config: LabConnectionConfig
  /** Returns the value of a `secret:` or `file:` reference. @throws Error when it is missing */
  readSecret(reference: string): Promise<string>
}

/** Numbers of an outgoing message, allocated once for it. */
export interface AllocatedNumbers {
  /** Id of the message, MSH-10: at most 20 characters, unique for the connection. */
  controlId: string
  /** Placer number of the requisition, by the rule of the connection. */
  placer: string
  /** Placer numbers by `marker_id`; all equal `placer` where the requisition has one number. */
  placerOfTest: ReadonlyMap<number, string>
  /** Number that is printed on the requisition; null where the laboratory gives it. */
  requisition: string | null
}

export type OutgoingPurpose = 'order' | 'cancellation'

/** An outgoing message as it is stored. Its bytes never change. */
export interface OutgoingMessage {
  id: string
  controlId: string
  placer: string
  requisition: string | null
  content: Buffer
  /** Whether an attempt began, so that the laboratory may have it. */
  wasSent: boolean
  /** The answer that ended it; null while there is none. */
  answer: StoredAnswer | null
}

/** How the laboratory answered an outgoing message. */
export interface StoredAnswer {
  /** `accepted` by AA; `committed` by CA only; `refused` by AE or AR for good. */
  state: 'accepted' | 'committed' | 'refused'
  /** Code of the refusal, such as `AE 204`, without text of the laboratory. */
  code: string | null
  /** Segment and field that the laboratory named, such as `OBR-4`. */
  location: string | null
  /** The bytes of the answer. */
  content: Buffer | null
  /** Numbers that the laboratory gave the tests, by which later messages may name the order. */
  fillerNumbers?: readonly string[]
}

/**
 * What a gateway keeps in the database about one connection. The lab domain implements it.
 */
export interface ConnectionStore {
  /**
   * Returns the message of a purpose of an order. The first call allocates numbers and stores what
   * `make` returns; later ones return the same bytes, whatever changed in the order.
   */
  prepare(
    about: {
      orderId: string
      purpose: OutgoingPurpose
      /** Markers in the order of the requisition. */
      markerIds: readonly number[]
      sampleId: string | null
    },
    make: (numbers: AllocatedNumbers) => Buffer,
  ): Promise<OutgoingMessage>
  /** Returns the message that an answer names by its control id; null for one that was not sent. */
  findSent(controlId: string): Promise<OutgoingMessage | null>
  /** Records that an attempt begins; the process may end before its outcome is known. */
  beginAttempt(messageId: string): Promise<void>
  /** Records an attempt that ended without an answer, by the kind of trouble. */
  recordAttempt(messageId: string, problem: string): Promise<void>
  /** Records the answer; a later one to a repetition does not replace it. */
  recordAnswer(messageId: string, answer: StoredAnswer): Promise<void>
  /**
   * Records an answer that came in a message of its own, as that of the application does after a
   * commit, and moves the order as if it had come at once. Once there is a final answer it changes
   * nothing.
   * @param requisition number of the requisition of an accepted order; null when none is known
   */
  recordLateAnswer(
    messageId: string,
    answer: StoredAnswer,
    requisition: string | null,
  ): Promise<void>
  /**
   * Runs `send` while no other process sends over this connection, so that one message is in
   * flight.
   */
  exclusively<T>(send: () => Promise<T>): Promise<T>
  /** Returns and stores the position of a poll, such as the time of the newest report. */
  readPosition(): Promise<string | null>
  writePosition(position: string): Promise<void>
  /** Returns a new MSH-10 for an acknowledgement. */
  nextControlId(): Promise<string>
}

/** A part of a connection that was tried. */
export interface ConnectionCheck {
  name: string
  /** Code of the problem; null when it works. */
  problem: string | null
  detail: string | null
}

/** A gateway that is made of a stored connection. */
export interface OpenedConnection {
  gateway: LabGateway
  /**
   * Takes a message that the laboratory posts to Salus, and returns the answers; null for a
   * connection that receives in another way.
   */
  receive: ((content: Buffer) => Promise<readonly Buffer[]>) | null
  /** Tries the transports, and what the configuration needs, without sending a message. */
  check(): Promise<ConnectionCheck[]>
  /** Writes the order message of a requisition. */
  writeOrder(requisition: Requisition, numbers: AllocatedNumbers): Buffer
  /** Takes a file or a batch apart into its messages. */
  split(content: Buffer): StoredMessage[]
  /**
   * Sends the bytes of a stored message again and returns the answer; null for a connection that
   * sends nothing. It throws when there is no answer.
   */
  resend: ((message: OutgoingMessage) => Promise<StoredAnswer>) | null
}
