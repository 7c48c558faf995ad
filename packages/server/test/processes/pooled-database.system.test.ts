import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { StartupError } from '@salus/kernel/errors'
import { openDatabase } from '@salus/kernel/postgres/database'
import { checkPooling, poolingOf } from '@salus/kernel/postgres/pooling'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { makeUser, readAll, samples } from '../kill-during-uploads.ts'
import { orderBody } from '../orders/order-bodies.ts'
import { request, runServer, type ServerProcess } from '../server-process.ts'
import { openSink, waitFor } from '../webhooks/webhook-sink.ts'
import { createFleet, type Fleet, MANAGEMENT_KEY } from './fleet.ts'
import { noPgBouncer, type PgBouncer, startPgBouncer } from './pgbouncer.ts'

describe('the way to PostgreSQL', { skip: noPgBouncer }, () => {
  let database: TestDatabase
  let other: TestDatabase
  let transactions: PgBouncer
  let sessions: PgBouncer
  let statements: PgBouncer
  before(async () => {
    database = await createTestDatabase()
    other = await createTestDatabase()
    transactions = await startPgBouncer(database.url, { pool_mode: 'transaction' })
    sessions = await startPgBouncer(database.url, { pool_mode: 'session' })
    statements = await startPgBouncer(database.url, { pool_mode: 'statement' })
  })
  after(async () => {
    for (const pooler of [transactions, sessions, statements]) await pooler?.stop()
    await database?.close()
    await other?.close()
  })

  /** Returns how a process with these addresses reaches it, or why it does not start. */
  async function check(url: string, directUrl?: string): Promise<string> {
    const { pool, close } = openDatabase({ url, directUrl, poolSize: 2 })
    try {
      await checkPooling(pool, directUrl !== undefined)
      const { mode, preparesStatements } = poolingOf(pool)
      return `${mode}, ${preparesStatements ? 'prepared' : 'not prepared'}`
    } catch (error) {
      assert.ok(error instanceof StartupError, String(error))
      return error.message
    } finally {
      await close()
    }
  }

  test('is found: direct, by pooled sessions, by pooled transactions', async () => {
    assert.equal(await check(database.url), 'none, prepared')
    assert.equal(await check(database.url, database.url), 'none, prepared')
    assert.equal(await check(sessions.url), 'session, prepared')
    assert.equal(await check(transactions.url, database.url), 'transaction, not prepared')
    assert.equal(await check(transactions.url, sessions.url), 'transaction, not prepared')
  })

  test('is refused by the name of the setting where it keeps no sessions', async () => {
    assert.match(await check(transactions.url), /^DATABASE_URL leads to .* Set DATABASE_DIRECT_URL/)
    assert.match(await check(transactions.url, transactions.url), /^DATABASE_DIRECT_URL leads to/)
    assert.match(await check(statements.url, database.url), /^DATABASE_URL leads to .*statements/)
    assert.match(
      await check(transactions.url, other.url),
      /^DATABASE_URL and DATABASE_DIRECT_URL lead to different databases/,
    )
  })
})

describe('processes behind pooled transactions', { skip: noPgBouncer }, () => {
  let fleet: Fleet
  let pooler: PgBouncer
  let api: ServerProcess
  let worker: ServerProcess
  let settings: Record<string, string>
  before(async () => {
    fleet = await createFleet({ isEmpty: true })
    const { url } = fleet.database
    pooler = await startPgBouncer(url, { pool_mode: 'transaction', default_pool_size: 8 })
    settings = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: url }
    ;[api, worker] = await Promise.all([
      fleet.start('api', settings),
      fleet.start('worker', settings),
    ])
  })
  after(async () => {
    await fleet?.close()
    await pooler?.stop()
  })

  const send = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const answer = await request(api.baseUrl, method, path, body)
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status}`)
    return answer.body
  }

  async function makeEndpoint(url: string): Promise<void> {
    const { rows } = await fleet.database.pool.query<{ organization_id: string; id: string }>(
      'select organization_id, id from teams limit 1',
    )
    const path = `/v1/org/${rows[0]?.organization_id}/team/${rows[0]?.id}/sandbox/webhook`
    const headers = { 'x-management-key': MANAGEMENT_KEY, 'content-type': 'application/json' }
    const made = await fetch(`${api.baseUrl}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ url }),
    })
    assert.equal(made.status, 200)
  }

  /** Signs in at an emulated provider, with a code as the second factor. */
  async function signIn(userId: string): Promise<void> {
    const { link_token: token } = await send<{ link_token: string }>('POST', '/v2/link/token', {
      user_id: userId,
    })
    const path = '/v2/link/provider/password/abbott_libreview'
    const call = async (where: string, body: object) => {
      const headers = { 'x-service-link-token': token, 'content-type': 'application/json' }
      const answer = await fetch(`${api.baseUrl}${where}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      return ((await answer.json()) as { state: string }).state
    }
    const credentials = { username: `${userId}@example.com`, password: 'code', region: 'us' }
    assert.equal(await call(path, credentials), 'pending_provider_mfa')
    assert.equal(await call(`${path}/complete_mfa`, { mfa_code: '123456' }), 'success')
  }

  /** Connections to the database of the processes, besides those of this test. */
  async function countConnections(): Promise<number> {
    const { rows } = await fleet.database.pool.query<{ direct: number }>(
      `select count(*)::int as direct from pg_stat_activity
      where datname = current_database() and application_name = 'salus'`,
    )
    return (rows[0]?.direct ?? 0) - fleet.database.pool.totalCount
  }

  test('a person is connected, pulled, uploaded, queried, tested, reported and erased', async (t) => {
    const sink = await openSink(t)
    await makeEndpoint(sink.url)
    const has = (type: string, userId: string) =>
      sink.arrivals.some(({ body }) => body.includes(type) && body.includes(userId))
    const userId = await makeUser(api.baseUrl, 'pooled')
    await signIn(userId)
    const uploads = Array.from({ length: 40 }, (_, number) => {
      const data = samples(number * 20, 20)
      return send('POST', `/v2/timeseries/${userId}/steps`, {
        stage: 'daily',
        provider: 'manual',
        data,
      })
    })
    await Promise.all(uploads)
    assert.equal((await readAll(api.baseUrl, userId)).size, 800)
    await waitFor('data of the provider', async () => has('historical.data.glucose', userId), 60)

    const select = [{ func: 'sum', arg: { merged: 'steps', field: 'value' } }]
    const timeframe = { type: 'relative', anchor: '2026-01-02', past: { unit: 'day', value: 2 } }
    const { results } = await send<{ results: { table: object }[] }>(
      'POST',
      `/aggregate/v1/user/${userId}/query`,
      { timeframe, queries: [{ select }] },
    )
    assert.equal(results.length, 1)

    const tests = await send<{ data: { id: string }[] }>(
      'GET',
      '/v3/lab_test?collection_method=walk_in_test',
    )
    const { order } = await send<{ order: { id: string } }>(
      'POST',
      '/v3/order',
      orderBody(userId, tests.data[0]?.id ?? ''),
    )
    await send('POST', `/v3/order/${order.id}/test`, {})
    const isCompleted = async () => {
      const { status } = await send<{ status: string }>('GET', `/v3/order/${order.id}`)
      return status === 'completed'
    }
    await waitFor('the result', isCompleted, 60)
    const { results: values } = await send<{ results: object[] }>(
      'GET',
      `/v3/order/${order.id}/result`,
    )
    assert.ok(values.length > 5)
    await waitFor('the webhook', async () => has('labtest.order.updated', userId), 60)
    assert.ok((await countConnections()) <= 12)

    const { id: erasureId } = await send<{ id: string }>('POST', `/v2/user/${userId}/erasure`, {})
    const isErased = async () => {
      await fleet.database.pool.query(
        `update graphile_worker._private_jobs set run_at = now() where run_at > now() and task_id =
          (select id from graphile_worker._private_tasks where identifier = 'erase_person')`,
      )
      const { status } = await send<{ status: string }>('GET', `/v2/erasure/${erasureId}`)
      return status === 'completed'
    }
    await waitFor('the receipt', isErased, 60)
    assert.equal((await request(api.baseUrl, 'GET', `/v2/user/${userId}`)).status, 404)
  })

  test('a worker that is killed is replaced, and its session ends with it', async () => {
    const next = await fleet.start('worker', settings)
    await worker.end('SIGKILL')
    const userId = await makeUser(api.baseUrl, 'taken-over')
    await signIn(userId)
    const isPulled = async () => {
      const path = `/v2/introspect/historical_pull?user_id=${userId}`
      const { data } = await send<{ data: { provider: object }[] }>('GET', path)
      return JSON.stringify(data).includes('"success"')
    }
    await waitFor('the pull', isPulled, 120)
    assert.equal(await next.end('SIGTERM'), 0)
  })

  test('a process without the direct address does not start, and says which setting is missing', async () => {
    const { DATABASE_DIRECT_URL: _, ...pooled } = { ...fleet.settings, ...settings }
    const { code, output } = await runServer('pooled-refused', { ...pooled, SALUS_ROLES: 'worker' })
    assert.notEqual(code, 0)
    assert.match(output, /Salus cannot start: DATABASE_URL leads to .* Set DATABASE_DIRECT_URL/)
  })
})
