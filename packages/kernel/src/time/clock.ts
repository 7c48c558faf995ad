/** Source of the present time: the system in production, a movable clock in tests. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
