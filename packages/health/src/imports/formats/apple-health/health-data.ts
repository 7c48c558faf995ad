/** Attributes or metadata by name, in the order of the file. */
export type TextMap = ReadonlyMap<string, string>

export const NO_TEXT: TextMap = new Map()

/**
 * One `<Record>`, the values as written. A missing required attribute is ''. The caller parses
 * numbers, dates and devices: parseAppleDate, parseAppleDevice.
 */
export interface HealthRecord {
  type: string
  unit: string | undefined
  value: string | undefined
  sourceName: string
  sourceVersion: string | undefined
  device: string | undefined
  creationDate: string | undefined
  startDate: string
  endDate: string
  metadata: TextMap
  insideCorrelation: boolean
}

/** One `<Correlation>` with its records, for example the two of a blood pressure reading. */
export interface HealthCorrelation {
  type: string
  sourceName: string
  sourceVersion: string | undefined
  device: string | undefined
  creationDate: string | undefined
  startDate: string
  endDate: string
  metadata: TextMap
  records: HealthRecord[]
}

/** One `<Workout>`. Newer exports have distance and energy only in the statistics. */
export interface HealthWorkout {
  attributes: TextMap
  metadata: TextMap
  statistics: TextMap[]
  /** Pauses, laps and similar events, in the order of the file. */
  events: TextMap[]
  /** Paths of the GPX files of its routes, as written: `/workout-routes/route_….gpx`. */
  routes: string[]
}
