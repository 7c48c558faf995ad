import assert from 'node:assert/strict'
import {
  groupOf,
  type LowLevelStatus,
  SCANS,
  statusesAfter,
  transactionStatus,
} from '@salus/contracts/order-lifecycle'
import { unpackBody } from '@salus/kernel/events/event-body'
import { mayTransition } from '@salus/lab/orders'
import fc from 'fast-check'
import { type Method, registrationBody } from './order-bodies.ts'
import { type BareUpdate, type Body, type OrdersFixture, scan } from './orders-fixture.ts'

/** Random lives of orders, and what must hold of an order at every time of its life. */

export type Step =
  | { do: 'update'; update: BareUpdate; minutesAgo: number }
  | { do: 'result'; to: LowLevelStatus }
  | { do: 'cancel' | 'draw_completed' | 'register' | 'resend' }
  | { do: 'reschedule'; day: string | null }
  | { do: 'wait'; minutes: number }

export interface Life {
  method: Method
  isUnregisteredKit: boolean
  isScheduled: boolean
  isImported: boolean
  steps: Step[]
}

const DETAILS = [null, 'sample_hemolyzed', 'sample_contaminated'] as const
const seen = fc.constantFrom(...SCANS)
const often = <const T>(...values: T[]) => fc.constantFrom(...values)

const update: fc.Arbitrary<BareUpdate> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(often('outbound', 'inbound'), seen).map(([way, what]) => scan(way, what)),
  },
  {
    weight: 2,
    arbitrary: often<BareUpdate>(
      scan('outbound', 'in_transit'),
      scan('outbound', 'delivered'),
      scan('inbound', 'in_transit'),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constant<BareUpdate>({ kind: 'requisition_accepted', sampleId: null }),
  },
  {
    weight: 6,
    arbitrary: often<BareUpdate>(
      { kind: 'sample_received' },
      { kind: 'processing_resumed' },
      { kind: 'appointment_pending' },
      { kind: 'appointment_scheduled' },
      { kind: 'appointment_cancelled' },
      { kind: 'draw_completed' },
    ),
  },
  {
    weight: 1,
    arbitrary: often<BareUpdate>(
      { kind: 'fulfillment_failed' },
      { kind: 'sample_lost' },
      { kind: 'do_not_process' },
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(often('processing_blocked', 'sample_error'), often(...DETAILS))
      .map(([kind, detail]): BareUpdate => ({ kind, detail })),
  },
)

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ do: often('update'), update, minutesAgo: often(0, 0, 0, 1, 600) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: often('result'),
      to: often<LowLevelStatus>('partial_results', 'completed', 'corrected', 'redraw_available'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: often('cancel', 'resend') }) },
  { weight: 2, arbitrary: fc.record({ do: often('draw_completed', 'register') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: often('reschedule'),
      day: fc.constantFrom(null, '2999-01-01', '2000-01-01'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: often('wait'), minutes: fc.nat(500) }) },
)

export const life: fc.Arbitrary<Life> = fc.record({
  method: fc.constantFrom<Method>(
    'walk_in_test',
    'at_home_phlebotomy',
    'on_site_collection',
    'testkit',
    'testkit',
  ),
  isUnregisteredKit: fc.boolean(),
  isScheduled: fc.boolean(),
  isImported: fc.integer({ min: 0, max: 4 }).map((number) => number === 0),
  steps: fc.array(step, { minLength: 5, maxLength: 18 }),
})

/** An order in the middle of its life, with what is expected of it beside its events. */
export interface Living {
  userId: string
  orderId: string
  method: Method
  kitNumber: string
  /** When it was last changed without an event. */
  changedAt: string
  /** Events that were there when it was looked at last. */
  seenEvents: number
  /** Ids of events without a receiver. */
  silent: Set<number>
  /** Messages that were requested once more. */
  repeated: number
}

let kits = 8_000_000_000
let imports = 0

export async function begin(fixture: OrdersFixture, wish: Life): Promise<Living> {
  const userId = await fixture.harness.makeUser()
  const { method } = wish
  const isKit = method === 'testkit' && wish.isUnregisteredKit
  kits += 1
  imports += 1
  const scheduled = wish.isScheduled ? { activate_by: '2998-01-01' } : {}
  const user = { user_id: userId }
  const order = isKit
    ? await fixture.orderKit(user)
    : wish.isImported
      ? await fixture.import(`life-${imports}`, method, user)
      : await fixture.place(method, { ...user, ...scheduled })
  const living: Living = {
    userId,
    orderId: order.id,
    method,
    kitNumber: String(kits),
    changedAt: order.created_at,
    seenEvents: 0,
    silent: new Set(),
    repeated: 0,
  }
  if (isKit) {
    await fixture.update(order.id, { kind: 'kit_dispatched', sampleId: living.kitNumber })
    living.changedAt = (await fixture.read(order.id)).updated_at
  }
  return living
}

/** Lets one thing happen; a refusal must say why and leave everything as it was. */
export async function live(fixture: OrdersFixture, living: Living, next: Step): Promise<void> {
  const { harness } = fixture
  const { orderId } = living
  switch (next.do) {
    case 'wait':
      return harness.clock.advance(next.minutes * 60)
    case 'update': {
      const at = new Date(harness.clock.now().getTime() - next.minutesAgo * 60_000)
      await fixture.update(orderId, next.update, at)
      return
    }
    case 'result': {
      const row = await fixture.row(orderId)
      if (!(await mayTransition(fixture.context, row, next.to))) return
      const isSilent = next.to === 'partial_results'
      await fixture.transition(orderId, next.to, { isSilent })
      if (isSilent) living.silent.add((await fixture.read(orderId)).last_event.id)
      return
    }
    case 'resend':
      living.repeated += 1
      await harness.call('POST', '/v3/order/resend_events', { order_ids: [orderId] })
      return
    default:
      return callApi(fixture, living, next)
  }
}

async function callApi(
  fixture: OrdersFixture,
  living: Living,
  next: Extract<Step, { do: 'cancel' | 'draw_completed' | 'register' | 'resend' | 'reschedule' }>,
): Promise<void> {
  const { call } = fixture.harness
  const url = `/v3/order/${living.orderId}`
  const earlier = await fixture.read(living.orderId)
  const answer =
    next.do === 'cancel'
      ? await call('POST', `${url}/cancel`)
      : next.do === 'draw_completed'
        ? await call('PATCH', `${url}/draw_completed`)
        : next.do === 'register'
          ? await call('POST', '/v3/order/testkit/register', registrationBody(living.kitNumber))
          : await call('PATCH', url, { activate_by: (next as { day: string | null }).day })
  if (answer.status === 200) {
    const later = await fixture.read(living.orderId)
    assert.deepEqual(answer.body.order, later)
    if (next.do === 'reschedule') living.changedAt = later.updated_at
    return
  }
  assert.ok([400, 404].includes(answer.status), answer.text)
  assert.deepEqual(await fixture.read(living.orderId), earlier)
  const { detail } = answer.body
  if (detail.error_type !== 'transition_not_allowed') return
  assert.equal(detail.from, lastOf(earlier))
  assert.equal(detail.to, next.do === 'cancel' ? 'cancelled' : next.do)
  assert.ok(!detail.allowed.includes(detail.to))
}

const lowLevel = ({ status }: Body): LowLevelStatus => status.split('.').at(-1)
const lastOf = ({ last_event }: Body): LowLevelStatus => lowLevel(last_event)

/** What holds of every order at every time. */
export async function check(fixture: OrdersFixture, living: Living): Promise<void> {
  const { orderId, method } = living
  const order = await fixture.read(orderId)
  const row = await fixture.row(orderId)
  const statuses: LowLevelStatus[] = order.events.map(lowLevel)
  const last = statuses.at(-1) as LowLevelStatus

  // Its state is the list of its events.
  assert.deepEqual(order.last_event, order.events.at(-1))
  assert.equal(row.last_status, last)
  assert.equal(order.status, groupOf(method, last))
  for (const [index, status] of statuses.entries()) {
    const [group, shownMethod] = order.events[index].status.split('.')
    assert.deepEqual([group, shownMethod], [groupOf(method, status), method])
  }
  const times: string[] = order.events.map((event: Body) => event.created_at)
  assert.deepEqual(times, times.toSorted())
  // It is never before the last event or the last change, and moves when there is an event.
  assert.deepEqual(
    [times.at(-1), living.changedAt, order.updated_at].toSorted().at(-1),
    order.updated_at,
  )
  if (times.length > living.seenEvents) {
    const now = fixture.harness.clock.now().toISOString().slice(0, 19)
    assert.ok(order.updated_at >= now, 'updated_at does not move with the event')
  }
  living.seenEvents = times.length
  living.changedAt = order.updated_at
  const { status, orders } = order.order_transaction
  assert.equal(status, transactionStatus([{ status: last, origin: order.origin }]))
  const memberStatuses = orders.map((member: Body) => member.low_level_status)
  assert.deepEqual(memberStatuses, [last])

  // Every pair of events is a move of the tables.
  assert.equal(statuses[0], 'ordered')
  for (const [index, to] of statuses.slice(1).entries()) {
    const from = statuses[index] as LowLevelStatus
    assert.ok(statusesAfter(method, from).includes(to), `${method}: ${from} → ${to}`)
  }

  // Each event was sent once, with the order as it was then.
  const reported = await messagesOf(fixture, living)
  const expected = order.events.filter(({ id }: Body) => !living.silent.has(id))
  const first = reported.filter(
    ({ id }, index) => reported.findIndex((other) => other.id === id) === index,
  )
  assert.deepEqual(
    first.map(({ id, events }) => [id, events]).sort((a, b) => Number(a[0]) - Number(b[0])),
    first.map(({ id, events }) => [id, events]),
  )
  const ids = new Set(reported.map(({ id }) => id))
  for (const { id } of expected) assert.ok(ids.has(id), `the event ${id} was sent`)
  assert.equal(reported.length, expected.length + living.repeated)
}

/** The last event and the number of events of each message about the user's order. */
async function messagesOf(
  { harness }: OrdersFixture,
  { userId }: Living,
): Promise<{ id: number; events: number }[]> {
  const { rows } = await harness.database.pool.query(
    `select body from events where user_id = $1 and event_type like 'labtest.order.%'
    order by sequence`,
    [userId],
  )
  return rows.map(({ body }) => {
    const { data } = JSON.parse(unpackBody(body).toString())
    return { id: data.last_event.id, events: data.events.length }
  })
}
