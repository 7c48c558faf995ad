import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createBackupFixture, silent } from '../../../server/test/backup/backup-fixture.ts'
import { assertOfItsInstant, takeUnderLoad } from '../../../server/test/backup/traffic.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { checksumClickHouseTable, listClickHouseTables } from '../store-copy/clickhouse-copy.ts'
import { checksumPostgresTable, listPostgresTables, nameOf } from '../store-copy/postgres-copy.ts'
import { paddedLength } from './backup-archive.ts'
import {
  BackupArchive,
  type BackupSource,
  keepNewest,
  listBackups,
  restoreBackup,
  takeBackup,
  verifyBackup,
} from './index.ts'

const fixture = useFixture(createBackupFixture)

/** Everything that stores hold, by table and file. */
async function readAll({ pool, clickhouse, files }: BackupSource) {
  const found: Record<string, unknown> = {}
  const client = await pool.connect()
  await client.query('begin')
  for (const table of await listPostgresTables(client)) {
    found[nameOf(table)] = await checksumPostgresTable(client, table)
  }
  await client.query('rollback')
  client.release()
  for (const table of await listClickHouseTables(clickhouse)) {
    found[table.name] = await checksumClickHouseTable(clickhouse, table)
  }
  for await (const { kind, name } of files.list()) {
    found[`${kind}/${name}`] = (await files.read(kind, name)).toString('base64')
  }
  return found
}

test('a backup under load holds all that was acknowledged before its instant, and nothing without its event', async () => {
  const { traffic, manifests } = await takeUnderLoad(fixture, 1)
  for (const manifest of manifests) await assertOfItsInstant(fixture, manifest, traffic)
})

test('a backup restored from a bucket is equal to its source, row by row and file by file, through removals while it is taken', async () => {
  const { harness, source, keys, makeEmptyStores, openBucket } = fixture
  const files: [string, Buffer][] = [
    ['empty', Buffer.alloc(0)],
    ['short', Buffer.from('ä')],
    ['long', randomBytes(3 * 1024 ** 2 + 5)],
  ]
  for (const [name, content] of files) await harness.files.write('results', name, content, 1e9)
  const expected = await readAll(source)
  const kept = harness.dependencies.files
  let removed = 0
  const bucket = await openBucket()
  const { manifest } = await takeBackup(source, bucket, keys, () => {
    if (removed++ === 0) void kept.remove('results', 'long')
  })
  assert.ok(removed > 0)
  const [listed] = await listBackups(bucket)
  assert.deepEqual([listed?.id, listed?.isComplete], [manifest.id, true])
  const archive = new BackupArchive(bucket, manifest.id, keys)
  assert.equal((await verifyBackup(archive, silent)).files.rows, 3)
  const stores = await makeEmptyStores()
  await restoreBackup(stores, archive, silent)
  const found = await readAll(stores)
  assert.deepEqual(found, expected)
  // The job that removes what was kept for the backup is made after its instant.
  const { rows } = await harness.database.pool.query(
    "select from graphile_worker.jobs where task_identifier = 'remove_file_after_backup'",
  )
  assert.equal(rows.length, 1)
  assert.equal(
    (
      await harness.clickhouse.queryRows(
        "select 1 as is_left from system.tables where name like 'backup_of_%'",
      )
    ).length,
    0,
  )
})

test('nothing in a backup can be read, and one that was changed, cut or mixed is refused', async () => {
  const { target, where, take, archiveOf } = fixture
  const { manifest } = await take()
  const folder = join(where, manifest.id)
  for (const name of readdirSync(folder)) {
    const content = readFileSync(join(folder, name))
    assert.ok(!content.includes('Moreau') && !content.includes('client_user_id'), name)
    assert.match(name, /^(manifest|[0-9a-f]{32})$/)
  }
  const partOf = (wanted: string) =>
    manifest.tables.find(({ schema, table }) => schema === 'public' && table === wanted)?.name ?? ''
  const path = join(folder, partOf('users'))
  const whole = readFileSync(path)
  const other = readFileSync(join(folder, partOf('orders')))
  for (const broken of [whole.subarray(0, -1), other, Buffer.concat([whole, whole])]) {
    writeFileSync(path, broken)
    const named = new RegExp(partOf('users'))
    await assert.rejects(verifyBackup(archiveOf(manifest), silent), named)
  }
  rmSync(path)
  await assert.rejects(verifyBackup(archiveOf(manifest), silent), /is missing/)
  const wrong = new BackupArchive(target, manifest.id, [randomBytes(32)])
  await assert.rejects(verifyBackup(wrong, silent), /another secret key/)
  rmSync(folder, { recursive: true })
})

test('the names, sizes and times of its files do not reveal which table is which', async () => {
  const { where, take } = fixture
  const { manifest } = await take()
  const folder = join(where, manifest.id)
  const files = manifest.tables.map(({ name, bytes }) => {
    const { size, mtimeMs } = statSync(join(folder, name))
    return { name, bytes, size, mtimeMs }
  })
  // Tables without a row and with dozens of them have files of one size.
  const small = files.filter(({ bytes }) => bytes < 8_000)
  assert.ok(small.some(({ bytes }) => bytes === 0) && small.some(({ bytes }) => bytes > 500))
  assert.equal(new Set(small.map(({ size }) => size)).size, 1)
  const written = files.toSorted((a, b) => a.mtimeMs - b.mtimeMs)
  assert.notDeepEqual(written, files)
  rmSync(folder, { recursive: true })
})

test('lengths are rounded up by an eighth at most, to few that there are', () => {
  const lengths = Array.from({ length: 4000 }, (_, index) => 16_384 + index * 997)
  for (const length of lengths) {
    const padded = paddedLength(length)
    assert.ok(padded >= length && padded <= length * 1.125, `${length} ${padded}`)
  }
  assert.ok(new Set(lengths.map(paddedLength)).size < 250)
})

test('a restore refuses what is there and what is newer, and goes on after an interruption', async () => {
  const { target, keys, take, archiveOf, makeEmptyStores } = fixture
  const { manifest } = await take()
  const archive = archiveOf(manifest)
  const stores = await makeEmptyStores()
  const older = { ...stores.migrations, postgres: stores.migrations.postgres.slice(0, -1) }
  await assert.rejects(
    restoreBackup({ ...stores, migrations: older }, archive, silent),
    /newer Salus/,
  )
  const interrupted = restoreBackup(stores, archive, ({ what }) => {
    if (what === 'postgres.public.users') throw new Error('killed')
  })
  await assert.rejects(interrupted, /killed/)
  const other = new BackupArchive(target, (await take()).manifest.id, keys)
  await assert.rejects(restoreBackup(stores, other, silent), /only partly restored/)
  const { clickhouse } = await makeEmptyStores()
  const elsewhere = restoreBackup({ ...stores, clickhouse }, archive, silent)
  await assert.rejects(elsewhere, /began with another ClickHouse/)
  await restoreBackup(stores, archive, silent)
  await assert.rejects(restoreBackup(stores, archive, silent), /PostgreSQL and ClickHouse and the/)
  assert.equal(
    (await stores.pool.query('select from users')).rowCount,
    manifest.tables.find(({ table }) => table === 'users')?.rows,
  )
})

test('two backups are not taken at once, one that fails leaves nothing, and the newest are kept', async () => {
  const { source, target, keys, take } = fixture
  const both = await Promise.allSettled([take(), take()])
  const refused = both.filter((outcome) => outcome.status === 'rejected')
  assert.equal(refused.length, 1)
  assert.match(String(refused[0]?.reason), /Another backup/)
  const known = await listBackups(target)
  const failing = takeBackup(source, target, keys, ({ what }) => {
    if (what === 'clickhouse.samples') throw new Error('no room')
  })
  await assert.rejects(failing, /no room/)
  const left = await listBackups(target)
  assert.deepEqual(left, known)
  assert.ok(known.every(({ isComplete }) => isComplete) && known.length > 2)
  const removed = await keepNewest(target, 2, new Date())
  assert.deepEqual(
    removed,
    known.slice(0, -2).map(({ id }) => id),
  )
  assert.deepEqual(await listBackups(target), known.slice(-2))
})
