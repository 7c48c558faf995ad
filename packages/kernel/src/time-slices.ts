import { setImmediate } from 'node:timers/promises'

/**
 * Long computations of one request must not keep the others waiting. Such work is a generator that
 * yields every few hundred steps, and runs in slices between which the process does everything
 * else; or it is a loop with awaits and a WorkSlice.
 */

/** Time of one slice before other work runs. */
const SLICE_MS = 10

/** For a loop over many items: `if (slice.isOver()) await slice.rest()` between two of them. */
export class WorkSlice {
  #endsAt = performance.now() + SLICE_MS

  isOver(): boolean {
    return performance.now() >= this.#endsAt
  }

  /** Lets all other waiting work run. */
  async rest(): Promise<void> {
    await setImmediate()
    this.#endsAt = performance.now() + SLICE_MS
  }
}

/**
 * Does the work with pauses. The generator yields often; the code between two yields is never
 * interrupted.
 */
export async function runInSlices<Result>(work: Generator<void, Result>): Promise<Result> {
  const slice = new WorkSlice()
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (slice.isOver()) await slice.rest()
  }
}

/** Does the work without a pause, where no other work waits. */
export function runAtOnce<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** Maps each item, with pauses. */
export async function mapInSlices<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Result,
  slice = new WorkSlice(),
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) {
    results.push(work(item))
    if (slice.isOver()) await slice.rest()
  }
  return results
}
