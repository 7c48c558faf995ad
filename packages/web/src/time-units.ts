/** Lengths of units of time in milliseconds and in seconds. */
export const MINUTE_MS = 60_000
export const DAY_MS = 86_400_000

export const MINUTE_SECONDS = 60
export const HOUR_SECONDS = 3600
export const DAY_SECONDS = 86_400
