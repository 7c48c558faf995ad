import { randomInt } from 'node:crypto'
import type pg from 'pg'
import type { Logger } from '../log.ts'
import { type DatabaseSession, openSession } from '../postgres/session.ts'

/**
 * Distinguishes living worker processes from dead ones, so that no job waits hours for a dead one.
 */
export interface Liveness {
  /**
   * Records that jobs of this process are locked under the id; tried again while the database does
   * not answer.
   */
  register(workerId: string): void
  /** Frees the jobs that are locked under an id of this process that no longer works. */
  free(workerId: string): Promise<void>
  close(): Promise<void>
}

const SWEEP_MS = 15_000
const RETRY_MS = 1_000
/**
 * An event that cost this process its lock may have cost others theirs: until they have them again
 * they look dead.
 */
const GRACE_MS = 30_000

/**
 * Workers that hold jobs although their process no longer exists: the advisory lock of a process
 * ends with its session, also on kill -9. A worker that was never recorded gets a minute,
 * because it records itself only after it took a job.
 */
const ABANDONED = `
  select distinct jobs.locked_by
  from graphile_worker.jobs
  left join worker_processes on worker_processes.worker_id = jobs.locked_by
  where jobs.locked_by is not null
    and case when worker_processes.worker_id is null
      then jobs.locked_at < now() - interval '1 minute'
      else not exists (
        select from pg_locks
        where locktype = 'advisory' and granted and objsubid = 1
          and database = (select oid from pg_database where datname = current_database())
          and (classid::bigint << 32 | objid::bigint) = worker_processes.lock_number)
    end`

async function sweep(pool: pg.Pool, log: Logger): Promise<void> {
  const { rows } = await pool.query<{ locked_by: string }>(ABANDONED)
  if (rows.length === 0) return
  await free(
    pool,
    rows.map((row) => row.locked_by),
  )
  log.warn({ workers: rows.length }, 'took over the jobs of workers that died')
}

async function free(pool: pg.Pool, ids: readonly string[]): Promise<void> {
  await pool.query('select graphile_worker.force_unlock_workers($1::text[])', [ids])
  await pool.query('delete from worker_processes where worker_id = any($1::text[])', [ids])
}

/** Opens a session that holds the lock of this process; `onLost` is called when it breaks. */
async function holdLock(
  pool: pg.Pool,
  lockNumber: number,
  onLost: () => void,
): Promise<DatabaseSession> {
  const session = await openSession(pool, { channels: [], onNotification() {}, onLost })
  // The end of the connection before may not have been noticed yet.
  if (await session.tryLock(lockNumber)) return session
  session.close()
  throw new Error('The lock of this process is held by an earlier connection.')
}

/**
 * Takes the lock of this process, and frees the jobs of dead processes now and every few seconds.
 */
export async function openLiveness(pool: pg.Pool, log: Logger): Promise<Liveness> {
  const liveness = new HeldLiveness(pool, log)
  await liveness.open()
  return liveness
}

class HeldLiveness implements Liveness {
  readonly #pool: pg.Pool
  readonly #log: Logger
  readonly #lockNumber = randomInt(1, 2 ** 47)
  readonly #unnoted = new Set<string>()
  #holder: DatabaseSession | undefined
  #beating: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #sweepsFrom = 0
  #isClosed = false

  constructor(pool: pg.Pool, log: Logger) {
    this.#pool = pool
    this.#log = log
  }

  async open(): Promise<void> {
    await this.#beat()
    this.#beatAfter(SWEEP_MS)
  }

  register(workerId: string): void {
    this.#unnoted.add(workerId)
    this.#startBeat()
  }

  async free(workerId: string): Promise<void> {
    this.#unnoted.delete(workerId)
    await free(this.#pool, [workerId])
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#beating
    const text = 'delete from worker_processes where lock_number = $1'
    // Without a database the rows stay, and the next sweep of any process removes them.
    await this.#pool.query(text, [this.#lockNumber]).catch(() => undefined)
    // The lock ends with its session.
    this.#release()
  }

  #release(): void {
    this.#holder?.close()
    this.#holder = undefined
  }

  #lose(): void {
    this.#release()
    this.#sweepsFrom = performance.now() + GRACE_MS
    this.#startBeat()
  }

  /**
   * Without its lock this process looks dead, also to itself, so the lock is taken again before any
   * sweep.
   */
  async #beat(): Promise<void> {
    this.#holder ??= await holdLock(this.#pool, this.#lockNumber, () => this.#lose())
    for (const workerId of this.#unnoted) {
      await this.#pool.query(
        `insert into worker_processes (worker_id, lock_number, started_at)
        values ($1, $2, now()) on conflict (worker_id) do nothing`,
        [workerId, this.#lockNumber],
      )
      this.#unnoted.delete(workerId)
    }
    if (performance.now() >= this.#sweepsFrom) await sweep(this.#pool, this.#log)
  }

  /**
   * Starts one beat at a time: a second one would wait for the lock that the first has just taken.
   */
  #startBeat(): void {
    if (this.#isClosed) return
    this.#beating ??= this.#beat()
      .then(
        () => SWEEP_MS,
        (error: unknown) => {
          this.#log.warn({ err: error }, 'job sweep failed')
          return RETRY_MS
        },
      )
      .then((nextMs) => {
        this.#beating = undefined
        // Lost or registered meanwhile.
        const hasMore = this.#holder === undefined || this.#unnoted.size > 0
        this.#beatAfter(hasMore ? RETRY_MS : nextMs)
      })
  }

  #beatAfter(milliseconds: number): void {
    clearTimeout(this.#timer)
    if (!this.#isClosed) this.#timer = setTimeout(() => this.#startBeat(), milliseconds)
  }
}
