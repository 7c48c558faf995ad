import { mapFitbitWorkouts } from '../../../connectors/index.ts'
import { isFields } from '../../../summaries/index.ts'
import { type CsvRow, openCsv } from '../../files/csv.ts'
import { readJsonItems } from '../../files/json.ts'
import { isPossibleTime } from '../../running/possible-time.ts'
import type { TypeData } from '../../running/type-data.ts'
import { readOffset, readUtc, utcOfShort } from './fitbit-times.ts'
import type { Member } from './members.ts'
import { type ListTarget, placed } from './minute-lists.ts'

type Fields = Record<string, unknown>

const KEPT = [
  'exercise_id',
  'exercise_start',
  'exercise_end',
  'utc_offset',
  'activity_name',
  'log_type',
  'tracker_total_calories',
  'tracker_total_steps',
  'tracker_total_distance_mm',
  'tracker_avg_heart_rate',
  'tracker_peak_heart_rate',
]
const MILLIMETERS = 1000
const MOST_SECONDS = 604_800

/** Adds the exercises of the older export, whose times are in UTC, as the connector does. */
export async function addExerciseList(
  { file }: Member,
  { data, context, settle }: ListTarget,
  starts: Set<number>,
): Promise<void> {
  for await (const items of readJsonItems(file, '$.*')) {
    const records: Fields[] = []
    for (const item of items) {
      data.count()
      const at = isFields(item) ? utcOfShort(item.startTime) : undefined
      if (!isFields(item)) data.quarantine('workouts', 'not_an_object', null)
      else if (at === undefined || !isPossibleTime(at, context.now)) {
        data.quarantine('workouts', 'invalid_start_date', known(item))
      } else {
        starts.add(Math.floor(at / 1000))
        records.push({ ...known(item), startTime: withOffset(at, placed(at, context).offset) })
      }
    }
    mapFitbitWorkouts({ activities: records }, data, [])
    await settle()
  }
}

/** Fields that are kept of a record, with the names and forms of the interface. */
function known(item: Fields): Fields {
  const names = ['logId', 'activityName', 'calories', 'steps', 'distance', 'distanceUnit']
  const more = [
    'duration',
    'activeDuration',
    'averageHeartRate',
    'elevationGain',
    'speed',
    'logType',
  ]
  const record = Object.fromEntries(
    [...names, ...more].flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])),
  )
  const changedAt = utcOfShort(item.lastModified)
  return {
    ...record,
    startTime: item.startTime,
    ...(changedAt !== undefined && { lastModified: new Date(changedAt).toISOString() }),
  }
}

function withOffset(at: number, offset: number | null): string {
  if (offset === null) return new Date(at).toISOString()
  const local = new Date(at + offset * 1000).toISOString().slice(0, 19)
  const minutes = Math.abs(offset) / 60
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${local}${offset < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`
}

/** Adds the exercises of the newer export that the older lists do not have. */
export async function addUserExercises(
  { file }: Member,
  target: ListTarget,
  starts: ReadonlySet<number>,
): Promise<void> {
  for await (const rows of (await openCsv(file)).batches()) {
    for (const row of rows) addUserExercise(row, target, starts)
    await target.settle()
  }
}

function addUserExercise(
  row: CsvRow,
  { data, context }: ListTarget,
  starts: ReadonlySet<number>,
): void {
  const raw = row.pick(KEPT)
  const [from, to] = [readUtc(row.get('exercise_start')), readUtc(row.get('exercise_end'))]
  if (from !== undefined && starts.has(Math.floor(from / 1000))) {
    data.countMerged()
    return
  }
  data.count()
  if (from === undefined || !isPossibleTime(from, context.now)) {
    data.quarantine('workouts', 'invalid_start_date', raw)
  } else if (to === undefined || !isPossibleTime(to, context.now)) {
    data.quarantine('workouts', 'invalid_end_date', raw)
  } else {
    const values = exerciseValues(row, data, { raw, seconds: (to - from) / 1000 })
    if (values === undefined) return
    const offset = readOffset(row.get('utc_offset')) ?? placed(from, context).offset
    data.addWorkout({
      recordId: row.get('exercise_id') || `exercise-${from}`,
      start: { at: from, offset },
      end: { at: to, offset },
      sourceType: row.get('log_type').toLowerCase() === 'manual' ? 'app' : 'watch',
      sport: row.get('activity_name'),
      values,
      raw,
    })
  }
}

/** Returns the values of an exercise; undefined for one that is quarantined. */
function exerciseValues(
  row: CsvRow,
  data: TypeData,
  { raw, seconds }: { raw: Record<string, string>; seconds: number },
) {
  const numberIn = (name: string) => (row.get(name) === '' ? null : Number(row.get(name)))
  const millimeters = numberIn('tracker_total_distance_mm')
  const reader = data.read('workouts', {
    calories: numberIn('tracker_total_calories'),
    steps: numberIn('tracker_total_steps'),
    meters: millimeters === null ? null : millimeters / MILLIMETERS,
    mean: numberIn('tracker_avg_heart_rate'),
    most: numberIn('tracker_peak_heart_rate'),
    seconds,
  })
  if (reader === undefined) return undefined
  reader.number('seconds', 0, MOST_SECONDS)
  const values = {
    title: row.get('activity_name').toWellFormed() || null,
    calories: reader.measured('calories', 1e6),
    steps: reader.integer('steps'),
    distance_meter: reader.measured('meters', 1e8),
    heart_rate_mean: reader.heartRate('mean'),
    heart_rate_maximum: reader.heartRate('most'),
  }
  return data.isValid('workouts', reader, raw) ? values : undefined
}
