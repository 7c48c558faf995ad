import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  ADDRESS,
  changeSettings,
  createBookingFixture,
} from '../../../server/test/booking/booking-fixture.ts'
import { refusalOf, statusesOf } from '../../../server/test/orders/orders-fixture.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

/** Visits at the patient's address, through the API, with the providers of the sandbox. */

const fixture = useFixture(createBookingFixture)

const OTHER_REASON = '9b1f6a40-3c57-4e0a-8d21-000000000111'

test('a slot is booked: the appointment is confirmed and the order follows', async () => {
  const orderId = await fixture.placeVisit()
  const [, slot] = await fixture.visitSlots()
  const body = { booking_key: slot.booking_key, appointment_notes: 'Blue door' }
  const { status, body: appointment } = await fixture.visit(orderId, 'book', body)
  assert.equal(status, 200)
  const order = await fixture.read(orderId)
  assert.deepEqual(
    {
      order_id: appointment.order_id,
      user_id: appointment.user_id,
      order_transaction_id: appointment.order_transaction_id,
      start_at: appointment.start_at,
      end_at: appointment.end_at,
      iana_timezone: appointment.iana_timezone,
      type: appointment.type,
      provider: appointment.provider,
      status: appointment.status,
      can_reschedule: appointment.can_reschedule,
      appointment_notes: appointment.appointment_notes,
      event_status: appointment.event_status,
      event_data: appointment.event_data,
    },
    {
      order_id: orderId,
      user_id: order.user_id,
      order_transaction_id: order.order_transaction.id,
      start_at: slot.start,
      end_at: slot.end,
      iana_timezone: 'America/Phoenix',
      type: 'phlebotomy',
      provider: 'getlabs',
      status: 'confirmed',
      can_reschedule: true,
      appointment_notes: 'Blue door',
      event_status: 'scheduled',
      event_data: { origin: 'customer' },
    },
  )
  assert.deepEqual(appointment.address, {
    ...ADDRESS,
    unit: null,
    access_notes: 'Ring twice',
  })
  assert.ok(Math.abs(appointment.location.lat - 33.45) < 0.1)
  assert.notEqual(appointment.provider_id, '')
  assert.deepEqual(statusesOf(order).slice(-2), ['appointment_pending', 'appointment_scheduled'])
  assert.equal(order.details.data.appointment_id, appointment.id)
  assert.deepEqual((await fixture.visit(orderId, 'read')).body, appointment)
  assert.equal(await fixture.attempts(), 0)

  const again = await fixture.visit(orderId, 'book', body)
  assert.deepEqual(refusalOf(again), [400, 'appointment_exists'])
})

test('it is rescheduled and cancelled, each with its event, and another one is booked', async () => {
  const orderId = await fixture.placeVisit()
  const [first, second] = await fixture.visitSlots(undefined, '?start_date=2026-03-20')
  const booked = await fixture.visit(orderId, 'book', {
    booking_key: first.booking_key,
    appointment_notes: 'Blue door',
  })
  assert.equal(booked.status, 200, booked.text)
  const moved = await fixture.visit(orderId, 'reschedule', { booking_key: second.booking_key })
  assert.equal(moved.status, 200, moved.text)
  assert.deepEqual(
    [moved.body.id, moved.body.start_at, moved.body.status, moved.body.appointment_notes],
    [booked.body.id, second.start, 'confirmed', 'Blue door'],
  )
  assert.deepEqual(moved.body.event_data, { origin: 'customer', is_reschedule: true })
  assert.deepEqual(statusesOf(await fixture.read(orderId)).slice(-2), [
    'appointment_scheduled',
    'appointment_scheduled',
  ])
  const cleared = await fixture.visit(orderId, 'reschedule', {
    booking_key: first.booking_key,
    appointment_notes: null,
  })
  assert.equal(cleared.body.appointment_notes, null)
  const cancel = { cancellation_reason_id: OTHER_REASON, notes: 'On holiday' }
  const cancelled = await fixture.visit(orderId, 'cancel', cancel)
  assert.equal(cancelled.body.status, 'cancelled', cancelled.text)
  assert.deepEqual(cancelled.body.event_data, {
    origin: 'customer',
    cancellation_reason_id: OTHER_REASON,
    cancellation_reason: 'Other',
    notes: 'On holiday',
  })
  assert.equal(statusesOf(await fixture.read(orderId)).at(-1), 'appointment_cancelled')
  assert.deepEqual((await fixture.visit(orderId, 'read')).body, cancelled.body)
  const twice = await fixture.visit(orderId, 'cancel', cancel)
  assert.deepEqual(refusalOf(twice), [400, 'appointment_already_cancelled'])
  const late = await fixture.visit(orderId, 'reschedule', { booking_key: first.booking_key })
  assert.deepEqual(refusalOf(late), [400, 'appointment_closed'])
  const anew = await fixture.visit(orderId, 'book', { booking_key: second.booking_key })
  assert.equal(anew.body.status, 'confirmed', anew.text)
  assert.notEqual(anew.body.id, booked.body.id)
})

test('a visit is requested whose time the provider sets', async () => {
  const address = { zip: '54650', city: 'Onalaska', state: 'WI' }
  const orderId = await fixture.placeVisit({
    patient_address: {
      first_line: '2 Main St',
      ...address,
      country: 'US',
      access_notes: 'Side entrance',
    },
  })
  const body = {
    address: { first_line: '9 Oak St', city: 'Onalaska', state: 'WI', zip_code: '54650-1234' },
    provider: 'phlebfinders',
    appointment_notes: 'After five',
  }
  const { status, body: appointment, text } = await fixture.visit(orderId, 'request', body)
  assert.equal(status, 200, text)
  assert.deepEqual(
    [appointment.status, appointment.start_at, appointment.end_at, appointment.can_reschedule],
    ['pending', null, null, false],
  )
  assert.equal(appointment.provider_id, '')
  assert.deepEqual(appointment.address, {
    ...body.address,
    second_line: null,
    unit: null,
    access_notes: 'Side entrance',
  })
  assert.equal(statusesOf(await fixture.read(orderId)).at(-1), 'appointment_pending')
  const [slot] = await fixture.visitSlots('85003')
  const moved = await fixture.visit(orderId, 'reschedule', { booking_key: slot.booking_key })
  assert.deepEqual(refusalOf(moved), [400, 'not_reschedulable'])
  const cancelled = await fixture.visit(orderId, 'cancel', { cancellation_reason_id: OTHER_REASON })
  assert.equal(cancelled.body.status, 'cancelled')
})

describe('before the requisition', () => {
  test('nothing is booked, unless the team books early: then the slot is reserved', async () => {
    const { id: orderId } = await fixture.place('at_home_phlebotomy', {
      user_id: await fixture.harness.makeUser(),
    })
    const [slot] = await fixture.visitSlots(undefined, '?start_date=2026-03-25')
    const early = await fixture.visit(orderId, 'book', { booking_key: slot.booking_key })
    assert.deepEqual(refusalOf(early), [400, 'requisition_missing'])
    await changeSettings(fixture, { early_appointment_booking_enabled: true })
    const held = await fixture.visit(orderId, 'book', { booking_key: slot.booking_key })
    assert.deepEqual([held.body.status, held.body.event_status], ['reserved', 'reserved'])
    assert.deepEqual(statusesOf(await fixture.read(orderId)), ['ordered'])
    await fixture.update(orderId, { kind: 'requisition_accepted', sampleId: 'EARLY-1' })
    assert.equal((await fixture.visit(orderId, 'read')).body.status, 'confirmed')
    assert.deepEqual(statusesOf(await fixture.read(orderId)), [
      'ordered',
      'requisition_created',
      'appointment_pending',
      'appointment_scheduled',
    ])
  })

  test('no slot is reserved that would be cancelled at once', async () => {
    await changeSettings(fixture, { early_appointment_booking_enabled: true })
    const { id: orderId } = await fixture.place('at_home_phlebotomy', {
      user_id: await fixture.harness.makeUser(),
    })
    fixture.harness.clock.advance(8 * 3600)
    const [slot] = await fixture.visitSlots(undefined, '?start_date=2026-03-25')
    const late = await fixture.visit(orderId, 'book', { booking_key: slot.booking_key })
    assert.deepEqual(refusalOf(late), [400, 'requisition_missing'])
  })
})

test('appointments of a person are listed in pages, newest first', async () => {
  const orderId = await fixture.placeVisit()
  const { user_id: userId } = await fixture.read(orderId)
  const [first, second] = await fixture.visitSlots()
  const booked = await fixture.visit(orderId, 'book', { booking_key: first.booking_key })
  await fixture.visit(orderId, 'cancel', { cancellation_reason_id: OTHER_REASON })
  fixture.harness.clock.advance(60)
  const again = await fixture.visit(orderId, 'book', { booking_key: second.booking_key })
  const list = (query = '') => fixture.harness.call('GET', `/v3/user/${userId}/appointment${query}`)
  const page = (await list('?limit=1')).body
  assert.deepEqual(page.appointments, [again.body])
  const rest = (await list(`?limit=1&next_cursor=${page.next_cursor}`)).body
  assert.deepEqual(
    rest.appointments.map(({ id, status }: { id: string; status: string }) => [id, status]),
    [[booked.body.id, 'cancelled']],
  )
  assert.equal(rest.next_cursor, null)
  assert.deepEqual(refusalOf(await list('?next_cursor=nonsense')), [400, 'invalid_cursor'])
})
