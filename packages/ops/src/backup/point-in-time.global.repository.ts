import type { ClickHouseReader } from '@salus/kernel/clickhouse/clickhouse'
import type pg from 'pg'
import { BACKUP_LOCK } from './file-removals.global.repository.ts'

/** PostgreSQL's code of a lock that was not available in time. */
const LOCK_NOT_AVAILABLE = '55P03'

/** Returns false when another backup is being taken; the lock ends with the connection. */
export async function tryBackupLock(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ is_mine: boolean }>(
    'select pg_try_advisory_lock($1) as is_mine',
    [BACKUP_LOCK],
  )
  return rows[0]?.is_mine ?? false
}

/** Releases the lock at once, because the server takes a moment to end a connection. */
export async function releaseBackupLock(client: pg.ClientBase): Promise<void> {
  await client.query('rollback; select pg_advisory_unlock_all()')
}

/**
 * Begins a transaction in which no process can begin to store data, or publish stored data; false
 * when it has to wait.
 */
export async function lockPublications(client: pg.ClientBase): Promise<boolean> {
  await client.query("begin; set local lock_timeout = '500ms'")
  try {
    await client.query('lock table pending_publications in exclusive mode')
    return true
  } catch (error) {
    await client.query('rollback')
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return false
    throw error
  }
}

/**
 * Begins a transaction that sees the database as it is now, and in which no table is emptied: a
 * snapshot would see an emptied table as empty. @returns the time of it
 */
export async function exportSnapshot(
  client: pg.ClientBase,
  tables: readonly string[],
): Promise<Date> {
  await client.query('begin isolation level repeatable read read only')
  // Before the first query, with which the snapshot is taken.
  await client.query(`lock table ${tables.join(', ')} in access share mode`)
  const { rows } = await client.query<{ at: Date }>('select clock_timestamp() as at')
  return rows[0]?.at as Date
}

/**
 * Returns the newest migration of each store; that of ClickHouse does not change while the service
 * runs.
 */
export async function readSchemaNumbers(
  client: pg.ClientBase,
  clickhouse: ClickHouseReader,
): Promise<{ postgres: number; clickhouse: number }> {
  const { rows } = await client.query<{ number: number }>(
    'select max(number) as number from salus_migrations',
  )
  // In a cluster each server has its own.
  const [server = clickhouse] = clickhouse.cluster?.servers ?? []
  const [newest] = await server.queryRows<{ number: number }>(
    'select max(number) as number from salus_migrations',
  )
  return { postgres: rows[0]?.number ?? 0, clickhouse: newest?.number ?? 0 }
}
