import { RateLimitError } from '../../platform/errors.ts'
import { networkOf } from '../../platform/http/address-limit.ts'
import type { Clock } from '../../platform/time/clock.ts'

const MINUTE_MS = 60_000
/** Failed attempts of one address in a minute. */
const MOST_FAILED = 10
/** Failed attempts of all addresses in a minute; then an address that failed once has to wait. */
const MOST_FAILED_ALTOGETHER = 100
/** Addresses counted in a minute, so that a flood takes no memory. */
const MOST_ADDRESSES = 100_000

/**
 * Bounds guesses of keys and codes. Whoever has the right one is let in while others guess: a limit that shuts
 * everybody out would be a way to do just that. Each process counts for itself.
 */
export class SignInAttempts {
  readonly #clock: Clock
  #minute = 0
  #failed = new Map<string, number>()
  #altogether = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Counts an attempt as failed until it succeeds, so that many at once are counted too.
   * @returns To call when it succeeded
   * @throws RateLimitError 429
   */
  begin(ip: string): () => void {
    const now = this.#clock.now()
    const minute = Math.floor(now.getTime() / MINUTE_MS)
    if (minute !== this.#minute) {
      this.#minute = minute
      this.#failed = new Map()
      this.#altogether = 0
    }
    const address = networkOf(ip)
    const failed = this.#failed.get(address) ?? 0
    const most = this.#altogether < MOST_FAILED_ALTOGETHER ? MOST_FAILED : 1
    if (failed >= most || this.#failed.size >= MOST_ADDRESSES) throw new RateLimitError(now)
    this.#failed.set(address, failed + 1)
    this.#altogether += 1
    return () => this.#takeBack(minute, address)
  }

  #takeBack(minute: number, address: string): void {
    if (minute !== this.#minute) return
    this.#altogether -= 1
    const failed = (this.#failed.get(address) ?? 1) - 1
    if (failed > 0) this.#failed.set(address, failed)
    else this.#failed.delete(address)
  }
}
