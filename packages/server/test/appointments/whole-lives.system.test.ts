import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { HOUR_SECONDS } from '@salus/contracts/time-units'
import {
  type BookingFixture,
  changeSettings,
  createBookingFixture,
} from '../booking/booking-fixture.ts'
import { readPdf } from '../documents/read-pdf.ts'
import { orderBody } from '../orders/order-bodies.ts'
import { type Body, statusesOf } from '../orders/orders-fixture.ts'
import { type MessageSink, openMessageSink } from '../webhooks/message-sink.ts'
import { waitFor } from '../webhooks/webhook-sink.ts'

/**
 * From an area to a report, through the API alone, with the messages that a team gets meanwhile, in
 * their order and number (docs/contract/17-lab-events.md#rules).
 */

let fixture: BookingFixture
let sink: MessageSink
const ends: (() => Promise<void>)[] = []

before(async () => {
  fixture = await createBookingFixture({
    sandboxAutoProgress: true,
    webhooksAllowHttp: true,
    webhooksAllowPrivate: true,
  })
  sink = await openMessageSink({ after: (end) => void ends.push(end) })
  const path = `/team/${fixture.harness.teamId}/sandbox/webhook`
  const { status, text } = await fixture.harness.manage('POST', path, { url: sink.url })
  assert.equal(status, 200, text)
  fixture.harness.startWebhooks({ pollMs: 20 })
  await fixture.harness.startJobs()
})
after(async () => {
  await fixture?.close()
  for (const end of ends) await end()
})
beforeEach(() => changeSettings(fixture, { early_appointment_booking_enabled: false }))

async function call(method: string, url: string, body?: object): Promise<Body> {
  const answer = await fixture.harness.call(method, url, body)
  assert.equal(answer.status, 200, `${method} ${url}: ${answer.text}`)
  return answer.body
}

const advance = (seconds: number) => call('POST', '/v3/sandbox/advance', { seconds })

/** Advances to a moment, in seconds from it. */
async function advanceTo(instant: string, seconds: number): Promise<void> {
  const { now } = await call('GET', '/v3/sandbox/clock')
  const ahead = (Date.parse(instant) - Date.parse(now)) / 1000 + seconds
  assert.ok(ahead > 0, `${instant} is over`)
  await advance(Math.ceil(ahead))
}

/** An order of a new user, and the events of the team about them. */
async function open(labTestId: string, changes: object = {}) {
  const userId = await fixture.harness.makeUser()
  const { order } = await call('POST', '/v3/order', orderBody(userId, labTestId, changes))
  const { id, details } = order
  let heard = 0
  /**
   * What came since the last time, as `order.updated requisition_created`; `count` of them are
   * waited for.
   */
  const hear = async (count: number): Promise<string[]> => {
    const come = () =>
      sink.messages.filter(
        ({ payload }) => payload.user_id === userId && payload.event_type.startsWith('labtest.'),
      )
    await waitFor(`${count} messages`, () => come().length >= heard + count)
    const lines = come().map(({ payload: { event_type: type, data } }) => {
      const status = data.last_event?.status.split('.').at(-1) ?? data.status
      return `${type.slice('labtest.'.length)} ${status}`
    })
    const before = heard
    heard = lines.length
    return lines.slice(before)
  }
  return {
    id,
    hear,
    /**
     * Checks that no more messages come: one about another user that is requested now comes after
     * them.
     */
    async hearNothing(): Promise<void> {
      await fixture.harness.makeUser('manual')
      await waitFor('deliveries', async () => {
        const { rows } = await fixture.harness.database.pool.query(
          "select count(*)::int as open from webhook_deliveries where status = 'pending'",
        )
        return rows[0].open === 0
      })
      assert.deepEqual(await hear(0), [])
    },
    read: () => fixture.read(id),
    /** @param status with its group, as `collecting_sample.draw_completed` */
    simulate(status: string) {
      const final = status.replace('.', `.${details.type}.`)
      return call('POST', `/v3/order/${id}/test?final_status=${final}`)
    },
  }
}

test('a phlebotomist is booked, moved, comes, draws, and the report is read', async () => {
  const area = await call('GET', '/v3/order/area/info?zip_code=85004')
  assert.deepEqual(area.phlebotomy, {
    is_served: true,
    providers: [{ name: 'getlabs', service_types: ['appointment-ready'] }],
  })
  const order = await open(fixture.tests.at_home_phlebotomy)
  await order.simulate('received.requisition_created')
  assert.deepEqual(await order.hear(2), [
    'order.created ordered',
    'order.updated requisition_created',
  ])

  const [first, second] = await fixture.visitSlots(undefined, '?start_date=2026-03-06')
  const booked = await fixture.visit(order.id, 'book', { booking_key: first.booking_key })
  assert.equal(booked.status, 200, booked.text)
  assert.deepEqual(await order.hear(4), [
    'appointment.created confirmed',
    'appointment.updated confirmed',
    'order.updated appointment_pending',
    'order.updated appointment_scheduled',
  ])

  const moved = await fixture.visit(order.id, 'reschedule', { booking_key: second.booking_key })
  assert.equal(moved.body.start_at, second.start)
  assert.deepEqual(await order.hear(2), [
    'appointment.updated confirmed',
    'order.updated appointment_scheduled',
  ])

  await advanceTo(second.start, -24 * HOUR_SECONDS - 1)
  await order.hearNothing()
  await advance(2)
  assert.deepEqual(await order.hear(1), ['appointment.reminder confirmed'])

  await advanceTo(second.start, 60)
  assert.deepEqual(await order.hear(1), ['appointment.updated in_progress'])
  await advanceTo(second.end, 60)
  assert.deepEqual(await order.hear(2), [
    'appointment.updated completed',
    'order.updated draw_completed',
  ])
  const { events, status } = (await fixture.visit(order.id, 'read')).body
  assert.deepEqual(
    events.map((event: Body) => event.status),
    ['scheduled', 'scheduled', 'in_progress', 'completed'],
  )
  assert.equal(status, 'completed')

  await advance(10 * 24 * HOUR_SECONDS)
  assert.deepEqual(await order.hear(1), ['order.updated completed'])
  await order.hearNothing()
  const { results } = await call('GET', `/v3/order/${order.id}/result`)
  assert.ok(results.length > 0)
  const pdf = await fixture.harness.call('GET', `/v3/order/${order.id}/result/pdf`)
  assert.equal(pdf.headers['content-type'], 'application/pdf')
  const { pages } = await readPdf(pdf.bytes)
  assert.match(pages.map(({ text }) => text).join(' '), /Moreau/)
})

test('a requested phlebotomist sets the time, comes and collects', async () => {
  const zip = '54650'
  const area = await call('GET', `/v3/order/area/info?zip_code=${zip}`)
  assert.deepEqual(area.phlebotomy.providers, [
    { name: 'phlebfinders', service_types: ['appointment-request'] },
  ])
  const order = await open(fixture.tests.at_home_phlebotomy)
  await order.simulate('received.requisition_created')
  await order.hear(2)
  const address = { first_line: '1 Main St', city: 'Onalaska', state: 'WI', zip_code: zip }
  const body = { provider: 'phlebfinders', address, appointment_notes: 'Two stairs' }
  const asked = await fixture.visit(order.id, 'request', body)
  assert.deepEqual(
    [asked.body.status, asked.body.start_at, asked.body.can_reschedule],
    ['pending', null, false],
  )
  assert.deepEqual(await order.hear(3), [
    'appointment.created pending',
    'appointment.updated pending',
    'order.updated appointment_pending',
  ])
  await order.simulate('collecting_sample.appointment_scheduled')
  assert.deepEqual(await order.hear(2), [
    'appointment.updated confirmed',
    'order.updated appointment_scheduled',
  ])
  const fixed = (await fixture.visit(order.id, 'read')).body
  assert.ok(fixed.start_at < fixed.end_at)
  assert.deepEqual(
    [fixed.iana_timezone, fixed.appointment_notes],
    ['America/Chicago', 'Two stairs'],
  )
  await order.simulate('completed.completed')
  await waitFor('the end', async () => statusesOf(await order.read()).at(-1) === 'completed')
  assert.equal((await fixture.visit(order.id, 'read')).body.status, 'completed')
  assert.deepEqual(await order.hear(3), [
    'appointment.updated completed',
    'order.updated draw_completed',
    'order.updated completed',
  ])
  await order.hearNothing()
})

test('a slot that is booked before the requisition is held until that comes', async () => {
  await changeSettings(fixture, { early_appointment_booking_enabled: true })
  const order = await open(fixture.tests.walk_in_test)
  await order.hear(1)
  const { now } = await call('GET', '/v3/sandbox/clock')
  const inDays = new Date(Date.parse(now) + 5 * 24 * HOUR_SECONDS * 1000).toISOString().slice(0, 10)
  const [slot] = await fixture.siteSlots(`lab=quest&zip_code=85004&radius=100&start_date=${inDays}`)
  const headers = { 'x-idempotency-key': 'one-booking' }
  const body = { booking_key: slot.booking_key }
  const [held, again] = [
    await fixture.site(order.id, 'book', body, headers),
    await fixture.site(order.id, 'book', body, headers),
  ]
  assert.equal(held.body.status, 'reserved', held.text)
  assert.deepEqual(again.body, held.body)
  assert.deepEqual(await order.hear(2), [
    'appointment.created reserved',
    'appointment.updated reserved',
  ])
  assert.deepEqual(statusesOf(await order.read()), ['ordered'])

  await order.simulate('received.requisition_created')
  const heard = await order.hear(4)
  assert.deepEqual(
    heard.filter((line) => line.startsWith('order.')),
    [
      'order.updated requisition_created',
      'order.updated appointment_pending',
      'order.updated appointment_scheduled',
    ],
  )
  assert.deepEqual(
    heard.filter((line) => line.startsWith('appointment.')),
    ['appointment.updated confirmed'],
  )
  await order.hearNothing()
  assert.equal((await fixture.site(order.id, 'read')).body.status, 'confirmed')
})

test('sonora_quest says five minutes later that a slot stands, and only then is the order moved', async () => {
  const orderId = await fixture.placeSite('sonora_quest')
  const { user_id: userId } = await fixture.read(orderId)
  const { now } = await call('GET', '/v3/sandbox/clock')
  const inDays = new Date(Date.parse(now) + 5 * 24 * HOUR_SECONDS * 1000).toISOString().slice(0, 10)
  const [slot] = await fixture.siteSlots(
    `lab=sonora_quest&zip_code=85004&radius=100&start_date=${inDays}`,
  )
  const sent = () =>
    sink.messages
      .filter(({ payload }) => payload.user_id === userId)
      .map(({ payload: { event_type: type, data } }) => {
        const status = data.last_event?.status.split('.').at(-1) ?? data.status
        return `${type.slice('labtest.'.length)} ${status}`
      })
      .slice(2)
  const held = await fixture.site(orderId, 'book', { booking_key: slot.booking_key })
  assert.equal(held.body.status, 'reserved', held.text)
  await advance(5 * 60 - 1)
  assert.equal((await fixture.site(orderId, 'read')).body.status, 'reserved')
  assert.equal(statusesOf(await fixture.read(orderId)).at(-1), 'requisition_created')
  await advance(1)
  await waitFor('the word of the laboratory', async () => {
    return (await fixture.site(orderId, 'read')).body.status === 'confirmed'
  })
  await waitFor('messages', () => sent().length >= 5)
  const lines = sent()
  assert.deepEqual(lines.slice(0, 2), [
    'appointment.created reserved',
    'appointment.updated reserved',
  ])
  assert.deepEqual(lines.slice(2).sort(), [
    'appointment.updated confirmed',
    'order.updated appointment_pending',
    'order.updated appointment_scheduled',
  ])
})
