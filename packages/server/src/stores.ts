import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { openEmbeddedClickHouse } from '@salus/kernel/clickhouse/embedded-clickhouse'
import {
  listPendingClickHouse,
  migrateClickHouse,
} from '@salus/kernel/clickhouse/migrate-clickhouse'
import { observeClickHouse } from '@salus/kernel/clickhouse/observed-clickhouse'
import { shareClickHouse } from '@salus/kernel/clickhouse/shared-clickhouse'
import { splitAddresses } from '@salus/kernel/clickhouse/split-addresses'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import { openSecretBox } from '@salus/kernel/crypto/secret-key'
import { openDataDirectory } from '@salus/kernel/data-directory'
import { StartupError } from '@salus/kernel/errors'
import { type FileStore, openFileStore } from '@salus/kernel/files/file-store'
import type { BucketLocation, FilesLocation } from '@salus/kernel/files/files-location'
import { closeSecretFiles } from '@salus/kernel/files/secret-files'
import { migrateJobs } from '@salus/kernel/jobs/jobs'
import type { Logger } from '@salus/kernel/log'
import { readMigrations } from '@salus/kernel/migrations'
import { withAdvisoryLock } from '@salus/kernel/postgres/advisory-lock'
import type { Db } from '@salus/kernel/postgres/database'
import { listPendingPostgres, migratePostgres } from '@salus/kernel/postgres/migrate-postgres'
import type { Replicas } from '@salus/kernel/postgres/replicas/replicas'
import { sessionPoolOf } from '@salus/kernel/postgres/session'
import { findRestore } from '@salus/ops/backup'
import { type MovedStore, refuseMovedData } from '@salus/ops/store-copy'
import type pg from 'pg'
import type { Config } from './config.ts'
import { openPostgres, openReplicas, type StoresOptions } from './open-postgres.ts'
import { resealSecrets } from './reseal-secrets.ts'

/** All stores, open and with their schemas up to date. */
export interface OpenStores {
  db: Db
  pool: pg.Pool
  /** Undefined where there are none. */
  replicas: Replicas | undefined
  clickhouse: ClickHouse
  files: FileStore
  /** Seals secrets that must be readable again. */
  secrets: SecretBox
}

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../migrations', import.meta.url))

/**
 * Opens the stores: embedded ones in the data directory unless a URL names another. An engine is
 * loaded only when it is used, so that none has to be installed with external databases.
 * @throws StartupError with one line that says what to do.
 */
export async function openStores(options: StoresOptions): Promise<OpenStores> {
  const { config, log, closers, checkpoint } = options
  refuseMovedData(config.dataDirectory, listEmbedded(config))
  const isEmbedded = config.databaseUrl === undefined || config.clickhouseUrl === undefined
  if (isEmbedded && config.migrate === 'wait') {
    throw new StartupError(
      'SALUS_MIGRATE=wait needs DATABASE_URL and CLICKHOUSE_URL, because no other process migrates embedded stores.',
    )
  }
  if (isEmbedded) {
    // Two processes on the same database files would destroy them; on shared servers they can work
    // together.
    const directory = openDataDirectory(config.dataDirectory)
    closers.push({ name: 'data directory', close: () => directory.release() })
  } else {
    mkdirSync(config.dataDirectory, { recursive: true, mode: 0o700 })
  }
  warnOfOpenSecrets(config.dataDirectory, log)
  // Both engines take time to start, and neither needs the other. When one fails the other must
  // still be closed, so both are waited for.
  const [database, clickhouse] = await Promise.allSettled([
    openPostgres(options),
    openClickHouse(options),
  ])
  if (database.status === 'rejected') throw database.reason
  if (clickhouse.status === 'rejected') throw clickhouse.reason
  checkpoint()
  const { db, pool } = database.value
  await refuseHalfRestored(pool)
  if (config.migrate === 'wait') await waitForMigrations(pool, clickhouse.value, options)
  else await migrate(pool, clickhouse.value, log)
  const { number: schemaVersion } = readAllMigrations().postgres.at(-1) ?? { number: 0 }
  const replicas = await openReplicas(options, database.value, schemaVersion)
  const files = await openFiles(config)
  const secrets = await openSecretBox(pool, config.secretKeys, config.dataDirectory)
  const isRotating = (config.secretKeys?.length ?? 0) > 1
  if (isRotating)
    log.info({ secrets: await resealSecrets(db, secrets) }, 'sealed secrets with the new key')
  return { db, pool, replicas, clickhouse: clickhouse.value, files, secrets }
}

function warnOfOpenSecrets(dataDirectory: string, log: Logger): void {
  const { mended, still_open } = closeSecretFiles(dataDirectory)
  if (mended.length + still_open.length === 0) return
  log.warn(
    { mended, still_open },
    'other users of this machine could read files with secrets: replace the keys in these files if there are such users',
  )
}

/** Returns the stores that are in the data directory itself. */
export const listEmbedded = ({
  databaseUrl,
  clickhouseUrl,
  filesLocation,
}: Config): MovedStore[] => [
  ...(databaseUrl === undefined ? (['postgres'] as const) : []),
  ...(clickhouseUrl === undefined ? (['clickhouse'] as const) : []),
  ...(filesLocation === undefined ? (['files'] as const) : []),
]

/** Opens the column store of these settings, without migrating it. */
export async function openClickHouse(options: StoresOptions): Promise<ClickHouse> {
  const { config, log, closers, statements } = options
  const clickhouse =
    config.clickhouseUrl === undefined
      ? await startClickHouse(config, log)
      : await connectToClickHouse(config, config.clickhouseUrl, log)
  closers.push({ name: 'ClickHouse', close: () => clickhouse.close() })
  if (config.clickhouseUrl === undefined) {
    const shared = await shareClickHouse(clickhouse, clickhouseFolder(config))
    if (shared === undefined)
      log.warn('the path of the data directory is too long for backups while the server runs')
    else closers.push({ name: 'shared ClickHouse', close: shared.close })
  }
  return statements === undefined ? clickhouse : observeClickHouse(clickhouse, statements)
}

/** Connects to the server or the cluster of a URL in CLICKHOUSE_URL. */
export async function connectToClickHouse(
  config: Config,
  url: string,
  log: Logger,
): Promise<ClickHouse> {
  const { clickhouseCluster: cluster, clickhouseShares: shares } = config
  if (cluster !== undefined) {
    const { openClickHouseCluster } = await import(
      '@salus/kernel/clickhouse/cluster/open-clickhouse-cluster'
    )
    return openClickHouseCluster({ urls: splitAddresses(url), cluster, shares, log })
  }
  if (splitAddresses(url).length > 1) {
    throw new StartupError(
      'CLICKHOUSE_URL has several addresses, as only a cluster has. Set CLICKHOUSE_CLUSTER.',
    )
  }
  const { openRemoteClickHouse } = await import('@salus/kernel/clickhouse/remote-clickhouse')
  const { refuseShard } = await import('@salus/kernel/clickhouse/cluster/cluster-tables')
  const clickhouse = await openRemoteClickHouse({ url })
  try {
    await refuseShard(clickhouse)
    return clickhouse
  } catch (error) {
    await clickhouse.close()
    throw error
  }
}

export const clickhouseFolder = ({ dataDirectory }: Config): string =>
  join(dataDirectory, 'clickhouse')

/**
 * Opens the engine in this process, in a folder of the data directory that no other user may enter.
 */
export async function startClickHouse(config: Config, log: Logger): Promise<ClickHouse> {
  const directory = clickhouseFolder(config)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  chmodSync(directory, 0o700)
  return openEmbeddedClickHouse({ directory, log })
}

/** Opens the files. The client of S3 is large, so it is loaded only where files are in a bucket. */
export async function openFiles(config: Config): Promise<FileStore> {
  const location = config.filesLocation ?? { folder: join(config.dataDirectory, 'files') }
  const files = await openLocation(config, location)
  await files.check().catch((error: Error) => {
    // Its name, such as AccessDenied, identifies the problem; its message may contain more.
    const what = `Files cannot be written (${'code' in error ? error.code : error.name}).`
    throw new StartupError(`${what} Check SALUS_FILES_URL and the rights to it.`, { cause: error })
  })
  return files
}

/** Opens files in a folder, or in a bucket with the keys of the settings. */
export async function openLocation(config: Config, location: FilesLocation): Promise<FileStore> {
  return 'folder' in location ? openFileStore(location.folder) : openBucket(config, location)
}

async function openBucket(config: Config, location: BucketLocation): Promise<FileStore> {
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = config
  const isGiven = accessKeyId !== undefined && secretAccessKey !== undefined
  const sessionToken = config.s3SessionToken
  const { openS3FileStore } = await import('@salus/kernel/files/s3-file-store')
  return openS3FileStore({
    location,
    credentials: isGiven ? { accessKeyId, secretAccessKey, sessionToken } : undefined,
    copiesFolder: join(config.dataDirectory, 'copies'),
  })
}

async function refuseHalfRestored(pool: pg.Pool): Promise<void> {
  const backup = await findRestore(pool)
  if (backup === undefined) return
  throw new StartupError(
    `The backup ${backup} is only partly restored into these stores. Run the same "salus restore" again.`,
  )
}

/** Arbitrary constant: processes that start together take turns at the schema of ClickHouse. */
const CLICKHOUSE_MIGRATION_LOCK = 7_258_716_002

/** Migrates the schemas of both stores. */
export async function migrate(pool: pg.Pool, clickhouse: ClickHouse, log: Logger): Promise<void> {
  const known = readAllMigrations()
  const sessionPool = sessionPoolOf(pool)
  const postgres = await migratePostgres(sessionPool, known.postgres)
  await migrateJobs(sessionPool, log)
  // ClickHouse has no locks, so PostgreSQL's serve for both.
  const applied = await withAdvisoryLock(sessionPool, CLICKHOUSE_MIGRATION_LOCK, () =>
    migrateClickHouse(clickhouse, known.clickhouse),
  )
  log.info({ postgres: postgres.length, clickhouse: applied.length }, 'migrations applied')
}

/** Reads the migrations of this version. */
export const readAllMigrations = () => ({
  postgres: readMigrations(join(MIGRATIONS_FOLDER, 'postgres')),
  clickhouse: readMigrations(join(MIGRATIONS_FOLDER, 'clickhouse')),
})

const MIGRATION_POLL_MS = 500
const MIGRATION_REMINDER_MS = 15_000

/**
 * Waits without a limit until another process has migrated both schemas to the version of this
 * code.
 */
async function waitForMigrations(
  pool: pg.Pool,
  clickhouse: ClickHouse,
  { log, checkpoint }: StoresOptions,
): Promise<void> {
  const known = readAllMigrations()
  for (let saidAt = Number.NEGATIVE_INFINITY; ; await sleep(MIGRATION_POLL_MS)) {
    checkpoint()
    const pending = {
      postgres: (await listPendingPostgres(pool, known.postgres)).length,
      clickhouse: (await listPendingClickHouse(clickhouse, known.clickhouse)).length,
    }
    // The queue numbers its tables itself; after the other process there is nothing left to do.
    if (pending.postgres + pending.clickhouse === 0) return migrateJobs(sessionPoolOf(pool), log)
    if (performance.now() - saidAt < MIGRATION_REMINDER_MS) continue
    saidAt = performance.now()
    log.warn(pending, 'waiting for another process to migrate: SALUS_MIGRATE is wait')
  }
}
