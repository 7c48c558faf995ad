/** From a change of data to the check of its rules. */
export const DELAY_SECONDS = 30

/** A check is not written again so shortly after it was. */
export const REST_SECONDS = 5

/**
 * Checks are scheduled before data are stored. A check is only done with when the last change was
 * noted this long before, because later changes may not have been stored when it read.
 */
export const SETTLED_MS = 30_000

/** Duration of a claim; longer than the work of a process takes. */
export const CLAIM_MS = 600_000
