import assert from 'node:assert/strict'
import type { AppointmentProvider } from '@salus/contracts/lab-gateway'
import { type LowLevelStatus, statusesAfter } from '@salus/contracts/order-lifecycle'
import { MINUTE_MS } from '@salus/contracts/time-units'
import { AppError } from '@salus/kernel/errors'
import {
  type AppointmentRow,
  lockActiveAppointment,
  transitionAppointment,
  updateAppointment,
} from '@salus/lab/appointments'
import { lockOrder, mayTransition, moveOrderWithAppointment } from '@salus/lab/orders'
import fc from 'fast-check'
import { METHOD_OF, timed } from './appointment-case.ts'
import { book, labMessages, REQUESTED, slotIn } from './appointments.ts'
import { type BareUpdate, type Body, type OrdersFixture, statusesOf } from './orders-fixture.ts'

/** Random lives of orders and their appointments, and what must hold of both at every time. */

type Deed =
  | { do: 'book'; hours: number }
  | { do: 'move'; hours: number }
  | { do: 'tell_time'; hours: number }
  | { do: 'cancel_appointment' | 'note' | 'cancel_order' }
  | { do: 'update'; kind: BareKind; minutesAgo: number; isNamed: boolean }
  | { do: 'result'; to: LowLevelStatus }

type BareKind =
  | 'requisition_accepted'
  | 'appointment_pending'
  | 'appointment_scheduled'
  | 'appointment_in_progress'
  | 'appointment_cancelled'
  | 'draw_completed'

const hours = fc.integer({ min: 1, max: 200 })

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('book' as const), hours }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('move' as const), hours }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('tell_time' as const), hours }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('cancel_appointment' as const, 'note' as const, 'cancel_order' as const),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('update' as const),
      kind: fc.constantFrom<BareKind>(
        'requisition_accepted',
        'requisition_accepted',
        'appointment_pending',
        'appointment_scheduled',
        'appointment_in_progress',
        'appointment_cancelled',
        'draw_completed',
      ),
      minutesAgo: fc.constantFrom(0, 0, 0, 90),
      isNamed: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('result' as const),
      to: fc.constantFrom<LowLevelStatus>('partial_results', 'completed', 'sample_error'),
    }),
  },
)

export const anyDeeds = fc.array(deed, { minLength: 4, maxLength: 16 })

export interface Pair {
  provider: AppointmentProvider
  userId: string
  orderId: string
  /** The id of an appointment that was made at some time. */
  lastId: string | undefined
}

export async function beginPair(
  fixture: OrdersFixture,
  provider: AppointmentProvider,
): Promise<Pair> {
  const userId = await fixture.harness.makeUser()
  const { id } = await fixture.place(METHOD_OF[provider], { user_id: userId })
  return { provider, userId, orderId: id, lastId: undefined }
}

/** Where booking lets one book (docs/contract/14-appointments-and-psc.md#errors). */
const BOOKABLE: LowLevelStatus[] = [
  'ordered',
  'requisition_created',
  'requisition_bypassed',
  'appointment_cancelled',
]

/** Does one thing, as booking, the inbox or the API would. */
export async function act(fixture: OrdersFixture, pair: Pair, deed: Deed): Promise<void> {
  fixture.harness.clock.advance(60)
  const { orderId, provider } = pair
  const now = fixture.harness.clock.now()
  switch (deed.do) {
    case 'book':
      return bookOne(fixture, pair, deed.hours)
    case 'tell_time':
      await fixture.update(orderId, timed(fixture, deed.hours))
      return
    case 'update': {
      const at = new Date(now.getTime() - deed.minutesAgo * MINUTE_MS)
      await fixture.update(orderId, updateOf(pair, deed), at)
      return
    }
    case 'cancel_order':
      await fixture.harness.call('POST', `/v3/order/${orderId}/cancel`)
      return
    case 'result': {
      const row = await fixture.row(orderId)
      if (await mayTransition(fixture.context, row, deed.to)) {
        await fixture.transition(orderId, deed.to)
      }
      return
    }
    default:
      return withActive(fixture, pair, async (row, tx, order) => {
        if (deed.do === 'note') {
          await updateAppointment(tx, row, { notes: now.toISOString() }, now)
        } else if (deed.do === 'cancel_appointment') {
          await transitionAppointment(tx, row, { to: 'cancelled', at: now, data: null })
          await moveOrderWithAppointment(tx, order, 'cancelled', now)
        } else if (deed.do === 'move' && isMovable(provider, row)) {
          const changes = slotIn(fixture, deed.hours)
          await transitionAppointment(tx, row, { to: row.status, at: now, changes })
          await moveOrderWithAppointment(tx, order, 'rescheduled', now)
        }
      })
  }
}

const isMovable = (provider: AppointmentProvider, { status }: AppointmentRow): boolean =>
  provider !== 'sonora_quest' && (status === 'reserved' || status === 'confirmed')

function updateOf({ lastId }: Pair, deed: Extract<Deed, { do: 'update' }>): BareUpdate {
  const { kind, isNamed } = deed
  if (kind === 'requisition_accepted') return { kind, sampleId: null }
  const named = isNamed && lastId !== undefined && kind !== 'draw_completed'
  return { kind, ...(named && { appointmentId: lastId }) } as BareUpdate
}

async function bookOne(fixture: OrdersFixture, pair: Pair, inHours: number): Promise<void> {
  const { orderId, provider } = pair
  const { last_status: status } = await fixture.row(orderId)
  if (!BOOKABLE.includes(status)) return
  const isHeld = status === 'ordered' || provider === 'sonora_quest'
  const changes =
    provider === 'phlebfinders'
      ? REQUESTED
      : {
          status: isHeld ? ('reserved' as const) : ('confirmed' as const),
          ...slotIn(fixture, inHours),
        }
  try {
    pair.lastId = (await book(fixture, orderId, provider, changes)).id
  } catch (error) {
    assert.ok(error instanceof AppError && error.errorType === 'appointment_exists', `${error}`)
  }
}

type Work = Parameters<OrdersFixture['context']['transaction']>[0]

async function withActive(
  { context }: OrdersFixture,
  { orderId }: Pair,
  work: (
    row: AppointmentRow,
    tx: Parameters<Work>[0],
    order: NonNullable<Awaited<ReturnType<typeof lockOrder>>>,
  ) => Promise<void>,
): Promise<void> {
  await context.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId)
    const row = await lockActiveAppointment(tx, orderId)
    if (order !== undefined && row !== undefined) await work(row, tx, order)
  })
}

const EVENT_STATUS: Record<string, string> = { confirmed: 'scheduled' }
const DRAWN = /^(draw_completed|partial_results|completed|sample_error)$/

/** What holds of an order and its appointments at every time. */
export async function checkPair(fixture: OrdersFixture, pair: Pair): Promise<void> {
  const { orderId, userId, provider } = pair
  const order = await fixture.read(orderId)
  const statuses = statusesOf(order) as LowLevelStatus[]
  const last = statuses.at(-1) as LowLevelStatus
  for (const [index, to] of statuses.slice(1).entries()) {
    const from = statuses[index] as LowLevelStatus
    assert.ok(statusesAfter(METHOD_OF[provider], from).includes(to), `${from} → ${to}`)
  }

  // Every appointment has the status of its last event, and at most one is active.
  const { rows } = await fixture.harness.database.pool.query(
    `select a.id, a.status, (select array_agg(e.status order by e.id) from appointment_events e
      where e.appointment_id = a.id) as events from appointments a where a.order_id = $1`,
    [orderId],
  )
  for (const { status, events } of rows) {
    assert.equal(events.at(-1), EVENT_STATUS[status] ?? status)
  }
  const active = rows.filter(({ status }) => !/completed|cancelled/.test(status))
  assert.ok(active.length <= 1)
  assert.equal(order.details.data.appointment_id, active[0]?.id ?? null)
  if (active.length > 0) checkTogether(pair, last, active[0].status)

  await checkMessages(fixture, userId, order, rows)
}

/** The order stands where its active appointment is. */
function checkTogether({ provider }: Pair, last: LowLevelStatus, status: string): void {
  const isAtHome = METHOD_OF[provider] === 'at_home_phlebotomy'
  const what = `${last} with an appointment that is ${status}`
  assert.ok(!DRAWN.test(last), what)
  if (last === 'cancelled') assert.ok(!isAtHome, what)
  else if (status === 'pending') assert.match(last, /^(ordered|appointment_pending)$/, what)
  else if (status === 'reserved' && provider === 'sonora_quest') {
    assert.match(last, /^(ordered|requisition_created|appointment_cancelled)$/, what)
  } else if (status === 'reserved') assert.equal(last, 'ordered', what)
  else if (last === 'ordered') assert.equal(provider, 'sonora_quest', what)
  else assert.equal(last, 'appointment_scheduled', what)
}

/** Each event of both was sent once; an appointment once more when it was made. */
async function checkMessages(
  fixture: OrdersFixture,
  userId: string,
  order: Body,
  appointments: { id: string; events: string[] }[],
): Promise<void> {
  const reported = await labMessages(fixture, userId)
  const ofOrder = reported.filter(({ text }) => text.startsWith('order.'))
  assert.deepEqual(
    ofOrder.map(({ data }) => data.last_event.id),
    order.events.map(({ id }: Body) => id),
  )
  for (const { id, events } of appointments) {
    const own = reported.filter(({ data }) => data.id === id)
    assert.equal(own.filter(({ text }) => text.startsWith('appointment.created')).length, 1)
    const counts = own
      .filter(({ text }) => text.startsWith('appointment.updated'))
      .map(({ data }) => data.events.length)
    // Notes and numbers change without an event.
    assert.deepEqual(
      [...new Set(counts)],
      events.map((_, index) => index + 1),
    )
  }
}
