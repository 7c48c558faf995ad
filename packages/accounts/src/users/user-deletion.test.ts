import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DAY_SECONDS } from '@salus/contracts/time-units'
import { newId } from '@salus/kernel/ids'
import { createLogger } from '@salus/kernel/log'
import { eraseDeletedUsers } from '@salus/rights/erasure'
import { type Answer, createHarness } from '../../../server/test/harness.ts'
import { makeSubject } from '../../../server/test/subject.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const harness = useFixture(createHarness)

const call = (method: string, url: string, body?: unknown): Promise<Answer> =>
  harness.call(method, url, body)
const create = (clientUserId: string) => call('POST', '/v2/user', { client_user_id: clientUserId })
const undo = (query: string) => call('POST', `/v2/user/undo_delete?${query}`)

async function makeDeleted(clientUserId: string, ...providers: string[]): Promise<string> {
  const { user_id: userId } = (await create(clientUserId)).body
  for (const provider of providers) {
    await call('POST', `/v2/link/provider/manual/${provider}`, { user_id: userId })
  }
  assert.equal((await call('DELETE', `/v2/user/${userId}`)).status, 200)
  return userId
}

const erase = (signal = new AbortController().signal) => {
  const { database, dependencies } = harness
  return eraseDeletedUsers(
    { ...dependencies, pool: database.pool, log: createLogger('silent') },
    signal,
  )
}

describe('delete', () => {
  test('hides the user everywhere at once', async () => {
    const userId = await makeDeleted('gone', 'manual')
    const urls = [
      `/v2/user/${userId}`,
      '/v2/user/resolve/gone',
      `/v2/user/providers/${userId}`,
      `/v2/user/${userId}/device`,
      `/v2/timeseries/${userId}/steps/grouped?start_date=2026-01-01`,
    ]
    for (const url of urls) assert.equal((await call('GET', url)).status, 404, url)
    assert.deepEqual((await call('GET', '/v2/team/users/search?query_id=gone')).body, [])
    const { users } = (await call('GET', '/v2/user?limit=500')).body
    assert.ok(!users.some((user: { user_id: string }) => user.user_id === userId))
  })

  test('a second one, and one of an unknown user, is 404', async () => {
    const userId = await makeDeleted('twice')
    assert.equal((await call('DELETE', `/v2/user/${userId}`)).status, 404)
    assert.equal((await call('DELETE', `/v2/user/${newId()}`)).status, 404)
  })

  test('frees the client_user_id for a new user', async () => {
    const first = await makeDeleted('again')
    const second = await create('again')
    assert.equal(second.status, 200)
    assert.notEqual(second.body.user_id, first)
  })

  test('takes no uploads and no connections any more', async () => {
    const userId = await makeDeleted('closed', 'manual')
    const upload = { stage: 'daily', provider: 'manual', data: [] }
    assert.equal((await call('POST', `/v2/timeseries/${userId}/steps`, upload)).status, 404)
    const url = '/v2/link/provider/manual/manual'
    assert.equal((await call('POST', url, { user_id: userId })).status, 404)
    assert.equal((await call('PATCH', `/v2/user/${userId}`, {})).status, 404)
  })
})

describe('undo of a delete', () => {
  test('by user_id brings the user back, without its connections', async () => {
    const userId = await makeDeleted('back by id', 'manual', 'omron_ble')
    assert.deepEqual((await undo(`user_id=${userId.toUpperCase()}`)).body, { success: true })
    const { body } = await call('GET', `/v2/user/${userId}`)
    assert.equal(body.client_user_id, 'back by id')
    assert.deepEqual(body.connected_sources, [])
    assert.deepEqual((await call('GET', `/v2/user/providers/${userId}`)).body.providers, [])
  })

  test('by client_user_id brings back the one deleted last', async () => {
    await makeDeleted('back by name')
    harness.clock.advance(1)
    const last = await makeDeleted('back by name')
    assert.equal((await undo('client_user_id=back%20by%20name')).status, 200)
    assert.equal((await call('GET', `/v2/user/${last}`)).status, 200)
  })

  test('wants exactly one of the two', async () => {
    const userId = await makeDeleted('exactly one')
    for (const query of ['', `user_id=${userId}&client_user_id=exactly%20one`]) {
      const { status, body } = await undo(query)
      assert.equal(status, 422)
      assert.deepEqual(body.detail[0].loc, ['query', 'user_id'])
    }
    assert.equal((await undo('user_id=42')).status, 422)
  })

  test('is 404 when nothing was deleted', async () => {
    const { user_id: living } = (await create('living')).body
    for (const query of [`user_id=${living}`, `user_id=${newId()}`, 'client_user_id=no-one']) {
      assert.equal((await undo(query)).status, 404, query)
    }
  })

  test('is refused when a new user has the client_user_id', async () => {
    const userId = await makeDeleted('replaced')
    const { body: second } = await create('replaced')
    for (const query of [`user_id=${userId}`, 'client_user_id=replaced']) {
      const { status, body } = await undo(query)
      assert.equal(status, 400)
      assert.equal(body.detail.error_type, 'INVALID_REQUEST')
    }
    assert.equal((await call('GET', `/v2/user/${second.user_id}`)).status, 200)
  })

  test('works for seven days and not longer', async () => {
    const inTime = await makeDeleted('in time')
    const tooLate = await makeDeleted('too late')
    harness.clock.advance(7 * DAY_SECONDS - 1)
    assert.equal((await undo(`user_id=${inTime}`)).status, 200)
    harness.clock.advance(1)
    assert.equal((await undo(`user_id=${tooLate}`)).status, 404)
    assert.equal((await undo('client_user_id=too%20late')).status, 404)
  })
})

describe('erasure', () => {
  /** With rows in every table, which take a while to make. */
  let other: string
  const TABLES = ['users', 'user_demographics', 'connections', 'devices', 'import_jobs', 'orders']
  /** What hangs on orders is found by them, so it is counted while they are known. */
  const TABLES_OF_ORDERS = ['order_events', 'results', 'lab_messages']
  let orderIds: string[] = []

  async function countRows(userId: string): Promise<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const table of TABLES) {
      const column = table === 'users' ? 'id' : 'user_id'
      const text = `select count(*)::int as count from ${table} where ${column} = $1`
      counts[table] = (await harness.database.pool.query(text, [userId])).rows[0].count
    }
    const text = 'select id from orders where user_id = $1'
    const orders = await harness.database.pool.query(text, [userId])
    if (orders.rows.length > 0) orderIds = orders.rows.map(({ id }) => id)
    for (const table of TABLES_OF_ORDERS) {
      const query = `select count(*)::int as count from ${table} where order_id = any($1)`
      counts[table] = (await harness.database.pool.query(query, [orderIds])).rows[0].count
    }
    for (const table of ['samples', 'quarantined_items']) {
      const text = `select toUInt32(count()) as count from ${table} where user_id = {userId:UUID}`
      const [row] = await harness.clickhouse.queryRows<{ count: number }>(text, { userId })
      counts[table] = row?.count ?? 0
    }
    return counts
  }

  const NOTHING = {
    users: 0,
    user_demographics: 0,
    connections: 0,
    devices: 0,
    import_jobs: 0,
    orders: 0,
    order_events: 0,
    results: 0,
    lab_messages: 0,
    samples: 0,
    quarantined_items: 0,
  }

  /** Tables of both stores, present and to come, that still hold rows of a person. */
  async function tablesWithRowsOf(userId: string): Promise<string[]> {
    const { pool } = harness.database
    const { rows } = await pool.query(`select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'user_id'`)
    const found: string[] = []
    for (const { name } of rows) {
      const text = `select 1 from ${name} where user_id = $1 limit 1`
      if ((await pool.query(text, [userId])).rows.length > 0) found.push(name)
    }
    const tables = await harness.clickhouse.queryRows<{ table: string }>(
      "select table from system.columns where name = 'user_id' and database = currentDatabase()",
    )
    for (const { table } of tables) {
      const text = `select toUInt32(count()) as count from ${table} where user_id = {userId:UUID}`
      const [row] = await harness.clickhouse.queryRows<{ count: number }>(text, { userId })
      if (row?.count !== 0) found.push(table)
    }
    return found.sort()
  }

  test('removes every trace after seven days, and nothing of other users', async () => {
    const { userId } = await makeSubject(harness)
    other = (await makeSubject(harness)).userId
    const { userId: restored } = await makeSubject(harness)
    await harness.dependencies.audit.flush()
    const whole = await countRows(userId)
    const tables = await tablesWithRowsOf(userId)
    for (const table of ['sleep_summaries', 'workout_streams', 'samples', 'orders']) {
      assert.ok(tables.includes(table), table)
    }
    for (const [table, count] of Object.entries(whole)) assert.ok(count > 0, table)
    for (const id of [userId, restored]) await call('DELETE', `/v2/user/${id}`)
    await undo(`user_id=${restored}`)

    await erase()
    assert.deepEqual(await countRows(userId), whole, 'too early')
    harness.clock.advance(7 * DAY_SECONDS + 1)
    await erase(AbortSignal.abort())
    assert.deepEqual(await countRows(userId), whole, 'interrupted')
    await erase()
    assert.deepEqual(await countRows(userId), NOTHING)
    // The audit log is kept, by an id that no longer identifies a person (docs/audit.md).
    assert.deepEqual(await tablesWithRowsOf(userId), ['audit_rows', 'erasures'])
    assert.deepEqual(await tablesWithRowsOf(other), tables)
    const { rows } = await harness.database.pool.query(
      "select user_id from audit_rows where route = 'erase_deleted_users' and user_id = $1",
      [userId],
    )
    assert.equal(rows.length, 1)
    assert.deepEqual(await countRows(other), whole)
    assert.deepEqual(await countRows(restored), whole)
    assert.equal((await undo(`user_id=${userId}`)).status, 404)
    await erase()
  })

  test('leaves no queue of jobs that is named after a user', async () => {
    const { pool } = harness.database
    const userId = await makeDeleted('queued')
    const job = await pool.query('select id from graphile_worker.add_job($1, queue_name => $2)', [
      'no_such_task',
      `about ${userId}`,
    ])
    await pool.query('select graphile_worker.complete_jobs(array[$1::bigint])', [job.rows[0].id])
    const countQueues = async (): Promise<number> => {
      const text = `select from graphile_worker._private_job_queues where queue_name like '%' || $1`
      return (await pool.query(text, [userId])).rows.length
    }
    assert.equal(await countQueues(), 1)
    harness.clock.advance(7 * DAY_SECONDS + 1)
    await erase()
    assert.equal(await countQueues(), 0)
  })

  test('one that is cut short between the two stores is taken up again', async () => {
    const userId = other
    await countRows(userId)
    await call('DELETE', `/v2/user/${userId}`)
    harness.clock.advance(7 * DAY_SECONDS + 1)
    const { rows } = await harness.database.pool.query(
      'select environment_id from users where id = $1',
      [userId],
    )
    await harness.clickhouse.command(
      'alter table samples delete where environment_id = {id:UUID} and user_id = {userId:UUID}',
      { id: rows[0].environment_id, userId },
    )
    await erase()
    assert.deepEqual(await countRows(userId), NOTHING)
  })
})
