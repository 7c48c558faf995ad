import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  ADDRESS,
  changeSettings,
  createBookingFixture,
} from '../../../server/test/booking/booking-fixture.ts'
import { refusalOf } from '../../../server/test/orders/orders-fixture.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

/** Refusals for visits at the patient's address. */

const fixture = useFixture(createBookingFixture)

const OTHER_REASON = '9b1f6a40-3c57-4e0a-8d21-000000000111'

describe('of visits is refused:', () => {
  const key = async (zip?: string) => (await fixture.visitSlots(zip))[0].booking_key

  test('an order that is unknown, or of another method', async () => {
    const booking_key = await key()
    const unknown = '5f0c0d6e-8a51-4c3b-9d27-00000000ffff'
    const missing = await fixture.visit(unknown, 'book', { booking_key })
    assert.deepEqual(refusalOf(missing), [404, 'order_not_found'])
    const walkIn = await fixture.placeSite()
    for (const [what, body] of [
      ['book', { booking_key }],
      ['request', { address: ADDRESS, provider: 'phlebfinders' }],
      ['reschedule', { booking_key }],
      ['cancel', { cancellation_reason_id: OTHER_REASON }],
    ] as const) {
      const refused = await fixture.visit(walkIn, what, body)
      assert.deepEqual(refusalOf(refused), [400, 'wrong_collection_method'], what)
    }
    assert.deepEqual(refusalOf(await fixture.visit(walkIn, 'read')), [404, 'appointment_not_found'])
  })

  test('a key that is malformed, of another area, of a site, or expired', async () => {
    const orderId = await fixture.placeVisit()
    const [siteSlot] = await fixture.siteSlots()
    for (const booking_key of ['', 'no key', await key('10001'), siteSlot.booking_key]) {
      const refused = await fixture.visit(orderId, 'book', { booking_key })
      assert.deepEqual(refusalOf(refused), [400, 'invalid_booking_key'])
    }
    const old = await key()
    fixture.harness.clock.advance(30 * 60)
    const over = await fixture.visit(orderId, 'book', { booking_key: old })
    assert.deepEqual(refusalOf(over), [400, 'invalid_booking_key'])
  })

  test('a slot that has begun', async () => {
    const orderId = await fixture.placeVisit()
    const [slot] = await fixture.visitSlots()
    const untilStart = (Date.parse(slot.start) - fixture.harness.clock.now().getTime()) / 1000
    fixture.harness.clock.advance(untilStart - 60)
    const [same] = await fixture.visitSlots()
    assert.equal(same.start, slot.start)
    fixture.harness.clock.advance(60)
    const refused = await fixture.visit(orderId, 'book', { booking_key: same.booking_key })
    assert.deepEqual(refusalOf(refused), [400, 'slot_in_past'])
  })

  test('a patient under 18, by their local day', async () => {
    await changeSettings(fixture, { minor_ordering_enabled: true })
    const now = fixture.harness.clock.now()
    const today = new Intl.DateTimeFormat('sv', { timeZone: 'America/Phoenix' }).format(now)
    const dob = (days: number) => {
      const day = new Date(`${today}T12:00:00Z`)
      day.setUTCFullYear(day.getUTCFullYear() - 18)
      day.setUTCDate(day.getUTCDate() + days)
      return day.toISOString().slice(0, 10)
    }
    const details = (days: number) => ({
      patient_details: {
        first_name: 'Young',
        last_name: 'Moreau',
        dob: dob(days),
        gender: 'male',
        phone_number: '(555) 010-0199',
        email: 'young@example.com',
        medical_proxy: {
          first_name: 'Ada',
          last_name: 'Moreau',
          phone_number: '(555) 010-0199',
          address: { first_line: '1 Main St', city: 'Phoenix', state: 'AZ', zip: '85004' },
        },
      },
    })
    const young = await fixture.placeVisit(details(1))
    const refused = await fixture.visit(young, 'book', { booking_key: await key() })
    assert.deepEqual(refusalOf(refused), [400, 'patient_too_young'])
    const grown = await fixture.placeVisit(details(0))
    const booked = await fixture.visit(grown, 'book', { booking_key: await key() })
    assert.equal(booked.status, 200, booked.text)
  })

  test('requests to providers with slots, and for addresses without a provider', async () => {
    const orderId = await fixture.placeVisit()
    for (const provider of ['getlabs', 'quest', 'sonora_quest']) {
      const refused = await fixture.visit(orderId, 'request', { address: ADDRESS, provider })
      assert.deepEqual(refusalOf(refused), [400, 'provider_not_requestable'])
    }
    for (const zip_code of ['85004', '00000', '00901', '09012']) {
      const address = { ...ADDRESS, zip_code }
      const refused = await fixture.visit(orderId, 'request', { address, provider: 'phlebfinders' })
      assert.deepEqual(refusalOf(refused), [400, 'area_not_served'], zip_code)
    }
  })

  test('bodies that do not match the schema', async () => {
    const orderId = await fixture.placeVisit()
    const booking_key = await key()
    // booking-requests.test.ts has the rest.
    for (const body of [{}, { booking_key, async_confirmation: true }]) {
      assert.equal((await fixture.visit(orderId, 'book', body)).status, 422, JSON.stringify(body))
    }
  })

  test('reasons for other appointments, and appointments that do not exist', async () => {
    const orderId = await fixture.placeVisit()
    const none = await fixture.visit(orderId, 'cancel', { cancellation_reason_id: OTHER_REASON })
    assert.deepEqual(refusalOf(none), [400, 'no_appointment'])
    const ofSites = '9b1f6a40-3c57-4e0a-8d21-000000000201'
    const reason = await fixture.visit(orderId, 'cancel', { cancellation_reason_id: ofSites })
    assert.deepEqual(refusalOf(reason), [404, 'cancellation_reason_not_found'])
    const move = await fixture.visit(orderId, 'reschedule', { booking_key: await key() })
    assert.deepEqual(refusalOf(move), [400, 'no_appointment'])
  })

  test('a patient whom the provider already visits for another order', async () => {
    const orderId = await fixture.placeVisit()
    const { user_id: userId } = await fixture.read(orderId)
    const { body } = await fixture.harness.call('POST', '/v3/order', {
      user_id: userId,
      order_set: { lab_test_ids: [fixture.tests.at_home_phlebotomy] },
      patient_details: (await fixture.row(orderId)).patient_details,
      patient_address: (await fixture.row(orderId)).patient_address,
    })
    await fixture.walk(body.order.id, 'requisition_created')
    const first = await fixture.visit(orderId, 'book', { booking_key: await key() })
    assert.equal(first.status, 200, first.text)
    const second = await fixture.visit(body.order.id, 'book', { booking_key: await key() })
    assert.deepEqual(refusalOf(second), [400, 'appointment_exists'])
    assert.equal(await fixture.attempts(), 0)
  })

  test('all requests, when the team may not schedule appointments', async () => {
    const orderId = await fixture.placeVisit()
    const booking_key = await key()
    await changeSettings(fixture, { appointment_scheduling_enabled: false })
    try {
      const refused = await fixture.visit(orderId, 'book', { booking_key })
      assert.deepEqual(refusalOf(refused), [403, 'feature_not_enabled'])
    } finally {
      await changeSettings(fixture, { appointment_scheduling_enabled: true })
    }
  })
})
