import { type JobHelpers, makeWorkerUtils, runMigrations, type TaskList } from 'graphile-worker'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from '../log.ts'
import type { Db } from '../postgres/database.ts'
import { JobRunner } from './job-runner.ts'
import { openLiveness } from './liveness.ts'
import { quietLogger } from './worker-log.ts'

/**
 * Does one job. Throwing has it tried again later, unless that was the last attempt; the signal ends
 * when the process must stop.
 */
export type JobHandler = (payload: never, signal: AbortSignal, attempt: JobAttempt) => Promise<void>

export interface JobAttempt {
  /** When it fails too, the job is given up. */
  isLast: boolean
}

export interface JobDefinitions {
  handlers: Record<string, JobHandler>
  /** Lines of `minute hour day month weekday task`, in UTC. */
  schedule: string
}

export interface NewJob {
  task: string
  payload: object
  /** Jobs of one queue run one after the other. */
  queue?: string
  maxAttempts?: number
  /** Nothing is added while there is a job of the same key, also one that failed for good. */
  key?: string
  /** Not before this time. */
  runAt?: Date
}

/** Adds a job in the caller's own transaction: it exists when, and only when, that commits. */
export async function addJob(db: Db, job: NewJob): Promise<void> {
  const { task, payload, queue = null, maxAttempts = null, key = null, runAt = null } = job
  await sql`select graphile_worker.add_job(${task}, ${JSON.stringify(payload)}::json,
    queue_name => ${queue}, max_attempts => ${maxAttempts}, job_key => ${key},
    job_key_mode => ${key === null ? null : 'unsafe_dedupe'},
    run_at => ${runAt}::timestamptz)`.execute(db)
}

export function joinDefinitions(parts: readonly JobDefinitions[]): JobDefinitions {
  return {
    handlers: Object.assign({}, ...parts.map((part) => part.handlers)),
    schedule: parts.map((part) => part.schedule).join('\n'),
  }
}

/** Makes or updates the tables of the job queue. */
export async function migrateJobs(pool: pg.Pool, log: Logger): Promise<void> {
  await runMigrations({ pgPool: pool, logger: quietLogger(log) })
}

/** Forgets the names of queues that have no jobs any more: they may hold the id of somebody who is gone. */
export async function removeEmptyQueues(pool: pg.Pool, log: Logger): Promise<void> {
  const queue = await makeWorkerUtils({ pgPool: pool, logger: quietLogger(log) })
  try {
    await queue.cleanup({ tasks: ['GC_JOB_QUEUES'] })
  } finally {
    await queue.release()
  }
}

export interface Worker {
  /** Lets running jobs end for a few seconds, then tells them to stop; they run again later. */
  stop(): Promise<void>
}

/**
 * Starts to work on jobs in this process, on those of the definitions only. While the database is away
 * nothing runs, and it goes on by itself when it is back.
 */
export async function startWorker(options: {
  pool: pg.Pool
  definitions: JobDefinitions
  concurrency: number
  log: Logger
}): Promise<Worker> {
  const { pool, definitions, concurrency, log } = options
  const liveness = await openLiveness(pool, log)
  const tasks = toTaskList(definitions)
  const { schedule } = definitions
  const runner = new JobRunner({ pool, tasks, schedule, concurrency, log, liveness })
  try {
    await runner.start()
  } catch (error) {
    await liveness.close()
    throw error
  }
  return {
    async stop() {
      await runner.stop()
      await liveness.close()
    },
  }
}

function toTaskList({ handlers }: JobDefinitions): TaskList {
  const entries = Object.entries(handlers).map(([task, handler]) => [
    task,
    // Handlers declare the payload that addJob was given under their name.
    (payload: unknown, { abortSignal, job }: JobHelpers & { abortSignal?: AbortSignal }) =>
      handler(payload as never, abortSignal ?? new AbortController().signal, {
        isLast: job.attempts >= job.max_attempts,
      }),
  ])
  return Object.fromEntries(entries)
}
