import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { parseLabPartners } from '@salus/lab-partners'
import { PartnerEmulator } from '@salus/sandbox/partners'
import { createBookingFixture } from '../../../server/test/booking/booking-fixture.ts'
import { refusalOf } from '../../../server/test/orders/orders-fixture.ts'
import { TestClock } from '../../../server/test/teams-app.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

/** Visits through the API with Getlabs, which is configured for sandboxes and emulated. */

const emulator = new PartnerEmulator({ clock: new TestClock() })
const urlOf = await emulator.listen()
after(() => emulator.close())
const getlabs = { client_id: 'sandbox', secret: 'sandbox-secret', url: urlOf('getlabs') }

const fixture = useFixture(() =>
  createBookingFixture({
    labPartners: parseLabPartners(JSON.stringify({ sandbox: { getlabs } })),
    labPartnersAllowPrivate: true,
  }),
)

beforeEach(() => emulator.setFault('getlabs', null))

test('a slot of the provider is booked, moved and cancelled', async () => {
  const orderId = await fixture.placeVisit()
  const slots = await fixture.visitSlots()
  assert.deepEqual([slots[0]?.price, slots[0]?.is_priority], [9950, true])
  const [, slot, later] = slots
  const booked = await fixture.visit(orderId, 'book', { booking_key: slot?.booking_key })
  assert.deepEqual([booked.status, booked.body.status], [200, 'confirmed'])
  assert.deepEqual([booked.body.provider, booked.body.start_at], ['getlabs', slot?.start])
  const moved = await fixture.visit(orderId, 'reschedule', { booking_key: later?.booking_key })
  assert.deepEqual([moved.status, moved.body.start_at], [200, later?.start])
  assert.equal(moved.body.provider_id, booked.body.provider_id)
  const free = await fixture.visitSlots()
  const starts = free.map(({ start }) => start)
  assert.ok(starts.includes(slot?.start) && !starts.includes(later?.start))
  const reasons = await fixture.harness.call(
    'GET',
    '/v3/order/phlebotomy/appointment/cancellation-reasons',
  )
  const reason = { cancellation_reason_id: reasons.body[0].id }
  const cancelled = await fixture.visit(orderId, 'cancel', reason)
  assert.deepEqual([cancelled.status, cancelled.body.status], [200, 'cancelled'])
})

test('the other provider of phlebotomists is still simulated', async () => {
  const area = await fixture.harness.call('GET', '/v3/order/area/info?zip_code=54650')
  const names = area.body.phlebotomy.providers.map(({ name }: { name: string }) => name)
  assert.deepEqual(names, ['getlabs', 'phlebfinders'])
})

test('during maintenance requests get 502, and the same booking succeeds afterwards', async () => {
  const orderId = await fixture.placeVisit()
  const [slot] = await fixture.visitSlots()
  emulator.setFault('getlabs', { kind: 'maintenance' })
  const body = { booking_key: slot?.booking_key }
  const refused = [502, 'provider_unavailable']
  assert.deepEqual(refusalOf(await fixture.visit(orderId, 'book', body)), refused)
  emulator.setFault('getlabs', null)
  const booked = await fixture.visit(orderId, 'book', body)
  assert.deepEqual([booked.status, booked.body.status], [200, 'confirmed'])
})
