import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ClickHouseError } from '@salus/kernel/clickhouse/clickhouse-error'
import { splitAddresses } from '@salus/kernel/clickhouse/split-addresses'
import { openDataDirectory } from '@salus/kernel/data-directory'
import { AppError, StartupError } from '@salus/kernel/errors'
import { createLogger } from '@salus/kernel/log'
import { readMigrations } from '@salus/kernel/migrations'
import { systemClock } from '@salus/kernel/time/clock'
import {
  isUnusedClickHouse,
  isUnusedFiles,
  isUnusedPostgres,
  MOVED_STORES,
  type MovedStore,
  MoveRecord,
  moveClickHouse,
  moveFiles,
  movePostgres,
  type ReportMove,
  requireAllServers,
  requireCurrentClickHouse,
  requireCurrentPostgres,
} from '@salus/ops/store-copy'
import { type Config, readConfig } from '../config.ts'
import { openPostgres, type StoresOptions } from '../open-postgres.ts'
import type { Closers } from '../shutdown.ts'
import { MIGRATIONS_FOLDER, migrate, openClickHouse, openFiles } from '../stores.ts'

/**
 * Runs "salus move", which copies a data directory into external stores while the server is
 * stopped, and checks that both are equal. The data directory does not change.
 */

const [dataDirectory = '', only = ''] = process.argv.slice(2)
const config = { ...readConfig(), dataDirectory: resolve(dataDirectory) }
const closers: Closers = []
const log = createLogger('error')

/** Reports progress to the command line, which shows a bar. */
const report: ReportMove = (progress) => process.send?.(progress)

const optionsOf = (config: Config): StoresOptions => ({
  config,
  log,
  closers,
  checkpoint() {},
  onStoreLost() {},
})

function chooseStores(): Set<MovedStore> {
  const { databaseUrl: postgres, clickhouseUrl: clickhouse, filesLocation: files } = config
  const targets = { postgres, clickhouse, files }
  const all = Object.keys(MOVED_STORES) as MovedStore[]
  const wanted = only === '' ? all.filter((store) => targets[store]) : only.split(',')
  for (const name of wanted) {
    const store = all.find((known) => known === name)
    if (store === undefined) throw new StartupError(`Only ${all.join(', ')} can be moved.`)
    if (targets[store] === undefined) throw new StartupError(`Set ${MOVED_STORES[store]}.`)
    const folder = join(config.dataDirectory, store)
    if (store !== 'files' && !existsSync(folder)) {
      throw new StartupError(
        `There is no ${folder} to move. Name the stores that are there with --only, or the folder with --data-dir.`,
      )
    }
  }
  if (wanted.length > 0) return new Set(wanted as MovedStore[])
  throw new StartupError(
    'Set DATABASE_URL, CLICKHOUSE_URL and SALUS_FILES_URL, or some of them, to the stores that the data move to.',
  )
}

async function move(stores: Set<MovedStore>): Promise<void> {
  const directory = openDataDirectory(config.dataDirectory)
  closers.push({ name: 'data directory', close: () => directory.release() })
  const record = new MoveRecord(config.dataDirectory)
  if (record.completedAt !== undefined) {
    throw new StartupError(
      `These data were moved at ${record.completedAt}. Remove move.json from the data directory to move them again, into empty stores.`,
    )
  }
  const source = await openSources(stores)
  const target = await openTargets()
  await claimTargets(stores, record, target)
  await migrate(target.postgres.pool, target.clickhouse, log)
  const parts = { record, report }
  if (source.postgres !== undefined) {
    const pools = { source: source.postgres, target: target.postgres.pool }
    const { tables, rows } = await movePostgres({ ...parts, ...pools })
    printLine(`PostgreSQL  ${count(tables, 'table')}, ${count(rows, 'row')}: equal`)
  }
  if (source.clickhouse !== undefined) {
    const engines = { source: source.clickhouse, target: target.clickhouse }
    const { tables, rows } = await moveClickHouse({ ...parts, ...engines })
    printLine(`ClickHouse  ${count(tables, 'table')}, ${count(rows, 'row')}: equal`)
  }
  if (source.files !== undefined) {
    const moved = await moveFiles({ ...parts, source: source.files, target: target.files })
    printLine(`Files       ${count(moved.files, 'file')}, ${count(moved.bytes, 'byte')}: equal`)
  }
  record.complete(systemClock.now())
  printLine(
    '\nAll data are in the new stores. Start Salus with these settings; it does not start with the data that were left here.',
  )
  if (stores.has('postgres') && config.secretKeys === undefined) {
    printLine(
      `On other machines set SALUS_SECRET_KEY to the content of ${join(config.dataDirectory, 'secret.key')}.`,
    )
  }
}

const inDirectory: Config = {
  ...config,
  databaseUrl: undefined,
  databaseDirectUrl: undefined,
  clickhouseUrl: undefined,
  filesLocation: undefined,
}

async function openSources(stores: Set<MovedStore>) {
  const options = optionsOf(inDirectory)
  const postgres = stores.has('postgres') ? (await openPostgres(options)).pool : undefined
  const clickhouse = stores.has('clickhouse') ? await openClickHouse(options) : undefined
  if (postgres) {
    await requireCurrentPostgres(postgres, readMigrations(join(MIGRATIONS_FOLDER, 'postgres')))
  }
  if (clickhouse) {
    const migrations = readMigrations(join(MIGRATIONS_FOLDER, 'clickhouse'))
    await requireCurrentClickHouse(clickhouse, migrations)
  }
  const files = stores.has('files') ? await openFiles(inDirectory) : undefined
  return { postgres, clickhouse, files }
}

/** Opens all three as the server will use them: one that is not moved stays where it is. */
async function openTargets() {
  const options = optionsOf(config)
  // All of the data pass through: without a pooler.
  const databaseUrl = config.databaseDirectUrl ?? config.databaseUrl
  return {
    postgres: await openPostgres(optionsOf({ ...config, databaseUrl })),
    clickhouse: await openClickHouse(options),
    files: await openFiles(config),
  }
}
type Targets = Awaited<ReturnType<typeof openTargets>>

/**
 * Writes nothing before all targets were found to be unused, or filled by an earlier run of this
 * move.
 */
async function claimTargets(
  stores: Set<MovedStore>,
  record: MoveRecord,
  target: Targets,
): Promise<void> {
  const isUnused = {
    postgres: () => isUnusedPostgres(target.postgres.pool),
    clickhouse: () => isUnusedClickHouse(target.clickhouse),
    files: () => isUnusedFiles(target.files),
  }
  const addresses = addressesOf(config)
  requireAllServers(target.clickhouse)
  for (const store of stores) {
    if (record.isOwn(store, addresses[store])) continue
    if (await isUnused[store]()) continue
    throw new StartupError(
      `${addresses[store]} is not empty. Set ${MOVED_STORES[store]} to an empty store.`,
    )
  }
  for (const store of stores) record.begin(store, addresses[store])
}

/**
 * Returns addresses without names and passwords. A single server does not have all data of its
 * cluster.
 */
function addressesOf(config: Config) {
  const { databaseUrl, clickhouseUrl, clickhouseCluster: cluster, filesLocation } = config
  const bare = (text = ''): string =>
    splitAddresses(text)
      .filter((address) => address !== '')
      .map((address) => new URL(address))
      .map(({ host, pathname }) => `${host}${pathname}`)
      .join(', ')
  return {
    postgres: bare(databaseUrl),
    clickhouse: `${bare(clickhouseUrl)}${cluster ? ` with CLICKHOUSE_CLUSTER=${cluster}` : ''}`,
    files: JSON.stringify(filesLocation),
  }
}

function printLine(line: string): void {
  console.log(line)
}

const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`

try {
  await move(chooseStores())
} catch (error) {
  const isExplained = [StartupError, AppError, ClickHouseError].some(
    (kind) => error instanceof kind,
  )
  if (!isExplained) throw error
  console.error(`salus: ${(error as Error).message}`)
  process.exitCode = 1
} finally {
  for (const { close } of closers.reverse()) await close({ requestsMs: 0, totalMs: 0 })
  if (process.connected) process.disconnect()
}
