import type { OutboundAnswer } from '@salus/kernel/outbound/request'
import type { PageData } from './page-data.ts'
import type { FetchJson, Send, VendorFailure, VendorRequest } from './vendor-client.ts'

/**
 * A cloud provider as data, with the code for its wire format: sign-in, requests and the mapping of
 * answers. Connectors are stateless and know neither users nor stores: the link domain signs users
 * in with them, and the engine in `packages/health/src/pulling` pulls with them.
 */
export interface Connector {
  /** Slug in the table of providers. */
  readonly slug: string
  /** Addresses of the vendor by a name of our own, without a trailing slash. */
  readonly hosts: Readonly<Record<string, string>>
  readonly auth: OAuth | PasswordSignIn | EmailSignIn
  /**
   * Required and optional scopes, in the vendor's spelling, by resource; absent for a vendor
   * without scopes.
   */
  readonly scopes?: Readonly<Record<string, ScopeNeed>>
  readonly collections: readonly Collection[]
  readonly budgets: readonly Budget[]
  readonly push?: Push
  /** Adds the credential to a request. By default a bearer token in `authorization`. */
  readonly authorize?: (request: VendorRequest, tokens: VendorTokens) => VendorRequest
  /**
   * Returns the failure that an answer means where it differs from the usual meaning of its status;
   * otherwise undefined.
   */
  readonly failureOf?: (answer: OutboundAnswer) => VendorFailure | undefined
}

export interface ScopeNeed {
  readonly required: readonly string[]
  readonly optional: readonly string[]
}

/** Tokens for later requests to a vendor. Stored sealed. */
export interface VendorTokens {
  readonly accessToken: string
  /** null where there is none: then the password signs in again, or the connection ends. */
  readonly refreshToken: string | null
  /** Epoch milliseconds; null when the vendor does not say. */
  readonly expiresAt: number | null
  /** Other values that the vendor requires in later requests, such as the id of a patient. */
  readonly extra?: Readonly<Record<string, string>>
}

/** An app that an operator or a team registered with a vendor. */
export interface VendorApp {
  readonly clientId: string
  readonly clientSecret: string
}

/** OAuth 2 with an authorization code (RFC 6749), refreshed by RFC 6749 and revoked by RFC 7009. */
export interface OAuth {
  readonly kind: 'oauth'
  readonly authorizationEndpoint: Endpoint
  readonly tokenEndpoint: Endpoint
  /** Endpoint of RFC 7009; absent where the vendor has none. */
  readonly revocationEndpoint?: Endpoint
  /**
   * Returns the request that ends a grant, where the vendor has its own. It gets the credential as
   * any request does; an answer that the grant is over is no error.
   */
  readonly revocationRequest?: (tokens: VendorTokens) => VendorRequest
  /** Parameters that the vendor wants beside those of RFC 6749. */
  readonly parameters?: {
    readonly authorization?: Readonly<Record<string, string>>
    readonly token?: Readonly<Record<string, string>>
    readonly refresh?: Readonly<Record<string, string>>
  }
  /**
   * Converts the JSON of a token answer that is wrapped or has other names to that of RFC 6749,
   * sections 5.1 and 5.2: also an error, which some vendors send with status 200.
   */
  readonly toStandardAnswer?: (answer: unknown) => Readonly<Record<string, unknown>>
  /**
   * Fields of a token answer that later requests need, such as an account id: in `tokens.extra`.
   */
  readonly keptTokenFields?: readonly string[]
  readonly clientAuthentication: 'client_secret_basic' | 'client_secret_post'
  readonly usesPkce: boolean
  /** All scopes that are requested. */
  readonly scopes: readonly string[]
  /** Separator of granted scopes; a space by default. */
  readonly scopeSeparator?: string
  /**
   * Sends the requests that must follow a sign-in, such as the registration of the user with the
   * app, with the credential. It decides which answers are good.
   */
  readonly completeSignIn?: (send: Send, tokens: VendorTokens) => Promise<void>
  /** Returns the vendor's id of the account that granted access. */
  readonly identify: (fetchJson: FetchJson, tokens: VendorTokens) => Promise<string>
}

export interface Endpoint {
  readonly host: string
  readonly path: string
}

/** Sign-in with the user's password of the vendor and, where the vendor requires it, a code. */
export interface PasswordSignIn {
  readonly kind: 'password'
  /** Regions with separate services of the vendor; absent when it has one for all. */
  readonly regions?: readonly string[]
  readonly signIn: (send: Send, given: PasswordGiven) => Promise<SignInOutcome>
  /** @param challenge Returned by `signIn`. */
  readonly completeMfa?: (send: Send, challenge: string, code: string) => Promise<SignInOutcome>
  /** Creates a new session without the user: by a refresh token, or by the password. */
  readonly renew: (send: Send, tokens: VendorTokens, given: PasswordGiven) => Promise<VendorTokens>
}

export interface PasswordGiven {
  readonly username: string
  readonly password: string
  readonly region: string | null
}

/**
 * Sign-in with the user's email address. The vendor lets an organization, such as a practice, see
 * the data of a user who accepts its invitation.
 */
export interface EmailSignIn {
  readonly kind: 'email'
  /** Regions that are served, by the region of the deployment. */
  readonly regions: Readonly<Record<'us' | 'eu', { default: string; served: readonly string[] }>>
  readonly invite: (
    send: Send,
    given: { email: string; region: string; app: VendorApp },
  ) => Promise<SignInOutcome>
  /** Creates a new session of the organization. */
  readonly renew: (send: Send, tokens: VendorTokens, app: VendorApp) => Promise<VendorTokens>
}

/** Outcome of a sign-in. An unexpected answer is thrown as VendorError. */
export type SignInOutcome =
  | { readonly state: 'signed_in'; readonly tokens: VendorTokens; readonly accountId: string }
  | {
      readonly state: 'code_needed'
      readonly method: 'sms' | 'email'
      /** Recipient of the code, as the vendor shows it, such as a redacted number. */
      readonly hint: string
      /** Input of `completeMfa`. Stored sealed. */
      readonly challenge: string
    }
  | {
      readonly state: 'refused'
      readonly reason: 'wrong_credential' | 'password_expired' | 'unsupported_region' | 'wrong_code'
    }

/**
 * Records of one kind that a vendor lists by time. A collection is pulled, covered and polled as a
 * whole.
 */
export interface Collection {
  /** Unique in the connector; the vendor's own name where it has one. */
  readonly name: string
  /** Resources, as in supported_resources, that its records become; the main one first. */
  readonly resources: readonly string[]
  /**
   * `by_range` when past records can be requested by time; otherwise an answer is the present
   * state, such as a profile.
   */
  readonly history: 'by_range' | 'none'
  /** Maximum number of days of one request. */
  readonly mostDaysAtOnce: number
  /**
   * Hours before the newest held record that a poll requests again, because vendors revise records.
   */
  readonly overlapHours: number
  /** Returns the request for a range, or for its next page. */
  readonly page: (range: TimeRange, cursor: string | null) => VendorRequest
  /** Returns the cursor of the next page, null after the last one. */
  readonly next: (answer: unknown, request: PageRequest) => string | null
  /**
   * Returns further requests that the records of a page need, such as the points of each workout.
   */
  readonly details?: (answer: unknown, request: PageRequest) => readonly DetailRequest[]
  /**
   * Turns a page into samples and summaries; invalid records are quarantined by `data`.
   * @param details The answers to `details`, in its order.
   * @throws VendorError `unexpected` for an answer that is not a page
   */
  readonly map: (
    answer: unknown,
    data: PageData,
    details: readonly unknown[],
    request: PageRequest,
  ) => void
}

/** The range and the cursor by which a page was requested. */
export interface PageRequest {
  readonly range: TimeRange
  readonly cursor: string | null
}

export interface DetailRequest extends VendorRequest {
  /** Whether the page is mapped without this detail when the vendor has none or refuses it. */
  readonly isOptional?: true
}

/** Epoch milliseconds; `to` is exclusive. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** A rate limit of a vendor. */
export interface Budget {
  /** What is counted: requests of the registered app, or of one user's credential. */
  readonly per: 'app' | 'credential'
  readonly requests: number
  readonly seconds: number
}

/** Notifications by which a vendor reports new data. */
export interface Push {
  /**
   * Whether the vendor sent the message. Compares in constant time.
   * @param secret Secret of the app.
   */
  readonly verify: (message: PushMessage, secret: string) => boolean
  /** Returns the time of the signature in epoch milliseconds; NaN where the message has none. */
  readonly signedAt?: (message: PushMessage) => number
  /**
   * Returns the answer to the vendor's verification of the address; undefined when the request is
   * not one.
   */
  readonly answerChallenge?: (
    query: Readonly<Record<string, string>>,
    secret: string,
  ) => string | undefined
  /** @throws VendorError `unexpected` for an invalid body */
  readonly read: (body: unknown) => readonly PushNotice[]
  /**
   * Subscribes to messages of all collections that the vendor supports. A repeated call changes
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
  /** The vendor's account id. */
  readonly accountId: string
  /** Name of the collection that changed; null when the user ended the access. */
  readonly collection: string | null
  /** Time range of the change, where the message has it. */
  readonly range: TimeRange | null
}
