import { PartnerFailure } from '@salus/contracts/lab-partners'
import type { Clock } from '@salus/kernel/time/clock'
import { textOf, toRecord } from './partner-json.ts'

export interface IssuedToken {
  token: string
  /** Seconds. */
  lifetime: number
}

/** A token is renewed this long before it expires. */
const EARLY_MS = 60_000
/** For partners that do not give the lifetime of a token. */
const DEFAULT_LIFETIME_S = 15 * 60

/**
 * The bearer token of this process for a partner. It is kept in memory only: another process, or
 * the next start, requests its own.
 */
export class BearerToken {
  readonly #issue: () => Promise<IssuedToken>
  readonly #clock: Clock
  #current: { token: string; expiresAt: number } | undefined
  #pending: Promise<string> | undefined

  constructor(issue: () => Promise<IssuedToken>, clock: Clock) {
    this.#issue = issue
    this.#clock = clock
  }

  /**
   * Calls with a valid token, and once more with a new one when the partner refuses it.
   * @throws PartnerFailure
   */
  async use<T>(call: (headers: { authorization: string }) => Promise<T>): Promise<T> {
    const token = await this.#get()
    try {
      return await call({ authorization: `Bearer ${token}` })
    } catch (error) {
      const isRefused = error instanceof PartnerFailure && error.reason === 'unauthorized'
      if (!isRefused) throw error
    }
    // Another call may have renewed it already.
    if (this.#current?.token === token) this.#current = undefined
    return call({ authorization: `Bearer ${await this.#get()}` })
  }

  #get(): Promise<string> {
    const { token, expiresAt } = this.#current ?? { token: '', expiresAt: 0 }
    if (expiresAt > this.#clock.now().getTime()) return Promise.resolve(token)
    this.#pending ??= this.#renew().finally(() => {
      this.#pending = undefined
    })
    return this.#pending
  }

  async #renew(): Promise<string> {
    const { token, lifetime } = await this.#issue()
    const lifetimeMs = Math.max(lifetime * 1000 - EARLY_MS, lifetime * 500)
    this.#current = { token, expiresAt: this.#clock.now().getTime() + lifetimeMs }
    return token
  }
}

/** Reads an OAuth 2 answer with a token (RFC 6749, section 5.1); undefined for another shape. */
export function readToken(body: unknown): IssuedToken | undefined {
  const record = toRecord(body)
  const token = textOf(record, 'access_token')
  const lifetime = Number(record.expires_in)
  if (token === null) return undefined
  return { token, lifetime: lifetime > 0 ? lifetime : DEFAULT_LIFETIME_S }
}
