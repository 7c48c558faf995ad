import { AppError } from '@salus/kernel/errors'

/** Number of lots of all bodies that are parsed and stored at the same time. */
const MOST_LOTS = 2
/** Number of bodies that are read at the same time. */
const MOST_BODIES = 8

/**
 * Bounds what bulk uploads hold in memory together: their lots take turns, so each body advances,
 * and the others are not read meanwhile.
 */
export class ProcessingTurns {
  #bodies = 0
  #running = 0
  readonly #waiting: (() => void)[] = []

  /** Reads a body. @throws AppError 503 when enough are being read */
  async read<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#bodies >= MOST_BODIES) {
      throw new AppError(503, 'overloaded', 'The server reads enough bulk uploads. Try again.')
    }
    this.#bodies++
    try {
      return await work()
    } finally {
      this.#bodies--
    }
  }

  /** Processes a lot when it is its turn. */
  async take(work: () => Promise<void>): Promise<void> {
    if (this.#running >= MOST_LOTS) await new Promise<void>((run) => this.#waiting.push(run))
    else this.#running++
    try {
      await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#running--
      else next()
    }
  }
}
