import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import type { Config } from './config.ts'
import type { ClickHouse } from './platform/clickhouse/clickhouse.ts'
import { openEmbeddedClickHouse } from './platform/clickhouse/embedded-clickhouse.ts'
import { migrateClickHouse } from './platform/clickhouse/migrate-clickhouse.ts'
import { openRemoteClickHouse } from './platform/clickhouse/remote-clickhouse.ts'
import type { SecretBox } from './platform/crypto/secret-box.ts'
import { openSecretBox } from './platform/crypto/secret-key.ts'
import { openDataDirectory } from './platform/data-directory.ts'
import { type FileStore, openFileStore } from './platform/files/file-store.ts'
import { migrateJobs } from './platform/jobs/jobs.ts'
import type { Logger } from './platform/log.ts'
import { readMigrations } from './platform/migrations.ts'
import { withAdvisoryLock } from './platform/postgres/advisory-lock.ts'
import { checkDatabase, type Db, openDatabase } from './platform/postgres/database.ts'
import { startEmbeddedPostgres } from './platform/postgres/embedded-postgres.ts'
import { migratePostgres } from './platform/postgres/migrate-postgres.ts'

/** Everything that holds data, open and with its schema up to date. */
export interface Stores {
  db: Db
  pool: pg.Pool
  clickhouse: ClickHouse
  files: FileStore
  /** Seals what must be readable again. */
  secrets: SecretBox
}

/** What to undo, newest first. */
export type Closers = { name: string; close: () => Promise<void> | void }[]

/** Connections to PostgreSQL of one process. */
const POOL_SIZE = 20

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../migrations', import.meta.url))

/**
 * Opens the stores: embedded ones under the data directory unless a URL names another. Whatever was
 * opened is pushed to `closers` at once, so that a failure half way leaves nothing running.
 * @throws StartupError with one line that says what to do.
 */
export async function openStores(
  config: Config,
  log: Logger,
  closers: Closers,
  onStoreLost: (reason: string) => void,
): Promise<Stores> {
  const isEmbedded = config.databaseUrl === undefined || config.clickhouseUrl === undefined
  if (isEmbedded) {
    // Two processes on the same database files would destroy them; on shared servers they may meet.
    const directory = openDataDirectory(config.dataDirectory)
    closers.push({ name: 'data directory', close: () => directory.release() })
  } else {
    mkdirSync(config.dataDirectory, { recursive: true, mode: 0o700 })
  }
  // Both engines take their time to start, and neither needs the other. When one fails the other
  // must still be closed, so both are waited for.
  const [database, clickhouse] = await Promise.allSettled([
    openPostgres(config, log, closers, onStoreLost),
    openClickHouse(config, log, closers),
  ])
  if (database.status === 'rejected') throw database.reason
  if (clickhouse.status === 'rejected') throw clickhouse.reason
  const { db, pool } = database.value
  await migrate(pool, clickhouse.value, log)
  const files = openFileStore(join(config.dataDirectory, 'files'))
  const secrets = await openSecretBox(pool, config.secretKeys, config.dataDirectory)
  return { db, pool, clickhouse: clickhouse.value, files, secrets }
}

async function openPostgres(
  config: Config,
  log: Logger,
  closers: Closers,
  onStoreLost: (reason: string) => void,
) {
  const url = config.databaseUrl ?? (await startPostgres(config, log, closers, onStoreLost))
  const database = openDatabase({
    url,
    poolSize: POOL_SIZE,
    onIdleError: (error) => log.warn({ err: error }, 'a database connection broke'),
  })
  closers.push({ name: 'database connections', close: database.close })
  await checkDatabase(database.pool)
  return database
}

async function startPostgres(
  config: Config,
  log: Logger,
  closers: Closers,
  onStoreLost: (reason: string) => void,
): Promise<string> {
  const postgres = await startEmbeddedPostgres({
    directory: join(config.dataDirectory, 'postgres'),
    log: (line) => log.debug({ postgres: line }, 'postgres'),
  })
  closers.push({ name: 'embedded PostgreSQL', close: postgres.stop })
  postgres.onUnexpectedExit(onStoreLost)
  return postgres.url
}

async function openClickHouse(config: Config, log: Logger, closers: Closers): Promise<ClickHouse> {
  const directory = join(config.dataDirectory, 'clickhouse')
  if (config.clickhouseUrl === undefined) {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    chmodSync(directory, 0o700)
  }
  const clickhouse =
    config.clickhouseUrl === undefined
      ? await openEmbeddedClickHouse({ directory, log })
      : await openRemoteClickHouse({ url: config.clickhouseUrl })
  closers.push({ name: 'ClickHouse', close: () => clickhouse.close() })
  return clickhouse
}

/** Any constant: processes that start together take turns at the schema of ClickHouse. */
const CLICKHOUSE_MIGRATION_LOCK = 7_258_716_002

async function migrate(pool: pg.Pool, clickhouse: ClickHouse, log: Logger): Promise<void> {
  const postgres = await migratePostgres(pool, readMigrations(join(MIGRATIONS_FOLDER, 'postgres')))
  await migrateJobs(pool, log)
  // ClickHouse has no locks, so PostgreSQL's serve for both.
  const applied = await withAdvisoryLock(pool, CLICKHOUSE_MIGRATION_LOCK, () =>
    migrateClickHouse(clickhouse, readMigrations(join(MIGRATIONS_FOLDER, 'clickhouse'))),
  )
  log.info({ postgres: postgres.length, clickhouse: applied.length }, 'migrations applied')
}
