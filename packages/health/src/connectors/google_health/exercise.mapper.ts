import type { DetailRequest } from '../connector.ts'
import { PageData } from '../page-data.ts'
import { isFields, type VendorInstant } from '../vendor-records.ts'
import { recordingOf, type WorkoutPoint } from '../workout-points.ts'
import { listOf, pointsRequest, SLUG, trackRequest } from './google-pages.ts'
import {
  deviceModelOf,
  divided,
  type Fields,
  fieldsOf,
  intervalOf,
  numberOf,
  recordIdOf,
  secondsOf,
  sessionIdOf,
  sourceOf,
  textOf,
} from './points.ts'
import { mapSamples } from './samples.mapper.ts'
import { readTrack } from './tcx.ts'

interface Exercise {
  record: Fields
  content: Fields
  start: VendorInstant
  end: VendorInstant
  hasTrack: boolean
}

const RESOURCE = 'workouts'
const MOST_SECONDS = 7 * 86_400

/**
 * Returns the requests for the heart rates of each exercise, and for the track of those that have
 * one.
 */
export function exerciseDetails(answer: unknown): DetailRequest[] {
  const optional = { isOptional: true } as const
  return exercisesOf(answer, new PageData({ userId: '', provider: SLUG })).flatMap((exercise) => {
    const { record, start, end, hasTrack } = exercise
    const span = { from: start.at, to: end.at + 1 }
    const rates = pointsRequest('heart-rate', 'sample', 'reconcile', span)
    const tracks = hasTrack ? [{ ...trackRequest(recordIdOf(record)), ...optional }] : []
    return [{ ...rates, ...optional }, ...tracks]
  })
}

/** Maps exercises, with heart rates by time and tracks. */
export function mapExercises(answer: unknown, data: PageData, details: readonly unknown[]): void {
  let position = 0
  for (const exercise of exercisesOf(answer, data)) {
    const rates = details[position++]
    const track = exercise.hasTrack ? details[position++] : undefined
    addExercise(data, exercise, rates, trackOf(track))
  }
}

function exercisesOf(answer: unknown, data: PageData): Exercise[] {
  return listOf(answer, 'dataPoints').flatMap((record) => {
    const content = isFields(record) ? record.exercise : undefined
    if (!isFields(record) || !isFields(content)) {
      data.quarantine(RESOURCE, 'not_an_object', record)
      return []
    }
    const interval = intervalOf(data, { resource: RESOURCE, record }, content.interval)
    const { hasGps } = fieldsOf(content.exerciseMetadata)
    const hasTrack = hasGps === true && recordIdOf(record) !== ''
    return interval === undefined ? [] : [{ record, content, ...interval, hasTrack }]
  })
}

/** Returns the points of an export; the schema has the file as text, other exports in base64. */
function trackOf(answer: unknown): WorkoutPoint[] {
  const file = textOf(fieldsOf(answer).tcxData) ?? ''
  const isText = file.trimStart().startsWith('<')
  return readTrack(isText ? file : Buffer.from(file, 'base64').toString('utf8'))
}

function addExercise(
  data: PageData,
  { record, content, start, end }: Exercise,
  rates: unknown,
  track: readonly WorkoutPoint[],
): void {
  const values = valuesOf(data, record, content)
  if (values === undefined) return
  const trial = new PageData({ userId: '', provider: SLUG })
  if (isFields(rates)) mapSamples('heart-rate', rates, trial)
  const heartRates = trial.samples
    .map(({ startedAt, endedAt, value }) => ({ startedAt, endedAt, value }))
    .filter(({ startedAt }) => startedAt >= start.at && startedAt <= end.at)
  const recording = recordingOf(data, pointsOf(track, heartRates))
  const added = data.addWorkout({
    recordId: sessionIdOf(record, start),
    start,
    end,
    sourceType: sourceOf(record),
    deviceModel: deviceModelOf(record),
    sport: textOf(content.exerciseType) ?? '',
    heartRates,
    values: { ...values, ...recording?.route },
    raw: record,
  })
  if (added !== undefined && recording !== undefined) data.addStream(added.id, recording.stream)
}

/** Most exercises on foot have the seconds of a meter in place of a speed. */
function speedOf({ averagePaceSecondsPerMeter }: Fields): number | null {
  const secondsPerMeter = numberOf(averagePaceSecondsPerMeter) ?? 0
  return secondsPerMeter > 0 ? 1 / secondsPerMeter : null
}

/** Returns the columns that the vendor reports; undefined for a record that is quarantined. */
function valuesOf(data: PageData, record: Fields, content: Fields) {
  const metrics = fieldsOf(content.metricsSummary)
  const reader = data.read(RESOURCE, {
    active: secondsOf(content.activeDuration),
    calories: numberOf(metrics.caloriesKcal),
    distance: divided(metrics.distanceMillimeters, 1000),
    steps: numberOf(metrics.steps),
    rate: numberOf(metrics.averageHeartRateBeatsPerMinute),
    gain: divided(metrics.elevationGainMillimeters, 1000),
    speed: divided(metrics.averageSpeedMillimetersPerSecond, 1000) ?? speedOf(metrics),
  })
  if (reader === undefined) return undefined
  // The four zones of the vendor are not the six of a workout, which its heart rates give.
  const values = {
    title: textOf(content.displayName),
    duration_active_second: reader.integer('active', 0, MOST_SECONDS),
    calories: reader.number('calories'),
    distance_meter: reader.number('distance'),
    steps: reader.integer('steps'),
    heart_rate_mean: reader.heartRate('rate'),
    elevation_gain_meter: reader.number('gain'),
    speed_mean: reader.number('speed'),
  }
  return data.isValid(RESOURCE, reader, record) ? values : undefined
}

/** Returns the points of a track, with heart rates at them and between them. */
function pointsOf(
  track: readonly WorkoutPoint[],
  heartRates: readonly { startedAt: number; value: number }[],
): WorkoutPoint[] {
  const points = new Map(track.map((point) => [point.second, point]))
  for (const { startedAt, value } of heartRates) {
    const second = Math.floor(startedAt / 1000)
    const values = points.get(second)?.values
    points.set(second, { second, values: { ...values, heartrate: values?.heartrate ?? value } })
  }
  return [...points.values()]
}
