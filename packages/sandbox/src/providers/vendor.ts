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
   * What it serves of an account for a span, as of `now`: the records of each collection as JSON values, in the
   * vendor's own words.
   */
  readonly truth: (calendar: Calendar, span: Span, now: number) => Record<string, unknown[]>
  /** The vendor's id of an account. */
  readonly accountIdOf: (account: string) => string
  /** Sends messages about what is new in a span of time, where the vendor does so. @returns how many it sent */
  readonly push?: (context: VendorContext, account: string, span: Span) => Promise<number>
}

/** What a vendor works with. */
export interface VendorContext {
  readonly slug: string
  readonly name: string
  readonly clock: Clock
  readonly state: State
  readonly tokens: Tokens
  readonly faults: Faults
  /** The person behind an account. */
  readonly calendarOf: (account: string) => Calendar
  /** Sends what a vendor sends to others: pushes, and questions whether an address is theirs. */
  readonly fetch: typeof fetch
}
