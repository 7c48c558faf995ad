/** A reading of a source at an instant, or over an interval. Times are epoch milliseconds. */
export interface Reading {
  startedAt: number
  endedAt: number
  value: number
  /** Of two readings of one source with the same start only one counts. */
  sourceType?: string
  appId?: string
}

/** Time range of a sleep or workout, epoch milliseconds. */
export type RecordedSession = Pick<Reading, 'startedAt' | 'endedAt'>

/**
 * Returns the readings within a session, in order of time, each once as in the store: of two of one
 * source with the same start the larger counts. Readings that extend beyond the session are cut.
 * @param cutValue Returns the value of a cut reading, given the remaining share of its time.
 */
export function readingsWithin(
  readings: readonly Reading[],
  session: RecordedSession,
  cutValue: (value: number, share: number) => number = (value) => value,
): Reading[] {
  const within: Reading[] = []
  for (const reading of isAscending(readings) ? readings : largestOfEach(readings)) {
    const cut = cutTo(session, reading, cutValue)
    if (cut !== undefined) within.push(cut)
  }
  return within.sort(
    (a, b) => a.startedAt - b.startedAt || a.endedAt - b.endedAt || a.value - b.value,
  )
}

/** Whether readings are valid and each starts after the previous one, so that none is repeated. */
function isAscending(readings: readonly Reading[]): boolean {
  let last = Number.NEGATIVE_INFINITY
  for (const { startedAt, endedAt, value } of readings) {
    // Infinite times and values are rare enough for the slow way.
    if (!(startedAt > last && Number.isFinite(endedAt) && Number.isFinite(value))) return false
    last = startedAt
  }
  return last < Number.POSITIVE_INFINITY
}

function largestOfEach(readings: readonly Reading[]): Iterable<Reading> {
  const largest = new Map<string, Reading>()
  for (const reading of readings) {
    if (![reading.startedAt, reading.endedAt, reading.value].every(Number.isFinite)) continue
    const key = `${reading.startedAt} ${reading.sourceType} ${reading.appId}`
    const known = largest.get(key)
    if (known === undefined || isLarger(reading, known)) largest.set(key, reading)
  }
  return largest.values()
}

function isLarger(a: Reading, b: Reading): boolean {
  return a.value === b.value ? a.endedAt > b.endedAt : a.value > b.value
}

/** Like readingsWithin, for amounts, which are cut in proportion. */
export function amountsWithin(amounts: readonly Reading[], session: RecordedSession): Reading[] {
  return readingsWithin(amounts, session, (value, share) => value * share)
}

function cutTo(
  session: RecordedSession,
  reading: Reading,
  cutValue: (value: number, share: number) => number,
): Reading | undefined {
  const { startedAt, endedAt, value } = reading
  const [from, to] = [Math.max(startedAt, session.startedAt), Math.min(endedAt, session.endedAt)]
  const lasts = endedAt > startedAt
  // A reading that only touches the session is not in it, unless both are instants.
  if (from > to || (from === to && lasts && session.endedAt > session.startedAt)) return undefined
  const share = lasts ? (to - from) / (endedAt - startedAt) : 1
  if (from === startedAt && to === endedAt) return reading
  return { ...reading, startedAt: from, endedAt: to, value: cutValue(value, share) }
}

interface Statistics<Value = number> {
  mean: Value
  minimum: Value
  maximum: Value
}

/**
 * Returns mean, minimum and maximum of readings, or null. The mean is over time where every reading
 * has a duration.
 */
export function statisticsOf(readings: readonly Reading[]): Statistics | null {
  if (readings.length === 0) return null
  const lasting = readings.every(({ startedAt, endedAt }) => endedAt > startedAt)
  let [sum, weights] = [0, 0]
  let [minimum, maximum] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { startedAt, endedAt, value } of readings) {
    const weight = lasting ? endedAt - startedAt : 1
    sum += value * weight
    weights += weight
    minimum = Math.min(minimum, value)
    maximum = Math.max(maximum, value)
  }
  return { mean: clamp(sum / weights, minimum, maximum), minimum, maximum }
}

/**
 * Completes the source's own statistics by its readings. Its own values are never changed, and
 * bound the computed ones: the readings may be only a part of those of the source.
 */
export function completeStatistics(
  said: Statistics<number | null>,
  computed: Statistics | null,
): Statistics<number | null> {
  if (computed === null) return said
  const known = [said.minimum, said.mean, said.maximum].filter((value) => value !== null)
  return {
    mean:
      said.mean ??
      clamp(
        computed.mean,
        said.minimum ?? Number.NEGATIVE_INFINITY,
        said.maximum ?? Number.POSITIVE_INFINITY,
      ),
    minimum: said.minimum ?? Math.min(computed.minimum, ...known),
    maximum: said.maximum ?? Math.max(computed.maximum, ...known),
  }
}

/** Columns of heart rate that sleeps and workouts have. */
interface HeartRates {
  heart_rate_mean?: number | null
  heart_rate_minimum?: number | null
  heart_rate_maximum?: number | null
}

/** Computes missing heart rates from the readings of a session, in whole beats per minute. */
export function measureRates(readings: readonly Reading[], said: HeartRates): Required<HeartRates> {
  const { mean, minimum, maximum } = completeStatistics(
    {
      mean: said.heart_rate_mean ?? null,
      minimum: said.heart_rate_minimum ?? null,
      maximum: said.heart_rate_maximum ?? null,
    },
    statisticsOf(readings),
  )
  return {
    heart_rate_mean: mean && Math.round(mean),
    heart_rate_minimum: minimum && Math.round(minimum),
    heart_rate_maximum: maximum && Math.round(maximum),
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
