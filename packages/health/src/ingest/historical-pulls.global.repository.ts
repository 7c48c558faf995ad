import { recordsOf } from '@salus/kernel/postgres/bulk'
import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'
import type { HistoricalPullRow } from './historical-pulls.repository.ts'

/**
 * Runs of history that Salus pulls itself, one for each resource of a connection, in all
 * environments.
 */

/** A planned run replaces the previous one. */
export async function scheduleHistory(
  db: Db,
  runs: readonly Omit<HistoricalPullRow, 'status' | 'started_at' | 'ended_at' | 'error_details'>[],
): Promise<void> {
  if (runs.length === 0) return
  const fresh = {
    status: 'scheduled',
    started_at: null,
    ended_at: null,
    error_details: null,
  } as const
  const { columns, records } = recordsOf(
    'historical_pulls',
    runs.map((run) => ({ ...run, ...fresh })),
  )
  await db
    .insertInto('historical_pulls')
    .columns(columns)
    .expression(records)
    .onConflict((conflict) =>
      conflict.columns(['environment_id', 'user_id', 'provider', 'resource']).doUpdateSet({
        status: sql`excluded.status`,
        range_start: sql`excluded.range_start`,
        range_end: sql`excluded.range_end`,
        scheduled_at: sql`excluded.scheduled_at`,
        started_at: null,
        ended_at: null,
        error_details: null,
      }),
    )
    .execute()
}

/** Progress of a run. */
export interface HistoryState
  extends Pick<
    HistoricalPullRow,
    'environment_id' | 'user_id' | 'provider' | 'resource' | 'status' | 'error_details'
  > {
  /** Whether everything that was requested is held. */
  is_all_held: boolean
}

/**
 * Updates the progress of runs that are not over, and of failed ones of which all is now held.
 * @returns the runs that this completed: each is returned once.
 */
export async function updateHistory(
  db: Db,
  states: readonly HistoryState[],
  now: Date,
): Promise<HistoricalPullRow[]> {
  if (states.length === 0) return []
  const { rows } = await sql<HistoricalPullRow>`
    update historical_pulls as run set
      status = state.status,
      error_details = state.error_details,
      started_at = coalesce(run.started_at, ${now}),
      ended_at = case when state.status in ('success', 'failure') then ${now}::timestamptz end
    from json_to_recordset(${JSON.stringify(states)}::json) as state (
      environment_id uuid, user_id uuid, provider text, resource text, status text,
      error_details text, is_all_held boolean)
    where run.environment_id = state.environment_id and run.user_id = state.user_id
      and run.provider = state.provider and run.resource = state.resource
      and (run.status not in ('success', 'failure')
        or (run.status = 'failure' and state.status = 'success' and state.is_all_held))
      and (run.status, run.error_details) is distinct from (state.status, state.error_details)
    returning run.*`.execute(db)
  return rows.filter(({ status }) => status === 'success')
}
