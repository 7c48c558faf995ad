import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { unpackBody } from '@salus/kernel/events/event-body'
import { formatInstant } from '@salus/kernel/time/instants'
import {
  createFakeGateway,
  dispatchBy,
  type FakeGateway,
  runJobs,
} from '../../../../server/test/orders/fake-gateway.ts'
import { createOrdersFixture, statusesOf } from '../../../../server/test/orders/orders-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const fixture = useFixture(createOrdersFixture)
let gateway: FakeGateway

beforeEach(async () => {
  gateway = createFakeGateway()
  await fixture.harness.database.pool.query('delete from graphile_worker._private_jobs')
})

const accepting = (sampleId: string | null) => async () => ({
  state: 'accepted' as const,
  sampleId,
})
const work = () => runJobs(fixture, dispatchBy(gateway))
const cancel = (orderId: string) => fixture.harness.call('POST', `/v3/order/${orderId}/cancel`)
const managed = (method: string, path: string) => {
  const { organizationId, teamId, managementKey } = fixture.harness
  const url = `/v1/org/${organizationId}/team/${teamId}/sandbox/stuck_order${path}`
  return fixture.harness.call(method, url, undefined, { 'x-management-key': managementKey })
}
const stuckOrders = async () => (await managed('GET', '')).body.data
const retry = (orderId: string) => managed('POST', `/${orderId}/retry`)
const labOf = async (orderId: string) => {
  const { rows } = await fixture.harness.database.pool.query(
    'select slug from labs where id = $1',
    [(await fixture.row(orderId)).lab_id],
  )
  return rows[0].slug
}
const tasksOf = async (orderId: string) => {
  const { rows } = await fixture.harness.database.pool.query(
    'select kind, status from tasks where focus_id = $1 order by opened_at',
    [orderId],
  )
  return rows.map(({ kind, status }) => `${kind} ${status}`)
}
/** Returns the dispatch_failed events of an order. */
const failuresOf = async (orderId: string) => {
  const { rows } = await fixture.harness.database.pool.query(
    "select body from events where event_type = 'labtest.order.dispatch_failed' order by sequence",
  )
  return rows
    .map(({ body }) => JSON.parse(unpackBody(body).toString()).data)
    .filter((data) => data.order_id === orderId)
}

describe('a laboratory that does not accept an order', () => {
  test('keeps the status of an order after the last attempt, emits the failure and lists it', async () => {
    fixture.harness.errors.expect('an order could not be dispatched')
    gateway.answer = async () => {
      throw new Error('The line is dead.')
    }
    const { id } = await fixture.place()
    await fixture.harness.database.pool.query(
      'update graphile_worker._private_jobs set attempts = max_attempts - 1',
    )
    await work()
    assert.deepEqual(statusesOf(await fixture.read(id)), ['ordered'])
    assert.deepEqual(await fixture.jobs(id), [])
    const failed_at = formatInstant(fixture.harness.clock.now())
    const lab = await labOf(id)
    const failure = { order_id: id, lab, reason: 'not_reached', detail: null, failed_at }
    assert.deepEqual(await failuresOf(id), [failure])
    const [stuck] = await stuckOrders()
    assert.deepEqual([stuck.order_id, stuck.reason], [id, 'dispatch_failed'])
    assert.deepEqual([stuck.problem, stuck.low_level_status], ['not_reached', 'ordered'])

    assert.deepEqual(await tasksOf(id), ['stuck_order requested'])

    // The operator retries the dispatch, with the full number of attempts.
    assert.equal((await retry(id)).status, 200)
    assert.deepEqual(await stuckOrders(), [])
    assert.deepEqual(await tasksOf(id), ['stuck_order completed'])
    gateway.answer = accepting('REQ-9')
    await work()
    assert.deepEqual(statusesOf(await fixture.read(id)), ['ordered', 'requisition_created'])
    const again = await retry(id)
    assert.deepEqual([again.status, again.body.detail.error_type], [400, 'order_not_stuck'])
    assert.equal((await retry('00000000-0000-4000-8000-000000000000')).status, 404)
  })

  test('without a gateway makes the dispatch fail at once', async () => {
    const { id } = await fixture.place()
    await runJobs(fixture, dispatchBy(undefined))
    assert.deepEqual(statusesOf(await fixture.read(id)), ['ordered'])
    assert.deepEqual(await fixture.jobs(id), [])
    const [failure] = await failuresOf(id)
    assert.equal(failure?.reason, 'lab_not_connected')
    await cancel(id)
    assert.deepEqual(await stuckOrders(), [])
  })

  test('that gives the id of another sample makes the dispatch fail without retries', async () => {
    gateway.answer = accepting('REQ-TWICE')
    await fixture.place()
    await work()
    const { id } = await fixture.place()
    await work()
    assert.deepEqual(statusesOf(await fixture.read(id)), ['ordered'])
    assert.deepEqual(await fixture.jobs(id), [])
    assert.equal((await failuresOf(id))[0]?.reason, 'sample_id_taken')
    await cancel(id)
  })
})

describe('an order of a deleted person', () => {
  test('is not dispatched unless the deletion is undone', async () => {
    const user_id = await fixture.harness.makeUser()
    const { id } = await fixture.place('walk_in_test', { user_id })
    await fixture.harness.call('DELETE', `/v2/user/${user_id}`)
    await work()
    assert.deepEqual(gateway.placed, [])
    gateway.answer = accepting('REQ-BACK')
    await fixture.harness.call('POST', `/v2/user/undo_delete?user_id=${user_id}`)
    await work()
    assert.deepEqual(statusesOf(await fixture.read(id)), ['ordered', 'requisition_created'])
  })
})
