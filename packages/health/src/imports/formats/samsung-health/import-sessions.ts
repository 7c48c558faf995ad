import {
  recordingOf,
  type VendorStage,
  type VendorStageSpan,
  type WorkoutPoint,
} from '../../../connectors/index.ts'
import { sleepTypeOf } from '../../../summaries/index.ts'
import { ImportFileError } from '../../files/import-file-error.ts'
import type { TypeData } from '../../running/type-data.ts'
import { exerciseOf } from './samsung-exercises.ts'
import type { SamsungExport, SamsungRecord } from './samsung-export.ts'

const SLEEP = 'sleep'
const STAGE = 'sleep_stage'
const EXERCISE = 'exercise'
export const SESSION_TYPES = [SLEEP, STAGE, EXERCISE]

const STAGES: Readonly<Record<string, VendorStage>> = {
  40001: 'awake',
  40002: 'light',
  40003: 'deep',
  40004: 'rem',
}
/** Fifty stages a night for a hundred years. */
const MOST_STAGES = 2_000_000

interface Span {
  stage: VendorStage
  from: number
  to: number
}

/** Reads sleeps with their stages. Apps that describe the same night are sources of their own. */
export async function importSleeps(source: SamsungExport): Promise<void> {
  const stages = await readStages(source)
  const kind = { resource: 'sleep', name: 'sleep', columns: ['efficiency', 'sleep_score'] }
  await source.forEachRecord([SLEEP], kind, ({ row, start, end, frame, id, raw }, data) => {
    data.count()
    const spans = (stages.get(id) ?? []).map(
      ({ stage, from, to }): VendorStageSpan => ({
        stage,
        from: Math.round((from - start.at) / 1000),
        to: Math.round((to - start.at) / 1000),
      }),
    )
    const score = row.number('sleep_score')
    data.addSleep({
      ...{ ...frame, recordId: id || raw.start_time || '', start, end },
      raw: { ...raw, stages: spans },
      values: {
        type: sleepTypeOf((end.at - start.at) / 1000),
        score: score !== null && score > 0 && score <= 100 ? Math.round(score) : null,
      },
      stages: spans,
    })
  })
}

async function readStages(source: SamsungExport): Promise<Map<string, Span[]>> {
  const stages = new Map<string, Span[]>()
  let count = 0
  const kind = { resource: 'sleep', name: 'sleep_stage', columns: ['sleep_id', 'stage'] }
  await source.forEachRecord([STAGE], kind, ({ row, start, end }, data) => {
    if (++count > MOST_STAGES) throw new ImportFileError('file_too_large')
    // A stage becomes a part of its sleep.
    data.countMerged()
    const id = row.get('sleep_id')
    const spans = stages.get(id) ?? []
    stages.set(id, spans)
    const stage = STAGES[row.get('stage')] ?? 'unknown'
    spans.push({ stage, from: start.at, to: end.at })
  })
  return stages
}

const EXERCISE_COLUMNS = [
  ...['exercise_type', 'duration', 'distance', 'calorie'],
  ...['mean_heart_rate', 'max_heart_rate', 'min_heart_rate', 'altitude_gain'],
]

/** Reads exercises, with what their files recorded. */
export async function importExercises(source: SamsungExport): Promise<void> {
  const kind = { resource: 'workouts', name: 'exercise', columns: EXERCISE_COLUMNS }
  await source.forEachRecord([EXERCISE], kind, async (record, data) => {
    data.count()
    await addExercise(source, record, data)
  })
}

async function addExercise(
  source: SamsungExport,
  { row, start, end, frame, id, raw }: SamsungRecord,
  data: TypeData,
): Promise<void> {
  const numbers = Object.fromEntries(EXERCISE_COLUMNS.map((name) => [name, row.number(name)]))
  const reader = data.read('workouts', numbers)
  if (reader === undefined) return
  const milliseconds = reader.number('duration')
  const values = {
    duration_active_second: milliseconds === null ? null : Math.round(milliseconds / 1000),
    distance_meter: reader.number('distance'),
    calories: reader.number('calorie'),
    heart_rate_mean: reader.heartRate('mean_heart_rate'),
    heart_rate_maximum: reader.heartRate('max_heart_rate'),
    heart_rate_minimum: reader.heartRate('min_heart_rate'),
    elevation_gain_meter: reader.number('altitude_gain'),
  }
  if (!data.isValid('workouts', reader, raw)) return
  const recording = await recordedIn(source, row, data)
  const added = data.addWorkout({
    ...{ ...frame, recordId: id || raw.start_time || '', start, end, raw },
    sport: exerciseOf(row.number('exercise_type')),
    values: { ...values, ...recording?.route },
    ...(recording && { heartRates: recording.heartRates }),
  })
  if (added !== undefined && recording !== undefined) data.addStream(added.id, recording.stream)
}

/** Reads the files of a workout: heart rates and speeds, and places. */
async function recordedIn(source: SamsungExport, row: SamsungRecord['row'], data: TypeData) {
  const points: WorkoutPoint[] = []
  for (const column of ['live_data', 'location_data']) {
    for (const entry of await source.entriesOf(row.get(column))) {
      const second = typeof entry.start_time === 'number' ? entry.start_time / 1000 : Number.NaN
      points.push({
        second,
        values: {
          ...{ heartrate: entry.heart_rate, velocity_smooth: entry.speed },
          ...{ cadence: entry.cadence, altitude: entry.altitude, power: entry.power },
          ...{ lat: entry.latitude, lng: entry.longitude },
        },
      })
    }
  }
  return points.length === 0 ? undefined : recordingOf(data, mergeSeconds(points))
}

/** Joins what the two files have of a second, because the last point of a second counts. */
function mergeSeconds(points: readonly WorkoutPoint[]): WorkoutPoint[] {
  const bySecond = new Map<number, WorkoutPoint>()
  for (const { second, values } of points) {
    const key = Math.floor(second)
    const known = Object.entries(values).filter(([, value]) => value !== undefined)
    const before = bySecond.get(key)?.values
    bySecond.set(key, { second, values: { ...before, ...Object.fromEntries(known) } })
  }
  return [...bySecond.values()]
}
