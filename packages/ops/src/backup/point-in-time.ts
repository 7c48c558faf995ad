import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouseReader } from '@salus/kernel/clickhouse/clickhouse'
import { StartupError } from '@salus/kernel/errors'
import type pg from 'pg'
import {
  type ClickHouseTable,
  cloneClickHouseTable,
  dropClones,
  listClickHouseTables,
  listPostgresTables,
  nameOf,
} from '../store-copy/index.ts'
import {
  exportSnapshot,
  lockPublications,
  releaseBackupLock,
  tryBackupLock,
} from './point-in-time.global.repository.ts'

/** Both stores as they were at one instant, for as long as it is open. */
export interface PointInTime {
  takenAt: Date
  /** Client in a transaction that sees the instant. */
  client: pg.PoolClient
  /** Tables of which a clone does not change. */
  clickhouseTables: readonly ClickHouseTable[]
  /** Milliseconds for which uploads waited for it. */
  heldMs: number
  release(): Promise<void>
}

/** Uploads wait behind the lock while it waits for others, so it gives up soon and tries again. */
const LOCK_ATTEMPTS = 60
const BETWEEN_ATTEMPTS_MS = 500

/**
 * Freezes both stores at one instant. A process that stores data first records in PostgreSQL what
 * it is about to store, and afterwards that it is stored (docs/decisions/0038-backups.md); for a
 * moment no process can do either. In that moment PostgreSQL takes its snapshot and ClickHouse its
 * clones. Acknowledged data are then in both; data in progress are in the list of PostgreSQL, as
 * after a crash, and the first start on the copy completes them.
 * @throws StartupError when another backup is being taken, or the lock is not available
 */
export async function openPointInTime(
  pool: pg.Pool,
  clickhouse: ClickHouseReader,
): Promise<PointInTime> {
  const guard = await pool.connect()
  const opened: pg.PoolClient[] = [guard]
  const release = async (): Promise<void> => {
    try {
      await dropClones(clickhouse)
    } finally {
      await releaseBackupLock(guard).catch(() => {})
      // Locks and transactions end with their connections.
      for (const client of opened) client.release(true)
    }
  }
  if (!(await tryBackupLock(guard))) {
    guard.release(true)
    throw new StartupError('Another backup of these stores is being taken. Wait until it ends.')
  }
  try {
    await dropClones(clickhouse)
    const clickhouseTables = await listClickHouseTables(clickhouse)
    const client = await pool.connect()
    opened.push(client)
    const postgresTables = (await listPostgresTables(client)).map(nameOf)
    const heldSince = await holdPublications(guard)
    const takenAt = await exportSnapshot(client, postgresTables)
    for (const table of clickhouseTables) await cloneClickHouseTable(clickhouse, table)
    await guard.query('commit')
    const heldMs = performance.now() - heldSince
    return { takenAt, client, clickhouseTables, heldMs, release }
  } catch (error) {
    await release().catch(() => {})
    throw error
  }
}

async function holdPublications(guard: pg.PoolClient): Promise<number> {
  for (let attempt = 1; attempt <= LOCK_ATTEMPTS; attempt += 1) {
    if (await lockPublications(guard)) return performance.now()
    await sleep(BETWEEN_ATTEMPTS_MS)
  }
  throw new StartupError(
    'Uploads cannot be paused for a moment, because a transaction has been running for minutes.',
  )
}
