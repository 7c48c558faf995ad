import { AppError } from '@salus/kernel/errors'
import type { Clock } from '@salus/kernel/time/clock'

/** A stream ends at most two of these intervals after its key was deleted or lost the team. */
const CHECK_MS = 30_000

/**
 * Rights of the streams of one key in one environment: they are checked together, so that a
 * thousand streams need one check.
 */
export class StreamRights {
  readonly #clock: Clock
  readonly #answers = new Map<string, { at: number; answer: Promise<boolean> }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Records that a new stream was just authorized. */
  grant(name: string): void {
    const at = this.#clock.now().getTime()
    this.#answers.set(name, { at, answer: Promise.resolve(true) })
  }

  /**
   * Checks again when the last check is old.
   * @param name Name of the key and the environment.
   * @param check Throws an AppError where the key no longer has access.
   */
  hold(name: string, check: () => Promise<unknown>): Promise<boolean> {
    const now = this.#clock.now().getTime()
    const known = this.#answers.get(name)
    if (known !== undefined && now - known.at < CHECK_MS) return known.answer
    // Only a refusal ends a stream, not a database that does not answer for a moment.
    const answer = check().then(
      () => true,
      (error: unknown) => !(error instanceof AppError),
    )
    this.#answers.set(name, { at: now, answer })
    return answer
  }

  /** Called when a stream ends; the next one of its key is checked again. */
  forget(name: string): void {
    this.#answers.delete(name)
  }
}
