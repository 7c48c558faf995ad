import type pg from 'pg'
import { poolingOf } from '../pooling.ts'
import { SharedRead } from './shared-read.ts'

/** How far the write-ahead log of the primary was at a moment. */
export interface LogSample {
  /** Bytes since the beginning of the log. */
  position: number
  /** Time of this process before the position was read, in milliseconds. */
  at: number
}

/** What a replica is compared with. */
export interface PrimaryIdentity {
  /** Differs with each start of a server. */
  started: string
  /** Of the cluster, and of the database in it; a copy of the files has the same. */
  cluster: string
}

/**
 * What is committed and acknowledged is on disk, unless the operator gives that up: then it may
 * only be in memory.
 */
const POSITION = `select ((case current_setting('synchronous_commit')
  when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end)
  - '0/0')::bigint as position`

/** Time of the start of a server, as text. */
export const STARTED = 'extract(epoch from pg_postmaster_start_time())::text'

const CLUSTER = `select system_identifier || '/' || (select oid from pg_database
  where datname = current_database()) as cluster from pg_control_system()`

/** A sample a second: those of an hour. */
const MOST_SAMPLES = 3_600

/** The write-ahead log of the primary: what was in it when. */
export class PrimaryLog {
  readonly #pool: pg.Pool
  readonly #samples: LogSample[] = []
  readonly #reading = new SharedRead(() => this.#readPosition())

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /** Returns a position that covers everything that was acknowledged before the call. */
  read(): Promise<LogSample> {
    return this.#reading.get()
  }

  /** Keeps a sample, by which the lag of replicas is measured. */
  keep(sample: LogSample): void {
    this.#samples.push(sample)
    if (this.#samples.length > MOST_SAMPLES) this.#samples.shift()
  }

  /**
   * Returns until when everything is included in the log up to a position: a time of this process,
   * or undefined when that is before the first sample.
   */
  timeOf(position: number): number | undefined {
    return this.#samples.findLast((sample) => sample.position <= position)?.at
  }

  async identify(): Promise<PrimaryIdentity> {
    const { rows } = await this.#pool.query<{ started: string }>(`select ${STARTED} as started`)
    return { started: rows[0]?.started ?? '', cluster: await readCluster(this.#pool) }
  }

  async #readPosition(): Promise<LogSample> {
    const at = performance.now()
    const isNamed = poolingOf(this.#pool).preparesStatements
    const statement = { text: POSITION, ...(isNamed && { name: 'salus_log_position' }) }
    const { rows } = await this.#pool.query<{ position: number }>(statement)
    return { position: rows[0]?.position ?? Number.POSITIVE_INFINITY, at }
  }
}

/** Returns what a copy has in common with its original; empty where the user may not know. */
export async function readCluster(pool: Pick<pg.Pool, 'query'>): Promise<string> {
  const { rows } = await pool
    .query<{ cluster: string }>(CLUSTER)
    .catch((error: Error & { code?: string }) => {
      if (error.code === NOT_ALLOWED) return { rows: [] }
      throw error
    })
  return rows[0]?.cluster ?? ''
}

const NOT_ALLOWED = '42501'
