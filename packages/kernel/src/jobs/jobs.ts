import { type JobHelpers, makeWorkerUtils, runMigrations, type TaskList } from 'graphile-worker'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Registry } from 'prom-client'
import type { Logger } from '../log.ts'
import type { Db } from '../postgres/database.ts'
import { notifying } from '../postgres/notifications.ts'
import { prepared } from '../postgres/prepared-statements.ts'
import { awaitWithCommit } from '../postgres/transaction.ts'
import { currentTraceParent, inSpan } from '../telemetry/tracing.ts'
import { JOBS_CHANNEL } from './job-listener.ts'
import { findJobDuration, type JobDuration } from './job-metrics.ts'
import { DescribedFailure } from './job-outcome.ts'
import { JobRunner } from './job-runner.ts'
import { openLiveness } from './liveness.ts'
import { quietLogger } from './worker-log.ts'

/** A kind of job: its name in the queue and, in its type, the payload of its handler. */
export interface JobKind<Payload extends object> {
  readonly name: string
  /** The job is given up after this many failures; the queue waits e^attempt seconds after each. */
  readonly maxAttempts: number
  /** Exists only for the compiler, which uses it to distinguish payloads. */
  readonly take?: (payload: Payload) => void
}

/** Number of attempts of the queue itself. */
const MOST_ATTEMPTS = 25

const kinds = new Set<string>()

/**
 * Declares a kind of job, once for each name. Each needs a handler: `checkHandlers` checks it at
 * the start.
 */
export function defineJob<Payload extends object>(
  name: string,
  { maxAttempts = MOST_ATTEMPTS } = {},
): JobKind<Payload> {
  if (kinds.has(name)) throw new Error(`The job ${name} is defined twice.`)
  kinds.add(name)
  return { name, maxAttempts }
}

/**
 * Runs one job. When it throws, the job is tried again later, unless that was the last attempt; the
 * signal aborts when the process must stop.
 */
export type JobHandler<Payload extends object = object> = (
  payload: Payload,
  signal: AbortSignal,
  attempt: JobAttempt,
) => Promise<void>

export interface JobAttempt {
  /** Whether the job is given up when this attempt fails too. */
  isLast: boolean
}

export type JobHandlers = Record<string, JobHandler>

export interface JobDefinitions {
  /**
   * Handlers by name: those of `handleJob`, and those that only the schedule adds, which have no
   * payload.
   */
  handlers: JobHandlers
  /** Lines of `minute hour day month weekday name`, in UTC. */
  schedule: string
}

/** Ties a handler to a kind of job. */
export function handleJob<Payload extends object>(
  kind: JobKind<Payload>,
  handler: JobHandler<Payload>,
): JobHandlers {
  // The queue holds under this name what addJob stored for this kind.
  return { [kind.name]: (payload, ...rest) => handler(payload as Payload, ...rest) }
}

export interface JobOptions {
  /** Jobs of one queue run one after the other. */
  queue?: string
  /** Nothing is added while a job with the same key exists, also one that failed for good. */
  key?: string
  /** Time before which the job does not run. */
  runAt?: Date
  /** Jobs with a smaller number come first. */
  priority?: number
}

/** Field of a payload that names the trace which the job continues; handlers do not see it. */
const TRACE_PARENT = 'trace_parent'

/** Adds a job in the caller's own transaction: it exists when, and only when, that commits. */
export async function addJob<Payload extends object>(
  db: Db,
  kind: JobKind<Payload>,
  payload: NoInfer<Payload>,
  { queue, key, runAt, priority = 0 }: JobOptions = {},
): Promise<void> {
  const added = sql`select add_job(${kind.name}, ${storedPayload(kind, payload)}::json,
    ${queue ?? null}, ${kind.maxAttempts}::integer, ${key ?? null}, ${runAt ?? null}::timestamptz,
    ${priority}::integer)`.execute(notifying(prepared(db), JOBS_CHANNEL))
  await awaitWithCommit(db, added)
}

/** Returns the JSON of a payload as the queue has it, with the trace that the job continues. */
export function storedPayload<Payload extends object>(
  _kind: JobKind<Payload>,
  payload: NoInfer<Payload>,
): string {
  const traceParent = currentTraceParent()
  return JSON.stringify(
    traceParent === undefined ? payload : { ...payload, [TRACE_PARENT]: traceParent },
  )
}

/** Joins the handlers and schedules of several domains. */
export function joinDefinitions(parts: readonly JobDefinitions[]): JobDefinitions {
  return {
    handlers: Object.assign({}, ...parts.map((part) => part.handlers)),
    schedule: parts.map((part) => part.schedule).join('\n'),
  }
}

/**
 * @throws Error when a defined kind of job, or a name of the schedule, has no handler: its jobs
 *   would stay in the queue forever
 */
export function checkHandlers(parts: readonly JobDefinitions[]): void {
  const { handlers, schedule } = joinDefinitions(parts)
  const scheduled = schedule.split('\n').flatMap((line) => line.trim().split(' ').at(5) ?? [])
  const missing = [...kinds, ...scheduled].filter((name) => handlers[name] === undefined)
  if (missing.length > 0) throw new Error(`Jobs without a handler: ${missing.join(', ')}.`)
}

/** Creates or updates the tables of the job queue. */
export async function migrateJobs(pool: pg.Pool, log: Logger): Promise<void> {
  await runMigrations({ pgPool: pool, logger: quietLogger(log) })
}

/**
 * Removes the jobs whose payload names one of the ids and that do not run now, except those with
 * some names, and the queues with such names that have no job any more.
 */
export async function removeJobsAbout(
  db: Db,
  ids: readonly string[],
  except: readonly string[],
): Promise<void> {
  const patterns = ids.map((id) => `%${id}%`)
  await sql`delete from graphile_worker._private_jobs as job using graphile_worker._private_tasks as task
    where task.id = job.task_id and job.locked_at is null
      and job.payload::text like any(${patterns}::text[])
      and task.identifier <> all(${[...except]}::text[])`.execute(db)
  await sql`delete from graphile_worker._private_job_queues as queue
    where queue.queue_name like any(${patterns}::text[]) and queue.locked_at is null
      and not exists (select from graphile_worker._private_jobs where job_queue_id = queue.id)`.execute(
    db,
  )
}

/**
 * Removes the names of queues that have no jobs any more: they may contain the id of an erased
 * user.
 */
export async function removeEmptyQueues(pool: pg.Pool, log: Logger): Promise<void> {
  const queue = await makeWorkerUtils({ pgPool: pool, logger: quietLogger(log) })
  try {
    await queue.cleanup({ tasks: ['GC_JOB_QUEUES'] })
  } finally {
    await queue.release()
  }
}

export interface Worker {
  /** Lets running jobs end for a few seconds, then aborts them; they run again later. */
  stop(): Promise<void>
}

/**
 * Starts a worker in this process, for jobs of the definitions only. While the database does not
 * answer nothing runs, and the worker continues by itself when it is back.
 */
export async function startWorker(options: {
  pool: pg.Pool
  definitions: JobDefinitions
  concurrency: number
  log: Logger
  /** Registry of the process; without it nothing is counted. */
  registry?: Registry
}): Promise<Worker> {
  const { pool, definitions, concurrency, log, registry } = options
  const liveness = await openLiveness(pool, log)
  const tasks = toTaskList(definitions, log, findJobDuration(registry))
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

function toTaskList({ handlers }: JobDefinitions, log: Logger, duration: JobDuration): TaskList {
  const entries = Object.entries(handlers).map(([task, handler]) => [
    task,
    async (payload: unknown, { abortSignal, job }: JobHelpers & { abortSignal?: AbortSignal }) => {
      const isLast = job.attempts >= job.max_attempts
      const signal = abortSignal ?? new AbortController().signal
      const { [TRACE_PARENT]: parent = null, ...given } = (payload ?? {}) as {
        [TRACE_PARENT]?: string
      }
      const end = duration.startTimer({ kind: task })
      const attributes = { 'salus.job': task, 'salus.attempt': job.attempts }
      try {
        const options = { kind: 'consumer', parent, attributes } as const
        await inSpan(`job ${task}`, options, () => handler(given, signal, { isLast }))
        end({ outcome: 'done' })
      } catch (error) {
        end({ outcome: isLast ? 'given_up' : 'failed' })
        log.warn({ err: error, job: task, attempt: job.attempts, isLast }, 'a job failed')
        throw new DescribedFailure(error)
      }
    },
  ])
  return Object.fromEntries(entries)
}
