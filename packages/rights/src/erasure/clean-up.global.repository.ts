import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import type pg from 'pg'

/** PostgreSQL's code of a statement that the user may not run. */
const NOT_ALLOWED = '42501'

/**
 * Frees the space of deleted rows in all tables or, when `isFull`, rewrites the tables without
 * them, each one locked meanwhile. Returns the number of tables.
 */
export async function overwriteDeadRows(pool: pg.Pool, isFull: boolean): Promise<number> {
  const { rows } = await pool.query<{
    name: string
  }>(`select format('%I.%I', schemaname, tablename) as name
    from pg_tables where schemaname not in ('pg_catalog', 'information_schema') order by 1`)
  for (const { name } of rows) await pool.query(`vacuum ${isFull ? '(full)' : ''} ${name}`)
  return rows.length
}

/**
 * Writes all data to the tables and starts a new file of the write-ahead log, so that earlier files
 * can be reused. Returns lines about what was done, and what keeps older files.
 */
export async function switchLogFile(pool: pg.Pool): Promise<string[]> {
  const said: string[] = []
  for (const [statement, done] of [
    ['checkpoint', 'all changes are in the tables.'],
    ['select pg_switch_wal()', 'another file of the write-ahead log was begun.'],
    ['checkpoint', 'the files of the log before are free to be overwritten.'],
  ] as const) {
    try {
      await pool.query(statement)
      said.push(done)
    } catch (error) {
      if ((error as { code?: unknown }).code !== NOT_ALLOWED) throw error
      said.push(`the user of the database may not run "${statement}": its owner has to.`)
    }
  }
  const { rows } = await pool.query<{ archives: string; keep: string; slots: number }>(
    `select current_setting('archive_mode') as archives, current_setting('wal_keep_size') as keep,
      (select count(*)::int from pg_replication_slots) as slots`,
  )
  const { archives = 'off', keep = '0', slots = 0 } = rows[0] ?? {}
  if (archives !== 'off')
    said.push('the log is archived: the archive keeps what its own rules say.')
  if (keep !== '0') said.push(`files of the log of ${keep} are kept for replicas (wal_keep_size).`)
  if (slots > 0) said.push(`${slots} replication slots may keep files of the log.`)
  return said
}

/**
 * Returns the names of ClickHouse parts that no table uses any more, and of those that were
 * detached from a table.
 */
export async function findUndroppedParts(
  clickhouse: Pick<ClickHouse, 'queryRows' | 'cluster'>,
): Promise<{ names: string[]; detached: string[] }> {
  const names: string[] = []
  const detached: string[] = []
  const servers = clickhouse.cluster?.servers ?? [clickhouse]
  for (const [index, server] of servers.entries()) {
    const rows = await server.queryRows<{ name: string; is_detached: number }>(
      `select table || '/' || name as name, 0 as is_detached from system.parts
        where database = currentDatabase() and not active
      union all select table || '/' || name, 1 from system.detached_parts
        where database = currentDatabase()`,
    )
    for (const { name, is_detached: isDetached } of rows) {
      const named = servers.length > 1 ? `${index + 1}: ${name}` : name
      ;(isDetached ? detached : names).push(named)
    }
  }
  return { names, detached }
}
