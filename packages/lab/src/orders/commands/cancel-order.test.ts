import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  allowedStatuses,
  COLLECTION_METHODS,
  type LowLevelStatus,
  MACHINES,
  type OrderFacts,
} from '@salus/contracts/order-lifecycle'
import type { Method } from '../../../../server/test/orders/order-bodies.ts'
import {
  type Body,
  createOrdersFixture,
  refusalOf,
  scan,
  statusesOf,
} from '../../../../server/test/orders/orders-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const fixture = useFixture(createOrdersFixture)

const cancel = (orderId: string, headers: object = {}) =>
  fixture.harness.call('POST', `/v3/order/${orderId}/cancel`, undefined, headers)

/**
 * Copied by hand from
 * docs/contract/12-order-lifecycle.md#which-statuses-can-be-cancelled-through-the-api.
 */
const CANCELLABLE: Record<Method, LowLevelStatus[]> = {
  walk_in_test: [
    'ordered',
    'requisition_created',
    'requisition_bypassed',
    'appointment_pending',
    'appointment_scheduled',
    'appointment_cancelled',
  ],
  at_home_phlebotomy: [
    'ordered',
    'requisition_created',
    'requisition_bypassed',
    'appointment_pending',
    'appointment_scheduled',
    'appointment_cancelled',
    'draw_completed',
  ],
  testkit: [
    'ordered',
    'awaiting_registration',
    'requisition_created',
    'requisition_bypassed',
    'registered',
  ],
  on_site_collection: ['ordered', 'requisition_created', 'requisition_bypassed', 'draw_completed'],
}

/** Returns a shortest path of transitions to each status that an order can reach. */
function waysOf(facts: OrderFacts): Map<LowLevelStatus, LowLevelStatus[]> {
  const ways = new Map<LowLevelStatus, LowLevelStatus[]>([[facts.status, []]])
  for (const [status, way] of ways) {
    for (const to of allowedStatuses({ ...facts, status })) {
      if (!ways.has(to)) ways.set(to, [...way, to])
    }
  }
  return ways
}

const FACTS = { isUnregisteredKit: false, isRegistered: false, wasShipped: false, isRedraw: false }

/** Cancels an order, which must succeed or change nothing. */
async function tryCancel(orderId: string, isAllowed: boolean): Promise<void> {
  const earlier: Body = await fixture.read(orderId)
  const messages = (await fixture.messages(orderId)).length
  const from = statusesOf(earlier).at(-1)
  const answer = await cancel(orderId)
  const later: Body = await fixture.read(orderId)
  if (!isAllowed) {
    const { detail } = answer.body
    assert.deepEqual(refusalOf(answer), [400, 'transition_not_allowed'], from)
    assert.deepEqual([detail.from, detail.to], [from, 'cancelled'])
    assert.ok(Array.isArray(detail.allowed) && !detail.allowed.includes('cancelled'))
    assert.deepEqual(later, earlier)
    assert.equal((await fixture.messages(orderId)).length, messages)
    return
  }
  assert.equal(answer.status, 200, `${from}: ${answer.text}`)
  const { order, status } = answer.body
  assert.equal(status, 'success')
  assert.equal(order.last_event.status, `cancelled.${order.details.type}.cancelled`)
  assert.equal(order.last_event.status_detail, null)
  assert.equal(order.status, 'cancelled')
  assert.equal(order.order_transaction.status, 'cancelled')
  assert.deepEqual(order.events.slice(0, -1), earlier.events)
  assert.deepEqual(later, order)
  const emitted = await fixture.messages(orderId)
  assert.equal(emitted.length, messages + 1)
  assert.deepEqual(emitted.at(-1)?.data, order)
}

describe('an order can be cancelled', () => {
  for (const method of COLLECTION_METHODS) {
    for (const [status, way] of waysOf({ ...FACTS, method, status: 'ordered' })) {
      const isAllowed = CANCELLABLE[method].includes(status)
      test(`${method}: ${isAllowed ? '' : 'not '}from ${status}`, async () => {
        const { id } = await fixture.place(method)
        await fixture.walk(id, ...way)
        await tryCancel(id, isAllowed)
      })
    }
  }

  test('with statuses that the table lists, and no others', () => {
    for (const method of COLLECTION_METHODS) {
      const known = new Set(Object.keys(MACHINES[method].groups))
      for (const status of CANCELLABLE[method]) assert.ok(known.has(status), status)
    }
  })

  test('as long as it is a kit that waits, or was registered before it was shipped', async () => {
    await tryCancel((await fixture.orderKit()).id, true)
    const registered = await fixture.sendKit()
    await fixture.register(registered)
    await tryCancel(registered.id, true)
    const accepted = await fixture.sendKit()
    await fixture.register(accepted)
    await fixture.transition(accepted.id, 'requisition_created')
    await tryCancel(accepted.id, true)
  })

  test('but not a shipped kit in any later status', async () => {
    const shipped = await fixture.sendKit('in_transit')
    await tryCancel(shipped.id, false)
    await fixture.register(shipped)
    await tryCancel(shipped.id, false)
    await fixture.transition(shipped.id, 'requisition_created')
    await tryCancel(shipped.id, false)
    const late = await fixture.sendKit()
    await fixture.register(late)
    assert.equal(await fixture.update(late.id, scan('outbound', 'in_transit')), 'shown')
    await tryCancel(late.id, false)
  })

  test('once', async () => {
    const { id } = await fixture.place()
    await tryCancel(id, true)
    await tryCancel(id, false)
  })

  test('by its own team', async () => {
    const { id } = await fixture.place()
    const { sandboxKey, productionKey } = await fixture.harness.makeTeam()
    for (const key of [sandboxKey, productionKey]) {
      const answer = await cancel(id, { 'x-service-api-key': key })
      assert.deepEqual(refusalOf(answer), [404, 'order_not_found'])
    }
    assert.deepEqual(refusalOf(await cancel('3fa85f64-5717-4562-b3fc-2c963f66afa6')), [
      404,
      'order_not_found',
    ])
    assert.equal((await cancel('not-an-id')).status, 422)
    await tryCancel(id, true)
  })
})

describe('a cancelled order', () => {
  const cancelJobs = async (orderId: string) =>
    (await fixture.jobs(orderId)).filter(({ task }) => task === 'cancel_order_at_lab')

  test('is cancelled at a laboratory that has it, by its sample id there', async () => {
    const unknown = await fixture.place()
    await cancel(unknown.id)
    assert.deepEqual(await cancelJobs(unknown.id), [])
    const known = await fixture.place()
    await fixture.update(known.id, { kind: 'requisition_accepted', sampleId: 'REQ-77' })
    await cancel(known.id)
    const { id: environmentId } = fixture.context.environment
    const { rows } = await fixture.harness.database.pool.query(
      'select slug from labs where id = $1',
      [(await fixture.row(known.id)).lab_id],
    )
    assert.deepEqual(
      (await cancelJobs(known.id)).map(({ payload }) => payload),
      [{ environmentId, orderId: known.id, labSlug: rows[0].slug, sampleId: 'REQ-77' }],
    )
  })

  test('is cancelled at a laboratory that may have it without having answered', async () => {
    const { pool } = fixture.harness.database
    const numberOf = (id: string, problem: string | null) =>
      pool.query(
        `with changed as (update orders set dispatch_problem = $2 where id = $1 returning *)
        insert into lab_order_numbers (environment_id, gateway, kind, number, order_id, created_at)
        select environment_id, 'hl7:quest', 'placer', $1, id, now() from changed`,
        [id, problem],
      )
    const sent = await fixture.place()
    await numberOf(sent.id, null)
    await cancel(sent.id)
    assert.equal((await cancelJobs(sent.id)).length, 1)
    const refused = await fixture.place()
    await numberOf(refused.id, 'refused_by_lab')
    await cancel(refused.id)
    assert.deepEqual(await cancelJobs(refused.id), [])
  })

  test('ignores later updates of laboratories', async () => {
    const { id } = await fixture.place()
    await cancel(id)
    const earlier = await fixture.read(id)
    const effect = await fixture.update(id, { kind: 'requisition_accepted', sampleId: null })
    assert.equal(effect, 'ignored')
    assert.deepEqual(await fixture.read(id), earlier)
  })
})
