import { badRequest } from '@salus/kernel/errors'

/**
 * Most parts of samples that one merge looks at. A month of three sources with a sample a minute
 * has some 130,000; only samples by the thousand that overlap each other and are cut by each other
 * have more.
 */
const MOST_PARTS = 5_000_000

/** Counts what a merge looks at, so that no data can make one without end. */
interface MergeLimit {
  /** @throws AppError 400 `range_too_large` when it is too much */
  spend(parts: number): void
}

/**
 * The limit of one request. `spend` throws AppError 400 `range_too_large` once all its parts
 * together are too many.
 */
export function createMergeLimit(): MergeLimit {
  let left = MOST_PARTS
  return {
    spend(parts) {
      left -= parts
      if (left < 0) {
        throw badRequest(
          'range_too_large',
          'The samples of this range overlap too often. Request a shorter range.',
          { most_parts: MOST_PARTS },
        )
      }
    },
  }
}
