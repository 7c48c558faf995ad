import type { FastifyInstance } from 'fastify'
import type { Faults } from './faults.ts'
import type { Calendar, Span } from './people/days.ts'
import type { Clock, State } from './state/state.ts'
import type { Tokens } from './state/tokens.ts'

/** One emulated provider: a folder, and a row in vendors.registry.ts. */
export interface Vendor {
  readonly slug: string
  /** Name as pages show it. */
  readonly name: string
  /** Adds its routes, `/<host key>/…`. */
  readonly register: (app: FastifyInstance, context: VendorContext) => void
  /**
   * Returns what it serves of an account for a span, as of `now`: the records of each collection as
   * JSON values, in the provider's own format.
   */
  readonly truth: (calendar: Calendar, span: Span, now: number) => Record<string, unknown[]>
  /** Returns the provider's id of an account. */
  readonly accountIdOf: (account: string) => string
  /**
   * Returns the provider's form of an account name that was typed in. By default it does not
   * change.
   */
  readonly accountOf?: (typed: string) => string
  /** Expires the access so far, which can be renewed. */
  readonly expire: (context: VendorContext, account: string) => Promise<void>
  /** Simulates a user who ends the access of all apps, or changes the password. */
  readonly revoke: (context: VendorContext, account: string) => Promise<void>
  /**
   * Returns tokens as if a user had signed in and allowed an app all of `scopes`; for providers
   * with OAuth.
   */
  readonly grant?: (
    context: VendorContext,
    account: string,
    scopes: readonly string[],
    clientId: string,
  ) => Promise<TokenAnswer>
  readonly push?: VendorPush
}

/** Answer of providers with OAuth. */
export interface TokenAnswer {
  token_type: 'bearer'
  access_token: string
  expires_in: number
  refresh_token: string
  scope: string
}

/** Messages of a provider about new data. */
export interface VendorPush {
  /** Accounts with a subscription to their new data. */
  readonly accounts: (context: VendorContext) => AsyncIterable<string>
  /**
   * Sends messages about the data that an account uploaded within a span of time.
   * @returns how many were accepted
   */
  readonly send: (context: VendorContext, account: string, span: Span) => Promise<number>
}

/** Dependencies of a provider. */
export interface VendorContext {
  readonly slug: string
  readonly name: string
  readonly clock: Clock
  readonly state: State
  readonly tokens: Tokens
  readonly faults: Faults
  /** Secret of the app `sandbox`. */
  readonly clientSecret: () => string
  /** Returns the person of an account. */
  readonly calendarOf: (account: string) => Calendar
  /** Sends the requests of a provider to others: pushes, and challenges of addresses. */
  readonly fetch: typeof fetch
}
