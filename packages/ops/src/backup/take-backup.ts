import { randomInt } from 'node:crypto'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ClickHouseReader } from '@salus/kernel/clickhouse/clickhouse'
import { FileMissingError, type FileStore, type ListedFile } from '@salus/kernel/files/file-store'
import { VERSION } from '@salus/kernel/version'
import type pg from 'pg'
import { pack } from 'tar-stream'
import { dumpClickHouseClone, dumpPostgresTable, listPostgresTables } from '../store-copy/index.ts'
import {
  BackupArchive,
  type BackupManifest,
  nameOfTable,
  newBackupId,
  type TablePart,
} from './backup-archive.ts'
import { readSchemaNumbers } from './point-in-time.global.repository.ts'
import { openPointInTime, type PointInTime } from './point-in-time.ts'
import type { ReportProgress } from './progress.ts'

export interface BackupSource {
  pool: pg.Pool
  clickhouse: ClickHouseReader
  files: FileStore
}

export interface TakenBackup {
  manifest: BackupManifest
  /** Milliseconds for which uploads waited. */
  heldMs: number
}

/** Returns the name of a file in the archive of files. */
const entryName = ({ kind, name }: ListedFile): string => `${kind}/${name}`

/**
 * Writes both stores and the files, as they are at one instant, into the target. The service
 * continues meanwhile.
 * @param keys The first key seals.
 * @throws StartupError with one line; what was written so far is removed
 */
export async function takeBackup(
  source: BackupSource,
  target: FileStore,
  keys: readonly Buffer[],
  report: ReportProgress,
): Promise<TakenBackup> {
  const instant = await openPointInTime(source.pool, source.clickhouse)
  try {
    const archive = new BackupArchive(target, newBackupId(instant.takenAt), keys)
    return await writeBackup(source, instant, archive, report).catch(async (error: unknown) => {
      await archive.remove().catch(() => {})
      throw error
    })
  } finally {
    await instant.release()
  }
}

async function writeBackup(
  source: BackupSource,
  instant: PointInTime,
  archive: BackupArchive,
  report: ReportProgress,
): Promise<TakenBackup> {
  const tables = await writeTables(source.clickhouse, instant, archive, report)
  const files = await writeFiles(source.files, archive, report)
  const manifest: BackupManifest = {
    format: 1,
    id: archive.id,
    taken_at: instant.takenAt.toISOString(),
    salus_version: VERSION,
    schema: await readSchemaNumbers(instant.client, source.clickhouse),
    tables,
    files,
  }
  await archive.writeManifest(manifest)
  return { manifest, heldMs: instant.heldMs }
}

async function writeTables(
  clickhouse: ClickHouseReader,
  { client, clickhouseTables }: PointInTime,
  archive: BackupArchive,
  report: ReportProgress,
): Promise<TablePart[]> {
  const tables: [table: TableName, rows: () => AsyncIterable<Uint8Array>][] = [
    ...(await listPostgresTables(client)).map(
      (table): [TableName, () => AsyncIterable<Uint8Array>] => [
        { store: 'postgres', schema: table.schema, table: table.name, columns: table.columns },
        () => dumpPostgresTable(client, table),
      ],
    ),
    ...clickhouseTables.map((table): [TableName, () => AsyncIterable<Uint8Array>] => [
      { store: 'clickhouse', schema: '', table: table.name, columns: table.columns },
      () => dumpClickHouseClone(clickhouse, table),
    ]),
  ]
  const written = new Map<TableName, TablePart>()
  // In random order, because the times of the files would reveal which is which.
  for (const [table, rows] of shuffle(tables)) {
    const progress = { what: nameOfTable(table), done: written.size, total: tables.length }
    const part = await archive.write(rows(), (bytes) => report({ ...progress, bytes }))
    written.set(table, { ...table, ...part })
  }
  return tables.flatMap(([table]) => written.get(table) ?? [])
}

type TableName = Pick<TablePart, 'store' | 'schema' | 'table' | 'columns'>

function shuffle<Item>(items: readonly Item[]): Item[] {
  const left = [...items]
  return items.map(() => left.splice(randomInt(left.length), 1)[0] as Item)
}

async function writeFiles(files: FileStore, archive: BackupArchive, report: ReportProgress) {
  const listed = await Array.fromAsync(files.list())
  const tar = pack()
  const out = new PassThrough()
  let added = 0
  const fill = async (): Promise<void> => {
    for (const file of listed) {
      // A file that is missing was removed before the instant, for all rows that name files: none
      // is removed meanwhile.
      const content = await openFile(files, file)
      if (content === undefined) continue
      const entry = tar.entry({ name: entryName(file), size: file.bytes, mode: 0o600 })
      await pipeline(content, entry)
      added += 1
      report({ what: 'files', done: added, total: listed.length, bytes: file.bytes })
    }
    tar.finalize()
  }
  const filling = fill().catch((error: Error) => tar.destroy(error))
  const piping = pipeline(tar, out).catch(() => {})
  const part = await archive.write(out)
  await Promise.all([filling, piping])
  return { ...part, rows: added }
}

function openFile(files: FileStore, { kind, name }: ListedFile): Promise<Readable | undefined> {
  return files.stream(kind, name).catch((error: unknown) => {
    if (error instanceof FileMissingError) return undefined
    throw error
  })
}
