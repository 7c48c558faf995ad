import type { VendorStage, VendorStageSpan } from '../../../connectors/index.ts'
import { sleepTypeOf } from '../../../summaries/index.ts'
import { ImportFileError } from '../../files/import-file-error.ts'
import { exerciseTypesOf } from './exercise-types.ts'
import type { HealthConnectRecord } from './health-connect-database.ts'
import { forEachRow, type HealthConnectImport } from './import-measurements.ts'
import { SLEEPS, WORKOUTS } from './measurement-tables.ts'
import { heartRateValues } from './session-statistics.ts'

const STAGE_TABLE = 'sleep_stages_table'

/** By code: unknown, awake, asleep, out of bed, light, deep, REM, awake in bed. */
const STAGES: readonly VendorStage[] = [
  'unknown',
  'awake',
  'asleep',
  'awake',
  'light',
  'deep',
  'rem',
  'awake',
]
/** Forty stages a night for thirty years. */
const MOST_STAGES = 500_000
const STAGE_COLUMNS = ['parent_key', 'stage_start_time', 'stage_end_time', 'stage_type']

/** Reads sleeps with their stages. */
export async function importSleeps(run: HealthConnectImport): Promise<void> {
  const { database, out, sessions } = run
  if (!database.has(SLEEPS)) return
  const data = out.type('sleep_session', 'sleep')
  const stagesOf = await readStages(run)
  const sql = `select ${database.terms(SLEEPS, ['row_id'])} from ${SLEEPS}`
  await forEachRow(run, sql, (record) => {
    const { uuid, start, end, frame, deviceModel, row } = record
    data.count()
    const stages = stagesOf.get(Number(row.row_id)) ?? []
    const { row_id: _, ...raw } = row
    data.addSleep({
      ...frame,
      ...{ recordId: idOf(record), start, end, deviceModel, raw: { ...raw, uuid, stages } },
      values: {
        type: sleepTypeOf((end.at - start.at) / 1000),
        ...heartRateValues(sessions.of(record)),
      },
      stages: spansOf(stages, start.at),
    })
  })
}

/** Start, end and type of a stage. */
type Stage = readonly [from: number, to: number, type: number]

/**
 * Returns the stages by the key of their sleep. They are in memory, because sorting them in the
 * database would keep all other work waiting.
 */
async function readStages(run: HealthConnectImport): Promise<Map<number, Stage[]>> {
  const stages = new Map<number, Stage[]>()
  const { database } = run
  if (database.known(STAGE_TABLE, STAGE_COLUMNS).length < STAGE_COLUMNS.length) return stages
  let count = 0
  const sql = `select ${database.terms(STAGE_TABLE, STAGE_COLUMNS)} from ${STAGE_TABLE}`
  await forEachRow(run, sql, ({ row }) => {
    if (++count > MOST_STAGES) throw new ImportFileError('file_too_large')
    const [key, from, to, type] = STAGE_COLUMNS.map((name) => Number(row[name] ?? Number.NaN))
    if (key === undefined || from === undefined || to === undefined || type === undefined) return
    const others = stages.get(key)
    if (others === undefined) stages.set(key, [[from, to, type]])
    else others.push([from, to, type])
  })
  return stages
}

function spansOf(stages: readonly Stage[], startedAt: number): VendorStageSpan[] {
  const secondsAfter = (time: number): number => Math.round((time - startedAt) / 1000)
  return stages
    .filter(([from, to]) => to > from)
    .map(([from, to, type]) => ({
      stage: STAGES[type] ?? 'unknown',
      from: secondsAfter(from),
      to: secondsAfter(to),
    }))
}

/** Reads workouts, with what their app measured during them. */
export async function importWorkouts(run: HealthConnectImport): Promise<void> {
  const { database, out, sessions } = run
  if (!database.has(WORKOUTS)) return
  const data = out.type('exercise_session', 'workouts')
  const sportOf = exerciseTypesOf(database)
  const sql = `select ${database.terms(WORKOUTS, ['exercise_type'])} from ${WORKOUTS}`
  await forEachRow(run, sql, (record) => {
    const { uuid, start, end, frame, deviceModel, row } = record
    data.count()
    const measured = sessions.of(record)
    data.addWorkout({
      ...frame,
      ...{ recordId: idOf(record), start, end, deviceModel, raw: { ...row, uuid } },
      sport: sportOf(row.exercise_type),
      values: {
        distance_meter: measured?.meters ?? null,
        calories: measured?.kilocalories ?? null,
        ...heartRateValues(measured),
      },
    })
  })
}

/** The id that the phone sends; without one, the start and the source (see docs/contract/07). */
const idOf = ({ uuid, start, frame }: HealthConnectRecord): string => {
  if (uuid !== '' || !Number.isFinite(start.at)) return uuid
  return `${new Date(start.at).toISOString()} ${frame.sourceType}`
}
