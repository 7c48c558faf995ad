import type { SeriesName } from '@salus/contracts/series'
import type { OutboundAnswer } from '@salus/kernel/outbound/request'
import type { SummaryResource } from '../summaries/index.ts'
import type { PageData } from './page-data.ts'
import type { Push } from './push.ts'
import type { EmailSignIn, OAuth, PasswordSignIn, VendorApp, VendorTokens } from './sign-in.ts'
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

/** A rate limit of a vendor. */
export interface Budget {
  /** What is counted: requests of the registered app, or of one user's credential. */
  readonly per: 'app' | 'credential'
  readonly requests: number
  /** Requests that each connected user adds to the limit of an app. */
  readonly requestsPerUser?: number
  readonly seconds: number
}
