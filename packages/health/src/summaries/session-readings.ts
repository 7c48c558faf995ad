/** What a source read at an instant, or over a stretch of time. Times are epoch milliseconds. */
export interface Reading {
  startedAt: number
  endedAt: number
  value: number
  /** Of two readings of one source that begin together only one counts. */
  sourceType?: string
  appId?: string
}

/** From when to when a session lasts, epoch milliseconds. */
export type Session = Pick<Reading, 'startedAt' | 'endedAt'>

/**
 * The readings that lie in a session, in order of time, each once as the store keeps it: of two of
 * one source that begin together the larger counts. What reaches out of the session is cut to it.
 * @param cutValue What is left of the value of one that is cut, by the share of its time that is
 *   left.
 */
export function readingsWithin(
  readings: readonly Reading[],
  session: Session,
  cutValue: (value: number, share: number) => number = (value) => value,
): Reading[] {
  const largest = new Map<string, Reading>()
  for (const reading of readings) {
    if (![reading.startedAt, reading.endedAt, reading.value].every(Number.isFinite)) continue
    const key = `${reading.startedAt} ${reading.sourceType} ${reading.appId}`
    const known = largest.get(key)
    if (known === undefined || isLarger(reading, known)) largest.set(key, reading)
  }
  return [...largest.values()]
    .flatMap((reading) => cutTo(session, reading, cutValue) ?? [])
    .sort((a, b) => a.startedAt - b.startedAt || a.endedAt - b.endedAt || a.value - b.value)
}

function isLarger(a: Reading, b: Reading): boolean {
  return a.value === b.value ? a.endedAt > b.endedAt : a.value > b.value
}

/** As readingsWithin, of amounts: of one that is cut, its share. */
export function amountsWithin(amounts: readonly Reading[], session: Session): Reading[] {
  return readingsWithin(amounts, session, (value, share) => value * share)
}

function cutTo(
  session: Session,
  reading: Reading,
  cutValue: (value: number, share: number) => number,
): Reading | undefined {
  const { startedAt, endedAt, value } = reading
  const [from, to] = [Math.max(startedAt, session.startedAt), Math.min(endedAt, session.endedAt)]
  const lasts = endedAt > startedAt
  // One that only touches the session is none of it, unless neither lasts longer than an instant.
  if (from > to || (from === to && lasts && session.endedAt > session.startedAt)) return undefined
  const share = lasts ? (to - from) / (endedAt - startedAt) : 1
  return { ...reading, startedAt: from, endedAt: to, value: cutValue(value, share) }
}

interface Statistics<Value = number> {
  mean: Value
  minimum: Value
  maximum: Value
}

/**
 * Mean, least and most of readings, or null. The mean is that over time where every reading lasts.
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
 * What the source says, completed by what its readings tell. What it says itself is never changed,
 * and bounds what is computed: readings may be only some of those that the source knows.
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

/**
 * What readings within a session tell of the heart rate, in whole beats a minute, where it is not
 * said.
 */
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
