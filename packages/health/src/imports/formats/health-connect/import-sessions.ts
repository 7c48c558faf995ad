import type { VendorStage, VendorStageSpan } from '../../../connectors/index.ts'
import { sleepTypeOf } from '../../../summaries/index.ts'
import type { SqlRow } from '../../files/sqlite.ts'
import { exerciseTypesOf } from './exercise-types.ts'
import type { HealthConnectRecord } from './health-connect-database.ts'
import { forEachRow, type HealthConnectImport } from './import-measurements.ts'
import { heartRateValues } from './session-statistics.ts'

const SLEEPS = 'sleep_session_record_table'
const STAGE_TABLE = 'sleep_stages_table'
const WORKOUTS = 'exercise_session_record_table'
export const SESSION_TABLES = [SLEEPS, WORKOUTS]

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
/** A night with more has a stage every few seconds. */
const MOST_STAGES = 20_000

/** Reads sleeps with their stages. */
export async function importSleeps(run: HealthConnectImport): Promise<void> {
  const { database, out, sessions } = run
  if (!database.has(SLEEPS)) return
  const data = out.type('sleep_session', 'sleep')
  const isKeyed = database.known(SLEEPS, ['row_id']).length > 0
  const stagesOf = isKeyed ? openStages(run) : () => []
  const order = isKeyed ? ' order by row_id' : ''
  const sql = `select ${database.terms(SLEEPS, ['row_id'])} from ${SLEEPS}${order}`
  await forEachRow(run, sql, (record) => {
    const { uuid, start, end, frame, deviceModel, row } = record
    data.count()
    const stages = stagesOf(Number(row.row_id))
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

/**
 * Returns a function that returns the stages of a sleep, which is called with rising keys: both
 * tables are read once, in the order of the key.
 */
function openStages({ database }: HealthConnectImport): (key: number) => SqlRow[] {
  const columns = ['parent_key', 'stage_start_time', 'stage_end_time', 'stage_type']
  if (database.known(STAGE_TABLE, columns).length < columns.length) return () => []
  const terms = columns.map(
    (name) => `iif(typeof(${name}) in ('integer', 'real'), ${name} * 1.0, null) as ${name}`,
  )
  const rows = database.rows(`select ${terms.join(', ')} from ${STAGE_TABLE}
    where parent_key is not null order by parent_key, stage_start_time`)
  let next = rows.next()
  return (key) => {
    const found: SqlRow[] = []
    for (; next.done !== true; next = rows.next()) {
      const { parent_key: parent, ...stage } = next.value
      if (Number(parent) > key) break
      if (parent === key && found.length < MOST_STAGES) found.push(stage)
    }
    return found
  }
}

function spansOf(stages: readonly SqlRow[], startedAt: number): VendorStageSpan[] {
  const secondsAfter = (time: unknown): number => Math.round((Number(time) - startedAt) / 1000)
  return stages.map((row) => ({
    stage: STAGES[Number(row.stage_type ?? 0)] ?? 'unknown',
    from: secondsAfter(row.stage_start_time),
    to: secondsAfter(row.stage_end_time),
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
