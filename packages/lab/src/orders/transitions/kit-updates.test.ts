import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LowLevelStatus } from '@salus/contracts/order-lifecycle'
import {
  type BareUpdate,
  type Body,
  createOrdersFixture,
  scan,
  statusesOf,
} from '../../../../server/test/orders/orders-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

/** Updates of couriers, kit vendors and laboratories for kits. */

const fixture = useFixture(createOrdersFixture)

/** Returns a registered kit after the given updates. */
async function kitWith(...updates: BareUpdate[]): Promise<string> {
  const { id } = await fixture.place('testkit')
  await fixture.transition(id, 'requisition_created')
  for (const piece of updates) assert.equal(await fixture.update(id, piece), 'transitioned')
  return id
}

const last = async (orderId: string) => statusesOf(await fixture.read(orderId)).at(-1)
const shipmentOf = async (orderId: string) => (await fixture.read(orderId)).details.data.shipment

const OUT = [
  scan('outbound', 'in_transit'),
  scan('outbound', 'out_for_delivery'),
  scan('outbound', 'delivered'),
]

describe('scans of a parcel', () => {
  test('move a kit to its patient and back to the laboratory', async () => {
    const id = await kitWith(...OUT, scan('inbound', 'in_transit'), { kind: 'sample_received' })
    assert.deepEqual(statusesOf(await fixture.read(id)), [
      'ordered',
      'requisition_created',
      'transit_customer',
      'out_for_delivery',
      'with_customer',
      'transit_lab',
      'delivered_to_lab',
    ])
  })

  test('may skip only the statuses that the state machine lets them skip', async () => {
    const skipping = await kitWith(scan('outbound', 'in_transit'), scan('outbound', 'delivered'))
    assert.equal(await last(skipping), 'with_customer')
    assert.equal(await fixture.update(skipping, { kind: 'sample_received' }), 'transitioned')
    const unsent = await kitWith()
    assert.equal(await fixture.update(unsent, scan('outbound', 'delivered')), 'shown')
    assert.equal(await last(unsent), 'requisition_created')
  })

  test('are shown from the first one on, outbound and inbound separately', async () => {
    const id = await kitWith()
    const empty = await shipmentOf(id)
    assert.equal(empty.outbound_courier, null)
    await fixture.update(id, scan('outbound', 'in_transit'))
    const sent = await shipmentOf(id)
    assert.deepEqual([sent.outbound_courier, sent.inbound_courier], ['usps', null])
    const number = '9400100000000000000000'
    assert.equal(sent.outbound_tracking_number, number)
    assert.equal(sent.id, empty.id)
    const back = {
      ...scan('inbound', 'in_transit'),
      courier: 'ups',
      trackingUrl: 'https://x.example/1',
    }
    await fixture.update(id, back as BareUpdate)
    const returned = await shipmentOf(id)
    assert.deepEqual(
      [returned.inbound_courier, returned.inbound_tracking_url, returned.outbound_courier],
      ['ups', 'https://x.example/1', 'usps'],
    )
  })

  test('that are repeated change nothing', async () => {
    const scans = [...OUT, scan('inbound', 'in_transit')]
    const id = await kitWith(...scans)
    const { events } = await fixture.read(id)
    const emitted = (await fixture.messages(id)).length
    for (const repeated of scans) assert.equal(await fixture.update(id, repeated), 'shown')
    assert.deepEqual((await fixture.read(id)).events, events)
    assert.equal((await fixture.messages(id)).length, emitted)
  })

  test('that arrive late neither set nor clear an exception of a parcel', async () => {
    const { clock } = fixture.harness
    const { id: trouble } = await fixture.place('testkit')
    const [first, second, third] = Array.from({ length: 4 }, () => {
      clock.advance(60)
      return clock.now()
    })
    // Sent after the parcel was in transit, so that no event is earlier than this one.
    await fixture.transition(trouble, 'requisition_created')
    await fixture.update(trouble, scan('outbound', 'in_transit'), first)
    await fixture.update(trouble, scan('outbound', 'exception'), third)
    await fixture.update(trouble, scan('outbound', 'in_transit'), first)
    await fixture.update(trouble, scan('outbound', 'out_for_delivery'), second)
    assert.equal(await last(trouble), 'problem_in_transit_customer')
    clock.advance(60)
    await fixture.update(trouble, scan('outbound', 'in_transit'))
    await fixture.update(trouble, scan('outbound', 'exception'), third)
    assert.equal(await last(trouble), 'transit_customer')
    await fixture.update(trouble, scan('outbound', 'delivered'), second)
    assert.equal(await last(trouble), 'with_customer')

    await fixture.update(trouble, scan('inbound', 'in_transit'))
    await fixture.update(trouble, scan('inbound', 'exception'))
    await fixture.update(trouble, scan('inbound', 'in_transit'), first)
    assert.equal(await last(trouble), 'problem_in_transit_lab')
  })

  const ENDS: [string, BareUpdate[], LowLevelStatus][] = [
    [
      'not delivered',
      [...OUT.slice(0, 2), scan('outbound', 'not_deliverable')],
      'failure_to_deliver_to_customer',
    ],
    ['lost on the way', [...OUT.slice(0, 1), scan('outbound', 'lost')], 'lost'],
    [
      'in trouble, then lost',
      [...OUT.slice(0, 1), scan('outbound', 'exception'), scan('outbound', 'lost')],
      'lost',
    ],
    [
      'lost on the way back',
      [...OUT, scan('inbound', 'in_transit'), { kind: 'sample_lost' }],
      'lost',
    ],
    [
      'not delivered to the laboratory',
      [
        ...OUT,
        scan('inbound', 'in_transit'),
        scan('inbound', 'exception'),
        scan('inbound', 'not_deliverable'),
      ],
      'failure_to_deliver_to_lab',
    ],
    ['stopped', [...OUT, { kind: 'do_not_process' }], 'do_not_process'],
  ]
  for (const [what, updates, end] of ENDS) {
    test(`end in ${end} for a kit that is ${what}, despite later scans`, async () => {
      const id = await kitWith(...updates)
      const order = await fixture.read(id)
      assert.equal(statusesOf(order).at(-1), end)
      assert.notEqual(order.order_transaction.status, 'active')
      for (const late of [...OUT, scan('inbound', 'in_transit')]) await fixture.update(id, late)
      await fixture.update(id, { kind: 'sample_received' })
      assert.deepEqual((await fixture.read(id)).events, order.events)
    })
  }

  test('of the outbound parcel are ignored for a registered kit', async () => {
    const kit = await fixture.sendKit('in_transit')
    await fixture.register(kit)
    await fixture.transition(kit.id, 'requisition_created')
    const { events } = await fixture.read(kit.id)
    for (const seen of ['out_for_delivery', 'delivered', 'in_transit', 'lost'] as const) {
      assert.equal(await fixture.update(kit.id, scan('outbound', seen)), 'shown')
    }
    assert.deepEqual((await fixture.read(kit.id)).events, events)
    assert.equal(await fixture.update(kit.id, scan('inbound', 'in_transit')), 'transitioned')
  })
})

describe('a laboratory that has a kit', () => {
  const atLab = () => kitWith(...OUT, { kind: 'sample_received' })
  const blocked = (detail: 'date_of_collection_unspecified' | null): BareUpdate => ({
    kind: 'processing_blocked',
    detail,
  })
  const details = async (id: string) =>
    (await fixture.read(id)).events
      .slice(5)
      .map(({ status, status_detail }: Body) => [status.split('.').at(-1), status_detail])

  test('may block for data, for another reason, continue, and block again', async () => {
    const id = await atLab()
    const updates = [blocked(null), blocked('date_of_collection_unspecified')]
    for (const piece of updates) assert.equal(await fixture.update(id, piece), 'transitioned')
    assert.equal(await fixture.update(id, { kind: 'sample_received' }), 'shown')
    assert.equal(await fixture.update(id, { kind: 'processing_resumed' }), 'transitioned')
    assert.equal(await fixture.update(id, { kind: 'processing_resumed' }), 'ignored')
    assert.equal(await fixture.update(id, blocked(null)), 'transitioned')
    assert.equal(
      await fixture.update(id, { kind: 'sample_error', detail: 'sample_hemolyzed' }),
      'transitioned',
    )
    assert.deepEqual(await details(id), [
      ['delivered_to_lab', null],
      ['lab_processing_blocked', null],
      ['lab_processing_blocked', 'date_of_collection_unspecified'],
      ['delivered_to_lab', null],
      ['lab_processing_blocked', null],
      ['sample_error', 'sample_hemolyzed'],
    ])
    const emitted = (await fixture.messages(id)).at(-1)
    assert.equal(emitted?.data.last_event.status_detail, 'sample_hemolyzed')
  })

  test('cannot continue without a block, nor before it has the kit', async () => {
    const id = await kitWith(...OUT)
    for (const piece of [{ kind: 'processing_resumed' }, blocked(null)] as BareUpdate[]) {
      assert.equal(await fixture.update(id, piece), 'ignored')
    }
    assert.equal(await last(id), 'with_customer')
  })
})

describe('a kit vendor without kits', () => {
  test('ends the order in its status', async () => {
    const id = await kitWith()
    assert.equal(await fixture.update(id, { kind: 'fulfillment_failed' }), 'transitioned')
    const { last_event } = await fixture.read(id)
    assert.deepEqual(
      [last_event.status, last_event.status_detail],
      ['cancelled.testkit.cancelled', 'fulfillment_error'],
    )
    const sent = await kitWith(scan('outbound', 'in_transit'), { kind: 'fulfillment_failed' })
    const failed = (await fixture.read(sent)).last_event
    assert.deepEqual(
      [failed.status, failed.status_detail],
      ['failed.testkit.failure_to_deliver_to_customer', 'fulfillment_error'],
    )
  })

  test('does not affect orders without a kit', async () => {
    for (const method of ['walk_in_test', 'at_home_phlebotomy', 'on_site_collection'] as const) {
      const { id } = await fixture.place(method)
      assert.equal(await fixture.update(id, { kind: 'fulfillment_failed' }), 'ignored')
    }
  })
})
const accept = (orderId: string) =>
  fixture.update(orderId, { kind: 'requisition_accepted', sampleId: 'REQ-1' })

describe('a kit that was returned before its registration', () => {
  const out = ['in_transit', 'out_for_delivery', 'delivered'] as const
  const CASES: [string, BareUpdate[], LowLevelStatus[]][] = [
    ['on its way', [scan('inbound', 'in_transit')], ['transit_lab']],
    ['in trouble', [scan('inbound', 'exception')], ['transit_lab', 'problem_in_transit_lab']],
    ['lost', [scan('inbound', 'lost')], ['transit_lab', 'lost']],
    [
      'not deliverable',
      [scan('inbound', 'not_deliverable')],
      ['transit_lab', 'failure_to_deliver_to_lab'],
    ],
    ['brought by the courier', [scan('inbound', 'delivered')], ['transit_lab']],
    ['received', [{ kind: 'sample_received' }], ['delivered_to_lab']],
    [
      'received, with late scans',
      [{ kind: 'sample_received' }, scan('inbound', 'in_transit'), scan('inbound', 'delivered')],
      ['delivered_to_lab'],
    ],
  ]
  for (const [what, updates, caughtUp] of CASES) {
    test(`moves to the status of its sample: ${what}`, async () => {
      const kit = await fixture.sendKit(...out)
      for (const piece of updates) assert.equal(await fixture.update(kit.id, piece), 'shown')
      assert.deepEqual((await fixture.read(kit.id)).events, kit.events)
      await fixture.register(kit)
      await accept(kit.id)
      const order = await fixture.read(kit.id)
      const expected = ['registered', 'requisition_created', ...caughtUp]
      assert.deepEqual(statusesOf(order).slice(kit.events.length), expected)
      const emitted = await fixture.messages(kit.id)
      assert.equal(emitted.length, order.events.length)
    })
  }

  test('or between its registration and the requisition', async () => {
    const kit = await fixture.sendKit(...out)
    await fixture.register(kit)
    assert.equal(await fixture.update(kit.id, { kind: 'sample_received' }), 'shown')
    await accept(kit.id)
    assert.equal(statusesOf(await fixture.read(kit.id)).at(-1), 'delivered_to_lab')
  })
})
