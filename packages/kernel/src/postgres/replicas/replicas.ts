import type pg from 'pg'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Db } from '../database.ts'
import { type LogSample, type PrimaryIdentity, PrimaryLog } from './primary-log.ts'
import { Replica, type ReplicaOptions, type ReplicaState } from './replica.ts'

export { REPLICA_STATES, type ReplicaState } from './replica.ts'

/**
 * How old the rows of a read may be: `current` shows everything that was acknowledged before it,
 * through whichever process; `lagging` may be as old as the limit of the lag.
 */
export type Freshness = 'current' | 'lagging'

interface ReplicaStatus {
  /** Host and port. */
  address: string
  state: ReplicaState
  /** Age of its rows; null while that is not known. */
  lag_seconds: number | null
}

interface ReplicasOptions
  extends Omit<ReplicaOptions, 'url' | 'primaryDb' | 'primaryLog' | 'maxLagMs'> {
  urls: readonly string[]
  primary: { db: Db; pool: pg.Pool }
  maxLagSeconds: number
}

const MEASURE_MS = 1_000

/** Where a read went, for the metric: `behind` means to the primary, because no replica had it. */
type Outcome = 'replica' | 'behind' | 'unavailable'

/** The read replicas of a process. */
export class Replicas {
  readonly #primary: ReplicasOptions['primary']
  readonly #log: PrimaryLog
  readonly #replicas: readonly Replica[]
  readonly #reads: Record<Outcome, number> = { replica: 0, behind: 0, unavailable: 0 }
  #identity: PrimaryIdentity | undefined
  #timer: NodeJS.Timeout | undefined
  #measuring: Promise<void> | undefined
  #turn = 0

  constructor({ urls, primary, maxLagSeconds, ...options }: ReplicasOptions) {
    this.#primary = primary
    this.#log = new PrimaryLog(primary.pool)
    const own = { primaryDb: primary.db, primaryLog: this.#log, maxLagMs: maxLagSeconds * 1000 }
    this.#replicas = urls.map((url) => new Replica({ ...options, ...own, url }))
  }

  /** Compares the replicas with the primary, now and once a second. */
  async start(): Promise<void> {
    await this.measure()
    this.#timer = setInterval(() => void this.measure(), MEASURE_MS)
    this.#timer.unref()
  }

  /** Measures the lag of all replicas. */
  measure(): Promise<void> {
    this.#measuring ??= this.#measure().finally(() => {
      this.#measuring = undefined
    })
    return this.#measuring
  }

  /** Returns where to read: a replica that is fresh enough, and otherwise the primary. */
  async choose(freshness: Freshness): Promise<Db> {
    const replica = this.#next(freshness)
    if (replica === undefined) {
      return this.#count(this.#replicas.some(({ isUsable }) => isUsable) ? 'behind' : 'unavailable')
    }
    if (freshness === 'lagging') return this.#count('replica', replica)
    // When the primary does not answer, neither does it answer the read.
    const sample = await this.#log.read().catch(() => undefined)
    const isReached = sample !== undefined && (await replica.reaches(sample.position))
    return isReached ? this.#count('replica', replica) : this.#count('behind')
  }

  list(): ReplicaStatus[] {
    return this.#replicas.map((replica) => {
      const lag = replica.measuredLagMs
      const seconds = lag === undefined ? null : Math.round(lag) / 1000
      return { address: replica.address, state: replica.state, lag_seconds: seconds }
    })
  }

  /** Everything works without replicas, at the cost of the primary. */
  async check(): Promise<'ok' | 'degraded'> {
    return this.#replicas.every(({ state }) => state === 'ok') ? 'ok' : 'degraded'
  }

  register(registry: Registry): void {
    const registers = [registry]
    const replicas = this.#replicas
    new Gauge({
      name: 'salus_postgres_replica_up',
      help: 'Whether this process reads from a replica of PostgreSQL: 1 or 0.',
      labelNames: ['replica'],
      registers,
      collect() {
        for (const { address, isUsable } of replicas) this.set({ replica: address }, +isUsable)
      },
    })
    new Gauge({
      name: 'salus_postgres_replica_lag_seconds',
      help: 'Age of the rows of a replica of PostgreSQL.',
      labelNames: ['replica'],
      registers,
      collect() {
        for (const replica of replicas) {
          const lag = replica.measuredLagMs
          if (lag !== undefined) this.set({ replica: replica.address }, lag / 1000)
        }
      },
    })
    const reads = this.#reads
    new Counter({
      name: 'salus_postgres_replica_reads_total',
      help: 'Requests and exports that may read from a replica: done there; or on the primary, because replicas were behind, or unavailable.',
      labelNames: ['outcome'],
      registers,
      collect() {
        this.reset()
        for (const [outcome, count] of Object.entries(reads)) this.inc({ outcome }, count)
      },
    })
    new Counter({
      name: 'salus_postgres_replica_repeats_total',
      help: 'Statements that failed on a replica and were repeated on the primary.',
      labelNames: ['replica'],
      registers,
      collect() {
        this.reset()
        for (const { address, repeated } of replicas) this.inc({ replica: address }, repeated)
      },
    })
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#measuring
    await Promise.all(this.#replicas.map((replica) => replica.close()))
  }

  async #measure(): Promise<void> {
    const sample = await this.#sample()
    if (sample === undefined || this.#identity === undefined) return
    const identity = this.#identity
    await Promise.all(this.#replicas.map((replica) => replica.measure(identity, sample)))
  }

  /** Reads how far the primary is; undefined while it does not answer. */
  async #sample(): Promise<LogSample | undefined> {
    try {
      const isWhole = this.#replicas.every(({ state }) => state === 'ok')
      // Another server may have become the primary since.
      if (!isWhole || this.#identity === undefined) this.#identity = await this.#log.identify()
      const sample = await this.#log.read()
      this.#log.keep(sample)
      return sample
    } catch {
      return undefined
    }
  }

  #next(freshness: Freshness): Replica | undefined {
    const found = this.#replicas.filter((replica) =>
      freshness === 'current' ? replica.isCurrent : replica.isUsable,
    )
    this.#turn += 1
    return found[this.#turn % found.length]
  }

  #count(outcome: Outcome, replica?: Replica): Db {
    this.#reads[outcome] += 1
    return replica?.openReader() ?? this.#primary.db
  }
}
