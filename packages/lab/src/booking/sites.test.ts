import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { DAY_SECONDS } from '@salus/contracts/time-units'
import {
  changeSettings,
  createBookingFixture,
} from '../../../server/test/booking/booking-fixture.ts'
import { type Body, refusalOf, statusesOf } from '../../../server/test/orders/orders-fixture.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

/** Appointments at sites of laboratories, through the API, with the providers of the sandbox. */

const fixture = useFixture(createBookingFixture)
let codes: string[]

before(async () => {
  codes = await fixture.siteCodes()
})

const REASON = '9b1f6a40-3c57-4e0a-8d21-000000000201'

/** Returns the slots of a day on which none has begun. */
const slotsOf = (code: string | undefined, lab = 'quest'): Promise<Body[]> =>
  fixture.siteSlots(`lab=${lab}&site_codes=${code}&start_date=2026-03-10`)
const keyOf = async (code: string | undefined, lab?: string): Promise<string> =>
  (await slotsOf(code, lab))[0].booking_key

test('a slot is booked at the site, moved to another site and cancelled', async () => {
  const orderId = await fixture.placeSite()
  const [, slot] = await slotsOf(codes[0])
  const booked = await fixture.site(orderId, 'book', { booking_key: slot.booking_key })
  assert.equal(booked.status, 200, booked.text)
  const { body: appointment } = booked
  assert.deepEqual(
    [appointment.type, appointment.provider, appointment.status, appointment.start_at],
    ['patient_service_center', 'quest', 'confirmed', slot.start],
  )
  assert.deepEqual(appointment.address, slot.location.address)
  assert.deepEqual(appointment.location, slot.location.location)
  assert.equal(appointment.iana_timezone, slot.location.iana_timezone)
  assert.match(appointment.external_id, /^[A-Z]{6}$/)
  assert.deepEqual(statusesOf(await fixture.read(orderId)).slice(-2), [
    'appointment_pending',
    'appointment_scheduled',
  ])

  const [elsewhere] = await slotsOf(codes[1])
  const moved = await fixture.site(orderId, 'reschedule', { booking_key: elsewhere.booking_key })
  assert.equal(moved.status, 200, moved.text)
  assert.equal(moved.body.id, appointment.id)
  assert.deepEqual(moved.body.address, elsewhere.location.address)
  assert.deepEqual(statusesOf(await fixture.read(orderId)).slice(-2), [
    'appointment_pending',
    'appointment_scheduled',
  ])
  const cancelled = await fixture.site(orderId, 'cancel', {
    cancellationReasonId: REASON,
    note: 'Ill',
  })
  assert.equal(cancelled.body.status, 'cancelled', cancelled.text)
  assert.equal(cancelled.body.event_data.notes, 'Ill')
  assert.deepEqual((await fixture.site(orderId, 'read')).body, cancelled.body)
})

test('it is cancelled also with fields in snake_case, and only with a reason', async () => {
  const orderId = await fixture.placeSite()
  const key = await keyOf(codes[0])
  assert.equal((await fixture.site(orderId, 'book', { booking_key: key })).status, 200)
  const none = await fixture.site(orderId, 'cancel', { note: 'Ill' })
  assert.equal(none.status, 422)
  assert.deepEqual(none.body.detail[0].loc, ['body', 'cancellationReasonId'])
  const snake = { cancellation_reason_id: REASON.toUpperCase(), notes: 'Ill' }
  const cancelled = await fixture.site(orderId, 'cancel', snake)
  assert.equal(cancelled.body.event_data?.notes, 'Ill', cancelled.text)
})

test('an appointment of a cancelled order stays, and can be cancelled but not moved', async () => {
  const orderId = await fixture.placeSite()
  const key = await keyOf(codes[0])
  await fixture.site(orderId, 'book', { booking_key: key })
  await fixture.harness.call('POST', `/v3/order/${orderId}/cancel`)
  assert.equal((await fixture.site(orderId, 'read')).body.status, 'confirmed')
  const other = await keyOf(codes[1])
  const moved = await fixture.site(orderId, 'reschedule', { booking_key: other })
  assert.deepEqual(refusalOf(moved), [400, 'order_state'])
  const cancelled = await fixture.site(orderId, 'cancel', { cancellationReasonId: REASON })
  assert.equal(cancelled.body.status, 'cancelled', cancelled.text)
  assert.equal(statusesOf(await fixture.read(orderId)).at(-1), 'cancelled')
  const anew = await fixture.site(orderId, 'book', { booking_key: other })
  assert.deepEqual(refusalOf(anew), [400, 'order_state'])
})

test('sonora_quest reserves a slot until it confirms, and changes nothing through Salus', async () => {
  const [code] = await fixture.siteCodes('sonora_quest')
  const orderId = await fixture.placeSite('sonora_quest')
  const key = await keyOf(code, 'sonora_quest')
  const booked = await fixture.site(orderId, 'book', { booking_key: key })
  assert.deepEqual(
    [booked.body.status, booked.body.can_reschedule],
    ['reserved', false],
    booked.text,
  )
  assert.equal(statusesOf(await fixture.read(orderId)).at(-1), 'requisition_created')
  const [, other] = await slotsOf(code, 'sonora_quest')
  const moved = await fixture.site(orderId, 'reschedule', { booking_key: other.booking_key })
  assert.deepEqual(refusalOf(moved), [400, 'not_reschedulable'])
  const cancelled = await fixture.site(orderId, 'cancel', { cancellationReasonId: REASON })
  assert.deepEqual(refusalOf(cancelled), [400, 'order_state'])
})

describe('what is refused', () => {
  test('keys of other laboratories and of visits, and orders at other laboratories', async () => {
    const [ofSonora] = await fixture.siteCodes('sonora_quest')
    const orderId = await fixture.placeSite()
    const [visit] = await fixture.visitSlots()
    for (const booking_key of [await keyOf(ofSonora, 'sonora_quest'), visit.booking_key]) {
      const refused = await fixture.site(orderId, 'book', { booking_key })
      assert.deepEqual(refusalOf(refused), [400, 'invalid_booking_key'])
    }
    const booking_key = await keyOf(codes[0])
    const atLabcorp = await fixture.placeSite('labcorp')
    const there = await fixture.site(atLabcorp, 'book', { booking_key })
    assert.deepEqual(refusalOf(there), [400, 'lab_not_schedulable'])
    const atHome = await fixture.placeVisit()
    const visited = await fixture.site(atHome, 'book', { booking_key })
    assert.deepEqual(refusalOf(visited), [400, 'wrong_collection_method'])
    const { id } = await fixture.place('walk_in_test')
    const early = await fixture.site(id, 'book', { booking_key })
    assert.deepEqual(refusalOf(early), [400, 'requisition_missing'])
    await fixture.transition(orderId, 'partial_results')
    const late = await fixture.site(orderId, 'book', { booking_key })
    assert.deepEqual(refusalOf(late), [400, 'order_state'])
  })

  test('a site that was closed or removed since the key was given', async () => {
    const orderId = await fixture.placeSite()
    const code = codes.at(-1)
    const booking_key = await keyOf(code)
    const { pool } = fixture.harness.database
    const set = (active: boolean) =>
      pool.query('update service_centers set is_active = $1 where site_code = $2', [active, code])
    await set(false)
    const closed = await fixture.site(orderId, 'book', { booking_key })
    await set(true)
    assert.deepEqual(refusalOf(closed), [400, 'site_inactive'])
    await pool.query(`update service_centers set site_code = 'GONE' where site_code = $1`, [code])
    const gone = await fixture.site(orderId, 'book', { booking_key })
    await pool.query(`update service_centers set site_code = $1 where site_code = 'GONE'`, [code])
    assert.deepEqual(refusalOf(gone), [400, 'site_not_found'])
  })

  test('timeouts that are out of range, or without async_confirmation', async () => {
    const orderId = await fixture.placeSite()
    const booking_key = await keyOf(codes[0])
    const sync = 'sync_confirmation_timeout_millisecond'
    const async = 'async_confirmation_timeout_millisecond'
    // booking-requests.test.ts has the rest.
    for (const wish of [{ async_confirmation: true, [sync]: 999 }, { [async]: 60_000 }]) {
      const refused = await fixture.site(orderId, 'book', { booking_key, ...wish })
      assert.equal(refused.status, 422, JSON.stringify(wish))
    }
    const nulls = { [sync]: null, [async]: null }
    const booked = await fixture.site(orderId, 'book', { booking_key, ...nulls })
    assert.equal(booked.status, 200, booked.text)
  })
})

describe('under an idempotency key', () => {
  const under = (key: string, more: object = {}) => ({ 'x-idempotency-key': key, ...more })

  test('the first response is repeated, independent of the appointment', async () => {
    const orderId = await fixture.placeSite()
    const body = { booking_key: await keyOf(codes[0]) }
    const first = await fixture.site(orderId, 'book', body, under('frozen'))
    assert.equal(first.status, 200, first.text)
    await fixture.site(orderId, 'cancel', { cancellationReasonId: REASON })
    const days = 13 * DAY_SECONDS
    fixture.harness.clock.advance(days)
    const second = await fixture.site(orderId, 'book', body, under('frozen'))
    assert.deepEqual([second.status, second.text], [200, first.text])
    assert.equal(second.headers['x-idempotency-replayed'], 'true')
    fixture.harness.clock.advance(86_401)
    const third = await fixture.site(orderId, 'book', body, under('frozen'))
    assert.deepEqual(refusalOf(third), [400, 'invalid_booking_key'])
    fixture.harness.clock.advance(-days - 86_401)
  })

  test('another body or another order is a conflict', async () => {
    const orderId = await fixture.placeSite()
    const body = { booking_key: await keyOf(codes[0]) }
    await fixture.site(orderId, 'book', body, under('of one'))
    const longer = { ...body, appointment_notes: 'Another' }
    const other = await fixture.site(orderId, 'book', longer, under('of one'))
    assert.deepEqual(refusalOf(other), [409, 'idempotency_conflict'])
    const elsewhere = await fixture.site(await fixture.placeSite(), 'book', body, under('of one'))
    assert.deepEqual(refusalOf(elsewhere), [409, 'idempotency_conflict'])
  })

  test('a refusal is repeated too, unless only successes are stored', async () => {
    const orderId = await fixture.placeSite()
    const body = { booking_key: await keyOf(codes[0]), appointment_notes: '[sandbox: taken]' }
    const first = await fixture.site(orderId, 'book', body, under('refused'))
    assert.deepEqual(refusalOf(first), [404, 'slot_unavailable'])
    const second = await fixture.site(orderId, 'book', body, under('refused'))
    assert.deepEqual([second.status, second.text], [404, first.text])
    assert.equal(second.headers['x-idempotency-replayed'], 'true')
    const anew = under('anew', { 'x-idempotency-error': 'no-cache' })
    await fixture.site(orderId, 'book', body, anew)
    const { appointment_notes: _, ...well } = body
    assert.equal((await fixture.site(orderId, 'book', well, anew)).status, 200)
  })

  test('32 concurrent requests create one appointment and get the same response', async () => {
    const orderId = await fixture.placeSite()
    const body = { booking_key: await keyOf(codes[0]) }
    const send = () => fixture.site(orderId, 'book', body, under('at once'))
    const answers = await Promise.all(Array.from({ length: 32 }, send))
    const successes = answers.filter(({ status }) => status === 200)
    assert.ok(successes.length >= 1)
    assert.equal(new Set(successes.map(({ text }) => text)).size, 1)
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      assert.deepEqual(refusalOf(answer), [409, 'idempotency_conflict'])
    }
    assert.equal((await send()).text, successes[0]?.text)
  })

  test('a stored response is deleted with its person', async () => {
    const orderId = await fixture.placeSite()
    const body = { booking_key: await keyOf(codes[0]) }
    await fixture.site(orderId, 'book', body, under('erased'))
    const { user_id: userId } = await fixture.read(orderId)
    await fixture.harness.call('DELETE', `/v2/user/${userId}`)
    const replayed = await fixture.site(orderId, 'book', body, under('erased'))
    assert.deepEqual(refusalOf(replayed), [404, 'order_not_found'])
    const { pool } = fixture.harness.database
    await pool.query('delete from users where id = $1', [userId])
    const left = await pool.query("select from idempotent_answers where key = 'erased'")
    assert.equal(left.rowCount, 0)
  })
})

test('early bookings are reserved; production has no sites to book', async () => {
  await changeSettings(fixture, { early_appointment_booking_enabled: true })
  const { id } = await fixture.place('walk_in_test', { user_id: await fixture.harness.makeUser() })
  const booking_key = await keyOf(codes[0])
  const held = await fixture.site(id, 'book', { booking_key })
  assert.equal(held.body.status, 'reserved', held.text)
  const { productionKey } = await fixture.harness.makeTeam()
  const url = '/v3/order/psc/appointment/availability?lab=quest&zip_code=85004'
  const headers = { 'x-service-api-key': productionKey }
  const none = await fixture.harness.call('POST', url, undefined, headers)
  assert.deepEqual(refusalOf(none), [404, 'no_slots_found'])
})
