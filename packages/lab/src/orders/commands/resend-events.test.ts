import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { DAY_SECONDS } from '@salus/contracts/time-units'
import { createOrdersFixture, refusalOf } from '../../../../server/test/orders/orders-fixture.ts'
import { changeSettings } from '../../../../server/test/stored-events.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const fixture = useFixture(createOrdersFixture)

const UNKNOWN = '3fa85f64-5717-4562-b3fc-2c963f66afa6'

const resend = (body: object, headers: object = {}) =>
  fixture.harness.call('POST', '/v3/order/resend_events', body, headers)

async function resent(body: object): Promise<string[]> {
  const { status, body: answer, text } = await resend(body)
  assert.equal(status, 200, text)
  return answer.order_ids
}

const now = () => fixture.harness.clock.now().toISOString()

/** Stores copies of a new order, each in its own transaction. */
async function copyOrder(id: string, count: number): Promise<void> {
  const { pool } = fixture.harness.database
  const { rows } = await pool.query(
    `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
    where table_schema = 'public' and table_name = 'orders'
      and column_name not in ('id', 'transaction_id')`,
  )
  const { names } = rows[0]
  await pool.query(
    `with copies as materialized (
      select environment_id, gen_random_uuid() as id from orders, generate_series(1, ${count})
      where id = '${id}'
    ), transactions as (
      insert into order_transactions (environment_id, id, status, created_at, updated_at)
      select environment_id, id, 'active', now(), now() from copies
    ), orders as (
      insert into orders (id, transaction_id, ${names})
      select copies.id, copies.id, ${names.replaceAll(/\w+/g, 'o.$&')} from copies, orders o where o.id = '${id}'
      returning environment_id, id, created_at
    )
    insert into order_events (environment_id, order_id, status, created_at)
    select environment_id, id, 'ordered', created_at from orders`,
  )
}

describe('the latest event of an order', () => {
  test('is sent again with the current data, for a new order and one that moved', async () => {
    const placed = await fixture.place()
    const moved = await fixture.place()
    await fixture.transition(moved.id, 'requisition_created')
    await fixture.harness.call('PATCH', `/v3/order/${moved.id}/communication_settings`, {
      sms_enabled: false,
    })
    assert.deepEqual(await resent({ order_ids: [moved.id, placed.id] }), [moved.id, placed.id])
    const ofPlaced = await fixture.messages(placed.id)
    assert.deepEqual(
      ofPlaced.map(({ type }) => type),
      ['created', 'created'],
    )
    const ofMoved = await fixture.messages(moved.id)
    assert.deepEqual(
      ofMoved.map(({ type }) => type),
      ['created', 'updated', 'updated'],
    )
    assert.deepEqual(ofMoved.at(-1)?.data, await fixture.read(moved.id))
  })

  test('is not sent for partial results that the team has not enabled', async () => {
    const { id } = await fixture.place()
    await fixture.walk(id, 'requisition_created')
    await fixture.transition(id, 'partial_results', { isSilent: true })
    const emitted = (await fixture.messages(id)).length
    assert.deepEqual(await resent({ order_ids: [id] }), [])
    assert.equal((await fixture.messages(id)).length, emitted)
    await changeSettings(fixture.harness, { partial_webhooks_enabled: true })
    assert.deepEqual(await resent({ order_ids: [id] }), [id])
    await changeSettings(fixture.harness, { partial_webhooks_enabled: false })
  })

  test('shows changes that emitted no event', async () => {
    const order = await fixture.place('walk_in_test', { activate_by: '2999-01-01' })
    await fixture.harness.call('PATCH', `/v3/order/${order.id}`, { activate_by: '2998-01-01' })
    await resent({ order_ids: [order.id] })
    const last = (await fixture.messages(order.id)).at(-1)
    assert.equal(last?.data.activate_by, '2998-01-01')
  })

  test('does not change the order', async () => {
    const order = await fixture.place()
    fixture.harness.clock.advance(60)
    await resent({ order_ids: [order.id] })
    assert.deepEqual(await fixture.read(order.id), order)
  })

  test('is a new event for the current user of the order', async () => {
    const kit = await fixture.sendKit()
    const user_id = await fixture.harness.makeUser()
    await fixture.register(kit, { user_id })
    await resent({ order_ids: [kit.id] })
    const emitted = await fixture.messages(kit.id)
    assert.deepEqual(emitted.map(({ userId }) => userId).slice(-2), [user_id, user_id])
    const { rows } = await fixture.harness.database.pool.query(
      'select count(*)::int as events, count(distinct id)::int as ids from events',
    )
    assert.equal(rows[0].events, rows[0].ids)
  })
})

describe('orders are chosen', () => {
  test('by id, each once; unknown ids and those of other teams are left out', async () => {
    const { id } = await fixture.place()
    const order_ids = [UNKNOWN, id, id.toUpperCase(), id]
    assert.deepEqual(await resent({ order_ids }), [id])
    assert.equal((await fixture.messages(id)).length, 2)
    const { sandboxKey } = await fixture.harness.makeTeam()
    const theirs = await resend({ order_ids: [id] }, { 'x-service-api-key': sandboxKey })
    assert.deepEqual([theirs.status, theirs.body.order_ids], [200, []])
    assert.equal((await fixture.messages(id)).length, 2)
  })

  test('by the time of their last change, including both ends', async () => {
    fixture.harness.clock.advance(DAY_SECONDS)
    const first = await fixture.place()
    const start_at = now()
    fixture.harness.clock.advance(60)
    const second = await fixture.place()
    const middle = now()
    fixture.harness.clock.advance(60)
    const third = await fixture.place()
    assert.deepEqual(await resent({ start_at }), [first.id, second.id, third.id])
    assert.deepEqual(await resent({ start_at, end_at: middle }), [first.id, second.id])
    assert.deepEqual(await resent({ start_at: middle, end_at: middle }), [second.id])
    fixture.harness.clock.advance(60)
    await fixture.transition(first.id, 'requisition_created')
    assert.deepEqual(await resent({ start_at: middle }), [second.id, third.id, first.id])
    assert.deepEqual(await resent({ start_at: now(), end_at: start_at }), [])
  })

  test('by id when both are given', async () => {
    const { id } = await fixture.place()
    await fixture.place()
    assert.deepEqual(await resent({ order_ids: [id], start_at: now() }), [id])
  })

  test('by at least one of the two', async () => {
    for (const body of [
      {},
      { order_ids: [] },
      { order_ids: null, start_at: null },
      { end_at: now() },
    ]) {
      assert.deepEqual(refusalOf(await resend(body)), [400, 'resend_filter_required'])
    }
  })

  test('within 60 days', async () => {
    const end = fixture.harness.clock.now().getTime()
    const at = (days: number, more = 0) =>
      new Date(end - days * DAY_SECONDS * 1000 - more).toISOString()
    const end_at = at(0)
    assert.equal((await resend({ start_at: at(60), end_at })).status, 200)
    assert.equal((await resend({ start_at: at(60) })).status, 200)
    const long = { start_at: at(60, 1) }
    assert.deepEqual(refusalOf(await resend(long)), [400, 'resend_window_too_long'])
    assert.deepEqual(refusalOf(await resend({ ...long, end_at })), [400, 'resend_window_too_long'])
    const earlier = { start_at: at(100), end_at: at(50) }
    assert.equal((await resend(earlier)).status, 200)
  })

  test('with a valid body', async () => {
    const malformed = [{ order_ids: ['x'] }, { order_ids: UNKNOWN }, { start_at: 'yesterday' }]
    for (const body of malformed) assert.equal((await resend(body)).status, 422)
  })

  test('up to a thousand at once', async () => {
    fixture.harness.clock.advance(DAY_SECONDS)
    const { id } = await fixture.place()
    const start_at = now()
    await copyOrder(id, 1004)
    assert.equal((await resent({ start_at })).length, 1000)
    const unknownIds = Array.from({ length: 1000 }, () => randomUUID())
    assert.deepEqual(await resent({ order_ids: [...unknownIds.slice(1), id] }), [id])
    assert.deepEqual(await resent({ order_ids: [...unknownIds, id] }), [])
  })
})

test('event type prefixes apply to resent events', async () => {
  const { id } = await fixture.place()
  await changeSettings(fixture.harness, { event_type_prefixes: ['daily.'] })
  await resent({ order_ids: [id] })
  const { rows } = await fixture.harness.database.pool.query(
    'select unsent_reason from events order by sequence desc limit 1',
  )
  assert.equal(rows[0].unsent_reason, 'event_type_prefixes')
  await changeSettings(fixture.harness, { event_type_prefixes: null })
})
