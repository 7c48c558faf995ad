/** Kinds of data that a person can share separately. */
export const SHARED_KINDS = ['activity', 'sleep', 'heart', 'body', 'glucose', 'results'] as const
export type SharedKind = (typeof SHARED_KINDS)[number]

/**
 * The series that the page shows, each with its kind. Sleep is made of nights, not of a series
 * (docs/contract/22-portal.md#portaldata).
 */
export const PORTAL_SERIES: readonly (readonly [series: string, kind: SharedKind])[] = [
  ['steps', 'activity'],
  ['distance', 'activity'],
  ['calories_active', 'activity'],
  ['heartrate', 'heart'],
  ['hrv', 'heart'],
  ['blood_oxygen', 'heart'],
  ['blood_pressure', 'heart'],
  ['respiratory_rate', 'heart'],
  ['body_weight', 'body'],
  ['body_fat', 'body'],
  ['body_temperature', 'body'],
  ['glucose', 'glucose'],
]
