import type { FetchJson, Send, VendorRequest } from './vendor-client.ts'

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
  /** Values that differ from the defaults of `Connector.appSettings`. */
  readonly settings?: Readonly<Record<string, string>>
}

/** An app with all settings; id and secret are empty for a provider by password. */
export interface ResolvedApp extends VendorApp {
  readonly settings: Readonly<Record<string, string>>
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
  /** The one of `regions` for accounts of all countries that are not listed. */
  readonly regionOfOthers?: string
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

/**
 * Parameters of a request, which may depend on the app; those of a refresh also on the tokens, such
 * as an account id.
 */
export type OAuthParameters =
  | Readonly<Record<string, string>>
  | ((app: VendorApp, tokens?: VendorTokens) => Readonly<Record<string, string>>)

export interface Endpoint {
  readonly host: string
  readonly path: string
}

/** Sign-in with the user's password of the vendor and, where the vendor requires it, a code. */
export interface PasswordSignIn {
  readonly kind: 'password'
  /**
   * Regions with separate services of the vendor, in its own names; with the hosts that differ
   * there, if they are known before the sign-in. Absent when it has one for all.
   */
  readonly regions?: readonly string[] | Readonly<Record<string, Readonly<Record<string, string>>>>
  /** The one of `regions` for accounts of all countries that are not listed. */
  readonly regionOfOthers?: string
  readonly signIn: (
    send: Send,
    given: PasswordGiven,
    context: SignInContext,
  ) => Promise<SignInOutcome>
  /** @param challenge Returned by `signIn`. */
  readonly completeMfa?: (
    send: Send,
    challenge: string,
    code: string,
    context: SignInContext,
  ) => Promise<SignInOutcome>
  /** Creates a new session without the user: by a refresh token, or by the password. */
  readonly renew: (
    send: Send,
    tokens: VendorTokens,
    given: PasswordGiven,
    context: SignInContext,
  ) => Promise<VendorTokens>
  /**
   * Whether sessions are renewed with the password: `by_itself` (the default) whenever one ends, a
   * few times a day for a vendor that locks accounts, or `by_person` only. Then no password is
   * kept, `renew` is called only for tokens with a refresh token, and otherwise the connection
   * ends.
   */
  readonly renewal?: 'by_itself' | 'by_person' | { readonly mostPerDay: number }
  /**
   * Number of refusals of the kept password, spread over a day, that end the connection: 1 by
   * default. More for a vendor that refuses right passwords while it has trouble.
   */
  readonly refusalsToEnd?: number
}

/** What a sign-in may depend on beside what the user typed. */
export interface SignInContext {
  readonly app: ResolvedApp
  /** Epoch milliseconds. */
  readonly now: number
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
      /** `totp` is a code of an app of the user. */
      readonly method: 'sms' | 'email' | 'totp'
      /** Recipient of the code, as the vendor shows it, such as a redacted number. */
      readonly hint: string
      /** Input of `completeMfa`. Stored sealed. */
      readonly challenge: string
    }
  | {
      readonly state: 'refused'
      readonly reason: SignInRefusal
      /** With `wrong_code`: replaces the challenge, where the vendor issues a new one. */
      readonly challenge?: string
    }

export type SignInRefusal =
  | 'wrong_credential'
  | 'password_expired'
  | 'unsupported_region'
  | 'wrong_code'
  /** The user must agree to something in the vendor's app. */
  | 'consent_needed'
  /** The account has no data of its own, and no other account shares data with it. */
  | 'nothing_shared'
  /** The vendor refuses this deployment, or locked the account for a while. */
  | 'blocked'
