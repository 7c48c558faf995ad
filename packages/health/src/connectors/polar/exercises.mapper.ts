import type { PageData } from '../page-data.ts'
import type { SourceType } from '../vendor-records.ts'
import { type Fields, recordsOf, soundRecordsOf } from './polar-pages.ts'
import { sportOf } from './polar-sports.ts'
import { durationMs } from './polar-times.ts'

type Stream = Parameters<PageData['addStream']>[1]
type Channel = Exclude<keyof Stream, 'time'>

/** Sample types that have a channel, with the divisor to its unit. */
const CHANNELS = new Map<string, readonly [channel: Channel, divisor: number]>([
  ['0', ['heartrate', 1]],
  // km/h
  ['1', ['velocity_smooth', 3.6]],
  ['2', ['cadence', 1]],
  ['3', ['altitude', 1]],
  ['4', ['power', 1]],
  ['8', ['cadence', 1]],
  ['9', ['temperature', 1]],
  ['10', ['distance', 1]],
])

/** The vendor mixes `start_time` with `running-index` and `recording-rate`. */
const withUnderscores = (record: Fields): Fields =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name.replaceAll('-', '_'), value]),
  )

/** Maps exercises with their samples and routes: a list, or one. */
export function mapExercises(answer: unknown, data: PageData): void {
  const exercises = recordsOf(answer, 'exercises', 'duration')
  for (const record of soundRecordsOf(data, 'workouts', exercises)) {
    addExercise(data, withUnderscores(record), record)
  }
}

function addExercise(data: PageData, exercise: Fields, record: Fields): void {
  const { start_time: text, start_time_utc_offset: minutes, heart_rate: heart } = exercise
  const offset = secondsOf(minutes)
  if (offset === undefined) {
    data.quarantine('workouts', 'invalid_field', record)
    return
  }
  const start = data.localInstant('workouts', text, offset, record)
  const reader = start && data.read('workouts', exercise)
  const rates = start && data.read('workouts', heart ?? {})
  if (start === undefined || reader === undefined || rates === undefined) return
  const end = { at: start.at + durationMs(exercise.duration), offset }
  const values = {
    calories: reader.measured('calories', Number.MAX_SAFE_INTEGER),
    distance_meter: reader.measured('distance', Number.MAX_SAFE_INTEGER),
    heart_rate_mean: rates.heartRate('average'),
    heart_rate_maximum: rates.heartRate('maximum'),
  }
  if (!data.isValid('workouts', reader, record) || !data.isValid('workouts', rates, record)) return
  const channels = channelsOf(data, exercise, start.at)
  const { samples: _samples, route: _route, ...raw } = exercise
  const device = textOf(exercise.device)
  const id = data.addWorkout({
    recordId: textOf(exercise.id) ?? String(text),
    start,
    end,
    sourceType: sourceTypeOf(device),
    ...(device !== null && { deviceModel: device }),
    sport: sportOf(exercise.detailed_sport_info, exercise.sport),
    values,
    heartRates: [...(channels.get('heartrate') ?? [])].map(([second, value]) => {
      const at = second * 1000
      return { startedAt: at, endedAt: at, value }
    }),
    raw,
  })
  if (id === undefined) return
  const stream = streamOf(channels)
  if (stream !== undefined) data.addStream(id, stream)
  if (device !== null) addDevice(data, device, textOf(exercise.device_id))
}

const MOST_OFFSET_MINUTES = 18 * 60

/** Returns an offset in minutes in seconds, null where there is none; undefined for a wrong one. */
function secondsOf(minutes: unknown): number | null | undefined {
  if (minutes === null || minutes === undefined) return null
  const isOffset = typeof minutes === 'number' && Math.abs(minutes) <= MOST_OFFSET_MINUTES
  return isOffset ? minutes * 60 : undefined
}

const textOf = (value: unknown): string | null =>
  typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : null

/** Polar Beat is an app on a phone; H10 and its like are straps. */
function sourceTypeOf(device: string | null): SourceType {
  if (device === null) return 'unknown'
  if (/\bbeat\b/i.test(device)) return 'phone'
  return /\bH\d+\b/.test(device) ? 'chest_strap' : 'watch'
}

function addDevice(data: PageData, model: string, deviceId: string | null): void {
  const sourceType = sourceTypeOf(model)
  data.addDevice({ sourceType, manufacturer: 'Polar', model, version: null, deviceId })
}

type Channels = Map<Channel, Map<number, number>>

/** Returns the values of each channel by Unix second. */
function channelsOf(data: PageData, exercise: Fields, startedAt: number): Channels {
  const channels: Channels = new Map()
  const set = (channel: Channel, second: number, value: number) => {
    const known = channels.get(channel) ?? new Map<number, number>()
    channels.set(channel, known)
    known.set(second, value)
  }
  for (const list of listOf(data, exercise.samples)) addSamples(data, list, startedAt, set)
  for (const point of listOf(data, exercise.route)) {
    const { latitude, longitude, time } = point
    const second = Math.floor((startedAt + durationMs(time)) / 1000)
    if (!isDegrees(latitude, 90) || !isDegrees(longitude, 180) || Number.isNaN(second)) {
      data.quarantine('workout_stream', 'invalid_field', point)
      continue
    }
    set('lat', second, latitude)
    set('lng', second, longitude)
  }
  return channels
}

const isDegrees = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Math.abs(value) <= most

function listOf(data: PageData, list: unknown): Fields[] {
  if (list === null || list === undefined) return []
  if (Array.isArray(list)) return soundRecordsOf(data, 'workout_stream', list).map(withUnderscores)
  data.quarantine('workout_stream', 'invalid_field', list)
  return []
}

/** Adds a list of values, one in each interval; types differ in their intervals. */
function addSamples(
  data: PageData,
  list: Fields,
  startedAt: number,
  set: (channel: Channel, second: number, value: number) => void,
): void {
  const [channel, divisor] = CHANNELS.get(String(list.sample_type)) ?? []
  if (channel === undefined || divisor === undefined) return
  const { recording_rate: rate, data: texts } = list
  if (typeof rate !== 'number' || !(rate > 0) || typeof texts !== 'string') {
    data.quarantine('workout_stream', 'invalid_field', list)
    return
  }
  for (const [index, text] of texts.split(',').entries()) {
    const value = text.trim() === '' ? Number.NaN : Number(text)
    // `null` means that the sensor was off, and so does a heart rate of 0.
    if (!Number.isFinite(value) || (channel === 'heartrate' && !(value > 0))) continue
    set(channel, Math.floor(startedAt / 1000 + index * rate), value / divisor)
  }
}

function streamOf(channels: Channels): Stream | undefined {
  const seconds = new Set([...channels.values()].flatMap((values) => [...values.keys()]))
  if (seconds.size === 0) return undefined
  const time = [...seconds].sort((a, b) => a - b)
  const columns = [...channels].map(([channel, values]) => [
    channel,
    time.map((second) => values.get(second) ?? null),
  ])
  return { time, ...Object.fromEntries(columns) }
}
