import type { SeriesName } from '@salus/contracts/series'
import type { OutboundAnswer } from '@salus/kernel/outbound/request'
import type { SummaryResource } from '../summaries/index.ts'
import type { PageData } from './page-data.ts'
import type { Push } from './push.ts'
import type { EmailSignIn, OAuth, PasswordSignIn, ResolvedApp, VendorTokens } from './sign-in.ts'
import type { FileRequest, VendorFailure, VendorRequest } from './vendor-client.ts'
import type { TimeRange } from './vendor-records.ts'

export type * from './push.ts'
export type * from './sign-in.ts'
export type { TimeRange } from './vendor-records.ts'

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
   * Constants of the vendor's own app, such as its id and version, for providers by password. They
   * are read as `app.settings.NAME`.
   */
  readonly appSettings?: Readonly<Record<string, AppSetting>>
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
    app: ResolvedApp | undefined,
  ) => VendorRequest
  /**
   * Returns the failure that an answer means where it differs from the usual meaning of its status;
   * otherwise undefined.
   * @param of Answers of a sign-in by password are passed too.
   */
  readonly failureOf?: (
    answer: OutboundAnswer,
    of?: 'data' | 'sign_in',
  ) => VendorFailure | undefined
}

/**
 * A constant of a vendor's app. A default is public and no secret of the vendor; other values come
 * from the operator, in `settings` of SALUS_PROVIDER_APPS.
 */
export interface AppSetting {
  readonly meaning: string
  readonly default?: string
  /** Whether the provider works only with it. */
  readonly isRequired?: boolean
  /** Value that the emulated vendor expects; `sandbox` by default for one without a default. */
  readonly sandbox?: string
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
   * `by_range` when past records can be requested by time. `newest_first` when the vendor lists
   * all records from the newest back, by page numbers or cursors: the whole history is one walk,
   * which ends where `oldestOf` precedes the range. `by_message` when `page` asks the vendor to
   * send the records of a range, which later arrive in messages; then nothing is polled. Otherwise
   * an answer is the present state, such as a profile.
   */
  readonly history: 'by_range' | 'newest_first' | 'by_message' | 'none'
  /**
   * Returns the time of the oldest record of a page in epoch milliseconds, null for a page without
   * records; needed for `newest_first`.
   */
  readonly oldestOf?: (answer: unknown, request: PageRequest) => number | null
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
  readonly page: (range: TimeRange, cursor: string | null, context: PageContext) => VendorRequest
  /**
   * Reads an answer that is not JSON, such as HTML, binary or encrypted. It applies to pages, and
   * to details without a `decode` of their own.
   * @returns a value that JSON can express, or a Buffer
   * @throws any error for an answer that it cannot read
   */
  readonly decode?: (bytes: Buffer, context: PageContext) => unknown
  /** Returns the cursor of the next page, null after the last one. */
  readonly next: (answer: unknown, request: PageRequest) => string | null
  /**
   * Returns further requests that the records of a page need, such as the points of each workout.
   */
  readonly details?: (answer: unknown, request: PageRequest) => readonly DetailRequest[]
  /**
   * Turns a page into samples and summaries; invalid records are quarantined by `data`.
   * @param details The answers to `details`, in its order; `{answer, details}` for one that has
   *   details itself (`NestedAnswer`).
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
  readonly context: PageContext
}

/** What requests and mappings may depend on beside a range. */
export interface PageContext {
  /** `tokens.extra`, such as the vendor's id of the account and its time zone. */
  readonly extra: Readonly<Record<string, string>>
  /** Epoch milliseconds. */
  readonly now: number
  /** undefined for a provider without apps. */
  readonly app: ResolvedApp | undefined
}

interface DetailOptions {
  /** Whether the page is mapped without this detail when the vendor has none or refuses it. */
  readonly isOptional?: true
  /** Returns further requests that the answer to this one needs. */
  readonly details?: (answer: unknown) => readonly DetailRequest[]
}

/** The answer of a file is mapped as a Buffer. */
export type DetailRequest = (VendorRequest | FileRequest) & DetailOptions

/** How the answer to a detail with `details` is mapped. */
export interface NestedAnswer {
  readonly answer: unknown
  readonly details: readonly unknown[]
}

/** How a collection handles one record. */
export interface RecordAccess {
  readonly request: (id: string) => VendorRequest
  /** Converts the answer to one that `details` and `map` read. */
  readonly toPage: (answer: unknown) => unknown
  /** Removes a record that the vendor deleted. */
  readonly remove: (id: string, data: PageData) => void
}

/** A rate limit of a vendor. */
export interface Budget {
  /**
   * What is counted: requests of the registered app, of one user's credential, or of this
   * deployment's address over all apps and teams.
   */
  readonly per: 'address' | 'app' | 'credential'
  readonly requests: number
  /** Requests that each connected user adds to the limit of an app. */
  readonly requestsPerUser?: number
  readonly seconds: number
  /** Whether it is Salus's own, because the vendor names none. */
  readonly isAssumed?: true
}
