import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { StatusUpdate } from '@salus/contracts/lab-gateway'
import {
  allowedStatuses,
  COLLECTION_METHODS,
  type CollectionMethod,
  type LowLevelStatus,
  type OrderFacts,
  orderStatus,
} from '@salus/contracts/order-lifecycle'
import type { Db } from '@salus/kernel/postgres/database'
import { formatInstant } from '@salus/kernel/time/instants'
import { CONTRACT_LIFECYCLES } from '../../../../server/test/orders/contract-lifecycles.ts'
import {
  type BareUpdate,
  createOrdersFixture,
  scan,
  statusesOf,
} from '../../../../server/test/orders/orders-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { lockOrder } from '../orders.repository.ts'
import { applyUpdate } from './apply-update.service.ts'

/** The effect of every update on orders of every method in every status. */

const fixture = useFixture(createOrdersFixture)

/**
 * Each kind of update with its statuses, copied by hand from docs/contract/12-order-lifecycle.md.
 */
const UPDATES: [BareUpdate, ...LowLevelStatus[]][] = [
  [{ kind: 'requisition_accepted', sampleId: null }, 'requisition_created'],
  [{ kind: 'kit_dispatched', sampleId: '7770000001' }],
  [{ kind: 'fulfillment_failed' }, 'cancelled', 'failure_to_deliver_to_customer'],
  [scan('outbound', 'in_transit'), 'transit_customer'],
  [scan('outbound', 'out_for_delivery'), 'out_for_delivery'],
  [scan('outbound', 'delivered'), 'with_customer'],
  [scan('outbound', 'exception'), 'problem_in_transit_customer'],
  [scan('outbound', 'not_deliverable'), 'failure_to_deliver_to_customer'],
  [scan('outbound', 'lost'), 'lost'],
  [scan('inbound', 'in_transit'), 'transit_lab'],
  [scan('inbound', 'out_for_delivery')],
  [scan('inbound', 'delivered')],
  [scan('inbound', 'exception'), 'problem_in_transit_lab'],
  [scan('inbound', 'not_deliverable'), 'failure_to_deliver_to_lab'],
  [scan('inbound', 'lost'), 'lost'],
  [{ kind: 'sample_received' }, 'delivered_to_lab'],
  [{ kind: 'processing_blocked', detail: null }, 'lab_processing_blocked'],
  [{ kind: 'processing_resumed' }, 'delivered_to_lab'],
  [{ kind: 'sample_error', detail: 'sample_contaminated' }, 'sample_error'],
  [{ kind: 'sample_lost' }, 'lost'],
  [{ kind: 'cancelled_by_lab' }, 'cancelled'],
  [{ kind: 'do_not_process' }, 'do_not_process'],
  [{ kind: 'appointment_pending' }, 'appointment_pending'],
  [{ kind: 'appointment_scheduled' }, 'appointment_scheduled'],
  [{ kind: 'appointment_cancelled' }, 'appointment_cancelled'],
  [{ kind: 'draw_completed' }, 'draw_completed'],
]

const TRANSITIONS = Object.fromEntries(
  COLLECTION_METHODS.map((method) => {
    const lines = CONTRACT_LIFECYCLES[method].transitions.trim().split('\n')
    return [method, new Set(lines.map((line) => line.trim()))]
  }),
)

/** Statuses after the kit vendor's part, in which only the laboratory cancels. */
const HAS_KIT = new Set<LowLevelStatus>([
  'with_customer',
  'transit_lab',
  'problem_in_transit_lab',
  'delivered_to_lab',
  'lab_processing_blocked',
])

/** Returns the status to which the contract lets the update lead. */
function expected(
  method: CollectionMethod,
  from: LowLevelStatus,
  [{ kind }, ...meant]: (typeof UPDATES)[number],
): LowLevelStatus | undefined {
  const isBlocked = from === 'lab_processing_blocked'
  if (kind === 'processing_resumed' && !isBlocked) return undefined
  if (kind === 'sample_received' && isBlocked) return undefined
  if (kind === 'fulfillment_failed' && (method !== 'testkit' || HAS_KIT.has(from))) return undefined
  // A repetition with the same reason and time changes nothing.
  return meant.find((to) => to !== from && TRANSITIONS[method]?.has(`${from} ${to}`))
}

const FACTS = { isUnregisteredKit: false, isRegistered: false, wasShipped: false, isRedraw: false }

function waysOf(facts: OrderFacts): [LowLevelStatus, LowLevelStatus[]][] {
  const ways = new Map<LowLevelStatus, LowLevelStatus[]>([[facts.status, []]])
  for (const [status, way] of ways) {
    for (const to of allowedStatuses({ ...facts, status })) {
      if (!ways.has(to)) ways.set(to, [...way, to])
    }
  }
  return [...ways]
}

/** Returns all stored data of an order, for comparison. */
async function pictureOf(db: Db, orderId: string) {
  const [order, events, messages] = await Promise.all([
    db.selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow(),
    db
      .selectFrom('order_events')
      .select('status')
      .where('order_id', '=', orderId)
      .orderBy('id')
      .execute(),
    db.selectFrom('events').select('id').execute(),
  ])
  return { order, events: events.map(({ status }) => status), messages: messages.length }
}

/** Applies the update and rolls it back. */
async function trial(orderId: string, method: CollectionMethod, entry: (typeof UPDATES)[number]) {
  const [update] = entry
  const undo = new Error('undo')
  const trying = fixture.context.transaction(async (tx) => {
    const transaction = tx.db
    const row = await lockOrder(tx, orderId)
    assert.ok(row)
    const earlier = await pictureOf(transaction, orderId)
    const at = fixture.harness.clock.now()
    const whole = { ...update, order: { labSlug: '' } } as StatusUpdate
    const { row: changed, effect } = await applyUpdate(tx, row, whole, at)
    const later = await pictureOf(transaction, orderId)
    assert.deepEqual(later.order, changed)
    const to = expected(method, row.last_status, entry)
    const what = `${row.last_status}: ${JSON.stringify(update)}`
    if (to === undefined) {
      const isOfParcel = update.kind === 'scan' || update.kind === 'sample_received'
      const isNumber = update.kind === 'kit_dispatched'
      const isShown = method === 'testkit' && (isOfParcel || isNumber)
      assert.equal(effect, isShown ? 'shown' : 'ignored', what)
      const sample_id = isShown && isNumber ? update.sampleId : earlier.order.sample_id
      assert.deepEqual(later, { ...earlier, order: { ...earlier.order, sample_id } }, what)
    } else {
      assert.equal(effect, 'transitioned', what)
      assert.deepEqual(later.events, [...earlier.events, to], what)
      assert.equal(later.messages, earlier.messages + 1, what)
      assert.equal(changed.last_status, to)
    }
    throw undo
  })
  await assert.rejects(trying, undo)
}

describe('every update', () => {
  for (const method of COLLECTION_METHODS) {
    for (const [status, way] of waysOf({ ...FACTS, method, status: 'ordered' })) {
      test(`brings an order that is ${orderStatus(method, status)} on as the table says, or not at all`, async () => {
        const { id } = await fixture.place(method)
        await fixture.walk(id, ...way)
        for (const entry of UPDATES) await trial(id, method, entry)
      })
    }
  }
})

describe('updates that an order follows', () => {
  test('are emitted with the order at that time, and update its transaction', async () => {
    const { id } = await fixture.place()
    fixture.harness.clock.advance(60)
    await fixture.update(id, { kind: 'requisition_accepted', sampleId: 'REQ-5' })
    const order = await fixture.read(id)
    assert.equal(order.sample_id, 'REQ-5')
    assert.deepEqual(order.last_event, order.events.at(-1))
    assert.equal(order.updated_at, order.last_event.created_at)
    const [member] = order.order_transaction.orders
    assert.equal(member.low_level_status, 'requisition_created')
    assert.equal(member.low_level_status_created_at, order.last_event.created_at)
    assert.deepEqual((await fixture.messages(id)).at(-1)?.data, order)
    await fixture.update(id, { kind: 'sample_error', detail: null })
    assert.equal((await fixture.read(id)).order_transaction.status, 'completed')
  })

  test('have events in ascending order of time', async () => {
    const { id } = await fixture.place()
    const early = new Date(fixture.harness.clock.now().getTime() - 3_600_000)
    await fixture.update(id, { kind: 'requisition_accepted', sampleId: null }, early)
    await fixture.update(id, { kind: 'appointment_pending' })
    await fixture.update(id, { kind: 'appointment_scheduled' }, early)
    const { events, created_at } = await fixture.read(id)
    const times = events.map((event: { created_at: string }) => event.created_at)
    assert.deepEqual(times, times.toSorted())
    assert.equal(times[0], created_at)
    const ids = events.map((event: { id: number }) => event.id)
    assert.deepEqual(
      ids,
      ids.toSorted((a: number, b: number) => a - b),
    )
  })

  test('may repeat an appointment at home, which was then rescheduled', async () => {
    const { id } = await fixture.place('at_home_phlebotomy')
    await fixture.walk(id, 'requisition_created', 'appointment_pending')
    await fixture.update(id, { kind: 'appointment_scheduled' })
    const [first] = [fixture.harness.clock.now()]
    fixture.harness.clock.advance(60)
    assert.equal(await fixture.update(id, { kind: 'appointment_scheduled' }), 'transitioned')
    assert.equal(await fixture.update(id, { kind: 'appointment_scheduled' }, first), 'ignored')
    assert.deepEqual(statusesOf(await fixture.read(id)).slice(-2), [
      'appointment_scheduled',
      'appointment_scheduled',
    ])
  })

  test('are ignored when they only repeat the reason for which a laboratory waits', async () => {
    const { id } = await fixture.place('testkit')
    await fixture.walk(id, 'requisition_created', 'delivered_to_lab')
    const blocked = (detail: 'date_of_collection_unspecified' | null) =>
      fixture.update(id, { kind: 'processing_blocked', detail })
    const countEvents = async () => (await fixture.messages(id)).length
    assert.equal(await blocked('date_of_collection_unspecified'), 'transitioned')
    const before = await countEvents()
    fixture.harness.clock.advance(60)
    assert.equal(await blocked('date_of_collection_unspecified'), 'ignored')
    assert.equal(await countEvents(), before)
    assert.equal(await blocked(null), 'transitioned')
    const { events } = await fixture.read(id)
    assert.deepEqual(
      events.slice(-2).map((event: { status_detail: string }) => event.status_detail),
      ['date_of_collection_unspecified', null],
    )
  })

  test('are found by polling for changes, also late ones', async () => {
    const { id } = await fixture.place()
    fixture.harness.clock.advance(600)
    const looked = fixture.harness.clock.now()
    fixture.harness.clock.advance(60)
    const before = new Date(looked.getTime() - 300_000)
    await fixture.update(id, { kind: 'requisition_accepted', sampleId: null }, before)
    const order = await fixture.read(id)
    assert.equal(order.last_event.created_at, formatInstant(before))
    assert.equal(order.updated_at, formatInstant(fixture.harness.clock.now()))
    const since = `/v3/orders?updated_start_date=${looked.toISOString()}`
    const { orders } = (await fixture.harness.call('GET', since)).body
    assert.deepEqual(
      orders.map((found: { id: string }) => found.id),
      [id],
    )
  })

  test('record the day of the collection', async () => {
    const { id } = await fixture.place('at_home_phlebotomy')
    await fixture.walk(id, 'requisition_created', 'appointment_pending', 'appointment_scheduled')
    await fixture.update(id, { kind: 'draw_completed' })
    const { collected_on } = await fixture.row(id)
    assert.equal(collected_on, fixture.harness.clock.now().toISOString().slice(0, 10))
  })

  test('set an unknown sample id also at a later status', async () => {
    const { id } = await fixture.place()
    await fixture.update(id, { kind: 'requisition_accepted', sampleId: null })
    const late = { kind: 'requisition_accepted', sampleId: 'REQ-6' } as const
    assert.equal(await fixture.update(id, late), 'shown')
    assert.equal(await fixture.update(id, { ...late, sampleId: 'REQ-7' }), 'ignored')
    assert.equal((await fixture.read(id)).sample_id, 'REQ-6')
  })
})
