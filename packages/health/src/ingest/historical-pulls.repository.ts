import type { Scope } from '@salus/kernel/scope'
import { type Generated, type Selectable, sql } from 'kysely'
import { attemptsUpsert } from '../connections/index.ts'

interface HistoricalPullsTable {
  environment_id: string
  user_id: string
  provider: string
  resource: string
  status: 'scheduled' | 'in_progress' | 'retrying' | 'success' | 'failure'
  range_start: Date | null
  range_end: Date | null
  scheduled_at: Date
  started_at: Date | null
  ended_at: Date | null
  /** Reason of a retry or failure. */
  error_details: Generated<string | null>
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    historical_pulls: HistoricalPullsTable
  }
}

export type HistoricalPullRow = Selectable<HistoricalPullsTable>

/** A chunk of history; the final one ends a run. */
interface HistoricalChunk {
  userId: string
  provider: string
  resource: string
  from: Date | null
  to: Date | null
  isFinal: boolean
  at: Date
  /** Set for a client, which repeats unanswered requests; null where nothing is repeated. */
  upload: ChunkUpload | null
}

/** Data that distinguish a repeated chunk from the first one of another run. */
export interface ChunkUpload {
  receivedAt: Date
  /** Whether it contained new data. */
  bringsNew: boolean
  /** When the connection was made; a run belongs to one connection. */
  connectedAt: Date
}

/**
 * Records a chunk: its range is added to that of the run, and a chunk after the end begins a new
 * run. It counts as an attempt at the resource. Returns the updated run; undefined for a repeated
 * chunk of the run that ended: one received before the end, or without new data within its range.
 */
export async function recordHistoricalChunk(
  { db, environment }: Scope,
  { userId, provider, resource, from, to, isFinal, at, upload }: HistoricalChunk,
): Promise<HistoricalPullRow | undefined> {
  const isNewRun = sql<boolean>`historical_pulls.status = 'success'`
  const attempt = {
    environment_id: environment.id,
    user_id: userId,
    provider,
    resource,
    last_attempt_at: at,
    last_attempt_status: 'success',
    // Events about the data of the chunk are counted with the samples.
    sent_count: 0,
  } as const
  return db
    .with('counted', (query) => attemptsUpsert(query, [attempt]))
    .insertInto('historical_pulls')
    .values({
      environment_id: environment.id,
      user_id: userId,
      provider,
      resource,
      status: isFinal ? 'success' : 'in_progress',
      range_start: from,
      range_end: to,
      // A client does not plan its history with the server: it begins with its first chunk.
      scheduled_at: at,
      started_at: at,
      ended_at: isFinal ? at : null,
    })
    .onConflict((conflict) => {
      const update = conflict
        .columns(['environment_id', 'user_id', 'provider', 'resource'])
        .doUpdateSet({
          status: sql`excluded.status`,
          // least and greatest ignore nulls.
          range_start: sql`case when ${isNewRun} then excluded.range_start
            else least(historical_pulls.range_start, excluded.range_start) end`,
          range_end: sql`case when ${isNewRun} then excluded.range_end
            else greatest(historical_pulls.range_end, excluded.range_end) end`,
          scheduled_at: sql`case when ${isNewRun} then excluded.scheduled_at
            else historical_pulls.scheduled_at end`,
          started_at: sql`case when ${isNewRun} then excluded.started_at
            else historical_pulls.started_at end`,
          ended_at: sql`excluded.ended_at`,
        })
      return upload === null ? update : update.where(sql<boolean>`not ${isSentAgain(upload)}`)
    })
    .returningAll()
    .executeTakeFirst()
}

/** History of a resource that a client is about to send. */
export interface HistoricalStage {
  userId: string
  provider: string
  resource: string
  from: Date
  to: Date
  at: Date
}

/** Begins a run, or extends the range of the one in progress. */
export async function recordHistoricalStart(
  { db, environment }: Scope,
  { userId, provider, resource, from, to, at }: HistoricalStage,
): Promise<void> {
  const isNewRun = sql<boolean>`historical_pulls.status <> 'in_progress'`
  await db
    .insertInto('historical_pulls')
    .values({
      environment_id: environment.id,
      user_id: userId,
      provider,
      resource,
      status: 'in_progress',
      range_start: from,
      range_end: to,
      scheduled_at: at,
      started_at: at,
      ended_at: null,
    })
    .onConflict((conflict) =>
      conflict.columns(['environment_id', 'user_id', 'provider', 'resource']).doUpdateSet({
        status: 'in_progress',
        range_start: sql`case when ${isNewRun} then excluded.range_start
          else least(historical_pulls.range_start, excluded.range_start) end`,
        range_end: sql`case when ${isNewRun} then excluded.range_end
          else greatest(historical_pulls.range_end, excluded.range_end) end`,
        scheduled_at: sql`case when ${isNewRun} then excluded.scheduled_at
          else historical_pulls.scheduled_at end`,
        started_at: sql`case when ${isNewRun} then excluded.started_at
          else historical_pulls.started_at end`,
        ended_at: null,
      }),
    )
    .execute()
}

/** Whether a chunk belongs to the run that has ended. */
function isSentAgain({ receivedAt, bringsNew, connectedAt }: ChunkUpload) {
  const isWithin = sql<boolean>`coalesce(excluded.range_start >= historical_pulls.range_start,
      excluded.range_start is null)
    and coalesce(excluded.range_end <= historical_pulls.range_end, excluded.range_end is null)`
  return sql<boolean>`(historical_pulls.status = 'success'
    and historical_pulls.ended_at >= ${connectedAt}::timestamptz
    and (historical_pulls.ended_at > ${receivedAt}::timestamptz
      or (not ${bringsNew}::boolean and ${isWithin})))`
}
