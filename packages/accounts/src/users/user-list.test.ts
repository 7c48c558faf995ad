import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { TERMINAL } from '@salus/contracts/order-lifecycle'
import { parse } from 'csv-parse/sync'
import { type Answer, createHarness } from '../../../server/test/harness.ts'
import { orderBody, startingLabTests } from '../../../server/test/orders/order-bodies.ts'
import { USER_INFO } from '../../../server/test/route-cases.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import type { FoundUser } from './user-search.schema.ts'

const harness = useFixture(createHarness)

const call = (method: string, url: string, body?: unknown): Promise<Answer> =>
  harness.call(method, url, body)
const search = async (body: object): Promise<FoundUser[]> =>
  (await call('POST', '/v2/user/search', { limit: 200, ...body })).body.users
const idsOf = async (body: object): Promise<string[]> =>
  (await search(body)).map(({ user_id: id }) => id)
const listed = async (id: string): Promise<FoundUser> => {
  const [user] = await search({ user_ids: [id] })
  assert.ok(user)
  return user
}
const execute = (text: string, values: unknown[] = []) => harness.database.pool.query(text, values)

const weigh = (id: string, at: string, stage = 'daily') =>
  call('POST', `/v2/timeseries/${id}/body_weight`, {
    stage,
    provider: 'manual',
    data: [{ value: 70 + Math.random(), unit: 'kg', start_date: at }],
  })

/** A time of the clock, as the list shows it. */
const formatMinute = (at: Date): string => `${at.toISOString().slice(0, 16)}:00+00:00`

async function order(userId: string): Promise<string> {
  const { walk_in_test: labTestId } = await startingLabTests(harness)
  return (await call('POST', '/v3/order', orderBody(userId, labTestId))).body.order.id
}

describe('a person in the list', () => {
  test('has the time of the newest data, measured and not arrived, in whole minutes', async () => {
    const id = await harness.makeUser('manual')
    assert.equal((await listed(id)).newest_data, null)
    const at = async () => (await listed(id)).newest_data
    assert.equal((await weigh(id, '2026-02-20T08:00:30Z', 'historical')).status, 200)
    assert.deepEqual(await at(), { at: '2026-02-20T08:00:00+00:00', resource: 'body_weight' })
    assert.equal((await weigh(id, '2026-02-27T08:10:59Z')).status, 200)
    assert.equal((await at())?.at, '2026-02-27T08:10:00+00:00')
    assert.equal((await weigh(id, '2026-01-01T08:00:00Z')).status, 200)
    assert.equal((await at())?.at, '2026-02-27T08:10:00+00:00')
    const future = await weigh(id, '2030-01-01T08:00:00Z')
    assert.equal(future.status, 200)
    assert.equal((await at())?.at, formatMinute(harness.clock.now()))
  })

  test('has connections that do not work, open tasks and open orders, as they are now', async () => {
    const id = await harness.makeUser('manual')
    await execute("update connections set status = 'error' where user_id = $1", [id])
    assert.deepEqual((await listed(id)).attention, { failed_connections: 1, open_tasks: 0 })
    const [first, second] = [await order(id), await order(id)]
    assert.equal((await listed(id)).open_orders, 2)
    assert.equal((await call('POST', `/v3/order/${first}/cancel`)).status, 200)
    assert.equal((await listed(id)).open_orders, 1)
    await execute(
      `insert into tasks (environment_id, id, status, opened_at, updated_at, kind, focus_type, focus_id, user_id)
      select environment_id, $2, 'requested', now(), now(), 'stuck_order', 'order', $2, id from users where id = $1`,
      [id, second],
    )
    assert.deepEqual((await listed(id)).attention, { failed_connections: 1, open_tasks: 1 })
    await execute("update tasks set status = 'completed' where user_id = $1", [id])
    await execute("update connections set status = 'connected' where user_id = $1", [id])
    await execute('delete from orders where id = $1', [second])
    const { attention, open_orders: open } = await listed(id)
    assert.deepEqual([attention, open], [{ failed_connections: 0, open_tasks: 0 }, 0])
  })

  test('is counted right by transactions that change several things at once', async () => {
    const id = await harness.makeUser('manual', 'omron_ble')
    const clients = await Promise.all([1, 2].map(() => harness.database.pool.connect()))
    try {
      await Promise.all(clients.map((client) => client.query('begin')))
      for (const [index, provider] of ['manual', 'omron_ble'].entries()) {
        await clients[index]?.query(
          "update connections set status = 'error' where user_id = $1 and provider = $2",
          [id, provider],
        )
      }
      await Promise.all(clients.map((client) => client.query('commit')))
    } finally {
      for (const client of clients) client.release()
    }
    assert.equal((await listed(id)).attention.failed_connections, 2)
  })

  test('has the orders that the life cycle calls over', async () => {
    const { rows } = await execute(
      'select status from unnest($1::text[]) as status where not is_order_over(status)',
      [[...TERMINAL]],
    )
    assert.deepEqual(rows, [])
    const { rows: open } = await execute(
      "select is_order_over('ordered') or is_order_over('partial_results') as is_over",
    )
    assert.equal(open[0].is_over, false)
  })

  test('is gone after a delete, and back after its undoing', async () => {
    const id = await harness.makeUser()
    await call('DELETE', `/v2/user/${id}`)
    for (const order_key of ['name', 'attention', 'newest_data']) {
      assert.ok(!(await idsOf({ order_key })).includes(id), order_key)
    }
    await call('POST', `/v2/user/undo_delete?user_id=${id}`)
    assert.ok((await idsOf({ order_key: 'name' })).includes(id))
  })
})

const FORMULA = '=HYPERLINK("http://evil.example","a")'

describe('the list', () => {
  const people: Record<string, string> = {}

  before(async () => {
    for (const name of ['zoe', 'anna', 'nameless']) people[name] = await harness.makeUser('manual')
    for (const [name, first] of [
      ['zoe', 'Zoe'],
      ['anna', 'anna'],
    ] as const) {
      await call('PATCH', `/v2/user/${people[name]}/info`, { ...USER_INFO, first_name: first })
    }
    // Laboratories limit the letters of names; nothing limits those of client ids.
    for (const [name, id] of [
      ['formula', FORMULA],
      ['arab', 'ليلى'],
    ] as const) {
      const { body } = await call('POST', '/v2/user', { client_user_id: id })
      people[name] = body.user_id
    }
    await weigh(people.zoe ?? '', '2026-02-28T08:00:00Z')
    await weigh(people.anna ?? '', '2026-02-10T08:00:00Z')
    await execute("update connections set status = 'error' where user_id = $1", [people.anna])
    await order(people.zoe ?? '')
  })

  test('has the same people on its pages as on one page, in each order and direction', async () => {
    for (const order_key of ['created_at', 'name', 'newest_data', 'attention']) {
      for (const order_direction of ['asc', 'desc']) {
        const order = { order_key, order_direction }
        const whole = await idsOf(order)
        const seen: string[] = []
        let cursor: string | null = null
        do {
          const { body } = await call('POST', '/v2/user/search', {
            ...order,
            limit: 2,
            next_cursor: cursor,
          })
          seen.push(...body.users.map(({ user_id: id }: FoundUser) => id))
          cursor = body.next_cursor
        } while (cursor !== null)
        assert.deepEqual(seen, whole, JSON.stringify(order))
        assert.equal(new Set(seen).size, seen.length)
      }
    }
    const ascending = await idsOf({ order_key: 'newest_data', order_direction: 'asc' })
    assert.deepEqual(
      ascending.toReversed(),
      await idsOf({ order_key: 'newest_data', order_direction: 'desc' }),
    )
  })

  test('is sorted by the shown name, by the newest data and by attention', async () => {
    const inOrder = async (order_key: string, names: string[]) => {
      const ids = await idsOf({ order_key })
      return names.toSorted(
        (one, other) => ids.indexOf(people[one] ?? '') - ids.indexOf(people[other] ?? ''),
      )
    }
    assert.deepEqual(await inOrder('name', ['zoe', 'anna', 'formula', 'arab']), [
      ...['formula', 'anna', 'zoe', 'arab'],
    ])
    assert.deepEqual(await inOrder('newest_data', ['nameless', 'anna', 'zoe']), [
      ...['zoe', 'anna', 'nameless'],
    ])
    assert.deepEqual(await inOrder('attention', ['nameless', 'anna']), ['anna', 'nameless'])
  })

  test('is narrowed by data, attention, orders and creation', async () => {
    const found = async (filter: object) => {
      const ids = await idsOf(filter)
      return ['zoe', 'anna', 'nameless'].filter((name) => ids.includes(people[name] ?? ''))
    }
    assert.deepEqual(await found({ data_within_days: 7 }), ['zoe'])
    assert.deepEqual(await found({ no_data_within_days: 7 }), ['anna', 'nameless'])
    assert.deepEqual(await found({ needs_attention: true }), ['anna'])
    assert.deepEqual(await found({ needs_attention: false }), ['zoe', 'nameless'])
    assert.deepEqual(await found({ has_open_orders: true }), ['zoe'])
    assert.deepEqual(await found({ has_open_orders: false }), ['anna', 'nameless'])
    assert.deepEqual(await found({ end_date: '2026-02-28' }), [])
    assert.deepEqual(await found({ start_date: '2026-03-01' }), ['zoe', 'anna', 'nameless'])
    const { body } = await call('POST', '/v2/user/search', { needs_attention: true, limit: 1 })
    assert.equal(body.total, (await idsOf({ needs_attention: true })).length)
  })

  test('refuses wrong terms, and cursors of another order', async () => {
    const { body } = await call('POST', '/v2/user/search', { order_key: 'name', limit: 1 })
    const forged = (value: unknown) => {
      const parts = JSON.parse(String(Buffer.from(body.next_cursor, 'base64url')))
      parts[1] = value
      return Buffer.from(JSON.stringify(parts)).toString('base64url')
    }
    for (const [terms, type] of [
      [{ order_key: 'newest_data', next_cursor: body.next_cursor }, 'invalid_cursor'],
      [{ order_key: 'name', limit: 1, next_cursor: forged('a\0b') }, 'invalid_cursor'],
      [{ order_key: 'name', limit: 1, next_cursor: forged(7) }, 'invalid_cursor'],
      [{ start_date: '2026-03-02', end_date: '2026-03-01' }, 'invalid_date_range'],
    ] as const) {
      const refused = await call('POST', '/v2/user/search', terms)
      assert.deepEqual([refused.status, refused.body.detail.error_type], [400, type])
    }
    for (const wrong of [
      { order_key: 'email' },
      { data_within_days: 0 },
      { user_ids: ['no uuid'] },
      { needs_attention: 'perhaps' },
    ]) {
      const refused = await call('POST', '/v2/user/search', wrong)
      assert.equal(refused.status, 422, JSON.stringify(wrong))
    }
  })

  test('is a file that no program for tables executes, of all pages and one team', async () => {
    const answer = await call('POST', '/v2/user/search/export', { order_key: 'name' })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8')
    assert.match(String(answer.headers['content-disposition']), /people\.csv/)
    assert.ok(answer.text.startsWith('\uFEFFuser_id,client_user_id,'))
    const rows: Record<string, string>[] = parse(answer.text, { bom: true, columns: true })
    assert.deepEqual(
      rows.map(({ user_id: id }) => id),
      await idsOf({ order_key: 'name' }),
    )
    const rowOf = (name: string) => rows.find(({ user_id: id }) => id === people[name])
    assert.equal(rowOf('formula')?.client_user_id, `'${FORMULA}`)
    assert.equal(rowOf('arab')?.client_user_id, 'ليلى')
    assert.deepEqual(
      [rowOf('zoe')?.newest_data_at, rowOf('zoe')?.connections, rowOf('zoe')?.open_orders],
      ['2026-02-28T08:00:00+00:00', 'manual connected', '1'],
    )
    assert.equal(rowOf('anna')?.failed_connections, '1')
    const { sandboxKey } = await harness.makeTeam()
    const headers = { 'x-service-api-key': sandboxKey }
    const other = await harness.call('POST', '/v2/user/search/export', {}, headers)
    assert.equal(other.text.trim().split('\n').length, 1)
    const body = { user_ids: Object.values(people) }
    assert.deepEqual((await harness.call('POST', '/v2/user/search', body, headers)).body.users, [])
  })
})
