import type pg from 'pg'
import { StartupError } from '../errors.ts'
import { type AppliedMigration, findPendingMigrations, type Migration } from '../migrations.ts'

/** Arbitrary constant: it keeps two processes from migrating at the same time. */
const LOCK_ID = 7_258_716_001

const SELECT_APPLIED = 'select number, name, checksum from salus_migrations order by number'

/**
 * Applies the pending migrations, each in a transaction of its own that also writes its row of
 * `salus_migrations`. The transaction holds the lock, so it also works through a proxy that pools
 * transactions, and the migrations of another process are read again each time.
 * @returns the migrations that this call applied
 * @throws StartupError when one fails or the database does not match the code
 */
export async function migratePostgres(
  pool: pg.Pool,
  migrations: Migration[],
): Promise<Migration[]> {
  const applied: Migration[] = []
  const client = await pool.connect()
  let failure: Error | undefined
  try {
    for (;;) {
      const migration = await applyNext(client, migrations)
      if (!migration) return applied
      applied.push(migration)
    }
  } catch (error) {
    failure = error as Error
    throw error
  } finally {
    // A connection in an unknown state does not return to the pool.
    client.release(failure)
  }
}

/**
 * Returns the migrations that another process has yet to apply; writes nothing.
 * @throws StartupError when the database does not match the code
 */
export async function listPendingPostgres(
  pool: pg.Pool,
  migrations: Migration[],
): Promise<Migration[]> {
  const { rows } = await pool.query<{ is_there: boolean }>(
    "select to_regclass('salus_migrations') is not null as is_there",
  )
  if (!rows[0]?.is_there) return migrations
  const applied = await pool.query<AppliedMigration>(SELECT_APPLIED)
  return findPendingMigrations(applied.rows, migrations)
}

async function applyNext(
  client: pg.PoolClient,
  migrations: Migration[],
): Promise<Migration | undefined> {
  await client.query('begin')
  try {
    const [next] = findPendingMigrations(await lockAndReadApplied(client), migrations)
    if (next) await apply(client, next)
    await client.query('commit')
    return next
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function lockAndReadApplied(client: pg.PoolClient): Promise<AppliedMigration[]> {
  await client.query('select pg_advisory_xact_lock($1)', [LOCK_ID])
  await client.query(`
    create table if not exists salus_migrations (
      number integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )
  `)
  const { rows } = await client.query<AppliedMigration>(SELECT_APPLIED)
  return rows
}

async function apply(client: pg.PoolClient, migration: Migration): Promise<void> {
  const { number, name, sql, checksum } = migration
  try {
    await client.query(sql)
  } catch (cause) {
    const { code = 'connection lost', message } = cause as Error & { code?: string }
    // Messages of class 42 are about statements and names; others can quote personal data.
    const detail = code.startsWith('42') ? `: ${message}` : ''
    throw new StartupError(
      `The PostgreSQL migration ${number} ${name} failed (${code}${detail}).`,
      { cause },
    )
  }
  await client.query('insert into salus_migrations (number, name, checksum) values ($1, $2, $3)', [
    number,
    name,
    checksum,
  ])
}
