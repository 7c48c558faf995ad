import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { accepted, CREATED, openCase } from '../../../../server/test/orders/appointment-case.ts'
import { book, REQUESTED } from '../../../../server/test/orders/appointments.ts'
import { createOrdersFixture, statusesOf } from '../../../../server/test/orders/orders-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { lockAppointment } from '../../appointments/index.ts'

/**
 * Effects of new appointments and arriving requisitions on order and appointment, with the events
 * of both (docs/contract/14-appointments-and-psc.md#effect-on-the-order).
 */

const fixture = useFixture(createOrdersFixture)

const BOOKED = ['appointment.created confirmed', 'appointment.updated confirmed']

describe('a new appointment', () => {
  for (const provider of ['getlabs', 'quest'] as const) {
    test(`at ${provider} and confirmed moves its order to appointment_scheduled`, async () => {
      const one = await openCase(fixture, provider, CREATED)
      assert.deepEqual(await one.listEvents(), [
        ...BOOKED,
        'order.updated appointment_pending',
        'order.updated appointment_scheduled',
      ])
      assert.equal((await fixture.read(one.orderId)).details.data.appointment_id, one.row.id)
    })

    test(`at ${provider} before the requisition keeps the status of its order`, async () => {
      const one = await openCase(fixture, provider, [], { status: 'reserved' })
      assert.deepEqual(await one.listEvents(), [
        'appointment.created reserved',
        'appointment.updated reserved',
      ])
      const { details } = await fixture.read(one.orderId)
      assert.equal(details.data.appointment_id, one.row.id)
    })

    test(`at ${provider} after a cancelled one moves its order back`, async () => {
      const one = await openCase(fixture, provider, CREATED)
      await one.update({ kind: 'appointment_cancelled' })
      await one.listEvents()
      await book(fixture, one.orderId, provider)
      const direct = provider === 'getlabs'
      assert.deepEqual(await one.listEvents(), [
        ...BOOKED,
        ...(direct ? [] : ['order.updated appointment_pending']),
        'order.updated appointment_scheduled',
      ])
    })
  }

  test('without a time moves its order to appointment_pending, also after a cancelled one', async () => {
    const one = await openCase(fixture, 'phlebfinders', CREATED, REQUESTED)
    const asked = [
      'appointment.created pending',
      'appointment.updated pending',
      'order.updated appointment_pending',
    ]
    assert.deepEqual(await one.listEvents(), asked)
    await one.update({ kind: 'appointment_cancelled' })
    await one.listEvents()
    await book(fixture, one.orderId, 'phlebfinders', REQUESTED)
    assert.deepEqual(await one.listEvents(), asked)
  })

  test('for an imported order has the same effect', async () => {
    const { id } = await fixture.import('FOR-A-VISIT', 'at_home_phlebotomy', {
      user_id: await fixture.harness.makeUser(),
    })
    await book(fixture, id, 'getlabs')
    assert.deepEqual(statusesOf(await fixture.read(id)), [
      'ordered',
      'requisition_bypassed',
      'appointment_pending',
      'appointment_scheduled',
    ])
  })
})

describe('a requisition that arrives', () => {
  for (const provider of ['getlabs', 'quest', 'phlebfinders'] as const) {
    test(`confirms a reserved slot at ${provider}, with three events of the order and one of the appointment`, async () => {
      const one = await openCase(fixture, provider, [], {
        status: 'reserved',
        cancel_at: new Date(0),
      })
      await one.listEvents()
      assert.equal(await one.update(accepted), 'transitioned')
      assert.deepEqual(await one.listEvents(), [
        'order.updated requisition_created',
        'appointment.updated confirmed',
        'order.updated appointment_pending',
        'order.updated appointment_scheduled',
      ])
      const { status, event_status, event_data } = await one.appointment()
      assert.deepEqual(
        [status, event_status, event_data],
        ['confirmed', 'scheduled', { origin: 'system' }],
      )
      assert.equal(await one.update(accepted), 'ignored')
      assert.deepEqual(await one.listEvents(), [])
    })
  }

  test('moves the order of a request to appointment_pending, and stops its cancellation for a missing requisition', async () => {
    const one = await openCase(fixture, 'phlebfinders', [], {
      ...REQUESTED,
      cancel_at: new Date(0),
    })
    await one.listEvents()
    await one.update(accepted)
    assert.deepEqual(await one.listEvents(), [
      'order.updated requisition_created',
      'order.updated appointment_pending',
    ])
    const stored = await fixture.context.transaction((tx) => lockAppointment(tx, one.row.id))
    assert.equal(stored?.cancel_at, null)
  })

  test('confirms nothing at sonora_quest; its laboratory does, and then the order follows', async () => {
    const one = await openCase(fixture, 'sonora_quest', [], { status: 'reserved' })
    assert.deepEqual(await one.listEvents(), [
      'appointment.created reserved',
      'appointment.updated reserved',
    ])
    await one.update(accepted)
    assert.deepEqual(await one.listEvents(), ['order.updated requisition_created'])
    assert.equal(await one.update({ kind: 'appointment_scheduled' }), 'transitioned')
    assert.deepEqual(await one.listEvents(), [
      'appointment.updated confirmed',
      'order.updated appointment_pending',
      'order.updated appointment_scheduled',
    ])
  })

  test('finds an earlier confirmation of the laboratory of sonora_quest', async () => {
    const one = await openCase(fixture, 'sonora_quest', [], { status: 'reserved' })
    await one.listEvents()
    assert.equal(await one.update({ kind: 'appointment_scheduled', externalId: 'QWERTY' }), 'shown')
    assert.deepEqual(await one.listEvents(), ['appointment.updated confirmed'])
    assert.equal((await one.appointment()).external_id, 'QWERTY')
    await one.update(accepted)
    assert.deepEqual(await one.listEvents(), [
      'order.updated requisition_created',
      'order.updated appointment_pending',
      'order.updated appointment_scheduled',
    ])
  })

  test('after the cancellation of the appointment has the effect of an order without one', async () => {
    const one = await openCase(fixture, 'getlabs', [], { status: 'reserved' })
    await one.update({ kind: 'appointment_cancelled' })
    await one.listEvents()
    await one.update(accepted)
    assert.deepEqual(await one.listEvents(), ['order.updated requisition_created'])
  })
})
