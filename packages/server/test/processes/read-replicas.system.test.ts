import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '@salus/kernel/http/app-types'
import { createLogger } from '@salus/kernel/log'
import { Replicas } from '@salus/kernel/postgres/replicas/replicas'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { type CommandResult, startSalus } from '../../../cli/src/testing/salus-command.ts'
import { buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { openPostgres, openReplicas } from '../../src/open-postgres.ts'
import { createServices } from '../../src/services.ts'
import { createTestDatabase } from '../database.ts'
import { callerOf, createHarness, type Harness } from '../harness.ts'
import {
  type Primary,
  SCHEMA_VERSION,
  type StreamingReplica,
  startPrimary,
  startReplica,
} from './streaming-replica.ts'

/** Read replicas by real streaming replication, which the test pauses, kills and promotes. */

const MAX_LAG_SECONDS = 2

let primary: Primary
let replica: StreamingReplica
let harness: Harness
/** Of the harness, and of a second process on the same database. */
let replicas: Replicas
let otherReplicas: Replicas
let otherApp: App
let callOther: Harness['call']
/** Runs a command against the harness. */
let salus: (command: string) => Promise<CommandResult>

const open = async (url: string, more: { schemaVersion?: number } = {}) => {
  const log = createLogger('silent')
  const given = { urls: [url], primary, maxLagSeconds: MAX_LAG_SECONDS, poolSize: 5, log }
  const opened = new Replicas({ ...given, schemaVersion: SCHEMA_VERSION, ...more })
  await opened.start()
  return opened
}

before(async () => {
  primary = await startPrimary()
  replica = await startReplica(primary)
  replicas = await open(replica.url)
  otherReplicas = await open(replica.url)
  harness = await createHarness(
    {},
    { database: { ...primary, close: async () => {} }, openReplicas: async () => replicas },
  )
  const services = createServices({ ...harness.dependencies, replicas: otherReplicas })
  otherApp = await buildApp({ ...harness.dependencies, ...services })
  callOther = callerOf(otherApp, harness.apiKey)
  const environment = {
    SALUS_URL: await harness.app.listen({ port: 0, host: '127.0.0.1' }),
    SALUS_DATA_DIR: harness.config.dataDirectory,
    SALUS_API_KEY: harness.apiKey,
    SALUS_MANAGEMENT_KEY: harness.managementKey,
  }
  salus = (command) => startSalus([command], environment).result
})
after(async () => {
  await otherApp?.close()
  await harness?.close()
  await otherReplicas?.close()
  await replica?.close()
  await primary?.close()
})

/** Where the requests of a process that may read from a replica have read since the last call. */
function createCounter(of: Replicas): () => Promise<Record<string, number>> {
  const registry = new Registry()
  of.register(registry)
  let before: Record<string, number> = {}
  return async () => {
    const metric = registry.getSingleMetric('salus_postgres_replica_reads_total')
    const now: Record<string, number> = {}
    const since: Record<string, number> = {}
    for (const { labels, value } of (await metric?.get())?.values ?? []) {
      const outcome = String(labels.outcome)
      now[outcome] = value
      const count = value - (before[outcome] ?? 0)
      if (count > 0) since[outcome] = count
    }
    before = now
    return since
  }
}

async function createUser(name: string): Promise<void> {
  const { status, text } = await harness.call('POST', '/v2/user', { client_user_id: name })
  assert.equal(status, 200, text)
}

async function listNames(call: Harness['call']): Promise<string[]> {
  const { status, body, text } = await call('GET', '/v2/user?limit=500')
  assert.equal(status, 200, text)
  return body.users.map((user: { client_user_id: string }) => user.client_user_id)
}

/** Kinds of jobs, of which a test adds some past the routes. */
async function listKinds(): Promise<string[]> {
  const headers = { 'x-management-key': harness.managementKey }
  const { body } = await harness.call('GET', '/v1/operation/job_kind', undefined, headers)
  return body.data.map(({ kind }: { kind: string }) => kind)
}

const addJob = (kind: string) =>
  primary.pool.query("select graphile_worker.add_job($1, '{}'::json)", [kind])

async function waitUntil(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  seconds = 10,
): Promise<void> {
  const endsAt = performance.now() + seconds * 1000
  while (!(await isSo())) {
    assert.ok(performance.now() < endsAt, what)
    await sleep(50)
  }
}

const stateOf = (of = replicas) => of.list()[0]?.state

describe('read replicas', () => {
  test('get lists, which show what the client has just written through another process', async () => {
    const count = createCounter(otherReplicas)
    await count()
    const created: string[] = []
    for (let number = 0; number < 60; number += 1) {
      created.push(`written-${number}`)
      await createUser(`written-${number}`)
      assert.deepEqual((await listNames(callOther)).toSorted(), created.toSorted())
    }
    const { replica: fromReplica = 0, ...others } = await count()
    assert.ok(fromReplica > 40, `from the replica: ${fromReplica}, ${JSON.stringify(others)}`)
  })

  test('are listed by salus status and salus doctor', async () => {
    let [status, doctor] = [await salus('status'), await salus('doctor')]
    // On a busy machine it lags now and then, and both say so.
    const isWell = async () => {
      if (status.code === 0 && doctor.code === 0) return true
      ;[status, doctor] = [await salus('status'), await salus('doctor')]
      return false
    }
    await waitUntil(isWell, `both find nothing: ${status.stdout}${doctor.stdout}`, 60)
    assert.match(status.stdout, /^State +ok$/m)
    assert.match(status.stdout, /^ +replica 127\.0\.0\.1:\d+: ok, .* behind$/m)
    assert.match(doctor.stdout, /^ok +Store postgres_replicas responds$/m)
  })

  test('get a statement repeated on the primary that replay cancels', async () => {
    await replica.run("alter system set max_standby_streaming_delay = '0'")
    await replica.run('select pg_reload_conf()')
    const db = await replicas.choose('current')
    const slow = sql<{ is_replica: boolean }>`
      select pg_is_in_recovery() as is_replica, count(*), pg_sleep(0.5) from users`
    const reading = slow.execute(db)
    await sleep(100)
    await primary.pool.query('begin; lock table users in access exclusive mode; commit')
    assert.equal((await reading).rows[0]?.is_replica, false)
    const here = await sql<{ is_replica: boolean }>`
      select pg_is_in_recovery() as is_replica`.execute(db)
    assert.equal(here.rows[0]?.is_replica, false, 'the request stays on the primary')
    assert.equal(stateOf(), 'ok')
  })

  test('that pause give old figures of operation until the limit, and lists from the primary', async () => {
    await addJob('before_the_pause')
    await createUser('before-the-pause')
    await waitUntil(async () => (await listKinds()).includes('before_the_pause'), 'it is replayed')
    await replica.run('select pg_wal_replay_pause()')
    const pausedAt = performance.now()
    await addJob('after_the_pause')
    await createUser('after-the-pause')
    const count = createCounter(replicas)
    await count()
    assert.ok((await listNames(harness.call)).includes('after-the-pause'))
    assert.deepEqual(await count(), { behind: 1 })
    assert.equal((await listKinds()).includes('after_the_pause'), false)
    assert.deepEqual(await count(), { replica: 1 })
    await waitUntil(async () => (await listKinds()).includes('after_the_pause'), 'the limit')
    const seconds = (performance.now() - pausedAt) / 1000
    assert.ok(seconds > MAX_LAG_SECONDS - 1 && seconds < MAX_LAG_SECONDS + 20, `${seconds} s`)
    await waitUntil(() => stateOf() === 'lagging', 'it is named')
    const { status, body } = await harness.call('GET', '/health/ready')
    assert.equal(status, 200)
    assert.deepEqual([body.status, body.stores.postgres_replicas], ['degraded', 'degraded'])
    await replica.run('select pg_wal_replay_resume()')
    await waitUntil(() => stateOf() === 'ok', 'it catches up')
  })

  test('that are killed under load fail no request, and are used again when they return', async () => {
    const names = await listNames(harness.call)
    const failed: unknown[] = []
    let isOver = false
    const read = async () => {
      while (!isOver) {
        const found = await listNames(harness.call).catch((error) => failed.push(error))
        if (Array.isArray(found) && found.length !== names.length) failed.push(found.length)
      }
    }
    const readers = [read(), read(), read(), read()]
    await sleep(300)
    await replica.kill()
    await waitUntil(() => stateOf() === 'unreachable', 'it is named')
    isOver = true
    await Promise.all(readers)
    assert.deepEqual(failed, [])
    const headers = { 'x-management-key': harness.managementKey }
    const { body } = await harness.call('GET', '/v1/operation/status', undefined, headers)
    assert.equal(body.postgres_replicas[0].state, 'unreachable')
    const [status, doctor] = [await salus('status'), await salus('doctor')]
    assert.deepEqual([status.code, doctor.code], [1, 1])
    assert.match(status.stdout, /^State +degraded: postgres_replicas is degraded$/m)
    assert.match(status.stdout, /^ +replica 127\.0\.0\.1:\d+: UNREACHABLE$/m)
    assert.match(doctor.stdout, /^PROBLEM +Store postgres_replicas is degraded$/m)
    assert.match(doctor.stdout, /the primary does the work of its replicas/)
    await replica.restart()
    await waitUntil(() => stateOf() === 'ok', 'it returns')
    const count = createCounter(replicas)
    await count()
    await listNames(harness.call)
    assert.deepEqual(await count(), { replica: 1 })
  })

  test('are not used where they are none of this database, which is named', async () => {
    const other = await createTestDatabase()
    const cases = [
      { url: primary.url, state: 'is_primary' },
      { url: other.url, state: 'other_cluster' },
      { url: replica.url, schemaVersion: SCHEMA_VERSION + 1, state: 'old_schema' },
      { url: 'postgres://salus@127.0.0.1:1/salus', state: 'unreachable' },
    ]
    for (const { url, state, ...more } of cases) {
      const opened = await open(url, more)
      assert.equal(stateOf(opened), state)
      assert.equal(await opened.choose('current'), primary.db)
      assert.equal(await opened.choose('lagging'), primary.db)
      await opened.close()
    }
    await other.close()
  })

  test('are opened by their setting, which needs an external primary', async () => {
    const settings = {
      DATABASE_URL: primary.url,
      DATABASE_REPLICA_URL: `${replica.url}, ${primary.url}`,
    }
    const lines: string[] = []
    const options = {
      config: readConfig(settings),
      log: createLogger('info', { write: (line) => lines.push(line) }),
      closers: [],
      checkpoint: () => undefined,
      onStoreLost: () => undefined,
    }
    const opened = await openReplicas(options, primary, SCHEMA_VERSION)
    assert.deepEqual(
      opened?.list().map(({ state }) => state),
      ['ok', 'is_primary'],
    )
    assert.match(lines.join(''), /"state":"is_primary".*DATABASE_REPLICA_URL leads to the server/)
    await opened?.close()
    const { DATABASE_URL: _, ...alone } = settings
    const refused = openPostgres({ ...options, config: readConfig(alone) })
    await assert.rejects(refused, /^StartupError: DATABASE_REPLICA_URL needs DATABASE_URL/)
    assert.throws(() => readConfig({ ...settings, DATABASE_REPLICA_URL: 'mysql://replica' }), {
      message: /^DATABASE_REPLICA_URL must be a URL that starts with postgres/,
    })
  })

  test('that are promoted are not used any more', async () => {
    await replica.run('select pg_promote()')
    await waitUntil(() => stateOf() === 'promoted', 'it is named')
    await createUser('after-the-promotion')
    assert.ok((await listNames(harness.call)).includes('after-the-promotion'))
  })
})
