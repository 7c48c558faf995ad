/** Allows at most `perSecond` tokens in a second, and no more than that at once. */
export class TokenBucket {
  readonly #perSecond: number
  readonly #now: () => number
  #tokens: number
  #filledAtMs: number

  /** @param now Milliseconds of a clock that never goes back. */
  constructor(perSecond: number, now: () => number = () => performance.now()) {
    this.#perSecond = perSecond
    this.#now = now
    this.#tokens = perSecond
    this.#filledAtMs = now()
  }

  /** Takes a token; otherwise returns the milliseconds until there is one. */
  takeToken(): 'taken' | number {
    const now = this.#now()
    const gained = ((now - this.#filledAtMs) / 1000) * this.#perSecond
    this.#tokens = Math.min(this.#perSecond, this.#tokens + gained)
    this.#filledAtMs = now
    // A timer may fire slightly early; a missing thousandth of a token is not worth another timer.
    if (this.#tokens > 0.999) {
      this.#tokens -= 1
      return 'taken'
    }
    return ((1 - this.#tokens) / this.#perSecond) * 1000
  }
}
