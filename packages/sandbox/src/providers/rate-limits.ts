/** Rest of the requests of a caller. */
export interface Allowance {
  readonly isAllowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Seconds until the count begins again. */
  readonly resetSeconds: number
}

interface Window {
  startedAt: number
  count: number
}

/** Counts requests of a process in windows of time. */
export class RateLimit {
  readonly #requests: number
  readonly #windowMs: number
  readonly #windows = new Map<string, Window>()

  constructor(requests: number, seconds: number) {
    this.#requests = requests
    this.#windowMs = seconds * 1000
  }

  /** @param now Epoch milliseconds. */
  take(who: string, now: number): Allowance {
    let window = this.#windows.get(who)
    if (
      window === undefined ||
      now - window.startedAt >= this.#windowMs ||
      now < window.startedAt
    ) {
      if (this.#windows.size > 10_000) this.#windows.clear()
      window = { startedAt: now, count: 0 }
      this.#windows.set(who, window)
    }
    window.count += 1
    return {
      isAllowed: window.count <= this.#requests,
      limit: this.#requests,
      remaining: Math.max(0, this.#requests - window.count),
      resetSeconds: Math.ceil((window.startedAt + this.#windowMs - now) / 1000),
    }
  }
}
