import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type ClickHouseServer, startClickHouseServer } from '../../test/clickhouse-server.ts'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { createHarness, type Harness } from '../../test/harness.ts'
import { orderBody, startingLabTests } from '../../test/orders/order-bodies.ts'
import type { ClickHouse } from '../platform/clickhouse/clickhouse.ts'
import { openRemoteClickHouse } from '../platform/clickhouse/remote-clickhouse.ts'
import { unpackBody } from '../platform/events/event-body.ts'
import { type FileStore, openFileStore } from '../platform/files/file-store.ts'
import { migrateJobs } from '../platform/jobs/jobs.ts'
import { createLogger } from '../platform/log.ts'
import { readMigrations } from '../platform/migrations.ts'
import {
  checksumClickHouseTable,
  listClickHouseTables,
} from '../platform/store-copy/clickhouse-copy.ts'
import {
  checksumPostgresTable,
  listPostgresTables,
  nameOf,
} from '../platform/store-copy/postgres-copy.ts'
import { MIGRATIONS_FOLDER } from '../stores.ts'
import {
  BackupArchive,
  type BackupManifest,
  keepNewest,
  listBackups,
  restoreBackup,
  takeBackup,
  verifyBackup,
} from './index.ts'
import type { RestoreTarget } from './restore-backup.ts'

const EPOCH = Date.parse('2026-01-01T00:00:00Z')
const directory = mkdtempSync(join(tmpdir(), 'salus-backups-'))
const where = join(directory, 'backups')
const target = openFileStore(where)
const keys = [randomBytes(32)]
const silent = (): void => {}

let harness: Harness
let server: ClickHouseServer
let made = 0
const undo: (() => Promise<unknown>)[] = []

before(async () => {
  ;[harness, server] = await Promise.all([
    createHarness({}, { poolSize: 8 }),
    startClickHouseServer(),
  ])
})
after(async () => {
  for (const close of undo.reverse()) await close()
  await harness?.close()
  await server?.stop()
  rmSync(directory, { recursive: true })
})

const source = () => ({
  pool: harness.database.pool,
  clickhouse: harness.clickhouse,
  files: harness.files,
})
const take = () => takeBackup(source(), target, keys, silent)
const archiveOf = ({ id }: Pick<BackupManifest, 'id'>) => new BackupArchive(target, id, keys)

interface EmptyStores extends RestoreTarget {
  database: TestDatabase
  clickhouse: ClickHouse
  files: FileStore
}

/** External stores that nobody used. */
async function makeEmptyStores(): Promise<EmptyStores> {
  made += 1
  const database = await createTestDatabase()
  await database.pool.query(
    'drop schema public cascade; drop schema graphile_worker cascade; create schema public',
  )
  const clickhouse = await openRemoteClickHouse({ url: `${server.url}/restored_${made}` })
  undo.push(
    () => database.close(),
    () => clickhouse.close(),
  )
  return {
    database,
    pool: database.pool,
    clickhouse,
    files: openFileStore(join(directory, `files-${made}`)),
    migrateJobs: () => migrateJobs(database.pool, createLogger('silent')),
    migrations: {
      postgres: readMigrations(join(MIGRATIONS_FOLDER, 'postgres')),
      clickhouse: readMigrations(join(MIGRATIONS_FOLDER, 'clickhouse')),
    },
  }
}

/** Everything that stores hold, by table and file. */
async function readAll({
  pool,
  clickhouse,
  files,
}: Pick<RestoreTarget, 'pool' | 'clickhouse' | 'files'>) {
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

interface Traffic {
  /** Number of an upload, or id of an order, and when it was acknowledged. */
  uploads: Map<number, number>
  orders: Map<string, number>
  stop(): Promise<void>
}

const SAMPLES = 20

/** Two clients that upload and one that orders, one request after the other, until they are told to stop. */
async function startTraffic(): Promise<Traffic> {
  const userId = await harness.makeUser('manual')
  const { walk_in_test: labTest } = await startingLabTests(harness)
  const uploads = new Map<number, number>()
  const orders = new Map<string, number>()
  let [isStopped, next] = [false, 0]
  const upload = async (): Promise<void> => {
    while (!isStopped) {
      const first = next
      next += SAMPLES
      const data = Array.from({ length: SAMPLES }, (_, index) => ({
        ...{ value: first + index + 1, unit: 'count' },
        start_date: new Date(EPOCH + (first + index) * 1000).toISOString(),
      }))
      const body = { stage: 'daily', provider: 'manual', data }
      const answer = await harness.call('POST', `/v2/timeseries/${userId}/steps`, body)
      assert.equal(answer.status, 200, answer.text)
      uploads.set(first, Date.now())
    }
  }
  const order = async (): Promise<void> => {
    while (!isStopped) {
      const answer = await harness.call('POST', '/v3/order', orderBody(userId, labTest))
      assert.equal(answer.status, 200, answer.text)
      orders.set(answer.body.order.id, Date.now())
    }
  }
  const running = Promise.all([upload(), upload(), order()])
  const stop = async () => {
    isStopped = true
    await running
  }
  while (uploads.size < 10 || orders.size < 2)
    await new Promise((resolve) => setTimeout(resolve, 5))
  return { uploads, orders, stop }
}

/** Values of samples that events tell of, and those that are still to be told of. */
async function listToldValues({ pool }: RestoreTarget): Promise<Set<number>> {
  const told = new Set<number>()
  const { rows: events } = await pool.query(
    "select body from events where event_type like 'daily.data.steps.%'",
  )
  for (const { body } of events) {
    const { data } = JSON.parse(unpackBody(body).toString())
    for (const { value } of data.data) told.add(value)
  }
  const { rows: pending } = await pool.query(
    "select range_start, range_end from pending_publications where resource = 'steps'",
  )
  for (const { range_start, range_end } of pending) {
    for (let at = range_start.getTime(); at <= range_end.getTime(); at += 1000) {
      told.add((at - EPOCH) / 1000 + 1)
    }
  }
  return told
}

test('a backup under load holds all that was acknowledged before its instant, and nothing without its event', async () => {
  const traffic = await startTraffic()
  const backups = [await take()]
  const after = Date.now()
  while (traffic.uploads.size === 0 || Math.max(...traffic.uploads.values()) < after) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await traffic.stop()
  for (const { manifest } of backups) {
    const stores = await makeEmptyStores()
    await restoreBackup(stores, archiveOf(manifest), silent)
    const instant = Date.parse(manifest.taken_at)
    const rows = await stores.clickhouse.queryRows<{ value: number }>(
      'select value from samples final',
    )
    const stored = new Set(rows.map(({ value }) => value))
    const before = [...traffic.uploads].filter(([, at]) => at < instant)
    assert.ok(before.length > 0 && before.length < traffic.uploads.size)
    for (const [first] of before) {
      for (let n = 1; n <= SAMPLES; n += 1)
        assert.ok(stored.has(first + n), `sample ${first + n} is lost`)
    }
    const told = await listToldValues(stores)
    assert.deepEqual(
      [...stored].filter((value) => !told.has(value)),
      [],
    )
    const found = await stores.pool.query('select id from orders')
    const ids = new Set(found.rows.map(({ id }) => id))
    for (const [id, at] of traffic.orders) if (at < instant) assert.ok(ids.has(id))
    assert.ok(ids.size < traffic.orders.size, 'what came after the instant is not in')
  }
})

test('a restored backup is equal to its source, row by row and file by file, through removals while it is taken', async () => {
  const files: [string, Buffer][] = [
    ['empty', Buffer.alloc(0)],
    ['short', Buffer.from('ä')],
    ['long', randomBytes(3 * 1024 ** 2 + 5)],
  ]
  for (const [name, content] of files) await harness.files.write('results', name, content, 1e9)
  const expected = await readAll(source())
  const kept = harness.dependencies.files
  let removed = 0
  const { manifest } = await takeBackup(source(), target, keys, () => {
    if (removed++ === 0) void kept.remove('results', 'long')
  })
  assert.ok(removed > 0)
  const archive = archiveOf(manifest)
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
  const { manifest } = await take()
  const folder = join(where, manifest.id)
  for (const name of readdirSync(folder)) {
    const content = readFileSync(join(folder, name))
    assert.ok(!content.includes('Moreau') && !content.includes('client_user_id'), name)
  }
  const path = join(folder, 'postgres.public.users')
  const whole = readFileSync(path)
  const other = readFileSync(join(folder, 'postgres.public.orders'))
  for (const broken of [whole.subarray(0, -1), other, Buffer.concat([whole, whole])]) {
    writeFileSync(path, broken)
    await assert.rejects(verifyBackup(archiveOf(manifest), silent), /postgres\.public\.users/)
  }
  rmSync(path)
  await assert.rejects(verifyBackup(archiveOf(manifest), silent), /is missing/)
  const wrong = new BackupArchive(target, manifest.id, [randomBytes(32)])
  await assert.rejects(verifyBackup(wrong, silent), /another secret key/)
  rmSync(folder, { recursive: true })
})

test('a restore refuses what is there and what is newer, and goes on after an interruption', async () => {
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
  await assert.rejects(restoreBackup(stores, other, silent), /half restored/)
  await restoreBackup(stores, archive, silent)
  await assert.rejects(restoreBackup(stores, archive, silent), /PostgreSQL and ClickHouse and the/)
  assert.equal(
    (await stores.pool.query('select from users')).rowCount,
    manifest.tables.find(({ table }) => table === 'users')?.rows,
  )
})

test('two backups are not taken at once, one that fails leaves nothing, and the newest are kept', async () => {
  const first = take()
  await assert.rejects(
    takeBackup(source(), target, keys, () => assert.fail('the second began')),
    /Another backup/,
  )
  await first
  const known = await listBackups(target)
  const failing = takeBackup(source(), target, keys, ({ what }) => {
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
