/** What a transport sends. */
export interface SentMessage {
  content: Buffer
  /** MSH-10, by which the answer is found. */
  controlId: string
  /** Number of the requisition, for names of files; null where the laboratory gives it. */
  requisition: string | null
}

/** The outgoing side of a connection: bytes out, and the bytes of the answer back. */
export interface Sender {
  /**
   * Sends a message and returns the bytes of its answer; null where the transport has no answers,
   * as with a folder or SFTP. Only an answer for which `isAnswerTo` holds ends the waiting.
   * @throws Error when it could not be sent, or no answer came in time
   */
  send(message: SentMessage): Promise<Buffer | null>
  close(): Promise<void>
  /** Tries to reach the other side without sending a message. @throws Error when it cannot */
  check(): Promise<void>
}

/** The incoming side of a connection. */
export interface Receiver {
  /**
   * Passes each frame, file or body to `receive`, and sends back what it returns; null is no
   * answer. Where `receive` rejects, nothing may be confirmed: the sender must send it again, and a
   * file stays. An answer may have several messages, which `splitMessages` separates for transports
   * that frame each one.
   */
  open(
    receive: (content: Buffer, about: { peer: string | null }) => Promise<Buffer | null>,
  ): Promise<void>
  close(): Promise<void>
}
