import { HOUR_MS } from '@salus/contracts/time-units'
import type { DetailRequest, PageRequest } from '../connector.ts'
import { type FitActivity, readFit } from '../fit-file.ts'
import type { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import { withoutNulls } from '../vendor-values.ts'
import { recordingOf } from '../workout-points.ts'

export const SLUG = 'hammerhead'

type Fields = Record<string, unknown>

const PATH = '/v1/api/activities'

/** Types of activities by the table of sports; of others the file names the sport. */
const TYPES: Readonly<Record<string, string>> = {
  RIDE: 'cycling',
  ROAD: 'road_biking',
  GRAVEL: 'gravel_cycling',
  MOUNTAIN_BIKE: 'mountain_biking',
  EBIKE: 'electric_biking',
  INDOOR: 'stationary_biking',
}
/** Sports of FIT that are named otherwise there; the second kind counts first. */
const FIT_SPORTS: Readonly<Record<string, string>> = {
  cycling: 'cycling',
  e_biking: 'electric_biking',
  road: 'road_biking',
  gravel_cycling: 'gravel_cycling',
  mountain: 'mountain_biking',
  cyclocross: 'cyclocross',
  downhill: 'downhill_biking',
  track_cycling: 'track_cycling',
  e_bike_fitness: 'electric_biking',
  e_bike_mountain: 'electric_mountain_biking',
  indoor_cycling: 'stationary_biking',
  spin: 'stationary_biking',
  virtual_activity: 'virtual_cycling',
}
const ON_FOOT: ReadonlySet<unknown> = new Set(['running', 'walking', 'hiking'])

const LONGEST_SECONDS = (14 * 24 * HOUR_MS) / 1000

const unexpected = () => new VendorError(SLUG, { kind: 'unexpected', status: null })

/** Returns the activities of a page, the newest first. @throws VendorError `unexpected` */
export function activitiesOf(answer: unknown): readonly unknown[] {
  if (isFields(answer) && Array.isArray(answer.data)) return answer.data
  throw unexpected()
}

const idOf = (record: unknown): string | undefined =>
  isFields(record) && typeof record.id === 'string' && record.id !== ''
    ? record.id.toWellFormed()
    : undefined

export const activityPath = (id: string): string => `${PATH}/${encodeURIComponent(id)}`

/** Whether a record has all fields, and not only those of a list. */
const isDetailed = (record: unknown): boolean => isFields(record) && 'activityType' in record

/** The file of an activity is sent as it is. */
const asBuffer = (bytes: Buffer): Buffer => bytes

/** An activity of a page, and the positions of the answers to its further requests. */
interface Wanted {
  record: unknown
  detail: number | null
  file: number
}

/** Returns the further requests of a page: the fields and the file of each activity. */
export function requestsOf(answer: unknown): { requests: DetailRequest[]; wanted: Wanted[] } {
  const requests: DetailRequest[] = []
  const wanted = activitiesOf(answer).flatMap((record): Wanted[] => {
    const id = idOf(record)
    if (id === undefined) return []
    const path = activityPath(id)
    const detail = isDetailed(record) ? null : requests.push({ path, isOptional: true }) - 1
    const file = requests.push({ path: `${path}/file`, decode: asBuffer, isOptional: true }) - 1
    return [{ record, detail, file }]
  })
  return { requests, wanted }
}

/**
 * Maps activities. Their file says when they were and what was measured: one without a file is
 * still being processed, and is left out until a later request.
 */
export function mapActivities(
  answer: unknown,
  data: PageData,
  details: readonly unknown[],
  _request: Pick<PageRequest, 'range'>,
): void {
  for (const record of activitiesOf(answer)) {
    if (data.read('workouts', record) === undefined) continue
    if (idOf(record) === undefined) data.quarantine('workouts', 'invalid_field', record)
  }
  for (const { record, detail, file } of requestsOf(answer).wanted) {
    const id = idOf(record)
    const bytes = details[file]
    if (id === undefined || !isFields(record) || bytes === undefined) continue
    const known = detail === null ? undefined : details[detail]
    const all = isFields(known) ? { ...record, ...known } : record
    const activity = Buffer.isBuffer(bytes) ? readFit(bytes) : undefined
    if (activity === undefined) {
      data.quarantine('workouts', 'invalid_field', 'The file is no valid FIT file.')
    } else addActivity(data, id, all, activity)
  }
}

function addActivity(data: PageData, id: string, record: Fields, activity: FitActivity): void {
  const session = totalsOf(activity)
  const startedAt = session?.start_time
  const reader = session && data.read('workouts', session)
  if (reader === undefined || !(startedAt instanceof Date)) {
    data.quarantine('workouts', 'invalid_start_date', 'The file has no session with a start.')
    return
  }
  const { polyline: _route, ...raw } = record
  const seconds = reader.number('total_elapsed_time', 0, LONGEST_SECONDS)
  const values = {
    title: typeof record.name === 'string' ? record.name.toWellFormed() : null,
    duration_active_second: reader.integer('total_timer_time', 0, LONGEST_SECONDS),
    distance_meter: reader.measured('total_distance', 1e8),
    calories: reader.measured('total_calories', 1e6),
    elevation_gain_meter: reader.number('total_ascent', 0, 1e6),
    heart_rate_mean: reader.heartRate('avg_heart_rate'),
    heart_rate_maximum: reader.heartRate('max_heart_rate'),
    speed_mean: reader.measured('enhanced_avg_speed', 500) ?? reader.measured('avg_speed', 500),
    speed_maximum: reader.measured('enhanced_max_speed', 500) ?? reader.measured('max_speed', 500),
    power_mean: reader.measured('avg_power', 20_000),
    power_maximum: reader.measured('max_power', 20_000),
    power_weighted_mean: reader.measured('normalized_power', 20_000),
  }
  if (!data.isValid('workouts', reader, raw)) return
  if (seconds === null) {
    data.quarantine('workouts', 'invalid_end_date', raw)
    return
  }
  const recording = recordingOf(data, activity.points(ON_FOOT.has(session?.sport) ? 2 : 1))
  const at = startedAt.getTime()
  const { offset } = activity
  const changedAt = typeof record.updatedAt === 'string' ? Date.parse(record.updatedAt) : Number.NaN
  const added = data.addWorkout({
    recordId: id,
    start: { at, offset },
    end: { at: at + seconds * 1000, offset },
    // No kind of source is that of a computer of bicycles.
    sourceType: 'unknown',
    sport: sportOf(record.activityType, session),
    values: {
      ...withoutNulls(values),
      power_source: values.power_mean === null ? null : 'device',
      ...recording?.route,
    },
    heartRates: recording?.heartRates ?? [],
    raw,
    ...(Number.isFinite(changedAt) && { modifiedAt: changedAt }),
  })
  if (added !== undefined && recording) data.addStream(added.id, recording.stream)
}

/** Sums over the sessions of a file; values that are no sums exist only where there is one. */
const SUMS = [
  'total_elapsed_time',
  'total_timer_time',
  'total_distance',
  'total_calories',
  'total_ascent',
]

function totalsOf({ sessions }: FitActivity): Fields | undefined {
  const [first, ...others] = sessions
  if (first === undefined || others.length === 0) return first
  const sums = SUMS.map((name) => {
    const numbers = sessions.map((session) => session[name]).filter(Number.isFinite)
    return [name, numbers.length === 0 ? null : numbers.reduce<number>((a, b) => a + Number(b), 0)]
  })
  const { start_time, sport, sub_sport } = first
  return { start_time, sport, sub_sport, ...Object.fromEntries(sums) }
}

function sportOf(type: unknown, session: Fields | undefined): string {
  const known = typeof type === 'string' ? TYPES[type] : undefined
  const { sport, sub_sport: kind } = session ?? {}
  const named = typeof sport === 'string' ? sport : 'other'
  return known ?? FIT_SPORTS[String(kind)] ?? FIT_SPORTS[named] ?? named
}
