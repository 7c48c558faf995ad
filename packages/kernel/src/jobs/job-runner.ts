import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import type { Logger } from '../log.ts'
import { poolingOf } from '../postgres/pooling.ts'
import { withSharedListener } from './job-listener.ts'
import type { Liveness } from './liveness.ts'
import { quietLogger, silenceTraces } from './worker-log.ts'

export interface JobRunnerOptions {
  pool: pg.Pool
  tasks: TaskList
  /** Lines of `minute hour day month weekday task`, in UTC. */
  schedule: string
  concurrency: number
  log: Logger
  liveness: Liveness
}

/** One run of the queue, with its own id. */
interface Run {
  runner: Runner
  id: string
  /** Resolves when the run can no longer be relied on, or has to end. */
  failing: Promise<void>
  /** Resolves when its jobs have ended and their outcomes are stored, or cannot be. */
  ended: Promise<void>
}

const RETRY_MS = 1_000
/** The queue gives running jobs five seconds before it signals them to stop. */
const STOP_PATIENCE_MS = 8_000

/**
 * Stores outcomes of jobs in a batch: then an outcome that cannot be stored ends the run, not the
 * process.
 */
const PRESET = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } }

/**
 * Keeps the queue running. When its database fails at the wrong moment, a job stays locked by a run
 * that does not know of it, or cannot store that it ended. So such a run is given up, its jobs are
 * freed, and another run starts as soon as the database is back.
 */
export class JobRunner {
  readonly #options: JobRunnerOptions
  readonly #tasks: TaskList
  readonly #working = new Set<Promise<unknown>>()
  readonly #stopping = new AbortController()
  #current: Run | undefined
  #keeping: Promise<void> | undefined

  constructor(options: JobRunnerOptions) {
    this.#options = options
    this.#tasks = Object.fromEntries(
      Object.entries(options.tasks).map(([name, task]) => [
        name,
        (payload, helpers) => this.#track(Promise.resolve(task?.(payload, helpers))),
      ]),
    )
  }

  /** @throws when the database does not answer */
  async start(): Promise<void> {
    silenceTraces()
    this.#keeping = this.#keep(await this.#open())
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    if (this.#current !== undefined) await end(this.#current)
    await Promise.race([this.#keeping, sleep(STOP_PATIENCE_MS, undefined, { ref: false })])
  }

  #track<Result>(work: Promise<Result>): Promise<Result> {
    const settled = work.then(
      () => {},
      () => {},
    )
    this.#working.add(settled)
    void settled.then(() => this.#working.delete(settled))
    return work
  }

  async #keep(first: Run): Promise<void> {
    for (let current: Run | undefined = first; current !== undefined; ) {
      await current.failing
      await end(current)
      if (this.#stopping.signal.aborted) return
      this.#options.log.warn('the job queue lost its database and starts again')
      // If a job were freed while it still runs, it would run twice at the same time.
      await Promise.all(this.#working)
      current = await this.#replace(current.id)
    }
  }

  async #replace(earlierId: string): Promise<Run | undefined> {
    const { liveness, log } = this.#options
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        await liveness.free(earlierId)
        const next = await this.#open()
        // stop() may have missed it.
        if (signal.aborted) await end(next)
        return next
      } catch (error) {
        log.warn({ err: error }, 'the job queue waits for its database')
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined)
      }
    }
    return undefined
  }

  async #open(): Promise<Run> {
    const { pool, schedule, concurrency, log, liveness } = this.#options
    const events: WorkerEvents = new EventEmitter()
    const failing = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    let id = ''
    events.on('pool:create', ({ workerPool }) => {
      id = workerPool.id
      // Jobs are locked by the run, so it is registered before it has any.
      liveness.register(id)
    })
    events.on('worker:getJob:error', () => failing.resolve())
    events.on('pool:gracefulShutdown', () => failing.resolve())
    events.on('pool:release', () => ended.resolve())
    const runner = await run({
      pgPool: withSharedListener(pool),
      noPreparedStatements: !poolingOf(pool).preparesStatements,
      concurrency,
      noHandleSignals: true,
      logger: quietLogger(log),
      taskList: this.#tasks,
      crontab: schedule,
      events,
      preset: PRESET,
    })
    runner.promise.catch(() => undefined)
    this.#current = { runner, id, failing: failing.promise, ended: ended.promise }
    return this.#current
  }
}

/**
 * Does not use the runner's own promise, because its schedule may sleep for a minute before it
 * notices.
 */
async function end({ runner, ended }: Run): Promise<void> {
  runner.stop().catch(() => undefined)
  await Promise.race([ended, sleep(STOP_PATIENCE_MS, undefined, { ref: false })])
}
