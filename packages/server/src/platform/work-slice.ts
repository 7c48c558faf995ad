import { setImmediate } from 'node:timers/promises'

/** How long one request may work before all others get their turn. */
const SLICE_MS = 15

/**
 * Cuts long work on many items into slices, so that no request keeps the others waiting:
 * `if (slice.isOver()) await slice.rest()` between two items.
 */
export class WorkSlice {
  #endsAt = performance.now() + SLICE_MS

  isOver(): boolean {
    return performance.now() >= this.#endsAt
  }

  /** Lets everything else that waits have its turn. */
  async rest(): Promise<void> {
    await setImmediate()
    this.#endsAt = performance.now() + SLICE_MS
  }
}
