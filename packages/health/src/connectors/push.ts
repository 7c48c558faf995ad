import type { VendorApp, VendorTokens } from './sign-in.ts'
import type { FetchJson, Send } from './vendor-client.ts'
import type { TimeRange } from './vendor-records.ts'

/** Notifications by which a vendor reports new data. */
export interface Push {
  /**
   * Whether the vendor sent the message. Compares in constant time. Absent for a vendor that does
   * not sign: then the address of the app's messages has a part that only the vendor knows.
   * @param app Its `secrets` include what `subscribe` returned.
   */
  readonly verify?: (message: PushMessage, app: VendorApp) => boolean
  /** Returns the time of the signature in epoch milliseconds; NaN where the message has none. */
  readonly signedAt?: (message: PushMessage) => number
  /**
   * Returns the answer to a request by which the vendor verifies the address; undefined when the
   * request is not one. Every request is passed to it before it is regarded as a message.
   */
  readonly answerHandshake?: (
    handshake: PushHandshake,
    app: VendorApp,
  ) => HandshakeAnswer | undefined
  /** Parses a body that is not JSON. @throws SyntaxError or VendorError for an invalid body */
  readonly parse?: (body: Buffer) => unknown
  /** @throws VendorError `unexpected` for an invalid body */
  readonly read: (body: unknown) => readonly PushNotice[]
  /** Status of an accepted message; 200 by default. */
  readonly acceptedStatus?: 200 | 204
  /**
   * Subscribes to messages of all collections that the vendor supports. A repeated call changes
   * nothing.
   * @returns secrets of the subscription, which are stored sealed and passed in `app.secrets`
   */
  readonly subscribe?: (
    send: Send,
    app: VendorApp,
    callbackUrl: string,
  ) => Promise<Readonly<Record<string, string>> | undefined>
  /**
   * Subscribes to messages about one user, with the user's credential. A repeated call changes
   * nothing.
   */
  readonly subscribeUser?: (
    fetchJson: FetchJson,
    tokens: VendorTokens,
    callbackUrl: string,
  ) => Promise<void>
}

export interface PushMessage {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
  readonly receivedAt: Date
}

export interface PushHandshake {
  readonly method: 'GET' | 'HEAD' | 'POST'
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
}

export interface HandshakeAnswer {
  readonly status: 200 | 204 | 401
  /** JSON when it begins with a brace, otherwise plain text. */
  readonly body: string
}

export interface PushNotice {
  /** The vendor's account id. */
  readonly accountId: string
  /** Name of the collection that changed; null when the user ended the access. */
  readonly collection: string | null
  /** Time range of the change, where the message has it. */
  readonly range: TimeRange | null
  /** The record that changed, where the message names it: of a collection with `record`. */
  readonly record?: { readonly id: string; readonly isDeleted: boolean }
  /** An answer of the collection that the message itself carries: it is mapped at once. */
  readonly page?: unknown
}
