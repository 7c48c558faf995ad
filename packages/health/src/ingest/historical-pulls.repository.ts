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
  /** Why it is tried again, or failed. */
  error_details: Generated<string | null>
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    historical_pulls: HistoricalPullsTable
  }
}

export type HistoricalPullRow = Selectable<HistoricalPullsTable>

/** A chunk of history; the last one of a run ends it. */
interface HistoricalChunk {
  userId: string
  provider: string
  resource: string
  from: Date | null
  to: Date | null
  isFinal: boolean
  at: Date
  /** Of a client, which repeats what was not answered; null where nothing is ever repeated. */
  upload: ChunkUpload | null
}

/** What tells a chunk that is sent again from the first of another run. */
export interface ChunkUpload {
  receivedAt: Date
  /** It brought what was not there before. */
  bringsNew: boolean
  /** When the connection was made, of which a run is one. */
  connectedAt: Date
}

/**
 * Records a chunk: its range is added to that of the run, and a chunk after the end begins a new
 * run. It counts as an attempt at the resource. Returns the run as it is then; undefined for a
 * chunk of the run that ended, sent again: one that came before the end, or that brings nothing new
 * within its range.
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
    // Events about the chunk itself, where the team wants any, are counted with the samples.
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
      // A client does not plan its history with the server: it begins when it is first heard of.
      scheduled_at: at,
      started_at: at,
      ended_at: isFinal ? at : null,
    })
    .onConflict((conflict) => {
      const update = conflict
        .columns(['environment_id', 'user_id', 'provider', 'resource'])
        .doUpdateSet({
          status: sql`excluded.status`,
          // least and greatest pass over nulls.
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

/** The history of a resource that a client is about to send. */
export interface HistoricalStage {
  userId: string
  provider: string
  resource: string
  from: Date
  to: Date
  at: Date
}

/** Begins a run, or adds to the range of the one in progress. */
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

/** True of a chunk that belongs to the run that has ended. */
function isSentAgain({ receivedAt, bringsNew, connectedAt }: ChunkUpload) {
  const isWithin = sql<boolean>`coalesce(excluded.range_start >= historical_pulls.range_start,
      excluded.range_start is null)
    and coalesce(excluded.range_end <= historical_pulls.range_end, excluded.range_end is null)`
  return sql<boolean>`(historical_pulls.status = 'success'
    and historical_pulls.ended_at >= ${connectedAt}::timestamptz
    and (historical_pulls.ended_at > ${receivedAt}::timestamptz
      or (not ${bringsNew}::boolean and ${isWithin})))`
}
