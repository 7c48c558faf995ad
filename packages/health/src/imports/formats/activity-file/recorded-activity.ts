import { SECOND_MS } from '@salus/contracts/time-units'
import {
  type PageData,
  recordingOf,
  type SourceType,
  type VendorInstant,
  type VendorWorkout,
  type WorkoutPoint,
  type WorkoutRecording,
  withoutNulls,
} from '../../../connectors/index.ts'
import { toSport } from '../../../summaries/index.ts'
import { isPossibleTime } from '../../running/possible-time.ts'

/** One workout of an activity file. */
export interface RecordedActivity {
  start: VendorInstant
  end: VendorInstant
  /** A name that the table of sports knows. */
  sport: string
  /** Values that the file has beside the points. */
  values: VendorWorkout['values']
  points: readonly WorkoutPoint[]
  sourceType: SourceType
  deviceModel: string
  /** Known fields of the file, without names and serial numbers. */
  raw: Record<string, unknown>
  /**
   * How much the kind of file says about an activity: of two files of one activity that with the
   * higher number counts.
   */
  detail: number
}

interface ActivityContext {
  /** Later times are quarantined, as those of clocks that were never set. */
  now: Date
  /** By default the second of the start, which files of one activity share. */
  recordId?: string
  /** Whether the record is dated by the export, as records of an archive are. */
  isOfExport?: boolean
}

/**
 * Source of workouts of single files. An archive or a connection of the same provider may have them
 * again by other ids: merged reads count each source of a time once.
 */
const SINGLE_FILES = 'activity_file'

/** Adds a workout with its stream, heart rates and distances. */
export function addActivity(
  data: PageData,
  activity: RecordedActivity,
  { now, recordId, isOfExport = false }: ActivityContext,
): void {
  const { start, end, sport, values, raw, detail } = activity
  if (!isPossibleTime(start.at, now)) {
    data.quarantine('workouts', 'invalid_start_date', raw)
    return
  }
  if (!isPossibleTime(end.at, now)) {
    data.quarantine('workouts', 'invalid_end_date', raw)
    return
  }
  const recording = recordingOf(data, possiblePoints(data, activity.points, now))
  const appId = isOfExport ? '' : SINGLE_FILES
  const added = data.addWorkout({
    appId,
    recordId: recordId ?? `activity-${Math.floor(start.at / 1000)}`,
    start,
    end,
    sourceType: activity.sourceType,
    deviceModel: activity.deviceModel,
    sport,
    values: { ...extremesOf(recording), ...withoutNulls(values), ...recording?.route },
    heartRates: recording?.heartRates ?? [],
    raw,
    // Only the start is the same in all files of an activity.
    ...(!isOfExport && { modifiedAt: Math.floor(start.at / 1000) * 1000 + detail * SECOND_MS }),
  })
  if (added === undefined || recording === undefined) return
  data.addStream(added.id, recording.stream)
  addPoints(data, activity, recording, { workoutId: added.id, appId })
}

function possiblePoints(
  data: PageData,
  points: readonly WorkoutPoint[],
  now: Date,
): readonly WorkoutPoint[] {
  return points.filter((point) => {
    const isPossible = isPossibleTime(point.second * 1000, now)
    if (!isPossible) data.quarantine('workout_stream', 'invalid_start_date', point)
    return isPossible
  })
}

function addPoints(
  data: PageData,
  { start: { offset }, sport, sourceType }: RecordedActivity,
  { heartRates, stream }: WorkoutRecording,
  { workoutId, appId }: { workoutId: string; appId: string },
): void {
  for (const { startedAt: at, value } of heartRates) {
    const start = { at, offset }
    data.addSample('heartrate', { start, sourceType, appId, value, unit: 'bpm' })
  }
  const { slug } = toSport(sport)
  let last: { second: number; meters: number } | undefined
  for (const [index, second] of stream.time.entries()) {
    const meters = stream.distance?.[index] ?? null
    if (meters === null) continue
    if (last !== undefined && meters > last.meters) {
      data.addSample('workout_distance', {
        start: { at: last.second * 1000, offset },
        end: { at: second * 1000, offset },
        // Without the noise of binary fractions.
        value: Number((meters - last.meters).toFixed(6)),
        unit: 'm',
        sourceType,
        appId,
        workoutId,
        sport: slug,
      })
    }
    last = { second, meters }
  }
}

/** What points add to a workout whose file has no totals. */
function extremesOf(recording: WorkoutRecording | undefined): VendorWorkout['values'] {
  const { altitude = [], velocity_smooth: speed = [], power = [] } = recording?.stream ?? {}
  const distances = known(recording?.stream.distance ?? [])
  return {
    elevation_maximum_meter: most(altitude),
    elevation_minimum_meter: most(altitude, -1),
    speed_maximum: most(speed),
    power_maximum: most(power),
    distance_meter: (distances.at(-1) ?? 0) - (distances[0] ?? 0) || null,
  }
}

const known = (values: readonly (number | null)[]): number[] =>
  values.filter((value) => value !== null)

/** @param sign -1 for the least value. */
function most(values: readonly (number | null)[], sign = 1): number | null {
  const all = known(values)
  return all.length === 0 ? null : all.reduce((a, b) => (sign * b > sign * a ? b : a))
}
