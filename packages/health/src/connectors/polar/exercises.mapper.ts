import type { PageData } from '../page-data.ts'
import { isFields, type SourceType } from '../vendor-records.ts'
import { type Fields, recordsOf, soundRecordsOf, withUnderscores } from './polar-pages.ts'
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

/** Maps exercises with their samples and routes: a list, or one. */
export function mapExercises(answer: unknown, data: PageData): void {
  const exercises = recordsOf(answer, 'exercises', 'duration')
  for (const record of soundRecordsOf(data, 'workouts', exercises)) {
    addExercise(data, withUnderscores(record, 'start-time'), record)
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
  const stream = streamOf(data, exercise, start.at)
  const { samples: _samples, route: _route, ...raw } = exercise
  const device = textOf(exercise.device)
  const added = data.addWorkout({
    recordId: textOf(exercise.id) ?? String(text),
    start,
    end,
    sourceType: sourceTypeOf(device),
    ...(device !== null && { deviceModel: device }),
    sport: sportOf(exercise.detailed_sport_info, exercise.sport),
    values,
    heartRates: readingsOf(stream),
    raw,
  })
  if (added === undefined) return
  if (stream !== undefined) data.addStream(added.id, stream)
  if (device !== null) addDevice(data, device, textOf(exercise.device_id))
}

const MOST_OFFSET_MINUTES = 18 * 60

/** Returns an offset in minutes in seconds, null where there is none; undefined for a wrong one. */
function secondsOf(minutes: unknown): number | null | undefined {
  if (minutes === null || minutes === undefined) return null
  const isOffset = typeof minutes === 'number' && Math.abs(minutes) <= MOST_OFFSET_MINUTES
  return isOffset ? minutes * 60 : undefined
}

function readingsOf({ time, heartrate = [] }: Stream = { time: [] }) {
  const readings: { startedAt: number; endedAt: number; value: number }[] = []
  for (const [index, value] of heartrate.entries()) {
    const at = (time[index] ?? 0) * 1000
    if (value !== null) readings.push({ startedAt: at, endedAt: at, value })
  }
  return readings
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

/** No exercise lasts longer: two days. */
const MOST_SECONDS = 172_800

/** Values by second from the start: types of samples differ in their intervals. */
class Recording {
  /** Unix time of the first second. */
  readonly start: number
  readonly #startedAt: number
  readonly #channels = new Map<Channel, number[]>()
  #length = 0

  constructor(startedAt: number) {
    this.#startedAt = startedAt
    this.start = Math.floor(startedAt / 1000)
  }

  /** @param after Seconds after the start of the exercise. */
  set(channel: Channel, after: number, value: number): void {
    const second = Math.floor(this.#startedAt / 1000 + after) - this.start
    if (!(second >= 0 && second < MOST_SECONDS)) return
    const values = this.#channels.get(channel) ?? []
    if (values.length === 0) this.#channels.set(channel, values)
    while (values.length < second) values.push(Number.NaN)
    values[second] = value
    this.#length = Math.max(this.#length, second + 1)
  }

  /** Returns what was recorded; undefined where there is nothing. */
  toStream(): Stream | undefined {
    const channels = [...this.#channels]
    const seconds: number[] = []
    for (let second = 0; second < this.#length; second++) {
      for (const [, values] of channels) {
        if (Number.isNaN(values[second] ?? Number.NaN)) continue
        seconds.push(second)
        break
      }
    }
    if (seconds.length === 0) return undefined
    const columns = channels.map(([channel, values]) => [
      channel,
      seconds.map((second) => {
        const value = values[second] ?? Number.NaN
        return Number.isNaN(value) ? null : value
      }),
    ])
    const time = seconds.map((second) => this.start + second)
    return { time, ...Object.fromEntries(columns) }
  }
}

/** Returns the samples and the route of an exercise as one stream. */
function streamOf(data: PageData, exercise: Fields, startedAt: number): Stream | undefined {
  const recording = new Recording(startedAt)
  for (const list of listOf(data, exercise.samples)) addSamples(data, list, recording)
  for (const point of listOf(data, exercise.route)) {
    const { latitude, longitude, time } = isFields(point) ? point : {}
    const after = durationMs(time) / 1000
    if (!isDegrees(latitude, 90) || !isDegrees(longitude, 180) || Number.isNaN(after)) {
      data.quarantine('workout_stream', 'invalid_field', point)
      continue
    }
    recording.set('lat', after, latitude)
    recording.set('lng', after, longitude)
  }
  return recording.toStream()
}

const isDegrees = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Math.abs(value) <= most

function listOf(data: PageData, list: unknown): readonly unknown[] {
  if (Array.isArray(list)) return list
  if (list !== null && list !== undefined) data.quarantine('workout_stream', 'invalid_field', list)
  return []
}

/** Adds a list of values, one in each interval. */
function addSamples(data: PageData, list: unknown, recording: Recording): void {
  const fields = isFields(list) ? list : {}
  const type = fields['sample-type'] ?? fields.sample_type
  const rate = fields['recording-rate'] ?? fields.recording_rate
  const { data: texts } = fields
  const [channel, divisor] = CHANNELS.get(String(type)) ?? []
  if (isFields(list) && (channel === undefined || divisor === undefined)) return
  if (
    !channel ||
    !divisor ||
    typeof rate !== 'number' ||
    !(rate > 0) ||
    typeof texts !== 'string'
  ) {
    data.quarantine('workout_stream', 'invalid_field', list)
    return
  }
  for (const [index, text] of texts.split(',').entries()) {
    const value = Number(text) === 0 && text.trim() === '' ? Number.NaN : Number(text)
    // `null` means that the sensor was off, and so does a heart rate of 0.
    if (!Number.isFinite(value) || (channel === 'heartrate' && !(value > 0))) continue
    recording.set(channel, index * rate, value / divisor)
  }
}
