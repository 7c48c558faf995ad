import { randomInt } from 'node:crypto'
import type pg from 'pg'
import type { Logger } from '../log.ts'

/** Tells living worker processes from dead ones, so that no job waits hours for a dead one. */
export interface Liveness {
  /** Notes that a worker of this process has jobs. */
  register(workerId: string): Promise<void>
  close(): Promise<void>
}

const SWEEP_MS = 15_000

/**
 * Workers that hold jobs though their process is gone: the advisory lock of a process ends with its
 * connection, also on kill -9. A worker that was never noted gets a minute, because it notes itself
 * only after it took a job.
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
  const ids = rows.map((row) => row.locked_by)
  await pool.query('select graphile_worker.force_unlock_workers($1::text[])', [ids])
  await pool.query('delete from worker_processes where worker_id = any($1::text[])', [ids])
  log.warn({ workers: ids.length }, 'took over the jobs of workers that died')
}

/** A connection that holds the lock of this process; `onLost` is told when it breaks. */
async function holdLock(pool: pg.Pool, lockNumber: number, onLost: () => void) {
  const client = await pool.connect()
  client.once('error', onLost)
  // After the first error others may follow; without a listener they would end the process.
  client.on('error', () => undefined)
  try {
    await client.query('select pg_advisory_lock($1::bigint)', [lockNumber])
  } catch (error) {
    client.release(true)
    throw error
  }
  return client
}

/** Takes this process's lock, frees the jobs of dead processes now and every few seconds. */
export async function openLiveness(pool: pg.Pool, log: Logger): Promise<Liveness> {
  const lockNumber = randomInt(1, 2 ** 47)
  let holder: pg.PoolClient | undefined
  let beating: Promise<void> | undefined
  const release = (): void => {
    holder?.release(true)
    holder = undefined
  }
  const lose = (): void => {
    release()
    startBeat()
  }
  // Without its lock this process looks dead, also to itself: it is taken again before any sweep.
  const beat = async (): Promise<void> => {
    holder ??= await holdLock(pool, lockNumber, lose)
    await sweep(pool, log)
  }
  // One at a time: a second one would wait for the lock that the first has just taken.
  const startBeat = (): void => {
    beating ??= beat()
      .catch((error: unknown) => log.warn({ err: error }, 'job sweep failed'))
      .finally(() => {
        beating = undefined
      })
  }
  await beat()
  const registered = new Set<string>()
  const timer = setInterval(startBeat, SWEEP_MS)
  return {
    async register(workerId) {
      if (registered.has(workerId)) return
      registered.add(workerId)
      await pool
        .query(
          `insert into worker_processes (worker_id, lock_number, started_at)
          values ($1, $2, now()) on conflict (worker_id) do nothing`,
          [workerId, lockNumber],
        )
        .catch(() => registered.delete(workerId))
    },
    async close() {
      clearInterval(timer)
      await beating
      await pool.query('delete from worker_processes where lock_number = $1', [lockNumber])
      // The lock ends with its connection.
      release()
    },
  }
}
