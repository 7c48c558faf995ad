import type { PageData } from '../page-data.ts'
import { isFields } from '../vendor-records.ts'
import type { Fields } from './strava-pages.ts'

type Stream = Parameters<PageData['addStream']>[1]
type Values = (number | null)[]

interface Channel {
  name: Exclude<keyof Stream, 'time'>
  least: number
  most: number
  /** Whether 0 means that the sensor had no signal. */
  isMeasured?: true
}

/** Streams of the vendor, with the limits of their values. `latlng` is a pair. */
const CHANNELS: Readonly<Record<string, Channel>> = {
  distance: { name: 'distance', least: 0, most: 1e8 },
  altitude: { name: 'altitude', least: -1000, most: 20_000 },
  velocity_smooth: { name: 'velocity_smooth', least: 0, most: 500 },
  heartrate: { name: 'heartrate', least: 0, most: 350, isMeasured: true },
  cadence: { name: 'cadence', least: 0, most: 500 },
  watts: { name: 'power', least: 0, most: 10_000 },
  temp: { name: 'temperature', least: -100, most: 100 },
}
const LAT: Channel = { name: 'lat', least: -90, most: 90 }
const LNG: Channel = { name: 'lng', least: -180, most: 180 }

/** Sports in which the vendor counts the steps of one leg. */
const ON_FOOT = new Set<unknown>(['Run', 'TrailRun', 'VirtualRun', 'Walk', 'Hike'])

/**
 * Returns the stream of an activity. A channel with invalid values is quarantined, and so is a
 * stream whose times are invalid.
 * @param answer `{time: {data: [0, 1, …]}, heartrate: {data: […]}, …}`, in seconds from the start
 * @param startedAt Epoch milliseconds.
 */
export function readStream(
  data: PageData,
  answer: unknown,
  { startedAt, sport, activityId }: { startedAt: number; sport: unknown; activityId: string },
): Stream | undefined {
  const given = byType(answer)
  const seconds = dataOf(given.time)
  if (seconds === undefined) return undefined
  const refuse = (type: string) =>
    data.quarantine('workout_stream', 'invalid_value', { activity: activityId, type })
  const start = Math.round(startedAt / 1000)
  if (!seconds.every((value) => Number.isFinite(value) && isWithin(value, 0, MOST_SECONDS))) {
    refuse('time')
    return undefined
  }
  const times = (seconds as number[]).map((value) => start + Math.round(value))
  const kept = ascendingOf(times)
  const stream: Stream & Partial<Record<Channel['name'], Values>> = {
    time: kept.map((index) => times[index] as number),
  }
  const add = (type: string, channel: Channel, values: readonly unknown[]) => {
    const read = values.length === times.length ? readChannel(channel, values) : undefined
    if (read === undefined) refuse(type)
    else if (read.some((value) => value !== null)) {
      stream[channel.name] = kept.map((index) => read[index] ?? null)
    }
  }
  for (const [type, channel] of Object.entries(CHANNELS)) {
    const values = dataOf(given[type])
    if (values !== undefined) add(type, channel, values)
  }
  const positions = dataOf(given.latlng)
  if (positions !== undefined) {
    add('latlng', LAT, positions.map(partOf(0)))
    add('latlng', LNG, positions.map(partOf(1)))
  }
  if (ON_FOOT.has(sport) && stream.cadence !== undefined) {
    stream.cadence = stream.cadence.map((value) => (value === null ? null : 2 * value))
  }
  return stream.time.length === 0 ? undefined : stream
}

/** No activity is longer than a year. */
const MOST_SECONDS = 31_622_400

const isWithin = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'number' && value >= least && value <= most

/** Returns the positions of ascending times. Of several points in one second the first counts. */
function ascendingOf(times: readonly number[]): number[] {
  let last = Number.NEGATIVE_INFINITY
  return times.flatMap((time, index) => {
    if (time <= last) return []
    last = time
    return [index]
  })
}

/** A position that the device did not have is an empty list. */
const partOf =
  (index: number) =>
  (place: unknown): unknown =>
    place === null ? null : Array.isArray(place) ? (place[index] ?? null) : undefined

/** Without `key_by_type` the vendor sends a list. */
function byType(answer: unknown): Fields {
  if (!Array.isArray(answer)) return isFields(answer) ? answer : {}
  return Object.fromEntries(answer.filter(isFields).map((stream) => [String(stream.type), stream]))
}

const dataOf = (stream: unknown): readonly unknown[] | undefined =>
  isFields(stream) && Array.isArray(stream.data) ? stream.data : undefined

/** @returns undefined for a channel with a value that is no number, or is not possible */
function readChannel(
  { name, least, most, isMeasured }: Channel,
  values: readonly unknown[],
): Values | undefined {
  const read: Values = []
  for (const value of values) {
    if (value === null || (isMeasured && value === 0)) read.push(null)
    else if (isWithin(value, least, most)) {
      read.push(name === 'heartrate' ? Math.round(value as number) : (value as number))
    } else return undefined
  }
  return read
}
