import { badRequest } from '@salus/kernel/errors'

/** Maximum number of comparisons in one merge: a year of ten sources has some fifty thousand. */
const MOST_COMPARISONS = 5_000_000

/** Counts the comparisons of one merge. */
export class ComparisonLimit {
  #left = MOST_COMPARISONS

  /** @throws AppError 400 `range_too_large` when all together are too many. */
  spend(comparisons: number): void {
    this.#left -= comparisons
    if (this.#left < 0) {
      throw badRequest(
        'range_too_large',
        'The records of this range overlap too often. Request a shorter range.',
        { most_comparisons: MOST_COMPARISONS },
      )
    }
  }
}
