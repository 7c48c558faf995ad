import type { SeriesName } from '@salus/contracts/series'
import type { OutboundAnswer } from '@salus/kernel/outbound/request'
import type { SummaryResource } from '../summaries/index.ts'
import type { PageData } from './page-data.ts'
import type { FetchJson, FileRequest, Send, VendorFailure, VendorRequest } from './vendor-client.ts'

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
  /**
   * Names of hosts, such as `cdn.vendor.com`, from which files of records are fetched by signed
   * addresses (`FileRequest`). A leading `*.` stands for any subdomain.
   */
  readonly fileHosts?: readonly string[]
  readonly auth: OAuth | PasswordSignIn | EmailSignIn
  /** Secrets of an app beside id and secret, with their meaning; none by default. */
  readonly appSecrets?: Readonly<Record<string, { meaning: string; isRequired: boolean }>>
  /**
   * Required and optional scopes, in the vendor's spelling, by resource; absent for a vendor
   * without scopes.
   */
  readonly scopes?: Readonly<Record<string, ScopeNeed>>
  readonly collections: readonly Collection[]
  readonly budgets: readonly Budget[]
  /** Minutes between polls; 15 by default, because many vendors allow no more. */
  readonly pollMinutes?: number
  readonly push?: Push
  /** What operators must know, for docs/providers.md and `salus providers check`. */
  readonly guide: ConnectorGuide
  /**
   * Adds the credential to a request. By default a bearer token in `authorization`.
   * @param app The app by which the user is connected; undefined for a provider without apps.
   */
  readonly authorize?: (
    request: VendorRequest,
    tokens: VendorTokens,
    app: VendorApp | undefined,
  ) => VendorRequest
  /**
   * Returns the failure that an answer means where it differs from the usual meaning of its status;
   * otherwise undefined.
   */
  readonly failureOf?: (answer: OutboundAnswer) => VendorFailure | undefined
}

/**
 * How far a connector was verified: against the vendor itself, against recorded payloads of the
 * vendor, against its published schema, or against our own emulator only.
 */
export type Verification = 'vendor' | 'recorded_payloads' | 'documented_schema' | 'emulator_only'

/** What operators must know about a connector, in plain sentences. */
export interface ConnectorGuide {
  readonly verification: Verification
  /**
   * Why only sandboxes, which emulate the vendor, can connect users. Production refuses them, and
   * gives it as the reason.
   */
  readonly sandboxOnly?: string
  /** Address of the vendor's documentation; null where it publishes none. */
  readonly documentation: string | null
  /** How records are placed in time. */
  readonly timeZones: string
  /** The vendor's limits. */
  readonly limits: string
  /** Steps by which an operator registers an app with the vendor; empty where none is needed. */
  readonly registration: readonly string[]
  /** Decisions and gaps that a reader of the data must know. */
  readonly notes: readonly string[]
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
  /**
   * Further secrets by the names of `Connector.appSecrets`, such as a subscription key or the key
   * of messages.
   */
  readonly secrets?: Readonly<Record<string, string>>
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
  readonly revocationRequest?: (tokens: VendorTokens, app: VendorApp) => VendorRequest
  /** Parameters that the vendor wants beside those of RFC 6749. */
  readonly parameters?: {
    readonly authorization?: OAuthParameters
    readonly token?: OAuthParameters
    readonly refresh?: OAuthParameters
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
  /**
   * Regions with separate services of the vendor, with the hosts that differ there. A user chooses
   * one before signing in; the first is the default. Absent when the vendor has one for all.
   */
  readonly regions?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** All scopes that are requested. */
  readonly scopes: readonly string[]
  /** Separator of granted scopes; a space by default. */
  readonly scopeSeparator?: string
  /**
   * Sends the requests that must follow a sign-in, such as the registration of the user with the
   * app, with the credential. It decides which answers are good.
   */
  readonly completeSignIn?: (send: Send, tokens: VendorTokens, app: VendorApp) => Promise<void>
  /** Returns the vendor's id of the account that granted access. */
  readonly identify: (fetchJson: FetchJson, tokens: VendorTokens) => Promise<string>
}

/** Parameters of a request, which may depend on the app. */
export type OAuthParameters =
  | Readonly<Record<string, string>>
  | ((app: VendorApp) => Readonly<Record<string, string>>)

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
   * `by_range` when past records can be requested by time. `by_message` when `page` asks the vendor
   * to send the records of a range, which later arrive in messages; then nothing is polled.
   * Otherwise an answer is the present state, such as a profile.
   */
  readonly history: 'by_range' | 'by_message' | 'none'
  /** Maximum number of days of one request. */
  readonly mostDaysAtOnce: number
  /**
   * Hours before the newest held record that a poll requests again, because vendors revise records.
   */
  readonly overlapHours: number
  /**
   * What an answer for a range has completely: stored data of these in the range that are not in
   * the answer are removed, because the user deleted them at the vendor.
   */
  readonly completes?: {
    readonly series?: readonly SeriesName[]
    readonly summaries?: readonly SummaryResource[]
  }
  /** How one record is requested and removed, for messages that name a record. */
  readonly record?: RecordAccess
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

interface Optional {
  /** Whether the page is mapped without this detail when the vendor has none or refuses it. */
  readonly isOptional?: true
}

/** The answer of a file is mapped as a Buffer. */
export type DetailRequest = (VendorRequest | FileRequest) & Optional

/** How a collection handles one record. */
export interface RecordAccess {
  readonly request: (id: string) => VendorRequest
  /** Converts the answer to one that `details` and `map` read. */
  readonly toPage: (answer: unknown) => unknown
  /** Removes a record that the vendor deleted. */
  readonly remove: (id: string, data: PageData) => void
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
  /** Requests that each connected user adds to the limit of an app. */
  readonly requestsPerUser?: number
  readonly seconds: number
}

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
