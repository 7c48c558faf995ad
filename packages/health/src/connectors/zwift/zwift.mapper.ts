import { MINUTE_MS } from '@salus/contracts/time-units'
import type { PageRequest } from '../connector.ts'
import type { PageData } from '../page-data.ts'
import { isFields } from '../vendor-records.ts'
import { recordingOf, type WorkoutPoint, type WorkoutRecording } from '../workout-points.ts'
import { activitiesOf, detailsOf, type Fields, idOf, partsOf, timeOf } from './zwift-pages.ts'

const SPORTS: Readonly<Record<string, string>> = {
  CYCLING: 'virtual_cycling',
  RUNNING: 'virtual_running',
  ROWING: 'rowing_machine',
}

/**
 * Columns of the seconds, by the channel of streams, with the divisor to its unit: lengths are in
 * centimetres. Positions are left out, because they are of a world that does not exist.
 */
const CHANNELS = [
  ['heartrate', 'heartRate', 1],
  ['power', 'powerInWatts', 1],
  ['cadence', 'cadencePerMin', 1],
  ['distance', 'distanceInCm', 100],
  ['velocity_smooth', 'speedInCmPerSec', 100],
  ['altitude', 'altitudeInCm', 100],
] as const

/** The vendor ends a session that was opened and not used, as one without a distance. */
const SHORTEST_MS = MINUTE_MS

/** Maps activities with all their fields and seconds, as far as the vendor has them. */
export function mapActivities(
  answer: unknown,
  data: PageData,
  details: readonly unknown[],
  request: Pick<PageRequest, 'range'>,
): void {
  const wanted = details.length === 0 ? [] : detailsOf(answer, request)
  const found = new Map(wanted.map(({ id }, index) => [id, details[index]]))
  for (const record of activitiesOf(answer)) {
    if (data.read('workouts', record) === undefined || !isFields(record)) continue
    const id = idOf(record)
    if (id === undefined) data.quarantine('workouts', 'invalid_field', record)
    else addActivity(data, id, record, found.get(id))
  }
}

function addActivity(data: PageData, id: string, record: Fields, detail: unknown): void {
  const { activity, seconds } = partsOf(detail)
  const { fitnessData: _data, ...all } = { ...record, ...activity }
  // An activity without an end goes on.
  if ((all.endDate ?? null) === null) return
  const start = data.instant('workouts', isoOf(all.startDate), record)
  const end = start && data.instant('workouts', isoOf(all.endDate), record, 'invalid_end_date')
  const reader = data.read('workouts', all)
  if (start === undefined || end === undefined || reader === undefined) return
  const moving = reader.number('movingTimeInMs', 0)
  const values = {
    title: typeof all.name === 'string' ? all.name.toWellFormed() : null,
    duration_active_second: moving === null ? null : Math.round(moving / 1000),
    // 0 stands for none.
    distance_meter: reader.measured('distanceInMeters', 1e8),
    calories: reader.measured('calories', 1e6),
    elevation_gain_meter: reader.number('totalElevation', 0, 1e6),
    heart_rate_mean: reader.heartRate('avgHeartRate'),
    heart_rate_maximum: reader.heartRate('maxHeartRate'),
    power_mean: reader.measured('avgWatts', 20_000),
    power_maximum: reader.measured('maxWatts', 20_000),
  }
  if (!data.isValid('workouts', reader, record)) return
  if (values.distance_meter === null && end.at - start.at < SHORTEST_MS) return
  const recording = recordingOfSeconds(data, seconds, start.at)
  const added = data.addWorkout({
    recordId: id,
    start: { at: start.at, offset: null },
    end: { at: end.at, offset: null },
    sourceType: 'exercise_machine',
    sport: SPORTS[String(all.sport)] ?? 'other',
    values,
    heartRates: recording?.heartRates ?? [],
    raw: all,
  })
  if (added !== undefined && recording) data.addStream(added.id, recording.stream)
}

/** Returns a time as other vendors write it; anything else unchanged. */
const isoOf = (text: unknown): unknown => {
  const at = timeOf(text)?.at
  return at === undefined ? undefined : new Date(at).toISOString()
}

/**
 * Reads the seconds of an activity, a list for each quantity. They begin at its start, and those of
 * a pause are missing.
 */
function recordingOfSeconds(
  data: PageData,
  seconds: unknown,
  startedAt: number,
): WorkoutRecording | undefined {
  if (seconds === undefined || seconds === null) return undefined
  const columns = isFields(seconds) ? seconds : {}
  const { timeInSec: times } = columns
  if (!Array.isArray(times)) {
    data.quarantine('workout_stream', 'invalid_field', 'The seconds have no times.')
    return undefined
  }
  const startSecond = Math.round(startedAt / 1000)
  const points = times.map((passed: unknown, index): WorkoutPoint => {
    const values = CHANNELS.map(([channel, name, divisor]) => {
      const column = columns[name]
      const value: unknown = Array.isArray(column) ? column[index] : null
      return [channel, typeof value === 'number' ? value / divisor : value]
    })
    const second = typeof passed === 'number' ? startSecond + passed : Number.NaN
    return { second, values: Object.fromEntries(values) }
  })
  return recordingOf(data, points)
}
