import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Log } from '../../log.ts'
import type { StatementObserver } from '../../telemetry/statement-observer.ts'
import { type Db, describeAddress, openPool, openQueries } from '../database.ts'
import { findPoolingOfReplica } from '../pooling.ts'
import {
  type LogSample,
  type PrimaryIdentity,
  type PrimaryLog,
  readCluster,
  STARTED,
} from './primary-log.ts'
import { Reader } from './reader.ts'
import { SharedRead } from './shared-read.ts'

/** What a replica is; only one that is `ok` gets reads. */
export const REPLICA_STATES = {
  ok: 'is a replica whose lag is below the limit',
  lagging: 'lags more than SALUS_REPLICA_MAX_LAG_SECONDS',
  unreachable: 'does not answer',
  is_primary: 'is the primary itself: DATABASE_REPLICA_URL leads to the server of DATABASE_URL',
  promoted: 'is no replica any more: it was promoted, or never was one',
  other_cluster: 'is a replica of another server or database than that of DATABASE_URL',
  old_schema: 'lacks migrations of this version of Salus',
} as const

export type ReplicaState = keyof typeof REPLICA_STATES

export interface ReplicaOptions {
  url: string
  /** Maximum number of connections, besides the one that watches the replica. */
  poolSize: number
  primaryDb: Db
  primaryLog: PrimaryLog
  maxLagMs: number
  /** Number of the newest migration that this version knows. */
  schemaVersion: number
  log: Log
  statements?: StatementObserver | undefined
}

/** Time for a statement that only looks at the state of a replica, and for a connection. */
const PATIENCE_MS = 1_500
/** Time that a read waits for a replica to replay what was committed before. */
const REPLAY_PATIENCE_MS = 50

interface Replay {
  in_recovery: boolean
  started: string
  /** null when it has replayed nothing. */
  position: number | null
}

const REPLAY = `select pg_is_in_recovery() as in_recovery, ${STARTED} as started,
  (pg_last_wal_replay_lsn() - '0/0')::bigint as position`
const SCHEMA = 'select max(number) as number from salus_migrations'

const NO_SUCH_TABLE = '42P01'
const WROTE = '25006'
/** Codes of a server that accepts no statements, or not for now; without a code it is gone. */
const OF_CONNECTION = /^(E[A-Z]|08|53|57P)/

/** One read replica: its connections, and how far it has replayed the log of the primary. */
export class Replica {
  /** Host and port. */
  readonly address: string
  /** Number of statements and connections that failed here and were repeated on the primary. */
  repeated = 0
  readonly #options: ReplicaOptions
  readonly #pool: pg.Pool
  readonly #db: Db
  /** Of its own, because reports may take all others for long. */
  readonly #watching: pg.Pool
  readonly #clients = new Set<pg.PoolClient>()
  readonly #replay = new SharedRead(() => this.#readReplay())
  #state: ReplicaState = 'unreachable'
  #isKnown = false
  #position = -1
  /** The server that was compared with the primary: see STARTED. */
  #started: string | undefined
  #cluster = ''
  /** Whether it did not replay in time what a read had to show. */
  #isBehind = true
  #measuredLagMs = Number.POSITIVE_INFINITY
  /** Whether a connection failed since it was measured. */
  #isSuspect = false
  #isClosing = false

  constructor(options: ReplicaOptions) {
    this.#options = options
    const { url, poolSize, statements } = options
    const report = (error: Error): void => this.#suspect(error)
    const patience = { connectionTimeoutMillis: PATIENCE_MS }
    this.#watching = openPool(url, 1, report, { ...patience, query_timeout: PATIENCE_MS })
    this.#pool = openPool(url, poolSize, report, {
      ...patience,
      onConnect: (client) => this.#requireSameServer(client),
    })
    this.#pool.on('connect', (client) => this.#clients.add(client))
    this.#pool.on('remove', (client) => this.#clients.delete(client))
    this.address = describeAddress(this.#pool)
    this.#db = openQueries(this.#pool, statements)
  }

  get state(): ReplicaState {
    return this.#state
  }

  /** Whether it gets reads whose rows may be as old as the limit of the lag. */
  get isUsable(): boolean {
    return this.#state === 'ok' && !this.#isSuspect && this.#lagMs() <= this.#options.maxLagMs
  }

  /** Whether it gets reads that have to show everything that was committed before them. */
  get isCurrent(): boolean {
    return this.isUsable && !this.#isBehind
  }

  /** Age of its rows when it was measured; undefined while that is not known. */
  get measuredLagMs(): number | undefined {
    return Number.isFinite(this.#measuredLagMs) ? this.#measuredLagMs : undefined
  }

  /** Compares it with the primary, and waits a moment for what was committed before the sample. */
  async measure(primary: PrimaryIdentity, sample: LogSample): Promise<void> {
    try {
      const { started, in_recovery: isInRecovery } = await this.#replay.get()
      if (started !== this.#started) await this.#meet(started)
      const state = isInRecovery ? await this.#stateOfReplica(sample) : undefined
      const isOther = ![this.#cluster, primary.cluster].includes('')
      if (isOther && this.#cluster !== primary.cluster) this.#settle('other_cluster')
      else this.#settle(state ?? (started === primary.started ? 'is_primary' : 'promoted'))
      this.#isSuspect = false
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  /**
   * Waits until it has replayed the log up to a position. @returns false when that takes too long;
   * later calls do not wait then, until `measure` finds that it has caught up
   */
  async reaches(position: number): Promise<boolean> {
    if (this.#position >= position) return true
    if (!this.isCurrent) return false
    try {
      const hasReplayed = await this.#hasReplayed(position)
      if (!hasReplayed) this.#isBehind = true
      return hasReplayed
    } catch (error) {
      this.#fail(error as Error)
      return false
    }
  }

  /** Returns the database for one request or job that reads. */
  openReader(): Db {
    const onRepeat = (error: Error): void => {
      this.repeated += 1
      this.#suspect(error)
    }
    return new Reader({ replica: this.#db, primary: this.#options.primaryDb, onRepeat })
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await Promise.all([this.#pool.end(), this.#watching.end()])
  }

  /** Begins anew with a server that has just started, or that the address now leads to. */
  async #meet(started: string): Promise<void> {
    this.#started = undefined
    this.#breakOff()
    this.#cluster = await readCluster(this.#watching)
    this.#started = started
    await findPoolingOfReplica(this.#pool)
  }

  async #stateOfReplica(sample: LogSample): Promise<ReplicaState> {
    const { schemaVersion, maxLagMs } = this.#options
    if ((await this.#readSchema()) < schemaVersion) return 'old_schema'
    this.#isBehind = !(await this.#hasReplayed(sample.position))
    this.#measuredLagMs = this.#lagMs()
    return this.#measuredLagMs > maxLagMs ? 'lagging' : 'ok'
  }

  /** Returns how old its rows may be by now; Infinity while that is not known. */
  #lagMs(): number {
    const time = this.#options.primaryLog.timeOf(this.#position)
    return time === undefined ? Number.POSITIVE_INFINITY : performance.now() - time
  }

  async #readSchema(): Promise<number> {
    try {
      const { rows } = await this.#watching.query<{ number: number | null }>(SCHEMA)
      return rows[0]?.number ?? 0
    } catch (error) {
      if ((error as { code?: string }).code === NO_SUCH_TABLE) return 0
      throw error
    }
  }

  async #hasReplayed(position: number): Promise<boolean> {
    const endsAt = performance.now() + REPLAY_PATIENCE_MS
    for (let pauseMs = 1; this.#position < position; pauseMs *= 2) {
      await this.#replay.get()
      if (this.#position >= position) return true
      if (performance.now() + pauseMs > endsAt) return false
      await sleep(pauseMs)
    }
    return true
  }

  async #readReplay(): Promise<Replay> {
    const { rows } = await this.#watching.query<Replay>(REPLAY)
    const [replay] = rows as [Replay]
    // That of a promoted server stays, but its rows are no longer those of the primary.
    const isKnown = replay.in_recovery && replay.started === this.#started
    this.#position = isKnown ? (replay.position ?? -1) : -1
    return replay
  }

  /** An address may lead to one server now and to another one later, which may lag more. */
  async #requireSameServer(client: pg.ClientBase): Promise<void> {
    const { rows } = await client.query<{ started: string }>(`select ${STARTED} as started`)
    if (rows[0]?.started !== this.#started) throw new Error('The address leads to another server.')
  }

  #suspect(error: Error & { code?: string }): void {
    if (this.#isClosing) return
    if (OF_CONNECTION.test(error.code ?? 'E_GONE')) this.#isSuspect = true
    if (error.code !== WROTE) return
    this.#options.log.error({ err: error }, 'a statement that writes was sent to a read replica')
  }

  #fail(error: Error): void {
    if (this.#isClosing) return
    // Statements that wait for a server that is silent are then repeated on the primary.
    if (/timeout/i.test(error.message)) this.#breakOff()
    // It may be another server when it answers again.
    this.#started = undefined
    this.#settle('unreachable')
  }

  #breakOff(): void {
    for (const client of this.#clients) {
      const { connection } = client as pg.PoolClient & { connection: { stream: Duplex } }
      connection.stream.destroy()
    }
  }

  #settle(state: ReplicaState): void {
    if (state === this.#state && this.#isKnown) return
    this.#state = state
    this.#isKnown = true
    if (state !== 'ok' && state !== 'lagging') this.#measuredLagMs = Number.POSITIVE_INFINITY
    const { log } = this.#options
    const about = { replica: this.address, state }
    if (state === 'ok') log.info(about, 'a read replica is used')
    else log.warn(about, `a read replica is not used, because it ${REPLICA_STATES[state]}`)
  }
}
