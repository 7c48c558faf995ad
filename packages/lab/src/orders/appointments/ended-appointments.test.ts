import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LowLevelStatus } from '@salus/contracts/order-lifecycle'
import {
  CREATED,
  METHOD_OF,
  openCase,
  timed,
} from '../../../../server/test/orders/appointment-case.ts'
import { book } from '../../../../server/test/orders/appointments.ts'
import { type Body, createOrdersFixture } from '../../../../server/test/orders/orders-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import type { AppointmentRow } from '../../appointments/index.ts'
import { lockOrder } from '../orders.repository.ts'
import {
  type AppointmentChange,
  moveOrderWithAppointment,
} from './move-order-with-appointment.service.ts'

/** Appointments of orders that ended or whose specimen was collected, and their events. */

const fixture = useFixture(createOrdersFixture)

describe('results', () => {
  for (const provider of ['getlabs', 'quest', 'sonora_quest'] as const) {
    for (const to of ['partial_results', 'completed'] as const) {
      test(`of ${to} complete a confirmed appointment at ${provider}`, async () => {
        const one = await openCase(fixture, provider, CREATED)
        await one.listEvents()
        await fixture.transition(one.orderId, to)
        assert.deepEqual(await one.listEvents(), [
          'appointment.updated completed',
          `order.updated ${to}`,
        ])
      })
    }
  }

  test('that emit no event complete it, too', async () => {
    const one = await openCase(fixture, 'quest', CREATED)
    await one.listEvents()
    await fixture.transition(one.orderId, 'partial_results', { isSilent: true })
    assert.deepEqual(await one.listEvents(), ['appointment.updated completed'])
  })

  for (const to of ['redraw_available', 'sample_error'] as const) {
    test(`that end as ${to} complete it, too`, async () => {
      const one = await openCase(fixture, 'quest', CREATED)
      await one.listEvents()
      await fixture.transition(one.orderId, to)
      assert.deepEqual(await one.listEvents(), [
        'appointment.updated completed',
        `order.updated ${to}`,
      ])
    })
  }

  test('after a walk-in cancel an unconfirmed appointment', async () => {
    for (const changes of [{ status: 'pending' }, { status: 'reserved' }] as const) {
      const one = await openCase(fixture, 'quest', CREATED, changes)
      await one.listEvents()
      await fixture.transition(one.orderId, 'completed')
      assert.deepEqual(await one.listEvents(), [
        'appointment.updated cancelled',
        'order.updated completed',
      ])
      const { event_data } = await one.appointment()
      assert.deepEqual(event_data, {
        origin: 'system',
        cancellation_reason: 'The specimen was collected without the appointment.',
      })
    }
  })
})

describe('an order that is cancelled', () => {
  const cancel = async (orderId: string) => {
    const answer = await fixture.harness.call('POST', `/v3/order/${orderId}/cancel`)
    assert.equal(answer.status, 200)
    return answer.body.order
  }
  const cancelJobs = async (row: AppointmentRow) => {
    const { rows } = await fixture.harness.database.pool.query(
      "select 1 from graphile_worker._private_jobs where payload ->> 'appointmentId' = $1",
      [row.id],
    )
    return rows.length
  }

  for (const [status, first] of [
    ['confirmed', CREATED],
    ['in_progress', CREATED],
    ['pending', CREATED],
    ['reserved', []],
  ] as ['confirmed' | 'in_progress' | 'pending' | 'reserved', LowLevelStatus[]][]) {
    test(`cancels a visit at home that is ${status}, also at its provider`, async () => {
      const isRunning = status === 'in_progress'
      const one = await openCase(fixture, 'getlabs', first, {
        status: isRunning ? 'confirmed' : status,
      })
      if (isRunning) await one.update({ kind: 'appointment_in_progress' })
      await one.listEvents()
      const order = await cancel(one.orderId)
      assert.deepEqual(await one.listEvents(), [
        'appointment.updated cancelled',
        'order.updated cancelled',
      ])
      assert.equal(order.details.data.appointment_id, null)
      const { event_data } = await one.appointment()
      assert.deepEqual(event_data, {
        origin: 'system',
        cancellation_reason: 'The order was cancelled.',
      })
      assert.equal(await cancelJobs(one.row), 1)
    })
  }

  test('keeps an appointment at a site, which can still be cancelled by itself', async () => {
    const one = await openCase(fixture, 'quest', CREATED)
    await one.listEvents()
    const order = await cancel(one.orderId)
    assert.deepEqual(await one.listEvents(), ['order.updated cancelled'])
    assert.equal(order.details.data.appointment_id, one.row.id)
    assert.equal(await cancelJobs(one.row), 0)
    assert.equal(await one.update({ kind: 'appointment_cancelled' }), 'shown')
    assert.deepEqual(await one.listEvents(), ['appointment.updated cancelled'])
  })

  test('after the draw has no visit to cancel', async () => {
    const one = await openCase(fixture, 'getlabs', CREATED)
    await one.update({ kind: 'draw_completed' })
    await one.listEvents()
    await cancel(one.orderId)
    assert.deepEqual(await one.listEvents(), ['order.updated cancelled'])
    assert.equal((await one.appointment()).status, 'completed')
  })

  test('by a replacement cancels its visit, and the new order has none', async () => {
    const one = await openCase(fixture, 'getlabs', CREATED)
    await one.listEvents()
    const body = { recreate_from_order_id: one.orderId, update_reason: 'OTHER' }
    const answer = await fixture.harness.call('POST', '/v3/order/create', body)
    assert.equal(answer.status, 200, answer.text)
    const { id } = answer.body.order
    const emitted = await one.listEvents()
    assert.deepEqual(
      emitted.filter((text) => text.endsWith('cancelled')),
      ['appointment.updated cancelled', 'order.updated cancelled'],
    )
    assert.equal((await fixture.read(id)).details.data.appointment_id, null)
  })
})

test('an order that cannot follow keeps its status', async () => {
  const follow = (orderId: string, change: AppointmentChange) =>
    fixture.context.transaction(async (tx) => {
      const order = await lockOrder(tx, orderId)
      assert.ok(order)
      const followed = await moveOrderWithAppointment(
        tx,
        order,
        change,
        fixture.harness.clock.now(),
      )
      assert.equal(followed, order, `${order.last_status}: ${change}`)
    })
  for (const method of ['at_home_phlebotomy', 'walk_in_test'] as const) {
    for (const way of [[], [...CREATED, 'cancelled' as const]]) {
      const { id } = await fixture.place(method)
      await fixture.walk(id, ...way)
      for (const change of ['requested', 'scheduled', 'rescheduled', 'cancelled'] as const) {
        await follow(id, change)
      }
    }
  }
})

test('order and appointment of a deleted person continue without events', async () => {
  const one = await openCase(fixture, 'getlabs', CREATED)
  await fixture.harness.call('DELETE', `/v2/user/${one.row.user_id}`)
  await one.listEvents()
  await one.update(timed(fixture, 80))
  await one.update({ kind: 'draw_completed' })
  assert.deepEqual(await one.listEvents(), [])
  assert.equal((await one.appointment()).status, 'completed')
})

test('a page of orders has the active appointment of each', async () => {
  const user_id = await fixture.harness.makeUser()
  const ids = new Map<string, string | null>()
  for (const provider of ['quest', 'quest', 'getlabs'] as const) {
    const { id } = await fixture.place(METHOD_OF[provider], { user_id })
    await fixture.walk(id, 'requisition_created')
    ids.set(id, (await book(fixture, id, provider)).id)
  }
  const { id } = await fixture.place('walk_in_test', { user_id })
  ids.set(id, null)
  const { orders } = (await fixture.harness.call('GET', `/v3/orders?user_id=${user_id}`)).body
  const shown = orders.map((order: Body) => [order.id, order.details.data.appointment_id])
  assert.deepEqual(new Map(shown), ids)
})
