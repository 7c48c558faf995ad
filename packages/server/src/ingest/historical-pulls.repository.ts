import { type Selectable, sql } from 'kysely'
import { attemptsUpsert } from '../connections/index.ts'
import type { Db } from '../platform/postgres/database.ts'

interface HistoricalPullsTable {
  environment_id: string
  user_id: string
  provider: string
  resource: string
  status: 'in_progress' | 'success'
  range_start: Date | null
  range_end: Date | null
  started_at: Date
  ended_at: Date | null
}

declare module '../platform/postgres/database.ts' {
  interface Database {
    historical_pulls: HistoricalPullsTable
  }
}

export type HistoricalPullRow = Selectable<HistoricalPullsTable>

/** A chunk of history; the last one of a run ends it. */
export interface HistoricalChunk {
  userId: string
  provider: string
  resource: string
  from: Date | null
  to: Date | null
  isFinal: boolean
  at: Date
}

/**
 * Notes a chunk: its range is added to that of the run, and a chunk after the end begins a new run.
 * It counts as an attempt at the resource. Returns the run as it is then.
 */
export async function noteHistoricalChunk(
  db: Db,
  environmentId: string,
  { userId, provider, resource, from, to, isFinal, at }: HistoricalChunk,
): Promise<HistoricalPullRow> {
  const isNewRun = sql<boolean>`historical_pulls.status = 'success'`
  const attempt = {
    environment_id: environmentId,
    user_id: userId,
    provider,
    resource,
    last_attempt_at: at,
    last_attempt_status: 'success',
    // Events about the chunk itself, where the team wants any, are counted with the samples.
    sent_count: 0,
  } as const
  return db
    .with('counted', (query) => attemptsUpsert(query, [attempt]))
    .insertInto('historical_pulls')
    .values({
      environment_id: environmentId,
      user_id: userId,
      provider,
      resource,
      status: isFinal ? 'success' : 'in_progress',
      range_start: from,
      range_end: to,
      started_at: at,
      ended_at: isFinal ? at : null,
    })
    .onConflict((conflict) =>
      conflict.columns(['environment_id', 'user_id', 'provider', 'resource']).doUpdateSet({
        status: sql`excluded.status`,
        // least and greatest pass over nulls.
        range_start: sql`case when ${isNewRun} then excluded.range_start
          else least(historical_pulls.range_start, excluded.range_start) end`,
        range_end: sql`case when ${isNewRun} then excluded.range_end
          else greatest(historical_pulls.range_end, excluded.range_end) end`,
        started_at: sql`case when ${isNewRun} then excluded.started_at
          else historical_pulls.started_at end`,
        ended_at: sql`excluded.ended_at`,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}
