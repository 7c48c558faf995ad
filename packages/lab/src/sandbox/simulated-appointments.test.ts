import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AppointmentProvider } from '@salus/contracts/lab-gateway'
import type { LowLevelStatus } from '@salus/contracts/order-lifecycle'
import { orderStatus } from '@salus/contracts/order-lifecycle'
import { Temporal } from 'temporal-polyfill'
import { METHOD_OF } from '../../../server/test/orders/appointment-case.ts'
import { book, REQUESTED } from '../../../server/test/orders/appointments.ts'
import {
  type Body,
  createOrdersFixture,
  refusalOf,
  statusesOf,
} from '../../../server/test/orders/orders-fixture.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { type AppointmentDraft, findAppointment, showAppointment } from '../appointments/index.ts'

/** Simulated orders with an appointment. */

const fixture = useFixture(createOrdersFixture)

async function open(
  provider: AppointmentProvider,
  first: LowLevelStatus[],
  changes: Partial<AppointmentDraft> = {},
) {
  const user_id = await fixture.harness.makeUser()
  const method = METHOD_OF[provider]
  const { id } = await fixture.place(method, { user_id })
  await fixture.walk(id, ...first)
  const { id: appointmentId } = await book(fixture, id, provider, changes)
  const request = (to?: LowLevelStatus) => {
    const query = to === undefined ? '' : `?final_status=${orderStatus(method, to)}`
    return fixture.harness.call('POST', `/v3/order/${id}/test${query}`)
  }
  return {
    request,
    /** Simulates the order to a status, or to its completion. */
    async simulate(to?: LowLevelStatus): Promise<Body> {
      const { status, text } = await request(to)
      assert.equal(status, 200, text)
      await fixture.harness.call('POST', '/v3/sandbox/advance', { seconds: 1 })
      return fixture.read(id)
    },
    async appointment(): Promise<Body> {
      const row = await findAppointment(fixture.context, appointmentId)
      assert.ok(row)
      return showAppointment(fixture.context, row)
    },
  }
}

const lastOf = (order: Body) => statusesOf(order).at(-1)
const eventsOf = ({ events }: Body) => events.map(({ status }: { status: string }) => status)

describe('a simulation', () => {
  test('past appointment_pending sets a time in the daytime of a later local day', async () => {
    const one = await open('phlebfinders', ['requisition_created'], REQUESTED)
    const order = await one.simulate('appointment_scheduled')
    assert.equal(lastOf(order), 'appointment_scheduled')
    const { status, start_at, end_at, iana_timezone, event_data } = await one.appointment()
    assert.deepEqual([status, event_data], ['confirmed', { origin: 'provider' }])
    const now = order.last_event.created_at
    const [start, end, here] = [start_at, end_at, now].map((text) =>
      Temporal.Instant.from(text).toZonedDateTimeISO(iana_timezone),
    ) as [Temporal.ZonedDateTime, Temporal.ZonedDateTime, Temporal.ZonedDateTime]
    assert.ok(Temporal.PlainDate.compare(start, here) > 0)
    assert.ok(start.hour >= 8 && end.hour <= 18)
  })

  test('to completion completes the appointment too', async () => {
    const one = await open('phlebfinders', ['requisition_created'], REQUESTED)
    const order = await one.simulate()
    assert.deepEqual(statusesOf(order), [
      'ordered',
      'requisition_created',
      'appointment_pending',
      'appointment_scheduled',
      'draw_completed',
      'completed',
    ])
    assert.deepEqual(eventsOf(await one.appointment()), ['pending', 'scheduled', 'completed'])
  })

  test('past the requisition confirms a reserved appointment, with each event once', async () => {
    for (const provider of ['getlabs', 'quest'] as const) {
      const one = await open(provider, [], { status: 'reserved' })
      const order = await one.simulate()
      const isAtHome = provider === 'getlabs'
      assert.deepEqual(statusesOf(order), [
        'ordered',
        'requisition_created',
        'appointment_pending',
        'appointment_scheduled',
        ...(isAtHome ? ['draw_completed'] : []),
        'completed',
      ])
      assert.deepEqual(eventsOf(await one.appointment()), ['reserved', 'scheduled', 'completed'])
    }
  })

  test('to appointment_scheduled is the confirmation of the laboratory', async () => {
    const one = await open('sonora_quest', ['requisition_created'], { status: 'reserved' })
    assert.equal(lastOf(await one.simulate('appointment_scheduled')), 'appointment_scheduled')
    assert.equal((await one.appointment()).status, 'confirmed')
  })

  test('to appointment_scheduled again reschedules a visit', async () => {
    const one = await open('getlabs', ['requisition_created'])
    const { start_at } = await one.appointment()
    const order = await one.simulate('appointment_scheduled')
    assert.deepEqual(statusesOf(order).slice(-2), [
      'appointment_scheduled',
      'appointment_scheduled',
    ])
    const moved = await one.appointment()
    assert.notEqual(moved.start_at, start_at)
    assert.deepEqual(moved.event_data, { origin: 'provider', is_reschedule: true })
  })

  test('to appointment_cancelled cancels it', async () => {
    for (const provider of ['getlabs', 'quest'] as const) {
      const one = await open(provider, ['requisition_created'])
      assert.equal(lastOf(await one.simulate('appointment_cancelled')), 'appointment_cancelled')
      assert.equal((await one.appointment()).status, 'cancelled')
    }
  })

  test('back to appointment_pending cancels it first', async () => {
    for (const provider of ['getlabs', 'quest'] as const) {
      const one = await open(provider, ['requisition_created'])
      assert.deepEqual(statusesOf(await one.simulate('appointment_pending')).slice(-2), [
        'appointment_cancelled',
        'appointment_pending',
      ])
      assert.equal((await one.appointment()).status, 'cancelled')
    }
  })

  test('to cancelled cancels a visit at home, and leaves one at a site', async () => {
    const home = await open('getlabs', ['requisition_created'])
    await home.simulate('cancelled')
    assert.equal((await home.appointment()).status, 'cancelled')
    const site = await open('quest', ['requisition_created'])
    await site.simulate('cancelled')
    assert.equal((await site.appointment()).status, 'confirmed')
  })

  test('of an order whose appointment has ended is that of an order without one', async () => {
    const one = await open('getlabs', ['requisition_created'])
    await one.simulate('appointment_cancelled')
    const order = await one.simulate()
    assert.equal(lastOf(order), 'completed')
    assert.equal((await one.appointment()).events.length, 2)
  })

  test('is refused for an unreachable status', async () => {
    const one = await open('quest', ['requisition_created'])
    const refused = await one.request('appointment_scheduled')
    assert.deepEqual(refusalOf(refused), [400, 'final_status_unreachable'])
  })
})
