import { createHash } from 'node:crypto'
import { MINUTE_MS } from '@salus/contracts/time-units'
import { AppError, RateLimitError } from '@salus/kernel/errors'
import type { ErrorType } from '@salus/kernel/errors.registry'
import type { Stores } from '@salus/kernel/scope'
import {
  addFailedAttempt,
  takeBackAttempt,
} from '@salus/kernel/sign-in/sign-in-attempts.global.repository'

/** Maximum number of failed attempts of one address in a minute. */
const MOST_FAILED = 10
/**
 * Maximum number of failed attempts of all addresses in a minute; beyond it an address that failed
 * once has to wait.
 */
const MOST_FAILED_ALTOGETHER = 100
/** Maximum number of addresses counted in a minute, so that a flood takes no memory. */
const MOST_ADDRESSES = 100_000

/**
 * Limits guesses of keys and codes. Users with the right one are let in while others guess, because
 * a limit that locks everyone out could itself be used as an attack. All processes count together
 * in PostgreSQL; requests that a process can refuse by its own counts do not reach a database.
 */
export class SignInAttempts {
  readonly #stores: Pick<Stores, 'db' | 'clock'>
  #minute = 0
  #failed = new Map<string, number>()
  #altogether = 0

  constructor(stores: Pick<Stores, 'db' | 'clock'>) {
    this.#stores = stores
  }

  /**
   * Counts an attempt as failed until it succeeds, so that many at once are counted too.
   * @param address Without it, behind a proxy that is not trusted, nothing is counted, because that
   *   would lock out all other clients.
   * @returns Function to call when it succeeded
   * @throws RateLimitError 429
   */
  async #beginAttempt(address: string | undefined): Promise<() => Promise<void>> {
    if (address === undefined) return async () => {}
    const { db, clock } = this.#stores
    const now = clock.now()
    const count = this.#countHere(now, address)
    const minute = new Date(count.minute * MINUTE_MS)
    // Only a hash of an address is stored, to distinguish addresses.
    const hash = createHash('sha256').update(`${count.minute} ${address}`).digest()
    const takeBack = async (): Promise<void> => {
      this.#takeBack(count.minute, address)
      await takeBackAttempt(db, minute, hash)
    }
    const { ofNetwork, altogether } = await addFailedAttempt(db, minute, hash)
    if (ofNetwork <= mostFailed(altogether - 1)) return takeBack
    await takeBack()
    throw new RateLimitError(now)
  }

  /**
   * Runs code that checks a secret, and counts it as failed unless it succeeds.
   * @param questions Errors after a right secret, which are no failures
   */
  async count<Result>(
    address: string | undefined,
    questions: readonly ErrorType[],
    work: () => Promise<Result>,
  ): Promise<Result> {
    const succeed = await this.#beginAttempt(address)
    try {
      const result = await work()
      await succeed()
      return result
    } catch (error) {
      if (error instanceof AppError && questions.includes(error.errorType)) await succeed()
      throw error
    }
  }

  #countHere(now: Date, address: string): { minute: number } {
    const minute = Math.floor(now.getTime() / MINUTE_MS)
    if (minute !== this.#minute) {
      this.#minute = minute
      this.#failed = new Map()
      this.#altogether = 0
    }
    const failed = this.#failed.get(address) ?? 0
    const isFull = this.#failed.size >= MOST_ADDRESSES
    if (failed >= mostFailed(this.#altogether) || isFull) throw new RateLimitError(now)
    this.#failed.set(address, failed + 1)
    this.#altogether += 1
    return { minute }
  }

  #takeBack(minute: number, address: string): void {
    if (minute !== this.#minute) return
    this.#altogether -= 1
    const failed = (this.#failed.get(address) ?? 1) - 1
    if (failed > 0) this.#failed.set(address, failed)
    else this.#failed.delete(address)
  }
}

const mostFailed = (altogether: number): number =>
  altogether < MOST_FAILED_ALTOGETHER ? MOST_FAILED : 1
