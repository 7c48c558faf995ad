import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRemoteClickHouse } from '@salus/kernel/clickhouse/remote-clickhouse'
import { type FileStore, openFileStore } from '@salus/kernel/files/file-store'
import { openS3FileStore } from '@salus/kernel/files/s3-file-store'
import { migrateJobs } from '@salus/kernel/jobs/jobs'
import { createLogger } from '@salus/kernel/log'
import { readMigrations } from '@salus/kernel/migrations'
import type { BackupSource, RestoreTarget } from '@salus/ops/backup'
import { BackupArchive, type BackupManifest, takeBackup } from '@salus/ops/backup'
import { MIGRATIONS_FOLDER } from '../../src/stores.ts'
import { startClickHouseServer } from '../clickhouse-server.ts'
import { createTestDatabase } from '../database.ts'
import { createHarness, type Harness } from '../harness.ts'
import { S3_CREDENTIALS, startTestBucket } from '../s3-server.ts'

export const silent = (): void => {}

/** A service whose stores are backed up, and stores to restore into. */
export interface BackupFixture {
  harness: Harness
  source: BackupSource
  /** A folder of backups, and its path. */
  target: FileStore
  where: string
  keys: Buffer[]
  take(): ReturnType<typeof takeBackup>
  archiveOf(manifest: Pick<BackupManifest, 'id'>): BackupArchive
  /** Unused external stores. */
  makeEmptyStores(): Promise<RestoreTarget>
  openBucket(): Promise<FileStore>
  close(): Promise<void>
}

export async function createBackupFixture(): Promise<BackupFixture> {
  const directory = mkdtempSync(join(tmpdir(), 'salus-backups-'))
  const [harness, server] = await Promise.all([
    createHarness({}, { poolSize: 8 }),
    startClickHouseServer(),
  ])
  const { database, clickhouse, files } = harness
  const source = { pool: database.pool, clickhouse, files }
  const undo: (() => Promise<unknown>)[] = []
  const where = join(directory, 'backups')
  const target = openFileStore(where)
  const keys = [randomBytes(32)]
  let made = 0

  async function makeEmptyStores(): Promise<RestoreTarget> {
    made += 1
    const { pool, close } = await createTestDatabase()
    await pool.query(
      'drop schema public cascade; drop schema graphile_worker cascade; create schema public',
    )
    const clickhouse = await openRemoteClickHouse({ url: `${server.url}/restored_${made}` })
    undo.push(close, () => clickhouse.close())
    return {
      pool,
      clickhouse,
      files: openFileStore(join(directory, `files-${made}`)),
      migrateJobs: () => migrateJobs(pool, createLogger('silent')),
      migrations: {
        postgres: readMigrations(join(MIGRATIONS_FOLDER, 'postgres')),
        clickhouse: readMigrations(join(MIGRATIONS_FOLDER, 'clickhouse')),
      },
    }
  }

  async function openBucket(): Promise<FileStore> {
    const { bucket, endpoint, close } = await startTestBucket(join(directory, 's3'), 'backups')
    undo.push(close)
    return openS3FileStore({
      location: { bucket, prefix: 'of/salus/', region: 'us-east-1', endpoint },
      credentials: S3_CREDENTIALS,
      copiesFolder: join(directory, 'copies'),
    })
  }

  return {
    harness,
    source,
    target,
    where,
    keys,
    take: () => takeBackup(source, target, keys, silent),
    archiveOf: ({ id }) => new BackupArchive(target, id, keys),
    makeEmptyStores,
    openBucket,
    async close() {
      for (const close of undo.reverse()) await close()
      await harness.close()
      await server.stop()
      rmSync(directory, { recursive: true })
    },
  }
}
