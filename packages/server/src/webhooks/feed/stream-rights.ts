import { AppError } from '@salus/kernel/errors'
import type { Clock } from '@salus/kernel/time/clock'

/** A stream ends at most two of these after its key was deleted or lost the team. */
const CHECK_MS = 30_000

/**
 * What streams of one key at one place may: they ask together, so that a thousand are one question.
 */
export class StreamRights {
  readonly #clock: Clock
  readonly #answers = new Map<string, { at: number; answer: Promise<boolean> }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** A stream that begins now was let in just so. */
  grant(name: string): void {
    const at = this.#clock.now().getTime()
    this.#answers.set(name, { at, answer: Promise.resolve(true) })
  }

  /**
   * Asks anew when the last answer is old.
   * @param name Of the key and the place.
   * @param check Throws an AppError where the key may no longer.
   */
  hold(name: string, check: () => Promise<unknown>): Promise<boolean> {
    const now = this.#clock.now().getTime()
    const known = this.#answers.get(name)
    if (known !== undefined && now - known.at < CHECK_MS) return known.answer
    // Only a refusal ends a stream, not a database that is away for a moment.
    const answer = check().then(
      () => true,
      (error: unknown) => !(error instanceof AppError),
    )
    this.#answers.set(name, { at: now, answer })
    return answer
  }

  /** To be called when a stream ends; the next one of its key asks anew. */
  forget(name: string): void {
    this.#answers.delete(name)
  }
}
