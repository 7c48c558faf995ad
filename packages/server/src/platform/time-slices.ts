/**
 * Long computations of one request must not keep the others waiting. Such work is a generator that
 * yields every few hundred steps, and runs in slices between which the process does everything else.
 */

/** How long one slice may take before others have their turn. */
const SLICE_MS = 10

/** Does the work with pauses. The generator yields often: what lies between two yields is never parted. */
export async function runInSlices<Result>(work: Generator<void, Result>): Promise<Result> {
  let sliceEnd = performance.now() + SLICE_MS
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (performance.now() < sliceEnd) continue
    await new Promise((resolve) => setImmediate(resolve))
    sliceEnd = performance.now() + SLICE_MS
  }
}

/** Does the work without a pause, where nobody waits for anything else. */
export function runAtOnce<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
