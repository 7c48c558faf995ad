import { setImmediate } from 'node:timers/promises'
import { findEnvironment } from '@salus/accounts/teams'
import { newId } from '@salus/kernel/ids'
import { type DatabaseSession, openSession } from '@salus/kernel/postgres/session'
import type { Environment } from '@salus/kernel/scope'
import { inSpan } from '@salus/kernel/telemetry/tracing'
import type { Registry } from 'prom-client'
import { Budgets } from '../access/budgets.ts'
import { TokenKeeper } from '../access/token-keeper.ts'
import {
  claimTasks,
  connectionOf,
  extendLeases,
  keyOf,
  loadSubjects,
  PULL_KINDS,
  PULLS_CHANNEL,
  type PullKind,
  type PullTaskRow,
  releaseLeases,
} from '../pull-tasks.global.repository.ts'
import { PullMetrics } from '../pulling.metrics.ts'
import type { PullingContext } from '../pulling-context.ts'
import { listSubscriptions } from '../pushes/push-subscriptions.global.repository.ts'
import { OutcomeRecorder, type PullRecord } from './outcome-recorder.ts'
import { type ClaimedTask, runTask, type TaskRunner } from './run-task.ts'

export interface PullerOptions extends PullingContext {
  registry: Registry
  /** Milliseconds between checks for due tasks. */
  pollMs?: number
  /** Maximum number of concurrent tasks of a kind. */
  slots?: Partial<Record<PullKind, number>>
  random?: () => number
}

export interface Puller {
  /** Works until nothing is due. */
  poll(): Promise<void>
  /** Claims nothing more; running tasks end after their present page, or are released. */
  stop(): Promise<void>
}

const POLL_MS = 1_000
/** A poll mostly waits for its vendor; history needs memory. */
const SLOTS: Record<PullKind, number> = { poll: 256, backfill: 12 }
/** Free slots are filled when this share of them is occupied. */
const REFILLED_AT = 0.75
/** Tasks of a dead process are released after this time. */
const LEASE_MS = 90_000
const HEARTBEAT_MS = 30_000
const STOP_PATIENCE_MS = 5_000
const CACHE_MS = 5_000

/**
 * Claims due tasks, pulls from vendors, and records the outcomes. Any number of processes share the
 * tasks (docs/pulling.md).
 */
export class PullWorker implements Puller {
  readonly #options: PullerOptions
  readonly #lease = newId()
  readonly #recorder: OutcomeRecorder
  readonly #metrics: PullMetrics
  readonly #runner: TaskRunner
  readonly #abort = new AbortController()
  readonly #running = new Map<string, Promise<void>>()
  readonly #taken: Record<PullKind, number> = { poll: 0, backfill: 0 }
  /** Whether more tasks were due than slots were free. */
  readonly #isFull: Record<PullKind, boolean> = { poll: false, backfill: false }
  readonly #environments = new Map<string, { found: Environment | undefined; staleAt: number }>()
  readonly #timers: NodeJS.Timeout[]
  #subscriptions = new Set<string>()
  #session: Promise<DatabaseSession> | undefined
  #filling: Promise<number> | undefined
  #wantsMore = false
  #isStopped = false

  constructor(options: PullerOptions) {
    this.#options = options
    this.#recorder = new OutcomeRecorder(options, this.#lease)
    this.#metrics = new PullMetrics(options.registry)
    const locks = {
      tryLock: async (key: string) => (await this.#openSession()).tryLock(key),
      unlock: async (key: string) => (await this.#openSession()).unlock(key),
    }
    this.#runner = {
      ...options,
      budgets: new Budgets(options),
      tokens: new TokenKeeper(options, locks),
      signal: this.#abort.signal,
      random: options.random ?? Math.random,
      isSubscribed: (environmentId, provider) =>
        this.#subscriptions.has(`${environmentId} ${provider}`),
    }
    this.#timers = [
      setInterval(() => this.#wake(), options.pollMs ?? POLL_MS),
      setInterval(() => void this.#sendHeartbeat(), HEARTBEAT_MS),
    ]
    void this.#sendHeartbeat()
    this.#wake()
  }

  async poll(): Promise<void> {
    while (!this.#isStopped) {
      const claimed = await this.#fillSlots()
      if (claimed === 0 && this.#running.size === 0) return
      if (this.#running.size > 0) await Promise.race(this.#running.values())
      await setImmediate()
    }
  }

  async stop(): Promise<void> {
    if (this.#isStopped) return
    this.#isStopped = true
    for (const timer of this.#timers) clearInterval(timer)
    await this.#filling?.catch(() => undefined)
    this.#abort.abort()
    const patience = AbortSignal.timeout(STOP_PATIENCE_MS)
    const isOver = new Promise((resolve) => patience.addEventListener('abort', resolve))
    await Promise.race([Promise.all(this.#running.values()), isOver])
    await this.#recorder.stop()
    const { db, clock } = this.#options
    await releaseLeases(db, this.#lease, clock.now()).catch(() => undefined)
    const session = await this.#session?.catch(() => undefined)
    session?.close()
  }

  #openSession(): Promise<DatabaseSession> {
    this.#session ??= openSession(this.#options.pool, {
      channels: [PULLS_CHANNEL],
      onNotification: () => this.#wake(),
      onLost: () => {
        this.#session = undefined
      },
    }).catch((error: unknown) => {
      this.#session = undefined
      throw error
    })
    return this.#session
  }

  /** Extends its leases, and reloads the subscriptions. */
  async #sendHeartbeat(): Promise<void> {
    const { db, clock, log } = this.#options
    try {
      const until = new Date(clock.now().getTime() + LEASE_MS)
      if (this.#running.size > 0) await extendLeases(db, this.#lease, until)
      const subscriptions = await listSubscriptions(db)
      this.#subscriptions = new Set(
        subscriptions.map((row) => `${row.environment_id} ${row.provider}`),
      )
    } catch (error) {
      log.warn({ err: error }, 'leases of pull tasks cannot be extended')
    }
  }

  #wake(): void {
    void this.#fillSlots()
  }

  /**
   * One round at a time; a call during one adds another round. @returns the number of claimed tasks
   */
  #fillSlots(): Promise<number> {
    this.#wantsMore = true
    this.#filling ??= this.#fillAll().finally(() => {
      this.#filling = undefined
    })
    return this.#filling
  }

  async #fillAll(): Promise<number> {
    let claimed = 0
    try {
      await this.#openSession()
      while (this.#wantsMore && !this.#isStopped) {
        this.#wantsMore = false
        for (const kind of PULL_KINDS) claimed += await this.#claim(kind)
      }
    } catch (error) {
      if (!this.#isStopped) this.#options.log.warn({ err: error }, 'pull tasks cannot be claimed')
    }
    return claimed
  }

  async #claim(kind: PullKind): Promise<number> {
    const { db, clock, slots } = this.#options
    const limit = (slots?.[kind] ?? SLOTS[kind]) - this.#taken[kind]
    this.#isFull[kind] = limit <= 0
    if (limit <= 0) return 0
    const now = clock.now()
    const until = new Date(now.getTime() + LEASE_MS)
    const rows = await claimTasks(db, { kind, lease: this.#lease, now, until, limit })
    this.#isFull[kind] = rows.length === limit
    // The lease of a running task was extended.
    const fresh = rows.filter((row) => !this.#running.has(keyOf(row)))
    if (fresh.length === 0) return 0
    for (const claimed of await this.#load(fresh)) this.#start(kind, claimed)
    return fresh.length
  }

  async #load(rows: readonly PullTaskRow[]): Promise<ClaimedTask[]> {
    const subjects = await loadSubjects(this.#options.db, rows)
    const byConnection = new Map(subjects.map((subject) => [connectionOf(subject), subject]))
    const claimed: ClaimedTask[] = []
    for (const task of rows) {
      const environment = await this.#findEnvironment(task.environment_id)
      claimed.push({ task, subject: byConnection.get(connectionOf(task)), environment })
    }
    return claimed
  }

  async #findEnvironment(id: string): Promise<Environment | undefined> {
    const known = this.#environments.get(id)
    if (known !== undefined && performance.now() < known.staleAt) return known.found
    const found = await findEnvironment(this.#options.db, id)
    this.#environments.set(id, { found, staleAt: performance.now() + CACHE_MS })
    return found
  }

  #start(kind: PullKind, claimed: ClaimedTask): void {
    const key = keyOf(claimed.task)
    this.#taken[kind] += 1
    const run = this.#run(claimed).finally(() => {
      this.#taken[kind] -= 1
      this.#running.delete(key)
      // Several slots at once, so that a claim is for several tasks.
      const most = this.#options.slots?.[kind] ?? SLOTS[kind]
      if (this.#isFull[kind] && this.#taken[kind] <= most * REFILLED_AT) this.#wake()
    })
    this.#running.set(key, run)
  }

  #runInSpan(claimed: ClaimedTask): Promise<PullRecord> {
    const { provider, collection, kind } = claimed.task
    const attributes = { 'salus.provider': provider, 'salus.collection': collection }
    return inSpan(`pull ${provider}`, { parent: null, attributes }, async (span) => {
      const record = await runTask(this.#runner, claimed)
      const { outcome } = record
      span?.set({ 'salus.pull': kind, 'salus.outcome': outcome.kind })
      if (outcome.kind === 'failed') span?.fail(outcome.reason)
      return record
    })
  }

  async #run(claimed: ClaimedTask): Promise<void> {
    try {
      const record = await this.#runInSpan(claimed)
      await this.#recorder.record(record)
      this.#metrics.count(record)
      // Further windows of the past are due at once.
      if (record.step?.kind === 'window' && record.outcome.kind === 'held') this.#wake()
    } catch (error) {
      // For example the database is unavailable when a connection ends: the lease runs out, and the
      // task is retried.
      if (!this.#isStopped)
        this.#options.log.warn({ err: error }, 'a pull task was aborted by an error')
    }
  }
}

/** Starts the puller of this process. */
export function startPuller(options: PullerOptions): Puller {
  return new PullWorker(options)
}

/**
 * Releases the tasks of dead pullers, which would otherwise wait for their leases to run out. Call
 * it at a start when no other process can be running.
 */
export function recoverPulls({ db, clock }: Pick<PullingContext, 'db' | 'clock'>): Promise<void> {
  return releaseLeases(db, null, clock.now())
}
