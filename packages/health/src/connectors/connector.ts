import type { OutboundAnswer } from '@salus/kernel/outbound/request'
import type { PageData } from './page-data.ts'
import type { Ask, Send, VendorFailure, VendorRequest } from './vendor-client.ts'

/**
 * What one cloud provider is, as data, and the parts that know its wire format: how people sign in
 * there, what to ask for next, and what an answer means. Connectors keep nothing and know neither
 * people nor stores: the link domain signs people in with them, the engine of
 * `packages/health/src/pulling` asks with them.
 */
export interface Connector {
  /** That of the table of providers. */
  readonly slug: string
  /** Addresses of the vendor by a name of our own, without a slash at the end. */
  readonly hosts: Readonly<Record<string, string>>
  readonly auth: OAuth | PasswordSignIn | EmailSignIn
  /**
   * The scopes, in the vendor's own words, that a resource needs and those that add to it, by
   * resource; absent for a vendor without scopes.
   */
  readonly scopes?: Readonly<Record<string, ScopeNeed>>
  readonly collections: readonly Collection[]
  readonly budgets: readonly Budget[]
  readonly push?: Push
  /** Puts the credential into a request. A bearer token in `authorization` unless told. */
  readonly authorize?: (request: VendorRequest, tokens: VendorTokens) => VendorRequest
  /** What an answer means where it is not what its status says in general; undefined: just that. */
  readonly failureOf?: (answer: OutboundAnswer) => VendorFailure | undefined
}

export interface ScopeNeed {
  readonly required: readonly string[]
  readonly optional: readonly string[]
}

/** What later requests to a vendor need. Sealed where it is kept. */
export interface VendorTokens {
  readonly accessToken: string
  /**
   * null where there is none: then the person's password signs in again, or the connection ends.
   */
  readonly refreshToken: string | null
  /** Epoch milliseconds; null: the vendor does not say. */
  readonly expiresAt: number | null
  /** What else the vendor wants to see again, such as the id of a patient. */
  readonly extra?: Readonly<Record<string, string>>
}

/** The app that an operator, or a team, registered with a vendor. */
export interface VendorApp {
  readonly clientId: string
  readonly clientSecret: string
}

/**
 * OAuth 2 with an authorization code (RFC 6749), refreshed and revoked as RFC 6749 and RFC 7009
 * say.
 */
export interface OAuth {
  readonly kind: 'oauth'
  readonly authorizationEndpoint: Endpoint
  readonly tokenEndpoint: Endpoint
  /** Absent where the vendor offers no end of a grant. */
  readonly revocationEndpoint?: Endpoint & {
    /**
     * Where the vendor does not speak RFC 7009: the parameter of the query that takes the access
     * token.
     */
    readonly accessTokenParameter?: string
  }
  readonly clientAuthentication: 'client_secret_basic' | 'client_secret_post'
  readonly usesPkce: boolean
  /** All that is asked of the person. */
  readonly scopes: readonly string[]
  /** What granted scopes are parted by; a space unless told. */
  readonly scopeSeparator?: string
  /** The vendor's id of the account that granted access. */
  readonly identify: (ask: Ask) => Promise<string>
}

export interface Endpoint {
  readonly host: string
  readonly path: string
}

/** The person's password of the vendor, and, where the vendor asks for it, a code. */
export interface PasswordSignIn {
  readonly kind: 'password'
  /** Regions that the vendor has separate services for; absent: it has one for all. */
  readonly regions?: readonly string[]
  readonly signIn: (send: Send, given: PasswordGiven) => Promise<SignInOutcome>
  /** @param challenge As `signIn` returned it. */
  readonly completeMfa?: (send: Send, challenge: string, code: string) => Promise<SignInOutcome>
  /** A new session without the person: by a refresh token, or by the password. */
  readonly renew: (send: Send, tokens: VendorTokens, given: PasswordGiven) => Promise<VendorTokens>
}

export interface PasswordGiven {
  readonly username: string
  readonly password: string
  readonly region: string | null
}

/**
 * The person's e-mail address, by which the vendor lets an organization, such as a practice, see
 * the data of somebody who accepts its invitation.
 */
export interface EmailSignIn {
  readonly kind: 'email'
  /** Regions served where the deployment itself is in one. */
  readonly regions: Readonly<Record<'us' | 'eu', { default: string; served: readonly string[] }>>
  readonly invite: (
    send: Send,
    given: { email: string; region: string; app: VendorApp },
  ) => Promise<SignInOutcome>
  /** A new session of the organization. */
  readonly renew: (send: Send, tokens: VendorTokens, app: VendorApp) => Promise<VendorTokens>
}

/** What became of a sign-in. An answer that makes no sense is thrown as VendorError. */
export type SignInOutcome =
  | { readonly state: 'signed_in'; readonly tokens: VendorTokens; readonly accountId: string }
  | {
      readonly state: 'code_needed'
      readonly method: 'sms' | 'email'
      /** Where the code went, as the vendor shows it, such as a redacted number. */
      readonly hint: string
      /** What `completeMfa` needs again. Sealed where it is kept. */
      readonly challenge: string
    }
  | {
      readonly state: 'refused'
      readonly reason: 'wrong_credential' | 'password_expired' | 'unsupported_region' | 'wrong_code'
    }

/** Records of one kind that a vendor lists by time: what is pulled, covered and polled as one. */
export interface Collection {
  /** Unique within the connector; the vendor's own word where it has one. */
  readonly name: string
  /**
   * Resources, in the words of supported_resources, that its records are turned into; the chief one
   * first.
   */
  readonly resources: readonly string[]
  /**
   * Whether past records can be asked for by time; else an answer is the present state, such as a
   * profile.
   */
  readonly history: 'by_range' | 'none'
  /** Most days that one request may span. */
  readonly mostDaysAtOnce: number
  /** How much before the newest held record polling asks again, because vendors revise. */
  readonly overlapHours: number
  /** The request for a range, or for its next page. */
  readonly page: (range: TimeRange, cursor: string | null) => VendorRequest
  /** The cursor of the next page, null after the last one. */
  readonly next: (answer: unknown) => string | null
  /** Further requests that the records of a page need, such as the points of each workout. */
  readonly details?: (answer: unknown) => readonly VendorRequest[]
  /**
   * Turns a page into samples and summaries; what cannot be one is quarantined by `data`.
   * @param details The answers to `details`, in its order.
   * @throws VendorError `unexpected` for an answer that is no page
   */
  readonly map: (answer: unknown, data: PageData, details: readonly unknown[]) => void
}

/** Epoch milliseconds; `to` is not within. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** How much a vendor lets itself be asked. */
export interface Budget {
  /** Who is counted: the registered app, or one person's credential. */
  readonly per: 'app' | 'credential'
  readonly requests: number
  readonly seconds: number
}

/** Messages by which a vendor tells that there is something new. */
export interface Push {
  /**
   * True when the vendor sent the message. Compares in constant time.
   * @param secret That of the app.
   */
  readonly verify: (message: PushMessage, secret: string) => boolean
  /**
   * When the vendor says that it signed the message, in epoch milliseconds; NaN where it says no
   * time.
   */
  readonly signedAt?: (message: PushMessage) => number
  /**
   * What a vendor's question whether this address is ours is answered with; undefined: it asked
   * none.
   */
  readonly answerChallenge?: (
    query: Readonly<Record<string, string>>,
    secret: string,
  ) => string | undefined
  /** @throws VendorError `unexpected` for a body that makes no sense */
  readonly read: (body: unknown) => readonly PushNotice[]
  /**
   * Asks the vendor to send messages, of all collections that it sends any of. Asking again changes
   * nothing.
   */
  readonly subscribe?: (send: Send, app: VendorApp, callbackUrl: string) => Promise<void>
}

export interface PushMessage {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
  readonly receivedAt: Date
}

export interface PushNotice {
  /** The vendor's id of the account. */
  readonly accountId: string
  /** Name of the collection that changed; null: the person ended the access. */
  readonly collection: string | null
  /** When what changed happened, where the message says so. */
  readonly range: TimeRange | null
}
