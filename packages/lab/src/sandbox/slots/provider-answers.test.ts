import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import type { SchedulingGateway } from '@salus/contracts/lab-gateway'
import { environmentNow } from '@salus/kernel/scope'
import { draftOf } from '../../../../server/test/orders/appointments.ts'
import { createOrdersFixture, statusesOf } from '../../../../server/test/orders/orders-fixture.ts'
import {
  offeredSlots,
  siteOf,
  visitOf,
} from '../../../../server/test/scheduling/scheduling-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { createAppointment, findNewestAppointment } from '../../appointments/index.ts'
import { lockOrder } from '../../orders/index.ts'
import { listSandboxesWithDueSteps } from '../sandboxes.global.repository.ts'
import { deleteOldBookings } from './old-bookings.service.ts'
import { sendProviderAnswer } from './provider-answers.service.ts'
import { findDueAnswer } from './sandbox-slots.repository.ts'
import { createSlotStore } from './slot-store.ts'

const fixture = useFixture(createOrdersFixture)
let sonora: SchedulingGateway
/** The offset of the sandbox's clock; the clock of the fixture's scope does not move. */
let offsetSeconds = 0

before(() => {
  const { scheduling } = fixture.harness.dependencies
  sonora = scheduling.find('sandbox', 'sonora_quest') as SchedulingGateway
})

const now = (): Date => new Date(environmentNow(fixture.context).getTime() + offsetSeconds * 1000)

async function advance(seconds: number): Promise<void> {
  const answer = await fixture.harness.call('POST', '/v3/sandbox/advance', { seconds })
  assert.equal(answer.status, 200, answer.text)
  offsetSeconds = answer.body.offset_seconds
}

/** Creates an order with a requisition and a slot that the provider reserves for it. */
async function hold(notes: string | null = null) {
  const { id: orderId } = await fixture.place('walk_in_test')
  await fixture.walk(orderId, 'requisition_created')
  const environmentId = fixture.context.environment.id
  const visit = visitOf({ environmentId }, { place: siteOf(orderId), notes })
  const startDate = now().toISOString().slice(0, 10)
  const list = () => offeredSlots(sonora, visit, { now: now(), startDate, days: 3 })
  const slot = (await list()).findLast(({ available }) => available > 1)
  assert.ok(slot)
  const booked = await sonora.book(visit, slot, now())
  assert.ok(booked.state === 'booked' && booked.isHeld)
  await fixture.context.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId)
    assert.ok(order)
    const draft = draftOf(fixture, order, 'sonora_quest', {
      id: visit.appointmentId,
      status: 'reserved',
      start_at: slot.start,
      end_at: slot.end,
      provider_id: booked.providerId,
      can_reschedule: false,
    })
    await createAppointment(tx, draft, now())
  })
  const seatsLeft = async () =>
    (await list()).find(({ start }) => Number(start) === Number(slot.start))?.available
  return { orderId, visit, slot, seatsLeft, heldAt: now() }
}

const statusOf = async (orderId: string) =>
  (await findNewestAppointment(fixture.context, orderId, 'patient_service_center'))?.status

beforeEach(() => fixture.harness.clock.advance(60))

test('a reserved slot is confirmed five minutes later in the time of the sandbox, and its order moves', async () => {
  const { orderId, heldAt } = await hold()
  await advance(299)
  assert.equal(await statusOf(orderId), 'reserved')
  await advance(3600)
  assert.equal(await statusOf(orderId), 'confirmed')
  const order = await fixture.read(orderId)
  assert.deepEqual(statusesOf(order).slice(-2), ['appointment_pending', 'appointment_scheduled'])
  const confirmedAt = Date.parse(order.events.at(-1).created_at)
  assert.equal(confirmedAt, Math.floor((heldAt.getTime() + 300_000) / 1000) * 1000)
})

test('a declined slot is cancelled by its provider and frees its seat, and the order stays', async () => {
  const { orderId, slot, seatsLeft } = await hold('[sandbox: declined]')
  assert.equal(await seatsLeft(), slot.available - 1)
  await advance(301)
  assert.equal(await statusOf(orderId), 'cancelled')
  assert.equal(await seatsLeft(), slot.available)
  assert.deepEqual(statusesOf(await fixture.read(orderId)).at(-1), 'requisition_created')
})

test('a sandbox runs while a provider has a later answer, and a repeated answer counts once', async () => {
  const { db, environment } = fixture.context
  const due = async () =>
    (await listSandboxesWithDueSteps(db, fixture.harness.clock.now())).includes(environment.id)
  const { orderId } = await hold()
  assert.equal(await due(), false)
  fixture.harness.clock.advance(301)
  assert.equal(await due(), true)
  const answer = await findDueAnswer(fixture.context, now())
  assert.ok(answer)
  const { dependencies, files } = fixture.harness
  const inbox = { files, gateways: dependencies.gateways }
  await Promise.all([1, 2, 3].map(() => sendProviderAnswer(fixture.context, inbox, answer)))
  await sendProviderAnswer(fixture.context, inbox, answer)
  assert.equal(await due(), false)
  assert.equal(await statusOf(orderId), 'confirmed')
  const { rows } = await fixture.harness.database.pool.query(
    'select state from lab_messages where order_id = $1',
    [orderId],
  )
  assert.deepEqual(rows, [{ state: 'processed' }])
})

test('a booking without an appointment is deleted after a day, and its seat is free again', async () => {
  const { db, clock } = fixture.harness.dependencies
  const { visit, slot, seatsLeft } = await hold()
  const forgotten = visitOf(visit, { place: visit.place })
  assert.equal((await sonora.book(forgotten, slot, now())).state, 'booked')
  /** Deletes old bookings as if both were booked some hours ago. */
  const forget = async (hours: number) => {
    await fixture.harness.database.pool.query(
      "update sandbox_bookings set created_at = $1::timestamptz - $2 * interval '1 hour'",
      [clock.now(), hours],
    )
    await deleteOldBookings({ db, clock }, new AbortController().signal)
  }
  await forget(23)
  assert.equal(await seatsLeft(), slot.available - 2)
  await forget(25)
  assert.equal(await seatsLeft(), slot.available - 1)
  const store = createSlotStore(db)
  assert.equal(await store.findSeat(forgotten), undefined)
  assert.ok(await store.findSeat(visit))
})
