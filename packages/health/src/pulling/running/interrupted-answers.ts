import { HOUR_MS } from '@salus/contracts/time-units'
import type { Clock } from '@salus/kernel/time/clock'
import type { VendorSession } from '../access/vendor-session.ts'

/** Characters of all answers that a process keeps. */
const MOST_CHARACTERS = 32 * 1024 ** 2
/** The puller tries again much sooner. */
const LIFETIME_MS = HOUR_MS

interface Kept {
  /** JSON of answers by the JSON of their requests. */
  texts: ReadonlyMap<string, string>
  size: number
  staleAt: number
}

/**
 * Keeps the answers of steps that a spent budget interrupted, for the next attempt in the same
 * process. A page with further requests for each of its records, or a range that is only complete
 * as a whole, may need more requests than the budget of its vendor has at once: without them every
 * attempt would spend the budget on the same first requests.
 */
export class InterruptedAnswers {
  readonly #clock: Clock
  readonly #kept = new Map<string, Kept>()
  #size = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Returns the answers of the last attempt at a step. */
  resume(step: string): StepAnswers {
    const kept = this.#kept.get(step)
    this.#drop(step)
    const isStale = kept !== undefined && kept.staleAt <= this.#clock.now().getTime()
    return new StepAnswers(isStale ? undefined : kept?.texts)
  }

  /** Keeps the answers of an attempt, as far as there is room. */
  keep(step: string, answers: StepAnswers): void {
    const texts = answers.toTexts()
    const size = [...texts.values()].reduce((sum, text) => sum + text.length, 0)
    if (texts.size === 0 || this.#size + size > MOST_CHARACTERS) return
    this.#kept.set(step, { texts, size, staleAt: this.#clock.now().getTime() + LIFETIME_MS })
    this.#size += size
  }

  #drop(step: string): void {
    this.#size -= this.#kept.get(step)?.size ?? 0
    this.#kept.delete(step)
    for (const [key, { size, staleAt }] of this.#kept) {
      // The oldest are the first.
      if (staleAt > this.#clock.now().getTime()) return
      this.#size -= size
      this.#kept.delete(key)
    }
  }
}

/** A range that is only complete as a whole begins with these again. */
const MOST_ANSWERS = 200

/** The answers of one attempt, with those of the attempts before. */
export class StepAnswers {
  #former: ReadonlyMap<string, string>
  readonly #present = new Map<string, unknown>()

  constructor(former: ReadonlyMap<string, string> = new Map()) {
    this.#former = former
  }

  /** Whether the next attempt has less to request. */
  get hasAny(): boolean {
    return this.#former.size + this.#present.size > 0
  }

  /** Wraps a session with the vendor: what was answered before is not requested again. */
  through(session: VendorSession): VendorSession {
    return {
      get context() {
        return session.context
      },
      fetchJson: async (wanted) => {
        const key = JSON.stringify(wanted)
        const known = this.#former.get(key)
        if (known !== undefined) return JSON.parse(known)
        const answer = await session.fetchJson(wanted)
        const isKept = answer !== undefined && !Buffer.isBuffer(answer)
        if (isKept && this.#present.size < MOST_ANSWERS) this.#present.set(key, answer)
        return answer
      },
    }
  }

  /** Forgets the answers of a page that is not requested again. */
  clear(): void {
    this.#former = new Map()
    this.#present.clear()
  }

  toTexts(): Map<string, string> {
    const present = [...this.#present].map(
      ([key, answer]) => [key, JSON.stringify(answer)] as const,
    )
    return new Map([...this.#former, ...present])
  }
}
