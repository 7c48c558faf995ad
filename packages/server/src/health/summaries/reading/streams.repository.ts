import type { ClickHouse } from '../../../platform/clickhouse/clickhouse.ts'
import { STREAM_CHANNELS, type StreamChannel } from '../summary.ts'

export type StreamRow = Record<StreamChannel, (number | null)[]> & {
  /** Unix seconds. */
  time: number[]
}

/** The stream of a workout, if it has one; a channel that was never recorded is empty. */
export async function findStream(
  clickhouse: ClickHouse,
  environmentId: string,
  userId: string,
  workoutId: string,
): Promise<StreamRow | undefined> {
  const [row] = await clickhouse.queryRows<StreamRow>(
    `select time, ${STREAM_CHANNELS.join(', ')} from workout_streams final
    where environment_id = {environmentId:UUID} and user_id = {userId:UUID}
      and workout_id = {workoutId:UUID}`,
    { environmentId, userId, workoutId },
  )
  return row
}
