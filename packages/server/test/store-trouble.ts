import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { RestartablePostgres } from './restartable-postgres.ts'
import { request, type ServerProcess, startServer } from './server-process.ts'
import { waitFor } from './webhooks/webhook-sink.ts'

/** PostgreSQL goes away under load; once for a moment, once for good. */

const EXPORT = readFileSync(
  fileURLToPath(
    new URL(
      '../../health/src/imports/formats/apple-health/fixtures/synthetic-30d-export.zip',
      import.meta.url,
    ),
  ),
)

/** What callers saw, by status; a connection that was cut off counts as `cut`. */
class Load {
  readonly statuses = new Map<number | 'cut', number>()
  readonly imports: { userId: string; id: string }[] = []
  readonly #server: ServerProcess
  readonly #name: string
  #isEnding = false
  #running: Promise<unknown> = Promise.resolve()
  #next = 0

  constructor(server: ServerProcess, name: string) {
    this.#server = server
    this.#name = name
  }

  start(): void {
    this.#running = Promise.all(Array.from({ length: 4 }, (_, number) => this.#run(number)))
  }

  async end(): Promise<void> {
    this.#isEnding = true
    await this.#running
  }

  async #run(number: number): Promise<void> {
    let userId: string | undefined
    while (!this.#isEnding && this.#server.child.exitCode === null) {
      userId ??= await this.#makeUser(number)
      if (userId !== undefined) await this.#useUser(userId)
      await sleep(100)
    }
  }

  async #makeUser(number: number): Promise<string | undefined> {
    this.#next += 1
    const name = `${this.#name}-${number}-${this.#next}`
    const made = await this.#call('POST', '/v2/user', { client_user_id: name })
    const userId = (made as { user_id?: string } | undefined)?.user_id
    if (userId === undefined) return undefined
    await this.#call('POST', '/v2/link/provider/manual/manual', { user_id: userId })
    return userId
  }

  async #useUser(userId: string): Promise<void> {
    this.#next += 1
    const at = new Date(Date.UTC(2026, 0, 1) + this.#next * 60).toISOString()
    const data = [{ value: 5, unit: 'count', start_date: at }]
    const upload = { stage: 'daily', provider: 'manual', data }
    await this.#call('POST', `/v2/timeseries/${userId}/steps`, upload)
    const steps = `/v2/timeseries/${userId}/steps/grouped?start_date=2024-01-01&end_date=2026-12-31`
    await this.#call('GET', steps)
    // Jobs that take a while: most of the time one or two of them run.
    const job = await this.#call('POST', `/v2/user/${userId}/import/apple_health`, EXPORT)
    if (job !== undefined) this.imports.push({ userId, id: (job as { id: string }).id })
  }

  async #call(method: string, path: string, body?: object): Promise<unknown> {
    try {
      const answer = await request(this.#server.baseUrl, method, path, body)
      this.#count(answer.status)
      return answer.status < 300 ? answer.body : undefined
    } catch {
      this.#count('cut')
      return undefined
    }
  }

  #count(status: number | 'cut'): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
  }
}

/** Anything but success and "not now" is a fault of ours. */
function assertOnlyRefusals({ statuses }: Load): void {
  const odd = [...statuses.keys()].filter(
    (status) => status !== 'cut' && status >= 300 && status !== 503,
  )
  assert.deepEqual(odd, [])
}

async function countRows(url: string, text: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return Number((await client.query(text)).rows[0].count)
  } finally {
    await client.end()
  }
}

const LOCKED_JOBS = 'select count(*) from graphile_worker.jobs where locked_by is not null'
const WAITING_EVENTS = 'select count(*) from waiting_events'

/**
 * Restarts the external database again and again while jobs run. The server stays up, answers 503
 * meanwhile, and goes on by itself with requests, jobs and events.
 */
export async function restartUnderLoad(
  t: TestContext,
  postgres: RestartablePostgres,
  directory: string,
  restarts: number,
): Promise<void> {
  const server = await startServer(directory, { DATABASE_URL: postgres.url })
  const load = new Load(server, 'restarted')
  try {
    load.start()
    for (let restart = 0; restart < restarts; restart += 1) {
      const done = load.imports.length
      await waitFor('imports', () => load.imports.length > done + 2, 60)
      await postgres.restart({ isOrderly: restart % 2 === 0, downMs: 200 + (restart % 5) * 300 })
      assert.equal(server.child.exitCode ?? server.child.signalCode, null, server.output())
    }
    const done = load.imports.length
    await waitFor('imports', () => load.imports.length > done + 2, 60)
    await load.end()
    const isDone = async () => (await unfinishedImports(server, load)) === 0
    // Whoever is hit by many restarts waits longer before each attempt, at last for minutes.
    await waitFor('every import to complete', isDone, 420)
    const url = postgres.directUrl()
    await waitFor('jobs', async () => (await countRows(url, LOCKED_JOBS)) === 0, 60)
    await waitFor('events', async () => (await countRows(url, WAITING_EVENTS)) === 0, 60)
    t.diagnostic(`${restarts} restarts: ${JSON.stringify([...load.statuses])}`)
    assertOnlyRefusals(load)
    assert.equal(load.statuses.get('cut'), undefined)
    assert.equal(await server.end('SIGTERM'), 0)
    assert.doesNotMatch(server.output(), /\n {4}at /)
  } finally {
    await load.end()
    await server.end('SIGKILL')
  }
}

async function unfinishedImports(server: ServerProcess, { imports }: Load): Promise<number> {
  let unfinished = 0
  for (const { userId, id } of imports) {
    const path = `/v2/user/${userId}/import/${id}`
    const { status } = (await request(server.baseUrl, 'GET', path)).body as { status: string }
    assert.notEqual(status, 'failed')
    if (status !== 'completed') unfinished += 1
  }
  return unfinished
}

/** Kills the embedded database under load; the process ends by itself, in order and in time. */
export async function killPostmasterUnderLoad(
  t: TestContext,
  directory: string,
  moment: number,
): Promise<void> {
  const server = await startServer(directory)
  const load = new Load(server, `killed-${moment}`)
  load.start()
  await waitFor('a load', () => (load.statuses.get(200) ?? 0) > 5, 60)
  await sleep(moment)
  const file = readFileSync(join(directory, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')
  const startedAt = performance.now()
  process.kill(Number.parseInt(file, 10), 'SIGKILL')
  const code = await Promise.race([server.ended, sleep(10_000, 'still there', { ref: false })])
  const ms = Math.round(performance.now() - startedAt)
  await server.end('SIGKILL')
  await load.end()
  t.diagnostic(`ended after ${ms} ms: ${JSON.stringify([...load.statuses])}`)
  assert.equal(code, 75, server.output())
  assertOnlyRefusals(load)
}
