import type pg from 'pg'

/** What a restore keeps for itself, beside the tables of the service, until it is at its end. */
const MAKE_PROGRESS = `
  create schema salus_restore;
  create table salus_restore.backup (id text not null);
  create table salus_restore.parts (name text primary key)`

/** Whether no start was there, and no restore. */
export async function isPostgresEmpty(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query(
    `select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname in ('public', 'graphile_worker') and relkind = 'r' limit 1`,
  )
  return rows.length === 0
}

/** The backup that is half restored here. */
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
 * @throws when it is marked already
 */
export async function beginRestore(pool: pg.Pool, id: string): Promise<void> {
  // Several statements in one call are one transaction.
  await pool.query(`${MAKE_PROGRESS}; insert into salus_restore.backup values ('${id}')`)
}

/** Names of what is restored already, so that a restore that was cut off goes on after it. */
export async function listDoneParts(pool: pg.Pool): Promise<Set<string>> {
  const { rows } = await pool.query<{ name: string }>('select name from salus_restore.parts')
  return new Set(rows.map(({ name }) => name))
}

export async function recordPart(pool: pg.Pool, name: string): Promise<void> {
  await pool.query('insert into salus_restore.parts values ($1)', [name])
}

/** In the transaction that loads the last of it. */
export async function endRestore(client: pg.ClientBase): Promise<void> {
  await client.query('drop schema salus_restore cascade')
}
