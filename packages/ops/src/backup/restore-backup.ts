import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { migrateClickHouse } from '@salus/kernel/clickhouse/migrate-clickhouse'
import { StartupError } from '@salus/kernel/errors'
import type { FileStore } from '@salus/kernel/files/file-store'
import type { Migration } from '@salus/kernel/migrations'
import { migratePostgres } from '@salus/kernel/postgres/migrate-postgres'
import type pg from 'pg'
import { extract } from 'tar-stream'
import {
  advanceSequences,
  emptyPostgresTables,
  isUnusedClickHouse,
  listPostgresTables,
  loadClickHouseTable,
  loadPostgresTable,
  requireAllServers,
} from '../store-copy/index.ts'
import {
  type BackupArchive,
  type BackupManifest,
  nameOfTable,
  type TablePart,
} from './backup-archive.ts'
import type { ReportProgress } from './progress.ts'
import * as repository from './restore.global.repository.ts'

export interface RestoreTarget {
  pool: pg.Pool
  clickhouse: ClickHouse
  files: FileStore
  migrations: { postgres: Migration[]; clickhouse: Migration[] }
  migrateJobs(): Promise<void>
}

/** Maximum size in a bucket. */
const MOST_FILE_BYTES = 5 * 1024 ** 4

/**
 * Loads a backup into empty stores. PostgreSQL comes last and in one transaction, so that a start
 * on partly loaded stores is refused; the same restore started again continues after the complete
 * tables.
 * @throws StartupError when the stores are not empty, or the backup is newer than this version, or
 *   incomplete
 */
export async function restoreBackup(
  target: RestoreTarget,
  archive: BackupArchive,
  report: ReportProgress,
): Promise<BackupManifest> {
  const manifest = await archive.readManifest()
  refuseNewer(manifest, target)
  const done = await prepareStores(target, manifest)
  const total = manifest.tables.length + 1
  let restored = 0
  const restore = async (name: string, work: () => Promise<void>): Promise<void> => {
    if (!done.has(name)) {
      await work()
      await repository.recordPart(target.pool, name)
    }
    restored += 1
    report({ what: name, done: restored, total, bytes: 0 })
  }
  const watch = (part: TablePart) =>
    watched(archive.read(part), nameOfTable(part), restored, total, report)
  const ofStore = (store: TablePart['store']) =>
    manifest.tables.filter((table) => table.store === store)
  for (const part of ofStore('clickhouse')) {
    await restore(nameOfTable(part), async () => {
      const table = { name: part.table, columns: part.columns }
      await loadClickHouseTable(target.clickhouse, table, watch(part))
    })
  }
  await restore('files', () => restoreFiles(target.files, archive.read(manifest.files)))
  await inTransaction(target.pool, async (client) => {
    await emptyPostgresTables(client, await listPostgresTables(client))
    const tables = ofStore('postgres')
    for (const part of tables) {
      const table = { schema: part.schema, name: part.table, columns: part.columns }
      await loadPostgresTable(client, table, watch(part))
      restored += 1
    }
    await advanceSequences(client, await listPostgresTables(client))
    await repository.endRestore(client)
  })
  return manifest
}

function refuseNewer({ schema }: BackupManifest, { migrations }: RestoreTarget): void {
  for (const store of ['postgres', 'clickhouse'] as const) {
    if (schema[store] > migrations[store].length) {
      throw new StartupError(
        `The backup was made by a newer Salus (its ${store} schema is ${schema[store]}, this one knows ` +
          `${migrations[store].length}). Restore it with that version or a newer one.`,
      )
    }
  }
}

/**
 * Creates the schema that the backup was made with; the next start applies later migrations.
 * @returns the parts that are done
 */
async function prepareStores(
  target: RestoreTarget,
  manifest: BackupManifest,
): Promise<Set<string>> {
  const { pool, clickhouse, files, migrations, migrateJobs } = target
  requireAllServers(clickhouse)
  const under = await repository.findRestore(pool)
  if (under !== undefined && under !== manifest.id) {
    throw new StartupError(
      `The backup ${under} is only partly restored into these stores. Restore that one, or use empty stores.`,
    )
  }
  if (under === undefined) {
    await refuseFilled(pool, clickhouse, files)
    await repository.beginRestore(pool, manifest.id)
  }
  const done = await repository.listDoneParts(pool)
  if (await isElsewhere(clickhouse, manifest, done)) {
    throw new StartupError(
      'This restore began with another ClickHouse, which holds a part of the rows. Set CLICKHOUSE_URL to that, or use ' +
        'empty stores.',
    )
  }
  await migratePostgres(pool, migrations.postgres.slice(0, manifest.schema.postgres))
  await migrateJobs()
  await migrateClickHouse(clickhouse, migrations.clickhouse.slice(0, manifest.schema.clickhouse))
  return done
}

/** Whether rows that were already restored are in another ClickHouse than the present one. */
async function isElsewhere(
  clickhouse: ClickHouse,
  { tables }: BackupManifest,
  done: ReadonlySet<string>,
): Promise<boolean> {
  const isFilled = tables.some(
    (part) => part.store === 'clickhouse' && part.rows > 0 && done.has(nameOfTable(part)),
  )
  return isFilled && (await isUnusedClickHouse(clickhouse))
}

async function refuseFilled(
  pool: pg.Pool,
  clickhouse: ClickHouse,
  files: FileStore,
): Promise<void> {
  const filled: string[] = []
  if (!(await repository.isPostgresEmpty(pool))) filled.push('PostgreSQL')
  if (!(await isUnusedClickHouse(clickhouse))) filled.push('ClickHouse')
  for await (const _ of files.list()) {
    filled.push('the folder or bucket of files')
    break
  }
  if (filled.length === 0) return
  throw new StartupError(
    `A backup can only be restored into empty stores, and there are data in ${filled.join(' and ')}. ` +
      'Use a new data directory, database or bucket.',
  )
}

async function inTransaction(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await work(client)
    await client.query('commit')
  } finally {
    // A transaction that did not end is rolled back with its connection.
    client.release(true)
  }
}

async function* watched(
  rows: AsyncIterable<Buffer>,
  what: string,
  done: number,
  total: number,
  report: ReportProgress,
): AsyncGenerator<Buffer> {
  for await (const chunk of rows) {
    report({ what, done, total, bytes: chunk.length })
    yield chunk
  }
}

/** Small files are held in memory, because most are small and writing a stream costs more. */
const SMALL_BYTES = 1024 ** 2

async function restoreFiles(files: FileStore, content: AsyncIterable<Buffer>): Promise<void> {
  for await (const { header, body } of entriesOf(content)) {
    const [kind = '', name = ''] = header.name.split('/')
    const isSmall = (header.size ?? 0) <= SMALL_BYTES
    await files.write(kind, name, isSmall ? await buffer(body) : body, MOST_FILE_BYTES)
  }
}

/** Yields the files of the archive of files, each to be read before the next. */
export async function* entriesOf(content: AsyncIterable<Buffer>) {
  const tar = extract()
  const feeding = pipeline(content, tar)
  // The reader below gets the failure first.
  feeding.catch(() => {})
  for await (const entry of tar) yield { header: entry.header, body: entry as unknown as Readable }
  await feeding
}
