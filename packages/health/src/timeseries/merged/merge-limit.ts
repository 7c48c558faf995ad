import { badRequest } from '@salus/kernel/errors'

/**
 * Maximum number of parts of samples in one merge. A month of three sources with a sample a minute
 * has some 130,000; only thousands of samples that overlap and cut each other have more.
 */
const MOST_PARTS = 5_000_000

/** Counts the work of a merge, so that no data can make it endless. */
interface MergeLimit {
  /** @throws AppError 400 `range_too_large` when it is too much */
  spendParts(parts: number): void
}

/**
 * Creates the limit of one request. `spend` throws AppError 400 `range_too_large` once all its
 * parts together are too many.
 */
export function createMergeLimit(): MergeLimit {
  let left = MOST_PARTS
  return {
    spendParts(parts) {
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
