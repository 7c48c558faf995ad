/** Sends messages to a laboratory, one at a time. */
export interface Sender {
  /**
   * Sends a message and waits for its answer.
   * @returns the bytes of the answer; null where the transport has none, such as a folder
   * @throws TransportError when the outcome is unknown; the same bytes are sent again later
   */
  send(message: OutgoingContent): Promise<Buffer | null>
  /** Tries the connection without sending a message. @throws TransportError */
  check(): Promise<void>
  close(): Promise<void>
}

/** A message on its way out. */
export interface OutgoingContent {
  content: Buffer
  /** MSH-10; it also names files. */
  controlId: string
  /** Number of the requisition, for names of files. */
  requisition: string | null
  /** Whether some bytes are the answer to this message. Others on the connection are ignored. */
  isAnswer: (content: Buffer) => boolean
}

/** Receives messages from a laboratory. */
export interface Receiver {
  /** Starts receiving. @throws TransportError when it cannot, as for a port that is taken */
  open(receive: Receive): Promise<void>
  /** Ends receiving, after what is being received was answered. */
  close(): Promise<void>
  /** Tries the connection without taking a message. @throws TransportError */
  check(): Promise<void>
}

/**
 * Takes what arrived: one message, or a file with many. It resolves when all of it is stored, with
 * the messages that answer it, if any; the transport confirms it only then. When it rejects, the
 * laboratory must send it again.
 */
export type Receive = (content: Buffer) => Promise<readonly Buffer[]>

/** A problem of a transport, by a code without content of messages, such as `ack_timeout`. */
export class TransportError extends Error {
  readonly code: string

  constructor(code: string, options?: ErrorOptions) {
    super(`The laboratory could not be reached: ${code}.`, options)
    this.name = 'TransportError'
    this.code = code
  }
}
