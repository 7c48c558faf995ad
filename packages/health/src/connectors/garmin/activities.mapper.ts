import type { PageData } from '../page-data.ts'
import { isFields, type SourceType } from '../vendor-records.ts'
import { recordingOf, type WorkoutPoint, type WorkoutRecording } from '../workout-points.ts'
import {
  type Fields,
  forEachSummary,
  LONGEST_SECONDS,
  recordsOf,
  type Summary,
  textOf,
} from './garmin-records.ts'

/** Devices that are not worn. */
const NOT_WORN = /\b(?:edge|index|tacx|rally|descent mk.? ?t|gpsmap|etrex|montana)\b/i

/** Products of the vendor have no maker in their names. */
const MAKER = 'Garmin'

/** Names of fields of a sample, by the channel of streams. */
const CHANNEL_FIELDS = [
  ['heartrate', 'heartRate'],
  ['lat', 'latitudeInDegree'],
  ['lng', 'longitudeInDegree'],
  ['altitude', 'elevationInMeters'],
  ['velocity_smooth', 'speedMetersPerSecond'],
  ['cadence', 'bikeCadenceInRPM', 'stepsPerMinute', 'swimCadenceInStrokesPerMinute'],
  ['power', 'powerInWatts'],
  // The vendor's spelling.
  ['temperature', 'airTemperatureCelcius', 'airTemperatureCelsius'],
  ['distance', 'totalDistanceInMeters'],
] as const

/**
 * Maps activities. The record with details has the same activity, so it counts, whichever arrives
 * first; one that the user edited or entered counts above both.
 */
export function mapActivities(answer: unknown, data: PageData): void {
  const isEdited = isFields(answer) && answer.manuallyUpdatedActivities !== undefined
  const records = recordsOf(answer, ['activities', 'manuallyUpdatedActivities'])
  const kind = { data, resource: 'workouts', times: 'startTime' }
  forEachSummary(records, kind, (summary) => {
    addActivity(data, summary, { ...(!isEdited && { modifiedAt: summary.end.at }) })
  })
}

/** Maps activities with the points that the device recorded. */
export function mapActivityDetails(answer: unknown, data: PageData): void {
  for (const item of recordsOf(answer, ['activityDetails'])) {
    const { samples, laps: _laps, summary, ...outer }: Fields = isFields(item) ? item : {}
    // Some versions have the fields of the activity beside the samples.
    const { userAccessToken: _secret, ...rest } = outer
    const record = isFields(item) ? { ...(isFields(summary) ? summary : {}), ...rest } : item
    forEachSummary([record], { data, resource: 'workouts', times: 'startTime' }, (known) => {
      // Samples of a parent are those of its parts.
      if (known.record.isParent === true) return
      const recording = recordingOf(data, pointsOf(data, known, samples))
      const last = (recording?.stream.time.at(-1) ?? 0) * 1000
      // Samples of another time do not make a workout longer.
      const isOwn = last - known.start.at <= LONGEST_SECONDS * 1000
      const end = { ...known.end, at: isOwn ? Math.max(known.end.at, last) : known.end.at }
      const moving = movingSecondsOf(samples)
      const frame = { recording, moving, modifiedAt: known.end.at + 1 }
      const added = addActivity(data, { ...known, end }, frame)
      if (added !== undefined && recording !== undefined) data.addStream(added.id, recording.stream)
    })
  }
}

/** What samples add to an activity. */
interface Details {
  recording?: WorkoutRecording | undefined
  moving?: number | null
  modifiedAt?: number
}

/** Returns the seconds of movement, which samples count up; null where they have none. */
function movingSecondsOf(samples: unknown): number | null {
  const known = (Array.isArray(samples) ? samples : []).flatMap((sample): number[] => {
    const count: unknown = isFields(sample) ? sample.movingDurationInSeconds : null
    return typeof count === 'number' && count >= 0 && count <= LONGEST_SECONDS ? [count] : []
  })
  return Math.round(known.reduce((most, count) => Math.max(most, count), 0)) || null
}

/**
 * Adds a workout and its device. Of an activity of several sports only the parts are added, not
 * their parent.
 */
function addActivity(
  data: PageData,
  { record, reader, start, end }: Summary,
  { recording, moving = null, modifiedAt }: Details,
) {
  if (record.isParent === true) return undefined
  const values = {
    title: typeof record.activityName === 'string' ? record.activityName.toWellFormed() : null,
    duration_active_second: moving,
    distance_meter: reader.number('distanceInMeters'),
    steps: reader.integer('steps'),
    calories: reader.number('activeKilocalories'),
    heart_rate_mean: reader.heartRate('averageHeartRateInBeatsPerMinute'),
    heart_rate_maximum: reader.heartRate('maxHeartRateInBeatsPerMinute'),
    speed_mean: reader.number('averageSpeedInMetersPerSecond'),
    speed_maximum: reader.number('maxSpeedInMetersPerSecond'),
    elevation_gain_meter: reader.number('totalElevationGainInMeters'),
    ...recording?.route,
  }
  const recordId = idOf(record)
  if (recordId === undefined) data.quarantine('workouts', 'invalid_field', record)
  if (!data.isValid('workouts', reader, record) || recordId === undefined) return undefined
  const { sourceType, model } = sourceOf(record)
  if (model !== null) {
    const unknown = { version: null, deviceId: null }
    data.addDevice({ ...unknown, sourceType, manufacturer: MAKER, model })
  }
  return data.addWorkout({
    recordId,
    start,
    end,
    sourceType,
    sport: typeof record.activityType === 'string' ? record.activityType : '',
    deviceModel: model ?? '',
    values,
    heartRates: recording?.heartRates ?? [],
    raw: record,
    ...(modifiedAt !== undefined && { modifiedAt }),
  })
}

/** The id of an activity with details ends in `-detail`. */
const idOf = ({ summaryId, activityId }: Fields): string | undefined =>
  textOf(summaryId)?.replace(/-details?$/, '') ?? textOf(activityId)

function sourceOf({ manual, isWebUpload, deviceName }: Fields): {
  sourceType: SourceType
  model: string | null
} {
  const isNamed = typeof deviceName === 'string' && !/^(?:unknown)?$/i.test(deviceName.trim())
  const model = isNamed ? deviceName.toWellFormed().replace(/^garmin\s+/i, '') : null
  if (manual === true) return { sourceType: 'app', model: null }
  if (isWebUpload === true || model === null) return { sourceType: 'unknown', model }
  return { sourceType: NOT_WORN.test(model) ? 'unknown' : 'watch', model }
}

function pointsOf(data: PageData, { record }: Summary, samples: unknown): WorkoutPoint[] {
  if ((samples ?? null) === null) return []
  const { summaryId } = record
  if (!Array.isArray(samples)) data.quarantine('workout_stream', 'invalid_field', { summaryId })
  const points: WorkoutPoint[] = []
  for (const sample of Array.isArray(samples) ? samples : []) {
    if (!isFields(sample)) {
      data.quarantine('workout_stream', 'not_an_object', { summaryId, sample })
      continue
    }
    const values: WorkoutPoint['values'] = {}
    for (const [channel, ...fields] of CHANNEL_FIELDS) {
      for (const field of fields) values[channel] ??= sample[field]
    }
    const { startTimeInSeconds: second } = sample
    points.push({ second: typeof second === 'number' ? second : Number.NaN, values })
  }
  return points
}
