import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openRemoteClickHouse } from '@salus/kernel/clickhouse/remote-clickhouse'
import type { FileStore } from '@salus/kernel/files/file-store'
import { openS3FileStore } from '@salus/kernel/files/s3-file-store'
import { startSalus } from '../../../cli/src/testing/salus-command.ts'
import { startTestCluster, type TestCluster } from '../clickhouse-cluster.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { makeUser, readAll, samples } from '../kill-during-uploads.ts'
import { S3_CREDENTIALS, startTestBucket, type TestBucket } from '../s3-server.ts'
import { request, type ServerProcess, startServer } from '../server-process.ts'
import { emptyDatabase, startMove } from './fleet.ts'

const PEOPLE = 10
const SAMPLES = 120
const FILES = 8
const FILE_BYTES = 200_000

let directory: string
let data: string
let database: TestDatabase
let cluster: TestCluster
let bucket: TestBucket
let files: FileStore
let targets: Record<string, string>
const users: string[] = []
const running: ServerProcess[] = []

async function start(settings: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServer(data, settings)
  running.push(server)
  return server
}

before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'salus-move-cluster-'))
  data = join(directory, 'data')
  ;[cluster, database, bucket] = await Promise.all([
    startTestCluster(2),
    createTestDatabase(),
    startTestBucket(join(directory, 's3'), 'moved'),
  ])
  await emptyDatabase(database.url)
  files = openS3FileStore({
    location: { ...bucket, prefix: 'salus/', region: 'us-east-1' },
    credentials: S3_CREDENTIALS,
    copiesFolder: join(directory, 'copies'),
  })
  targets = {
    DATABASE_URL: database.url,
    CLICKHOUSE_URL: cluster.urls.map((url) => `${url}/moved`).join(),
    CLICKHOUSE_CLUSTER: 'shards_2',
    SALUS_FILES_URL: `s3://moved/salus?region=us-east-1&endpoint=${bucket.endpoint}`,
    AWS_ACCESS_KEY_ID: S3_CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: S3_CREDENTIALS.secretAccessKey,
  }
})
after(async () => {
  await Promise.all(running.map(({ end }) => end('SIGKILL')))
  await bucket?.close()
  await cluster?.stop()
  await database?.close()
  rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
})

const move = (settings: Record<string, string>) =>
  startSalus(['--data-dir', data, 'move'], settings).result

/** Names of what was moved and found to be equal. */
const readDone = (): string[] =>
  existsSync(join(data, 'move.json'))
    ? Object.keys(JSON.parse(readFileSync(join(data, 'move.json'), 'utf8')).done)
    : []

const countFiles = async (): Promise<number> => (await Array.fromAsync(files.list())).length

/** Kills a move as soon as it is so far, before its end. */
async function killMove(isSoFar: () => boolean | Promise<boolean>): Promise<void> {
  const moving = startMove(data, targets)
  const ended = once(moving, 'close')
  while (moving.exitCode === null && !(await isSoFar())) await sleep(2)
  moving.kill('SIGKILL')
  const [, signal] = await ended
  assert.equal(signal, 'SIGKILL')
}

const isOfClickHouse = (name: string): boolean => name.startsWith('clickhouse ')

test('a data directory holds samples of people, and files', async () => {
  const server = await start()
  for (let n = 0; n < PEOPLE; n += 1) users.push(await makeUser(server.baseUrl, `mover-${n}`))
  for (const userId of users) {
    const body = { stage: 'daily', provider: 'manual', data: samples(0, SAMPLES) }
    const stored = await request(server.baseUrl, 'POST', `/v2/timeseries/${userId}/steps`, body)
    assert.equal(stored.status, 200)
  }
  assert.equal(await server.end('SIGTERM'), 0)
  mkdirSync(join(data, 'files', 'results'), { recursive: true })
  for (let n = 0; n < FILES; n += 1) {
    writeFileSync(join(data, 'files', 'results', `${n}.pdf`), Buffer.alloc(FILE_BYTES, `pdf ${n}`))
  }
})

test('a move into a cluster is killed among the tables of ClickHouse', async () => {
  await killMove(() => readDone().some(isOfClickHouse))
  assert.equal(await countFiles(), 0)
})

test('it is not gone on with into one server of the cluster, or another list of them', async () => {
  const [first = ''] = cluster.urls
  const alone = { ...targets, CLICKHOUSE_URL: `${first}/moved`, CLICKHOUSE_CLUSTER: '' }
  const refused = await move(alone)
  assert.deepEqual([refused.code, refused.stdout], [1, ''])
  assert.match(refused.stderr, /^salus: .* one shard of several.* Set CLICKHOUSE_CLUSTER\.\n$/)
  const elsewhere = await move({ ...targets, CLICKHOUSE_CLUSTER: 'reversed' })
  assert.match(
    elsewhere.stderr,
    /^salus: An earlier move into .* with CLICKHOUSE_CLUSTER=shards_2 is/,
  )
})

test('it goes on, and is killed among files too', async () => {
  await killMove(async () => (await countFiles()) > 0)
  assert.ok((await countFiles()) < FILES)
})

test('it comes to its end, and all that was there is in the cluster and the bucket', async () => {
  const moved = await move(targets)
  assert.equal(moved.code, 0, moved.stderr)
  assert.match(moved.stdout, /^ClickHouse {2}\d+ tables, 1,200 rows: equal$/m)
  assert.match(moved.stdout, /^Files {7}8 files, 1,600,000 bytes: equal$/m)
  for (let n = 0; n < FILES; n += 1) {
    assert.deepEqual(await files.read('results', `${n}.pdf`), Buffer.alloc(FILE_BYTES, `pdf ${n}`))
  }
})

test('each person is on one shard, and is read and written as before', async () => {
  const held: string[][] = []
  for (const url of cluster.urls) {
    const shard = await openRemoteClickHouse({ url: `${url}/moved` })
    const rows = await shard.queryRows<{ user_id: string }>('select distinct user_id from samples')
    held.push(rows.map(({ user_id }) => user_id))
    await shard.close()
  }
  assert.ok(held.every((those) => those.length > 0))
  assert.deepEqual(held.flat().toSorted(), users.toSorted())

  const server = await start(targets)
  for (const userId of users) {
    assert.equal((await readAll(server.baseUrl, userId)).size, SAMPLES)
    const again = { stage: 'daily', provider: 'manual', data: samples(0, SAMPLES + 1) }
    const { body } = await request(server.baseUrl, 'POST', `/v2/timeseries/${userId}/steps`, again)
    const { inserted, unchanged } = body as { inserted: number; unchanged: number }
    assert.deepEqual([inserted, unchanged], [1, SAMPLES])
  }
  assert.equal(await server.end('SIGTERM'), 0)
})
