import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBookingFixture } from '../../../server/test/booking/booking-fixture.ts'
import { refusalOf, statusesOf } from '../../../server/test/orders/orders-fixture.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

/** Concurrent requests: one succeeds and the others are refused. */

const fixture = useFixture(createBookingFixture)

const CLIENTS = 100
const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

test('100 clients book the last seat of a slot: one gets it, and the orders of the others stay', async () => {
  const [code] = await fixture.siteCodes()
  const query = `lab=quest&site_codes=${code}&start_date=2026-03-05`
  const slot = (await fixture.siteSlots(query)).find((it) => it.num_appointments_available === 1)
  const orderIds: string[] = []
  for (let index = 0; index < CLIENTS; index += 1) orderIds.push(await fixture.placeSite())
  const body = { booking_key: slot.booking_key }
  const answers = await times(CLIENTS, (index) =>
    fixture.site(orderIds[index] as string, 'book', body),
  )
  const won = answers.flatMap(({ status }, index) => (status === 200 ? [orderIds[index]] : []))
  assert.equal(won.length, 1)
  for (const answer of answers) {
    if (answer.status !== 200) assert.deepEqual(refusalOf(answer), [404, 'slot_unavailable'])
  }
  for (const orderId of orderIds) {
    const order = await fixture.read(orderId)
    const isWinner = orderId === won[0]
    const last = isWinner ? 'appointment_scheduled' : 'requisition_created'
    assert.equal(statusesOf(order).at(-1), last)
    assert.equal(order.details.data.appointment_id === null, !isWinner)
  }
  assert.equal(await fixture.attempts(), 0)
  const left = (await fixture.siteSlots(query)).map(({ start }) => start)
  assert.ok(!left.includes(slot.start))
})

test('concurrent bookings for one order create one appointment', async () => {
  const orderId = await fixture.placeVisit()
  const slots = await fixture.visitSlots('85004', '?start_date=2026-03-06')
  const answers = await times(8, (index) =>
    fixture.visit(orderId, 'book', { booking_key: slots[index].booking_key }),
  )
  const successes = answers.filter(({ status }) => status === 200)
  assert.equal(successes.length, 1)
  for (const answer of answers) {
    if (answer.status !== 200) assert.deepEqual(refusalOf(answer), [400, 'appointment_exists'])
  }
  assert.equal(await fixture.attempts(), 0)
  const { rows } = await fixture.harness.database.pool.query(
    'select id from appointments where order_id = $1',
    [orderId],
  )
  assert.deepEqual(
    rows.map(({ id }) => id),
    [successes[0]?.body.id],
  )
})

test('concurrent reschedules and a cancellation have one outcome, here and at the provider', async () => {
  const reason = { cancellation_reason_id: '9b1f6a40-3c57-4e0a-8d21-000000000111' }
  for (let round = 0; round < 5; round += 1) {
    const orderId = await fixture.placeVisit()
    const slots = await fixture.visitSlots('85004', '?start_date=2026-03-08')
    const key = (index: number) => ({ booking_key: slots[index].booking_key })
    const booked = await fixture.visit(orderId, 'book', key(0))
    assert.equal(booked.status, 200, booked.text)
    const answers = await times(5, (index) =>
      index === 2
        ? fixture.visit(orderId, 'cancel', reason)
        : fixture.visit(orderId, 'reschedule', key(index + 1)),
    )
    assert.equal(answers[2]?.status, 200, answers[2]?.text)
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      const [status, code] = refusalOf(answer)
      assert.ok(['appointment_busy', 'appointment_closed', 'booking_refused'].includes(code), code)
      assert.ok(status === 400 || status === 409)
    }
    assert.equal((await fixture.visit(orderId, 'read')).body.status, 'cancelled')
  }
  assert.equal(await fixture.attempts(), 0)
})
