import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../postgres/database.ts'
import type { JobState } from './job-outcome.ts'

declare module '../postgres/database.ts' {
  interface Database {
    forgotten_jobs: { kind: string; jobs: number; forgotten_at: Date }
  }
}

// The queue uses the time of the database.
const STATE: RawBuilder<JobState> = sql<JobState>`case
  when job.locked_at is not null then 'running'
  when job.attempts >= job.max_attempts then 'given_up'
  when job.attempts > 0 then 'failing'
  when job.run_at > now() then 'scheduled'
  else 'waiting' end`

const JOBS = sql`graphile_worker._private_jobs as job
  join graphile_worker._private_tasks as task on task.id = job.task_id`

export interface JobKindRow {
  kind: string
  state: JobState
  jobs: number
  /** Time since which the oldest of them could have run. */
  oldest: Date
}

/** Returns the number of jobs of each kind and state. */
export async function measureJobs(db: Db): Promise<JobKindRow[]> {
  const { rows } = await sql<JobKindRow>`
    select task.identifier as kind, ${STATE} as state, count(*) as jobs, min(job.run_at) as oldest
    from ${JOBS} group by 1, 2 order by 1, 2`.execute(db)
  return rows
}

/** Returns the total number of jobs of each kind that were given up and removed. */
export function listForgottenJobs(
  db: Db,
): Promise<{ kind: string; jobs: number; forgotten_at: Date }[]> {
  return db.selectFrom('forgotten_jobs').selectAll().orderBy('kind').execute()
}

/**
 * Removes jobs that were given up before a time, and those beyond a number of the newest, and
 * counts them by kind. It removes some of them at a time.
 * @returns the jobs that this call removed
 */
export async function removeGivenUpJobs(
  db: Db,
  { before, kept, atOnce, at }: { before: Date; kept: number; atOnce: number; at: Date },
): Promise<{ kind: string; jobs: number }[]> {
  const { rows } = await sql<{ kind: string; jobs: number }>`
    with given_up as (
      select job.id, task.identifier as kind, job.updated_at,
        row_number() over (order by job.id desc) as place
      from ${JOBS} where job.attempts >= job.max_attempts and job.locked_at is null
    ), old as (
      select id, kind from given_up where updated_at < ${before} or place > ${kept} order by id limit ${atOnce}
    ), removed as (
      select id from graphile_worker.complete_jobs(array(select id from old))
    ), counted as (
      select kind, count(*) as jobs from old join removed using (id) group by kind
    )
    insert into forgotten_jobs as known (kind, jobs, forgotten_at)
    select kind, jobs, ${at}::timestamptz from counted
    on conflict (kind) do update
      set jobs = known.jobs + excluded.jobs, forgotten_at = excluded.forgotten_at
    returning kind, (select counted.jobs from counted where counted.kind = known.kind) as jobs`.execute(
    db,
  )
  return rows
}

/** Returns the payloads of the running and waiting jobs of a kind that contain these values. */
export async function listPayloads<Payload extends object>(
  db: Db,
  kind: string,
  part: Partial<Payload>,
): Promise<Payload[]> {
  const { rows } = await sql<{ payload: Payload }>`
    select job.payload from ${JOBS} where task.identifier = ${kind}
    and job.attempts < job.max_attempts and job.payload::jsonb @> ${JSON.stringify(part)}::jsonb`.execute(
    db,
  )
  return rows.map(({ payload }) => payload)
}

export interface JobRow {
  id: number
  kind: string
  state: JobState
  attempts: number
  max_attempts: number
  environment_id: string | null
  /** Written by `DescribedFailure`. */
  last_error: string | null
  created_at: Date
  run_at: Date
  updated_at: Date
}

/** Returns jobs in the order of their ids, the newest first, without their payloads. */
export async function listJobs(
  db: Db,
  {
    state,
    kind,
    before,
  }: { state?: JobState | undefined; kind?: string | undefined; before: number | null },
  limit: number,
): Promise<JobRow[]> {
  const ofKind = kind === undefined ? sql`true` : sql`task.identifier = ${kind}`
  const inState = state === undefined ? sql`true` : sql`${STATE} = ${state}`
  const after = before === null ? sql`true` : sql`job.id < ${before}::bigint`
  const { rows } = await sql<JobRow>`
    select job.id, task.identifier as kind, ${STATE} as state, job.attempts, job.max_attempts,
      job.payload ->> 'environmentId' as environment_id, job.last_error, job.created_at, job.run_at,
      job.updated_at
    from ${JOBS}
    where ${ofKind} and ${inState} and ${after}
    order by job.id desc limit ${limit}`.execute(db)
  return rows
}

/**
 * Schedules failed jobs to run at once with a full number of attempts: those of the ids, or all of
 * a kind that were given up.
 * @returns how many
 */
export async function retryJobs(
  db: Db,
  which: { ids: readonly number[] } | { kind: string },
): Promise<number> {
  const wanted =
    'ids' in which
      ? sql`job.id = any(${[...which.ids]}::bigint[]) and job.attempts > 0`
      : sql`task.identifier = ${which.kind} and job.attempts >= job.max_attempts`
  const { rows } = await sql`
    select retried.id from graphile_worker.reschedule_jobs(
      array(select job.id from ${JOBS} where job.locked_at is null and ${wanted}),
      run_at := now(), attempts := 0) as retried`.execute(db)
  return rows.length
}
