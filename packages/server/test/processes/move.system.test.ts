import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSalus } from '../../../cli/src/testing/salus-command.ts'
import { type ClickHouseServer, startClickHouseServer } from '../clickhouse-server.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { makeUser, readAll, samples } from '../kill-during-uploads.ts'
import { readRefusal } from '../refused-stores.ts'
import { request, type ServerProcess, startServer } from '../server-process.ts'
import { emptyDatabase, startMove } from './fleet.ts'

const SAMPLES = 3000

let directory: string
let data: string
let database: TestDatabase
let clickhouse: ClickHouseServer
let targets: Record<string, string>
let userId: string
const running: ServerProcess[] = []

async function start(settings: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServer(data, settings)
  running.push(server)
  return server
}

before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'salus-move-'))
  data = join(directory, 'data')
  ;[clickhouse, database] = await Promise.all([startClickHouseServer(), createTestDatabase()])
  await emptyDatabase(database.url)
  targets = {
    DATABASE_URL: database.url,
    CLICKHOUSE_URL: `${clickhouse.url}/moved`,
    SALUS_FILES_URL: `file://${join(directory, 'files')}`,
  }
  const server = await start()
  userId = await makeUser(server.baseUrl, 'mover')
  await makeUser(server.baseUrl, `tab\tnewline\n\\N 'ä'`)
  const body = { stage: 'daily', provider: 'manual', data: samples(0, SAMPLES) }
  const stored = await request(server.baseUrl, 'POST', `/v2/timeseries/${userId}/steps`, body)
  assert.equal(stored.status, 200)
  mkdirSync(join(data, 'files', 'results'), { recursive: true })
  writeFileSync(join(data, 'files', 'results', 'a.pdf'), Buffer.alloc(300_000, 'pdf'))
})
after(async () => {
  await Promise.all(running.map(({ end }) => end('SIGKILL')))
  await clickhouse?.stop()
  await database?.close()
  rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
})

const run = (settings: Record<string, string>, ...values: string[]) =>
  startSalus(['--data-dir', data, 'move', ...values], settings).result

/** Names of what was moved and found to be equal. */
const readDone = (): string[] =>
  existsSync(join(data, 'move.json'))
    ? Object.keys(JSON.parse(readFileSync(join(data, 'move.json'), 'utf8')).done)
    : []

test('nothing is moved from under a running server, without a target, or where something is', async () => {
  const whileRunning = await run(targets)
  assert.deepEqual([whileRunning.code, whileRunning.stdout], [1, ''])
  assert.match(whileRunning.stderr, /^salus: Another Salus process uses the data directory/)
  assert.equal(await running[0]?.end('SIGTERM'), 0)

  assert.match(
    (await run({})).stderr,
    /^salus: Set DATABASE_URL, CLICKHOUSE_URL and SALUS_FILES_URL/,
  )
  assert.match((await run(targets, '--only', 'postgres,keys')).stderr, /^salus: Only postgres, /)

  await database.pool.query('create table of_somebody_else (id integer)')
  const refused = await run(targets)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /is not empty\. Set DATABASE_URL/)
  // A password is in no message.
  assert.ok(!refused.stderr.includes(new URL(database.url).password || 'no password'))
  await database.pool.query('drop table of_somebody_else')
  const { rows } = await database.pool.query("select from pg_tables where schemaname = 'public'")
  assert.equal(rows.length, 0)
  assert.deepEqual(readDone(), [])
})

test('a move that was killed goes on where it was, and all that was there is in the targets', async () => {
  const killed = startMove(data, targets)
  while (readDone().length < 25 && killed.exitCode === null) await sleep(2)
  const ended = once(killed, 'close')
  killed.kill('SIGKILL')
  await ended
  const before = readDone()
  assert.ok(before.length >= 25)
  assert.ok(!before.some((name) => name.startsWith('clickhouse')))

  const moved = await run(targets)
  assert.equal(moved.code, 0, moved.stderr)
  assert.match(moved.stdout, /^PostgreSQL {2}\d+ tables, [\d,]+ rows: equal$/m)
  assert.match(moved.stdout, /^ClickHouse {2}\d+ tables, 3,000 rows: equal$/m)
  assert.match(moved.stdout, /^Files {7}1 file, 300,000 bytes: equal$/m)
  assert.deepEqual(readDone().slice(0, before.length), before)
  const copied = readFileSync(join(directory, 'files', 'results', 'a.pdf'))
  assert.deepEqual(copied, Buffer.alloc(300_000, 'pdf'))

  assert.match((await run(targets)).stderr, /^salus: These data were moved at 2/)
})

test('Salus goes on in the new stores with all of it, and refuses to go on with what was left', async () => {
  assert.match(await readRefusal(data, {}), /were moved to another store\. Set DATABASE_URL\. /)
  const part = await readRefusal(data, { DATABASE_URL: targets.DATABASE_URL ?? '' })
  assert.match(part, /were moved to another store\. Set CLICKHOUSE_URL\. /)

  const server = await start(targets)
  assert.equal((await readAll(server.baseUrl, userId)).size, SAMPLES)
  const again = { stage: 'daily', provider: 'manual', data: samples(0, SAMPLES + 1) }
  const { body } = await request(server.baseUrl, 'POST', `/v2/timeseries/${userId}/steps`, again)
  const { inserted, unchanged } = body as { inserted: number; unchanged: number }
  assert.deepEqual([inserted, unchanged], [1, SAMPLES])
  const users = await request(server.baseUrl, 'GET', '/v2/user')
  const names = (users.body as { users: { client_user_id: string }[] }).users
  assert.deepEqual(names.map((user) => user.client_user_id).toSorted(), [
    'mover',
    `tab\tnewline\n\\N 'ä'`,
  ])
  assert.equal(await server.end('SIGTERM'), 0)
})
