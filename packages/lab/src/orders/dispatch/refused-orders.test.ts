import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { StatusUpdate } from '@salus/contracts/lab-gateway'
import { unpackBody } from '@salus/kernel/events/event-body'
import {
  createFakeGateway,
  dispatchBy,
  type FakeGateway,
  runJobs,
} from '../../../../server/test/orders/fake-gateway.ts'
import { createOrdersFixture, statusesOf } from '../../../../server/test/orders/orders-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { lockOrder } from '../orders.repository.ts'
import { applyUpdate } from '../transitions/apply-update.service.ts'

/** Requisitions and cancellations that a laboratory refuses. */

const fixture = useFixture(createOrdersFixture)
let gateway: FakeGateway

beforeEach(async () => {
  gateway = createFakeGateway()
  await fixture.harness.database.pool.query('delete from graphile_worker._private_jobs')
})

const REFUSAL = { code: 'AE 204', location: 'OBR-4' }
const work = () => runJobs(fixture, dispatchBy(gateway))
const cancel = (orderId: string) => fixture.harness.call('POST', `/v3/order/${orderId}/cancel`)
const managed = (method: string, path: string) => {
  const { organizationId, teamId, managementKey } = fixture.harness
  const url = `/v1/org/${organizationId}/team/${teamId}/sandbox/stuck_order${path}`
  return fixture.harness.call(method, url, undefined, { 'x-management-key': managementKey })
}
const stuck = async (orderId: string) =>
  (await managed('GET', '')).body.data.find(
    (each: { order_id: string }) => each.order_id === orderId,
  )

const apply = (orderId: string, update: object) => {
  const order = { orderId, labSlug: 'quest' }
  return fixture.context.transaction(async (tx) => {
    const row = await lockOrder(tx, orderId)
    assert.ok(row)
    return applyUpdate(tx, row, { ...update, order } as StatusUpdate, fixture.context.clock.now())
  })
}

async function failuresOf(orderId: string) {
  const { rows } = await fixture.harness.database.pool.query(
    "select body from events where event_type = 'labtest.order.dispatch_failed' order by sequence",
  )
  return rows
    .map(({ body }) => JSON.parse(unpackBody(body).toString()).data)
    .filter((data) => data.order_id === orderId)
}

describe('a requisition that is refused', () => {
  test('at once waits with the codes for the operator, whose retry sends it again', async () => {
    gateway.answer = async () => ({ state: 'refused', refusal: REFUSAL })
    const { id } = await fixture.place()
    await work()
    assert.deepEqual(statusesOf(await fixture.read(id)), ['ordered'])
    assert.deepEqual(await fixture.jobs(id), [])
    const { reason, problem, detail } = await stuck(id)
    assert.deepEqual(
      [reason, problem, detail],
      ['dispatch_failed', 'refused_by_lab', 'AE 204 OBR-4'],
    )
    const [failure] = await failuresOf(id)
    assert.deepEqual([failure.reason, failure.detail], ['refused_by_lab', 'AE 204 OBR-4'])
    gateway.answer = async () => ({ state: 'accepted', sampleId: 'REQ-R' })
    assert.equal((await managed('POST', `/${id}/retry`)).status, 200)
    await work()
    assert.equal(gateway.placed.length, 2)
    assert.deepEqual(statusesOf(await fixture.read(id)), ['ordered', 'requisition_created'])
    const { dispatch_problem, dispatch_detail } = await fixture.row(id)
    assert.deepEqual([dispatch_problem, dispatch_detail], [null, null])
  })

  test('in a later message is the same, and an acceptance after all ends it', async () => {
    const { id } = await fixture.place()
    await work()
    assert.ok((await fixture.row(id)).dispatched_at)
    const refused = { kind: 'requisition_refused', ...REFUSAL, location: null } as const
    assert.equal((await apply(id, refused)).effect, 'shown')
    assert.equal((await apply(id, refused)).effect, 'shown')
    assert.equal((await stuck(id)).detail, 'AE 204')
    assert.equal((await failuresOf(id)).length, 1)
    await apply(id, { kind: 'requisition_accepted', sampleId: 'AFTER-ALL' } as const)
    assert.equal(await stuck(id), undefined)
    assert.equal((await apply(id, refused)).effect, 'ignored')
    assert.equal(await stuck(id), undefined)
  })
})

describe('a cancellation that the laboratory does not accept', () => {
  test('waits for the operator with its reason, and can be sent again', async () => {
    const { id } = await fixture.place()
    await work()
    gateway.onCancel = async () => ({ state: 'refused', refusal: { code: 'AR', location: null } })
    await cancel(id)
    await work()
    const { reason, problem, detail } = await stuck(id)
    assert.deepEqual([reason, problem, detail], ['cancel_at_lab', 'refused', 'AR'])
    gateway.onCancel = async () => ({ state: 'cancelled' })
    assert.equal((await managed('POST', `/${id}/retry`)).status, 200)
    await work()
    assert.equal(gateway.cancelled.length, 2)
    assert.equal(await stuck(id), undefined)
  })

  test('is resolved by people, or by a later message of the laboratory', async () => {
    gateway.onCancel = async () => ({ state: 'by_telephone' })
    const [one, other] = [await fixture.place(), await fixture.place()]
    await work()
    for (const { id } of [one, other]) await cancel(id)
    await work()
    assert.equal((await stuck(one.id)).problem, 'by_telephone')
    assert.equal((await managed('POST', `/${one.id}/resolve`)).status, 200)
    assert.equal(await stuck(one.id), undefined)
    const again = await managed('POST', `/${one.id}/resolve`)
    assert.deepEqual([again.status, again.body.detail.error_type], [400, 'order_not_stuck'])
    assert.equal((await apply(other.id, { kind: 'cancelled_by_lab' })).effect, 'shown')
    assert.equal(await stuck(other.id), undefined)
  })

  test('because it cannot be reached is listed after the last attempt', async () => {
    fixture.harness.errors.expect('an order could not be cancelled at its laboratory')
    const { id } = await fixture.place()
    await work()
    gateway.onCancel = async () => {
      throw new Error('The line is dead.')
    }
    await cancel(id)
    await fixture.harness.database.pool.query(
      'update graphile_worker._private_jobs set attempts = max_attempts - 1',
    )
    await work()
    assert.equal((await stuck(id)).problem, 'not_reached')
    assert.deepEqual(await fixture.jobs(id), [])
  })
})

test('an order that the laboratory cancelled is cancelled once, without a message to it', async () => {
  const { id } = await fixture.place()
  await work()
  assert.equal((await apply(id, { kind: 'cancelled_by_lab' })).effect, 'transitioned')
  assert.equal((await apply(id, { kind: 'cancelled_by_lab' })).effect, 'ignored')
  await work()
  assert.deepEqual(statusesOf(await fixture.read(id)), ['ordered', 'cancelled'])
  assert.deepEqual(gateway.cancelled, [])
})
