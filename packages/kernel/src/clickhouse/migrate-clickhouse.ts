import { StartupError } from '../errors.ts'
import type { Migration } from '../migrations.ts'
import type { ClickHouse } from './clickhouse.ts'

type AppliedMigration = Pick<Migration, 'number' | 'checksum'>

/** The engine is Replacing, so that two processes that record the same number leave one row. */
const CREATE_MIGRATIONS_TABLE = `
  CREATE TABLE IF NOT EXISTS salus_migrations (
    number UInt32,
    name String,
    checksum String,
    applied_at DateTime64(3, 'UTC') DEFAULT now64(3)
  ) ENGINE = ReplacingMergeTree ORDER BY number`

/**
 * Brings the schema up to the newest migration and returns the numbers it applied. A file is
 * recorded after its last statement, so one that stopped half way runs again from its start:
 * statements are written to be harmless the second time (IF NOT EXISTS).
 * @throws StartupError when the schema is newer than this code, or an applied file has changed.
 */
export function migrateClickHouse(
  clickhouse: ClickHouse,
  migrations: readonly Migration[],
): Promise<number[]> {
  return clickhouse.cluster?.migrate(migrations) ?? migrateServer(clickhouse, migrations)
}

/**
 * Migrates one server by itself, as migrateClickHouse does.
 * @param adapt Returns the form of a statement for this server.
 */
export async function migrateServer(
  clickhouse: ClickHouse,
  migrations: readonly Migration[],
  adapt: (statement: string) => string = (statement) => statement,
): Promise<number[]> {
  await clickhouse.command(CREATE_MIGRATIONS_TABLE)
  const missing = await findMissing(clickhouse, migrations)
  for (const migration of missing) await applyMigration(clickhouse, migration, adapt)
  return missing.map(({ number }) => number)
}

/**
 * Returns the migrations that another process has yet to apply; writes nothing.
 * @throws StartupError when the schema is newer than this code, or an applied file has changed.
 */
export async function listPendingClickHouse(
  clickhouse: ClickHouse,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  const pending = await Promise.all(
    (clickhouse.cluster?.servers ?? [clickhouse]).map((server) => listPending(server, migrations)),
  )
  return [...new Set(pending.flat())]
}

async function listPending(
  clickhouse: ClickHouse,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  const [found] = await clickhouse.queryRows<{ is_there: number }>(
    "SELECT count() AS is_there FROM system.tables WHERE database = currentDatabase() AND name = 'salus_migrations'",
  )
  return found?.is_there ? findMissing(clickhouse, migrations) : migrations
}

async function findMissing(
  clickhouse: ClickHouse,
  migrations: readonly Migration[],
): Promise<Migration[]> {
  const applied = await clickhouse.queryRows<AppliedMigration>(
    'SELECT number, checksum FROM salus_migrations FINAL ORDER BY number',
  )
  refuseForeignSchema(applied, migrations)
  const done = new Set(applied.map(({ number }) => number))
  return migrations
    .filter(({ number }) => !done.has(number))
    .toSorted((a, b) => a.number - b.number)
}

function refuseForeignSchema(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
): void {
  const newestApplied = Math.max(0, ...applied.map(({ number }) => number))
  const newestKnown = Math.max(0, ...migrations.map(({ number }) => number))
  if (newestApplied > newestKnown) {
    throw new StartupError(
      `The ClickHouse schema is at ${newestApplied}, this version of Salus knows ${newestKnown}. ` +
        'Start a newer Salus.',
    )
  }
  const known = new Map(migrations.map((migration) => [migration.number, migration]))
  for (const { number, checksum } of applied) {
    const migration = known.get(number)
    if (migration?.checksum === checksum) continue
    throw new StartupError(
      `ClickHouse migration ${number} (${migration?.name ?? 'missing'}) has changed since it was applied. ` +
        'Restore the file and put the change into a new migration.',
    )
  }
}

async function applyMigration(
  clickhouse: ClickHouse,
  migration: Migration,
  adapt: (statement: string) => string,
): Promise<void> {
  for (const statement of splitStatements(migration.sql)) await clickhouse.command(adapt(statement))
  await clickhouse.command(
    `INSERT INTO salus_migrations (number, name, checksum)
     SELECT {number:UInt32}, {name:String}, {checksum:String}`,
    { number: migration.number, name: migration.name, checksum: migration.checksum },
  )
}

/**
 * Splits SQL into statements. A statement ends with a semicolon at the end of a line; comment lines
 * alone are not one.
 */
function splitStatements(sql: string): string[] {
  return sql
    .split(/;[ \t]*$/m)
    .map((statement) => statement.replace(/^\s*--.*$/gm, '').trim())
    .filter((statement) => statement !== '')
}
