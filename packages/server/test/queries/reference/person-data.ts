/**
 * What is stored of one person, as plain rows. Instants are epoch milliseconds; texts not known are
 * ''.
 */
export interface StoredSample {
  /** Read name. */
  series: string
  startedAt: number
  endedAt: number
  provider: string
  sourceType: string
  appId: string
  sampleType: string
  /** UUID, or empty. */
  workoutId: string
  sport: string
  timezoneOffset: number | null
  timeZone: string
  value: number
  diastolic: number
  text: string
  /** JSON object, or empty. */
  extra: string
  version: number
}

export type StoredValue = number | string | boolean | null | readonly number[]

export interface StoredSummary {
  /**
   * Resource of docs/contract/06-summaries.md: activity, sleep, workouts, body, meal,
   * menstrual_cycle, profile.
   */
  resource: string
  id: string
  provider: string
  sourceType: string
  appId: string
  externalId: string
  calendarDate: string | null
  startedAt: number
  endedAt: number
  timezoneOffset: number | null
  timeZone: string
  /** Columns of the resource that are not null. */
  values: Record<string, StoredValue>
  createdAt: number
  updatedAt: number
  version: number
  isRemoved: boolean
}

export interface PersonData {
  samples: StoredSample[]
  summaries: StoredSummary[]
}

/** For whom a query is answered. */
export interface ReferenceTarget {
  fallbackZone: string | null
  /** Team priorities by data type (workouts, activity, sleep, body, timeseries) and provider. */
  priorities: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Id of the one device of a provider. */
  devices: Readonly<Record<string, string>>
  /** Epoch milliseconds. */
  now: number
}
