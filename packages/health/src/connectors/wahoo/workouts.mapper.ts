import { DAY_SECONDS } from '@salus/contracts/time-units'
import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import type { PageRequest } from '../connector.ts'
import { pointsOfFit } from '../fit-file.ts'
import type { PageData } from '../page-data.ts'
import type { FileRequest } from '../vendor-client.ts'
import { VendorError } from '../vendor-client.ts'
import { isFields, type VendorInstant } from '../vendor-records.ts'
import { withoutNulls } from '../vendor-values.ts'
import { recordingOf, type WorkoutRecording } from '../workout-points.ts'

export const SLUG = 'wahoo'

type Fields = Record<string, unknown>

/** Names of the types of workouts, as the table of sports knows them. */
const SPORTS: Readonly<Record<number, string>> = {
  0: 'cycling',
  1: 'running',
  2: 'fitness_equipment',
  3: 'track_running',
  4: 'trail_running',
  5: 'treadmill_running',
  6: 'walking',
  7: 'speed_walking',
  8: 'nordic_walking',
  9: 'hiking',
  10: 'mountaineering',
  11: 'cyclocross',
  12: 'stationary_biking',
  13: 'mountain_biking',
  14: 'recumbent_cycling',
  15: 'road_biking',
  16: 'track_cycling',
  17: 'motorcycling',
  18: 'fitness_equipment',
  19: 'treadmill_running',
  20: 'elliptical',
  21: 'stationary_biking',
  22: 'rowing_machine',
  23: 'stair_climbing_machine',
  25: 'pool_swimming',
  26: 'open_water_swimming',
  27: 'snowboarding',
  28: 'skiing',
  29: 'downhill_skiing',
  30: 'cross_country_skiing',
  31: 'skating_sports',
  32: 'ice_skating',
  33: 'inline_skating',
  34: 'skateboarding',
  35: 'sailing',
  36: 'windsurfing',
  37: 'canoeing',
  38: 'kayaking',
  39: 'rowing',
  40: 'kitesurfing',
  41: 'stand_up_paddling',
  42: 'workout',
  43: 'exercise_class',
  44: 'stair_climbing_machine',
  45: 'wheelchair',
  46: 'golf',
  47: 'other',
  49: 'stationary_biking',
  56: 'indoor_walking',
  61: 'stationary_biking',
  62: 'multisport',
  63: 'transition',
  64: 'electric_biking',
  65: 'workout',
  66: 'yoga',
  67: 'running',
  68: 'virtual_cycling',
  69: 'mind_and_body',
  70: 'handcycling',
  71: 'virtual_running',
  255: 'other',
}
/** Types in which cadence is that of steps. */
const ON_FOOT = new Set([1, 3, 4, 5, 6, 7, 8, 9, 10, 19, 56, 67, 71])

/** Files elsewhere are not fetched, and a workout has no stream then. */
const FILES = '.wahooligan.com'

const LONGEST_SECONDS = 7 * DAY_SECONDS
/** Numbers of summaries are texts with two decimals. */
const DECIMAL = /^-?\d{1,15}(?:\.\d{1,10})?$/

const unexpected = () => new VendorError(SLUG, { kind: 'unexpected', status: null })

/**
 * Returns the workouts of an answer: a page of the list, one workout, or a message, in which the
 * workout is inside its summary. @throws VendorError `unexpected`
 */
export function workoutsOf(answer: unknown): readonly unknown[] {
  if (!isFields(answer)) throw unexpected()
  if (Array.isArray(answer.workouts)) return answer.workouts
  const { workout_summary: summary } = answer
  if (answer.starts !== undefined) return [answer]
  // A summary alone cannot be placed in time.
  const alone = answer.duration_total_accum === undefined ? undefined : answer
  const found = isFields(summary) ? summary : alone
  if (found === undefined) throw unexpected()
  const { workout, ...own } = found
  return [{ ...(isFields(workout) ? workout : {}), workout_summary: own }]
}

/** Returns the files of the workouts of a page that start in the range of its request. */
export function filesOf(answer: unknown, { range: { from, to } }: PageRequest) {
  return workoutsOf(answer).flatMap((workout): (FileRequest & { isOptional: true })[] => {
    const fileUrl = fileOf(workout)
    const at = isFields(workout) ? Date.parse(String(workout.starts)) : Number.NaN
    // A single workout has no range.
    const isWanted = to <= from || (from <= at && at < to)
    return fileUrl !== undefined && isWanted ? [{ fileUrl, isOptional: true }] : []
  })
}

function fileOf(workout: unknown): string | undefined {
  const summary = isFields(workout) ? workout.workout_summary : undefined
  const { file: only, files }: Fields = isFields(summary) ? summary : {}
  // Lists may have the files of a workout in place of its file.
  const file: unknown = only ?? (Array.isArray(files) ? files[0] : undefined)
  const text = isFields(file) && typeof file.url === 'string' ? file.url : ''
  const url = URL.parse(text)
  const isForeign = url?.protocol === 'https:' && !url.hostname.endsWith(FILES)
  return url === null || isForeign ? undefined : text
}

/**
 * Maps workouts, with the stream of their file where it was fetched. The later change of two counts
 * and of one change that with the stream, so that the order of answers does not matter.
 */
export function mapWorkouts(
  answer: unknown,
  data: PageData,
  details: readonly unknown[],
  request: PageRequest,
): void {
  // Messages, and lists without files, have no details.
  const requested = details.length === 0 ? [] : filesOf(answer, request)
  const files = new Map(requested.map(({ fileUrl }, index) => [fileUrl, details[index]]))
  for (const item of workoutsOf(answer)) {
    const summary = isFields(item) ? (item.workout_summary ?? null) : {}
    // A workout without a summary is planned. One with an empty summary is being processed.
    if (summary === null || (isFields(item) && isFields(summary) && isEmpty(summary))) continue
    if (!isFields(summary)) data.quarantine('workouts', 'invalid_field', item)
    else addWorkout(data, item, files.size === 0 ? undefined : files.get(fileOf(item) ?? ''))
  }
}

const isEmpty = (summary: Fields): boolean =>
  Object.keys(summary).every(
    (name) => summary[name] === null || !/_(?:accum|avg|max|last)$/.test(name),
  )

function addWorkout(data: PageData, item: unknown, file: unknown): void {
  const summary = isFields(item) && isFields(item.workout_summary) ? item.workout_summary : {}
  const { workout_summary: _summary, ...workout }: Fields = isFields(item) ? item : {}
  const plain = data.read('workouts', isFields(item) ? workout : item)
  const reader = plain && data.read('workouts', withNumbers(summary))
  const start = reader && startOf(data, workout, summary)
  if (plain === undefined || reader === undefined || start === undefined) return
  const seconds =
    reader.number('duration_total_accum', 0, LONGEST_SECONDS) ??
    (60 * (plain.number('minutes', 0, LONGEST_SECONDS / 60) ?? 0) || partsOf(reader))
  const type = plain.integer('workout_type_id')
  const { id } = workout
  const name = workout.name ?? summary.name
  if (typeof id !== 'number' && typeof id !== 'string') {
    data.quarantine('workouts', 'invalid_field', item)
    return
  }
  const values = {
    title: typeof name === 'string' ? name.toWellFormed() : null,
    duration_active_second: reader.integer('duration_active_accum', 0, LONGEST_SECONDS),
    // 0 stands for none.
    distance_meter: reader.measured('distance_accum', 1e8),
    calories: reader.measured('calories_accum', 1e6),
    elevation_gain_meter: reader.number('ascent_accum'),
    heart_rate_mean: reader.heartRate('heart_rate_avg'),
    heart_rate_maximum: reader.heartRate('heart_rate_max'),
    speed_mean: reader.measured('speed_avg', 500),
    speed_maximum: reader.measured('speed_max', 500),
    power_mean: reader.measured('power_avg', 20_000),
    power_maximum: reader.measured('power_max', 20_000),
    power_weighted_mean: reader.measured('power_bike_np_last', 20_000),
  }
  const isValid = data.isValid('workouts', plain, item) && data.isValid('workouts', reader, item)
  if (!isValid) return
  const recording = file === undefined ? undefined : readFile(data, file, type ?? 255)
  const changedAt = changeOf(workout, summary)
  const added = data.addWorkout({
    recordId: String(id),
    start,
    end: { at: start.at + seconds * 1000, offset: start.offset },
    // Computers of bicycles, watches, trainers and phones: the answer does not say which.
    sourceType: summary.manual === true ? 'app' : 'unknown',
    sport: SPORTS[type ?? 255] ?? 'other',
    values: { ...extremesOf(recording), ...withoutNulls(values), ...recording?.route },
    heartRates: recording?.heartRates ?? [],
    raw: item,
    ...(changedAt !== null && { modifiedAt: changedAt + (recording === undefined ? 0 : 1) }),
  })
  if (added !== undefined && recording) data.addStream(added.id, recording.stream)
}

/** Returns the seconds of a workout that has neither a total nor its minutes. */
const partsOf = (reader: NonNullable<ReturnType<PageData['read']>>): number =>
  ['duration_active_accum', 'duration_paused_accum']
    .map((name) => reader.number(name, 0, LONGEST_SECONDS) ?? 0)
    .reduce((sum, seconds) => sum + seconds, 0)

/** The vendor's times are in UTC; only newer summaries have the zone. */
function startOf(data: PageData, workout: Fields, summary: Fields) {
  const zone = summary.time_zone ?? workout.time_zone
  const start = data.instant('workouts', workout.starts, workout)
  if (start === undefined) return undefined
  const offset = typeof zone === 'string' ? zoneOffsetSeconds(zone, start.at) : null
  return { at: start.at, offset } satisfies VendorInstant
}

/** Reads a number; an empty text is none, and any other is left to the reader. */
const numberOf = (text: string): number | string | null =>
  text === '' ? null : DECIMAL.test(text) ? Number(text) : text

function withNumbers(summary: Fields): Fields {
  const copy = { ...summary }
  for (const [name, value] of Object.entries(summary)) {
    if (typeof value === 'string') copy[name] = numberOf(value)
  }
  return copy
}

/** Returns the last change of a workout or its summary; null where neither is known. */
function changeOf(...records: readonly Fields[]): number | null {
  const times = records.map(({ updated_at: at }) => (typeof at === 'string' ? Date.parse(at) : 0))
  return Math.max(...times.filter(Number.isFinite), 0) || null
}

function readFile(data: PageData, file: unknown, type: number): WorkoutRecording | undefined {
  const points = Buffer.isBuffer(file) ? pointsOfFit(file, ON_FOOT.has(type) ? 2 : 1) : undefined
  if (points !== undefined) return recordingOf(data, points)
  data.quarantine('workout_stream', 'invalid_field', 'The file is no valid FIT file.')
  return undefined
}

/** The highest and lowest values of a recording, for those that the vendor does not report. */
function extremesOf(recording: WorkoutRecording | undefined) {
  const { altitude = [], velocity_smooth: speed = [], power = [] } = recording?.stream ?? {}
  const most = (values: readonly (number | null)[], sign = 1): number | null => {
    const known = values.flatMap((value) => (value === null ? [] : sign * value))
    return known.length === 0 ? null : sign * known.reduce((a, b) => Math.max(a, b))
  }
  return {
    elevation_maximum_meter: most(altitude),
    elevation_minimum_meter: most(altitude, -1),
    speed_maximum: most(speed),
    power_maximum: most(power),
  }
}
