import type { StateEntry, StateStore } from './state-store.ts'

/** Source of an emulator's present time. */
export interface Clock {
  now(): Date
}

const MOST_TRIES = 50
const PAGE = 500

/** State of emulators, by key, with the time of the clock. */
export class State {
  readonly #store: StateStore
  readonly #clock: Clock

  constructor(store: StateStore, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** Returns several values at once, in the order of the keys. */
  async getAll(...keys: string[]): Promise<unknown[]> {
    const entries = await this.#store.read(keys, this.#clock.now())
    return keys.map((wanted) => entries.find(({ key }) => key === wanted)?.value)
  }

  async get<T>(key: string): Promise<T | undefined> {
    return (await this.getAll(key))[0] as T | undefined
  }

  /**
   * Replaces a value by the result of `change`; concurrent changes see each other's result.
   * @param change undefined removes the value; when it throws, the error is passed on and nothing
   *   is changed
   * @param lifetimeMs From now on; without it the value stays forever
   */
  async update<T>(
    key: string,
    change: (current: T | undefined) => T | undefined,
    lifetimeMs?: number,
  ): Promise<T | undefined> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const now = this.#clock.now()
      const [entry] = await this.#store.read([key], now)
      const value = change(entry?.value as T | undefined)
      if (entry === undefined && value === undefined) return undefined
      const expiresAt = lifetimeMs === undefined ? null : new Date(now.getTime() + lifetimeMs)
      const version = entry?.version ?? null
      if (await this.#store.compareAndSet({ key, version, value, expiresAt, now })) return value
    }
    throw new Error('An entry of the sandbox changes all the time.')
  }

  /** @returns false when there is already one */
  add(key: string, value: unknown, lifetimeMs: number): Promise<boolean> {
    const now = this.#clock.now()
    const expiresAt = new Date(now.getTime() + lifetimeMs)
    return this.#store.compareAndSet({ key, version: null, value, expiresAt, now })
  }

  async remove(key: string): Promise<void> {
    await this.update(key, () => undefined)
  }

  /** Lists all entries with a prefix, by key. */
  async *list(prefix: string): AsyncGenerator<StateEntry> {
    for (let after = ''; ; ) {
      const entries = await this.#store.list(prefix, after, PAGE, this.#clock.now())
      yield* entries
      const last = entries.at(-1)
      if (last === undefined || entries.length < PAGE) return
      after = last.key
    }
  }
}

/** Returns a key of several parts, which may contain any character. */
export const keyOf = (...parts: string[]): string => parts.map(encodeURIComponent).join('/')
