import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { WORKOUT_STREAM_CHANNELS, type WorkoutStreamChannel } from '../summary.ts'
import { idListSql, type PeopleIds } from './stored-summaries.repository.ts'

/** Columns of an insert, in order. */
export const WORKOUT_STREAM_COLUMNS = [
  'environment_id',
  'user_id',
  'workout_id',
  'time',
  ...WORKOUT_STREAM_CHANNELS,
  'version',
] as const

/** A stored stream; a channel without data is empty. */
type StoredWorkoutStreamRow = Record<WorkoutStreamChannel, (number | null)[]> & {
  environment_id: string
  user_id: string
  workout_id: string
  /** Unix seconds. */
  time: number[]
  version: number
}

/** Returns the newest versions of streams by workout. */
export function findStoredWorkoutStreams(
  clickhouse: ClickHouse,
  owners: PeopleIds,
  workoutIds: readonly string[],
): Promise<StoredWorkoutStreamRow[]> {
  return clickhouse.queryRows(
    `select ${WORKOUT_STREAM_COLUMNS.join(', ')} from workout_streams final
    where environment_id in (${idListSql(owners.environmentIds)})
      and user_id in (${idListSql(owners.userIds)}) and workout_id in (${idListSql(workoutIds)})`,
  )
}

/** Returns which of the workouts have a stream that was stored at a time or later. */
export async function listWorkoutStreamsSince(
  clickhouse: ClickHouse,
  environmentId: string,
  userId: string,
  workoutIds: readonly string[],
  since: Date,
): Promise<string[]> {
  const rows = await clickhouse.queryRows<{ workout_id: string }>(
    `select workout_id from workout_streams final
    where environment_id = {environmentId:UUID} and user_id = {userId:UUID}
      and workout_id in (${idListSql(workoutIds)}) and version >= {version:UInt64}`,
    { environmentId, userId, version: String(since.getTime() * 1000) },
  )
  return rows.map((row) => row.workout_id)
}

/** Stores rows in the order of STREAM_COLUMNS; durable when it returns. */
export function insertWorkoutStreams(
  clickhouse: ClickHouse,
  rows: readonly string[],
): Promise<void> {
  return clickhouse.insert('workout_streams', WORKOUT_STREAM_COLUMNS, Buffer.from(rows.join('')))
}
