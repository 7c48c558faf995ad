import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClickHouse } from '../src/platform/clickhouse/clickhouse.ts'
import { ClickHouseError } from '../src/platform/clickhouse/clickhouse-error.ts'
import { openEmbeddedClickHouse } from '../src/platform/clickhouse/embedded-clickhouse.ts'
import { migrateClickHouse } from '../src/platform/clickhouse/migrate-clickhouse.ts'
import { readMigrations } from '../src/platform/migrations.ts'
import { MIGRATIONS_FOLDER } from '../src/stores.ts'

/** A process has one engine, on one folder; as long as this is open, others open at once. */
let engine: Promise<{ directory: string; clickhouse: ClickHouse }> | undefined

async function openEngine() {
  const directory = mkdtempSync(join(tmpdir(), 'salus-test-clickhouse-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const clickhouse = await openEmbeddedClickHouse({ directory })
  process.once('beforeExit', () => clickhouse.close())
  await migrateClickHouse(clickhouse, readMigrations(join(MIGRATIONS_FOLDER, 'clickhouse')))
  return { directory, clickhouse }
}

/** The engine of the process, without what earlier test files stored. */
async function openEmpty(): Promise<ClickHouse> {
  engine ??= openEngine()
  const { directory } = await engine
  const clickhouse = await openEmbeddedClickHouse({ directory })
  const filled = await clickhouse.queryRows<{ name: string }>(
    `select name from system.tables
    where database = currentDatabase() and total_rows > 0 and name <> 'salus_migrations'`,
  )
  for (const { name } of filled) await clickhouse.command(`truncate table ${name}`)
  return clickhouse
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
    opened ??= openEmpty()
    return opened
  }
  return {
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
