import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatInstant } from '@salus/kernel/time/instants'
import {
  accepted,
  CREATED,
  openCase,
  timed,
} from '../../../../server/test/orders/appointment-case.ts'
import { book, REQUESTED } from '../../../../server/test/orders/appointments.ts'
import {
  type BareUpdate,
  createOrdersFixture,
} from '../../../../server/test/orders/orders-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

/** Updates from providers of appointments. */

const fixture = useFixture(createOrdersFixture)

describe('a time that a provider sets', () => {
  test('confirms a request, and its order is scheduled', async () => {
    const one = await openCase(fixture, 'phlebfinders', CREATED, REQUESTED)
    await one.listEvents()
    const time = timed(fixture, 48)
    assert.equal(await one.update(time), 'transitioned')
    assert.deepEqual(await one.listEvents(), [
      'appointment.updated confirmed',
      'order.updated appointment_scheduled',
    ])
    const { start_at, end_at, can_reschedule } = await one.appointment()
    assert.ok('startAt' in time)
    const wanted = [time.startAt, time.endAt].map((text) => formatInstant(Date.parse(text)))
    assert.deepEqual([start_at, end_at, can_reschedule], [...wanted, false])
    assert.equal(await one.update(time), 'ignored')
    assert.deepEqual(await one.listEvents(), [])
  })

  test('only reserves a request while the requisition is missing', async () => {
    const one = await openCase(fixture, 'phlebfinders', [], REQUESTED)
    await one.listEvents()
    assert.equal(await one.update(timed(fixture, 48)), 'shown')
    assert.equal(await one.update(timed(fixture, 50)), 'shown')
    assert.deepEqual(await one.listEvents(), [
      'appointment.updated reserved',
      'appointment.updated reserved',
    ])
    const { events } = await one.appointment()
    assert.deepEqual(events.at(-1).data, { origin: 'provider', is_reschedule: true })
    await one.update(accepted)
    assert.equal((await one.appointment()).status, 'confirmed')
  })

  test('is required: no request is confirmed without one, or with one that ends before it begins', async () => {
    const one = await openCase(fixture, 'phlebfinders', CREATED, REQUESTED)
    await one.listEvents()
    const backwards = {
      ...timed(fixture, 48),
      endAt: fixture.harness.clock.now().toISOString(),
    } as BareUpdate
    assert.equal(await one.update({ kind: 'appointment_scheduled' }), 'ignored')
    assert.equal(await one.update(backwards), 'ignored')
    assert.deepEqual(await one.listEvents(), [])
  })

  test('is not required for a booking that waited for the answer', async () => {
    const one = await openCase(fixture, 'quest', CREATED, { status: 'pending' })
    await one.listEvents()
    await one.update({ kind: 'appointment_scheduled', externalId: 'ABCDEF' })
    assert.deepEqual(await one.listEvents(), [
      'appointment.updated confirmed',
      'order.updated appointment_scheduled',
    ])
    assert.equal((await one.appointment()).external_id, 'ABCDEF')
  })
})

describe('a visit that a provider reschedules', () => {
  for (const provider of ['getlabs', 'quest'] as const) {
    test(`emits its event and that of its order: ${provider}`, async () => {
      const one = await openCase(fixture, provider, CREATED)
      await one.listEvents()
      const time = timed(fixture, 60)
      assert.equal(await one.update(time), 'transitioned')
      const isAtHome = provider === 'getlabs'
      assert.deepEqual(await one.listEvents(), [
        'appointment.updated confirmed',
        ...(isAtHome ? [] : ['order.updated appointment_pending']),
        'order.updated appointment_scheduled',
      ])
      const { event_data, events } = await one.appointment()
      assert.deepEqual(event_data, { origin: 'provider', is_reschedule: true })
      assert.equal(events.length, 2)
      // A repetition, an update without data and an older update change nothing.
      assert.equal(await one.update(time), 'ignored')
      assert.equal(await one.update({ kind: 'appointment_scheduled' }), 'ignored')
      const early = new Date(fixture.harness.clock.now().getTime() - 1000)
      assert.equal(await one.update(timed(fixture, 70), early), 'ignored')
      assert.equal(await one.update({ kind: 'appointment_pending' }), 'ignored')
      assert.deepEqual(await one.listEvents(), [])
    })
  }

  test('may get another number, without an event', async () => {
    const one = await openCase(fixture, 'quest', CREATED)
    await one.listEvents()
    assert.equal(await one.update({ kind: 'appointment_scheduled', externalId: 'ZZZZZZ' }), 'shown')
    assert.deepEqual(await one.listEvents(), ['appointment.updated confirmed'])
    assert.equal((await one.appointment()).events.length, 1)
  })

  test('stays unchanged while it is running', async () => {
    const one = await openCase(fixture, 'getlabs', CREATED)
    await one.update({ kind: 'appointment_in_progress' })
    await one.listEvents()
    assert.equal(await one.update(timed(fixture, 90)), 'ignored')
    assert.deepEqual(await one.listEvents(), [])
  })
})

describe('a visit', () => {
  test('that begins does not move its order', async () => {
    const one = await openCase(fixture, 'getlabs', CREATED)
    await one.listEvents()
    assert.equal(await one.update({ kind: 'appointment_in_progress' }), 'shown')
    assert.deepEqual(await one.listEvents(), ['appointment.updated in_progress'])
    assert.equal(await one.update({ kind: 'appointment_in_progress' }), 'ignored')
    assert.equal((await one.statuses()).at(-1), 'appointment_scheduled')
  })

  test('that is not confirmed does not begin', async () => {
    for (const changes of [REQUESTED, { status: 'reserved' } as const]) {
      const one = await openCase(fixture, 'getlabs', [], changes)
      assert.equal(await one.update({ kind: 'appointment_in_progress' }), 'ignored')
    }
    const { id } = await fixture.place('at_home_phlebotomy')
    assert.equal(await fixture.update(id, { kind: 'appointment_in_progress' }), 'ignored')
  })

  for (const isStarted of [true, false]) {
    test(`is completed by the draw ${isStarted ? 'after' : 'without'} a notice of its start`, async () => {
      const one = await openCase(fixture, 'getlabs', CREATED)
      if (isStarted) await one.update({ kind: 'appointment_in_progress' })
      await one.listEvents()
      assert.equal(await one.update({ kind: 'draw_completed' }), 'transitioned')
      assert.deepEqual(await one.listEvents(), [
        'appointment.updated completed',
        'order.updated draw_completed',
      ])
      assert.equal(await one.update({ kind: 'draw_completed' }), 'ignored')
      assert.equal((await fixture.read(one.orderId)).details.data.appointment_id, null)
    })
  }

  test('is not completed by a collection without a time', async () => {
    const one = await openCase(fixture, 'phlebfinders', CREATED, REQUESTED)
    await one.listEvents()
    assert.equal(await one.update({ kind: 'draw_completed' }), 'ignored')
    assert.deepEqual(await one.listEvents(), [])
  })
})

describe('an appointment that is cancelled', () => {
  for (const [provider, status] of [
    ['getlabs', 'confirmed'],
    ['quest', 'confirmed'],
    ['quest', 'pending'],
    ['phlebfinders', 'pending'],
  ] as const) {
    test(`by its provider moves its order to appointment_cancelled: ${status} at ${provider}`, async () => {
      const one = await openCase(fixture, provider, CREATED, { status })
      await one.listEvents()
      const cancelled = {
        kind: 'appointment_cancelled',
        reason: 'No phlebotomist is free.',
      } as const
      assert.equal(await one.update(cancelled), 'transitioned')
      assert.deepEqual(await one.listEvents(), [
        'appointment.updated cancelled',
        'order.updated appointment_cancelled',
      ])
      const { event_data } = await one.appointment()
      assert.deepEqual(event_data, {
        origin: 'provider',
        cancellation_reason: 'No phlebotomist is free.',
      })
      assert.equal((await fixture.read(one.orderId)).details.data.appointment_id, null)
      assert.equal(await one.update({ ...cancelled, appointmentId: one.row.id }), 'ignored')
    })
  }

  test('before the requisition emits only its own event', async () => {
    const one = await openCase(fixture, 'quest', [], { status: 'reserved' })
    await one.listEvents()
    assert.equal(await one.update({ kind: 'appointment_cancelled' }), 'shown')
    assert.deepEqual(await one.listEvents(), ['appointment.updated cancelled'])
    assert.deepEqual(await one.statuses(), ['ordered'])
  })

  test('at sonora_quest before the laboratory confirmed it leaves the order unchanged', async () => {
    const one = await openCase(fixture, 'sonora_quest', CREATED, { status: 'reserved' })
    await one.listEvents()
    await one.update({ kind: 'appointment_cancelled' })
    assert.deepEqual(await one.listEvents(), ['appointment.updated cancelled'])
    assert.deepEqual(await one.statuses(), ['ordered', 'requisition_created'])
  })

  test('during the visit has failed', async () => {
    const one = await openCase(fixture, 'getlabs', CREATED)
    await one.update({ kind: 'appointment_in_progress' })
    await one.listEvents()
    await one.update({ kind: 'appointment_cancelled' })
    assert.deepEqual(await one.listEvents(), [
      'appointment.updated cancelled',
      'order.updated appointment_cancelled',
    ])
  })

  test('is cancelled also by a late update', async () => {
    const one = await openCase(fixture, 'getlabs', CREATED)
    await one.update({ kind: 'appointment_cancelled' }, new Date(0))
    assert.equal((await one.appointment()).status, 'cancelled')
  })
})

describe('an update about another appointment', () => {
  test('changes neither the active one nor the order', async () => {
    const one = await openCase(fixture, 'getlabs', CREATED)
    await one.update({ kind: 'appointment_cancelled', appointmentId: one.row.id })
    const next = await book(fixture, one.orderId, 'getlabs')
    await one.listEvents()
    const appointmentId = one.row.id
    for (const update of [
      { kind: 'appointment_cancelled', appointmentId },
      { kind: 'appointment_in_progress', appointmentId },
      { ...timed(fixture, 99), appointmentId },
    ] as BareUpdate[]) {
      assert.equal(await one.update(update), 'ignored', update.kind)
    }
    assert.deepEqual(await one.listEvents(), [])
    const ofIt = { kind: 'appointment_in_progress', appointmentId: next.id } as const
    assert.equal(await one.update(ofIt), 'shown')
  })

  test('does not move back an order without an active one', async () => {
    const one = await openCase(fixture, 'getlabs', CREATED)
    await one.update({ kind: 'appointment_cancelled' })
    await one.listEvents()
    assert.equal(
      await one.update({ ...timed(fixture, 99), appointmentId: one.row.id } as BareUpdate),
      'ignored',
    )
    assert.deepEqual(await one.listEvents(), [])
  })
})
