import type pg from 'pg'

/** Table of the restore's own state, next to the tables of the service, until it ends. */
const MAKE_PROGRESS = `
  create schema salus_restore;
  create table salus_restore.backup (id text not null);
  create table salus_restore.parts (name text primary key)`

/** Whether there was no start and no restore on this database. */
export async function isPostgresEmpty(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query(
    `select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname in ('public', 'graphile_worker') and relkind = 'r' limit 1`,
  )
  return rows.length === 0
}

/** Returns the backup that is partly restored here. */
export async function findRestore(pool: pg.Pool): Promise<string | undefined> {
  const found = await pool.query(
    "select to_regclass('salus_restore.backup') is not null as is_there",
  )
  if (!found.rows[0].is_there) return undefined
  const { rows } = await pool.query<{ id: string }>('select id from salus_restore.backup')
  return rows[0]?.id
}

/**
 * Marks the database as being restored from a backup, in one transaction.
 * @throws when it is already marked
 */
export async function beginRestore(pool: pg.Pool, id: string): Promise<void> {
  // Several statements in one call are one transaction.
  await pool.query(`${MAKE_PROGRESS}; insert into salus_restore.backup values ('${id}')`)
}

/** Returns the names of the restored parts, so that an interrupted restore continues after them. */
export async function listDoneParts(pool: pg.Pool): Promise<Set<string>> {
  const { rows } = await pool.query<{ name: string }>('select name from salus_restore.parts')
  return new Set(rows.map(({ name }) => name))
}

export async function recordPart(pool: pg.Pool, name: string): Promise<void> {
  await pool.query('insert into salus_restore.parts values ($1)', [name])
}

/** Ends the restore, in the transaction that loads its last part. */
export async function endRestore(client: pg.ClientBase): Promise<void> {
  await client.query('drop schema salus_restore cascade')
}
