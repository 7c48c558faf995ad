import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { ClickHouseError } from '@salus/kernel/clickhouse/clickhouse-error'
import { openClickHouseCluster } from '@salus/kernel/clickhouse/cluster/open-clickhouse-cluster'
import { openEmbeddedClickHouse } from '@salus/kernel/clickhouse/embedded-clickhouse'
import { migrateClickHouse } from '@salus/kernel/clickhouse/migrate-clickhouse'
import { readMigrations } from '@salus/kernel/migrations'
import { MIGRATIONS_FOLDER } from '../src/stores.ts'

const MIGRATIONS = readMigrations(join(MIGRATIONS_FOLDER, 'clickhouse'))

/** A process has one engine, on one folder; as long as this is open, others open at once. */
let engine: Promise<{ open: () => Promise<ClickHouse> }> | undefined

async function openEngine() {
  const directory = findEngineFolder()
  const clickhouse = await openEmbeddedClickHouse({ directory })
  process.once('beforeExit', () => clickhouse.close())
  await migrateClickHouse(clickhouse, MIGRATIONS)
  return { open: () => openEmbeddedClickHouse({ directory }) }
}

/**
 * A folder of the runner of tests, which keeps it for the next process and the next run, or else
 * one of this process. Other migrations have a folder of their own.
 */
function findEngineFolder(): string {
  const { SALUS_TEST_CLICKHOUSE_FOLDER: kept } = process.env
  if (kept === undefined) {
    const directory = mkdtempSync(join(tmpdir(), 'salus-test-clickhouse-'))
    process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
    return directory
  }
  const checksums = MIGRATIONS.map(({ number, checksum }) => `${number}:${checksum}`).join()
  const name = createHash('sha256').update(checksums).digest('hex').slice(0, 16)
  mkdirSync(kept, { recursive: true })
  for (const other of readdirSync(kept).filter((folder) => folder !== name)) {
    rmSync(join(kept, other), { recursive: true, force: true })
  }
  return join(kept, name)
}

/**
 * A database of this process on the two shards that `npm test` started
 * (SALUS_TEST_CLICKHOUSE=cluster).
 */
async function openDatabases(addresses: string) {
  const urls = addresses.split(',').map((address) => `${address}/test_${process.pid}`)
  const open = async () => {
    const clickhouse = await openClickHouseCluster({ urls, cluster: 'shards_2' })
    await migrateClickHouse(clickhouse, MIGRATIONS)
    return clickhouse
  }
  return { open }
}

/** The engine of the process, without what earlier test files stored. */
async function openEmpty(): Promise<ClickHouse> {
  const { SALUS_TEST_CLICKHOUSE_URLS: addresses } = process.env
  engine ??= addresses === undefined ? openEngine() : openDatabases(addresses)
  const clickhouse = await (await engine).open()
  for (const server of clickhouse.cluster?.servers ?? [clickhouse]) await truncateTables(server)
  return clickhouse
}

async function truncateTables(server: ClickHouse): Promise<void> {
  const filled = await server.queryRows<{ name: string }>(
    `select name from system.tables where database = currentDatabase() and total_rows > 0
      and name not in ('salus_migrations', 'salus_placements', 'salus_moved_buckets')`,
  )
  for (const { name } of filled) await server.command(`truncate table ${name}`)
}

/**
 * A migrated, empty ClickHouse. It is opened by the first statement: many tests need none. One at a
 * time in a process.
 */
export function createTestClickHouse(): ClickHouse {
  let opened: Promise<ClickHouse> | undefined
  let isClosed = false
  const open = (): Promise<ClickHouse> => {
    if (isClosed && opened === undefined) throw new ClickHouseError(0, 'ClickHouse is closed')
    opened ??= openEmpty().then((empty) => {
      clickhouse = empty
      return empty
    })
    return opened
  }
  let clickhouse: ClickHouse | undefined
  return {
    get cluster() {
      return clickhouse?.cluster
    },
    command: async (...statement) => (await open()).command(...statement),
    queryBytes: async (...statement) => (await open()).queryBytes(...statement),
    queryRows: async <Row>(...statement: Parameters<ClickHouse['queryRows']>) =>
      (await open()).queryRows<Row>(...statement),
    async *queryStream(...statement) {
      yield* (await open()).queryStream(...statement)
    },
    insert: async (...rows) => (await open()).insert(...rows),
    ping: async () => (await open()).ping(),
    async close() {
      isClosed = true
      await (await opened)?.close()
    },
  }
}
