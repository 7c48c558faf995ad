import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'

/** Arbitrary constant: a process that takes a backup holds the advisory lock with this number. */
export const BACKUP_LOCK = 7_258_716_003

/** Whether any process holds the lock of a backup, by the list of PostgreSQL. */
export async function isBackupRunning(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is_running: boolean }>`
    select exists (
      select from pg_locks
      where locktype = 'advisory' and granted and objsubid = 1
        and database = (select oid from pg_database where datname = current_database())
        and (classid::bigint << 32 | objid::bigint) = ${BACKUP_LOCK}) as is_running`.execute(db)
  return rows[0]?.is_running ?? false
}
