import type { FastifyInstance } from 'fastify'
import type { Faults } from './faults.ts'
import type { Calendar, Span } from './people/days.ts'
import type { Clock, State } from './state/state.ts'
import type { Tokens } from './state/tokens.ts'

/** One emulated vendor: a folder, and a row in vendors.registry.ts. */
export interface Vendor {
  readonly slug: string
  /** As pages show it. */
  readonly name: string
  /** Adds its routes, `/<host key>/…`. */
  readonly register: (app: FastifyInstance, context: VendorContext) => void
  /**
   * What it serves of an account for a span, as of `now`: the records of each collection as JSON
   * values, in the vendor's own words.
   */
  readonly truth: (calendar: Calendar, span: Span, now: number) => Record<string, unknown[]>
  /** The vendor's id of an account. */
  readonly accountIdOf: (account: string) => string
  /** How the vendor knows an account that was typed in. As it is, unless told. */
  readonly accountOf?: (typed: string) => string
  /** What opened access so far is not taken any more, but can be renewed. */
  readonly expire: (context: VendorContext, account: string) => Promise<void>
  /** As when the person ends the access of all apps, or changes the password. */
  readonly revoke: (context: VendorContext, account: string) => Promise<void>
  /**
   * Tokens as if somebody had signed in and allowed an app all of `scopes`; of vendors with OAuth.
   */
  readonly grant?: (
    context: VendorContext,
    account: string,
    scopes: readonly string[],
    clientId: string,
  ) => Promise<TokenAnswer>
  readonly push?: VendorPush
}

/** Of vendors with OAuth. */
export interface TokenAnswer {
  token_type: 'bearer'
  access_token: string
  expires_in: number
  refresh_token: string
  scope: string
}

/** Messages of a vendor about what is new. */
export interface VendorPush {
  /** Those of whom somebody wants to hear what is new. */
  readonly accounts: (context: VendorContext) => AsyncIterable<string>
  /**
   * Tells what an account handed over within a span of time.
   * @returns how many messages were taken
   */
  readonly send: (context: VendorContext, account: string, span: Span) => Promise<number>
}

/** What a vendor works with. */
export interface VendorContext {
  readonly slug: string
  readonly name: string
  readonly clock: Clock
  readonly state: State
  readonly tokens: Tokens
  readonly faults: Faults
  /** Of the app `sandbox`. */
  readonly clientSecret: () => string
  /** The person behind an account. */
  readonly calendarOf: (account: string) => Calendar
  /** Sends what a vendor sends to others: pushes, and questions whether an address is theirs. */
  readonly fetch: typeof fetch
}
