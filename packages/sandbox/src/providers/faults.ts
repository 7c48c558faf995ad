import { HOUR_MS } from '@salus/contracts/time-units'
import { traitsOf } from './people/person.ts'
import { type Clock, keyOf, type State } from './state/state.ts'

/** Kind of a fault of a provider, or of one of its accounts. */
export type FaultKind =
  /** 429, with a time to wait. */
  | 'rate_limit'
  /** 500. */
  | 'server_error'
  /** 503. */
  | 'unavailable'
  /** No answer at all. */
  | 'timeout'
  /** A late answer. */
  | 'slow'
  /** Half of an answer's JSON. */
  | 'malformed'
  /** Each page is sent twice. */
  | 'duplicate_pages'
  /** 401 although the token is valid. */
  | 'unauthorized'
  /** Messages are sent twice. */
  | 'push_twice'
  /** Messages are sent in the wrong order. */
  | 'push_shuffled'
  /** No messages. */
  | 'push_silent'

export const FAULT_KINDS: readonly FaultKind[] = [
  'rate_limit',
  'server_error',
  'unavailable',
  'timeout',
  'slow',
  'malformed',
  'duplicate_pages',
  'unauthorized',
  'push_twice',
  'push_shuffled',
  'push_silent',
]

export interface Fault {
  readonly kind: FaultKind
  /** Affected requests: those for data, or for tokens. `data` by default. */
  readonly on?: 'data' | 'token'
  /** Only this collection. */
  readonly collection?: string
  /** Number of requests, after which it ends. */
  readonly times?: number
  /** Epoch milliseconds. */
  readonly until?: number
  /** For `slow`; for `rate_limit` the time to wait. */
  readonly milliseconds?: number
}

/** Options in the name of an account, which make every n-th request fail. */
const NAMED: Record<string, { fault: Fault; every: number }> = {
  limited: { fault: { kind: 'rate_limit', milliseconds: 5_000 }, every: 4 },
  flaky: { fault: { kind: 'server_error' }, every: 4 },
  slow: { fault: { kind: 'slow', milliseconds: 2_000 }, every: 1 },
  garbled: { fault: { kind: 'malformed' }, every: 5 },
  twice: { fault: { kind: 'duplicate_pages' }, every: 1 },
}

/** Maximum number of accounts that are counted at once. */
const MOST_COUNTS = 10_000

const LIFETIME_MS = 30 * 24 * HOUR_MS

/** Faults of one provider, set for the whole of it or for an account. */
export class Faults {
  readonly #state: State
  readonly #clock: Clock
  readonly #slug: string
  readonly #counts = new Map<string, number>()

  constructor(state: State, clock: Clock, slug: string) {
    this.#state = state
    this.#clock = clock
    this.#slug = slug
  }

  /** Replaces the faults of an account, or of the whole provider; an empty list ends them. */
  async set(account: string | null, faults: readonly Fault[]): Promise<void> {
    const value = faults.length === 0 ? undefined : faults
    await this.#state.update(this.#keyOf(account), () => value, LIFETIME_MS)
  }

  /** Keys that `find` needs, to be read together with others. */
  keysOf(account: string): [string, string] {
    return [this.#keyOf(null), this.#keyOf(account)]
  }

  /** Returns the faults of a request; those for a number of times count it. */
  async find(
    account: string,
    on: 'data' | 'token' | 'push',
    collection?: string,
    stored?: readonly unknown[],
  ): Promise<Fault[]> {
    const keys = this.keysOf(account)
    const rows = (stored ?? (await this.#state.getAll(...keys))) as (Fault[] | undefined)[]
    const now = this.#clock.now().getTime()
    const befalls = (fault: Fault): boolean =>
      (fault.kind.startsWith('push') ? 'push' : (fault.on ?? 'data')) === on &&
      (fault.until === undefined || fault.until > now) &&
      (fault.collection === undefined || fault.collection === collection)
    const found: Fault[] = []
    for (const [position, key] of keys.entries()) {
      const faults = (rows[position] ?? []).filter(befalls)
      if (faults.some(({ times }) => times !== undefined)) {
        found.push(...(await this.#take(key, befalls)))
      } else found.push(...faults)
    }
    return [...found, ...(on === 'data' ? this.#named(account) : [])]
  }

  /** Counts a request; another one at the same time may have used the last. */
  async #take(key: string, befalls: (fault: Fault) => boolean): Promise<Fault[]> {
    let taken: Fault[] = []
    const count = (faults: Fault[] = []): Fault[] | undefined => {
      taken = faults.filter(befalls)
      const left = faults.flatMap((fault) => {
        if (!taken.includes(fault) || fault.times === undefined) return [fault]
        return fault.times > 1 ? [{ ...fault, times: fault.times - 1 }] : []
      })
      return left.length === 0 ? undefined : left
    }
    await this.#state.update(key, count, LIFETIME_MS)
    return taken
  }

  #named(account: string): Fault[] {
    return [...traitsOf(account)].flatMap((trait) => {
      const named = NAMED[trait]
      if (named === undefined) return []
      if (this.#counts.size > MOST_COUNTS) this.#counts.clear()
      const count = (this.#counts.get(account) ?? 0) + 1
      this.#counts.set(account, count)
      return count % named.every === 0 ? [named.fault] : []
    })
  }

  #keyOf(account: string | null): string {
    return account === null ? keyOf('faults', this.#slug) : keyOf('faults', this.#slug, account)
  }
}
