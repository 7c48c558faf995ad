import { join } from 'node:path'
import type { ClickHouse, ClickHouseReader } from '@salus/kernel/clickhouse/clickhouse'
import { findSharedClickHouse } from '@salus/kernel/clickhouse/shared-clickhouse'
import { openDataDirectory } from '@salus/kernel/data-directory'
import type { FileStore } from '@salus/kernel/files/file-store'
import { createLogger } from '@salus/kernel/log'
import { checkDatabase, type Db, openDatabase } from '@salus/kernel/postgres/database'
import { startEmbeddedPostgres } from '@salus/kernel/postgres/embedded-postgres'
import type pg from 'pg'
import type { Config } from '../config.ts'
import type { Closers } from '../shutdown.ts'
import { clickhouseFolder, connectToClickHouse, openFiles, startClickHouse } from '../stores.ts'
import { findDatabase } from './reach-database.ts'

export interface ReachedStores<Store extends ClickHouseReader = ClickHouseReader> {
  db: Db
  pool: pg.Pool
  clickhouse: Store
  files: FileStore
}

/** A dump, the transaction of its instant, and queries besides them. */
const POOL_SIZE = 4

/**
 * Does the work on the stores of these settings, whether the server runs or not, and restores the
 * former state.
 */
export async function withStores<Result>(
  config: Config,
  work: (stores: ReachedStores) => Promise<Result>,
): Promise<Result> {
  return withClosers(async (closers) => {
    const running = await findDatabase(config)
    const shared = config.clickhouseUrl === undefined && running !== undefined
    const clickhouse = shared ? await findSharedClickHouse(clickhouseFolder(config)) : undefined
    // Either no other process uses the directory, or the one that does shares its stores.
    const isShared = config.clickhouseUrl !== undefined || clickhouse !== undefined
    if (running === undefined || !isShared) lockDirectory(config, closers)
    const url = running ?? (await startPostgres(config, closers))
    return work(
      await open(config, url, clickhouse ?? (await openClickHouse(config, closers)), closers),
    )
  })
}

/**
 * Does the work on the stores of these settings while no server uses them; embedded ones are
 * created.
 * @throws StartupError when a server runs in the data directory, or the stores are not empty
 */
export async function withOwnStores<Result>(
  config: Config,
  work: (stores: ReachedStores<ClickHouse>) => Promise<Result>,
): Promise<Result> {
  return withClosers(async (closers) => {
    if (isEmbedded(config)) lockDirectory(config, closers)
    const url =
      config.databaseDirectUrl ?? config.databaseUrl ?? (await startPostgres(config, closers))
    return work(await open(config, url, await openClickHouse(config, closers), closers))
  })
}

const isEmbedded = ({ databaseUrl, clickhouseUrl }: Config): boolean =>
  databaseUrl === undefined || clickhouseUrl === undefined

async function withClosers<Result>(work: (closers: Closers) => Promise<Result>): Promise<Result> {
  const closers: Closers = []
  try {
    return await work(closers)
  } finally {
    for (const { close } of closers.reverse()) await close({ requestsMs: 0, totalMs: 0 })
  }
}

function lockDirectory({ dataDirectory }: Config, closers: Closers): void {
  const lock = openDataDirectory(dataDirectory)
  closers.push({ name: 'data directory', close: () => lock.release() })
}

async function startPostgres({ dataDirectory }: Config, closers: Closers): Promise<string> {
  const directory = join(dataDirectory, 'postgres')
  const postgres = await startEmbeddedPostgres({ directory, log: () => {} })
  closers.push({ name: 'embedded PostgreSQL', close: postgres.stop })
  return postgres.url
}

async function openClickHouse(config: Config, closers: Closers): Promise<ClickHouse> {
  const { clickhouseUrl } = config
  const log = createLogger('silent')
  const clickhouse = await (clickhouseUrl === undefined
    ? startClickHouse(config, log)
    : connectToClickHouse(config, clickhouseUrl, log))
  closers.push({ name: 'ClickHouse', close: () => clickhouse.close() })
  return clickhouse
}

async function open<Store extends ClickHouseReader>(
  config: Config,
  url: string,
  clickhouse: Store,
  closers: Closers,
): Promise<ReachedStores<Store>> {
  const { db, pool, close } = openDatabase({ url, poolSize: POOL_SIZE })
  closers.push({ name: 'database connections', close })
  await checkDatabase(pool)
  return { db, pool, clickhouse, files: await openFiles(config) }
}
