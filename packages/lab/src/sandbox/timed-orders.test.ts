import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppointmentProvider } from '@salus/contracts/lab-gateway'
import { DAY_SECONDS, HOUR_SECONDS } from '@salus/contracts/time-units'
import { formatInstant } from '@salus/kernel/time/instants'
import { METHOD_OF } from '../../../server/test/orders/appointment-case.ts'
import { book, REQUESTED } from '../../../server/test/orders/appointments.ts'
import {
  type Body,
  createOrdersFixture,
  statusesOf,
} from '../../../server/test/orders/orders-fixture.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import {
  type AppointmentDraft,
  findAppointment,
  lockAppointment,
  showAppointment,
  transitionAppointment,
} from '../appointments/index.ts'
import { lockOrder, moveOrderWithAppointment } from '../orders/index.ts'

/** Orders with an appointment that progress automatically, at the time of the appointment. */

const fixture = useFixture(() => createOrdersFixture({ sandboxAutoProgress: true }))

/** Seconds by which the sandbox is ahead of the fixture's clock. */
let ahead = 0
async function advance(seconds: number): Promise<void> {
  ahead += seconds
  const { status, text } = await fixture.harness.call('POST', '/v3/sandbox/advance', { seconds })
  assert.equal(status, 200, text)
}

const inHours = (hours: number): Date =>
  new Date(fixture.harness.clock.now().getTime() + (ahead + hours * HOUR_SECONDS) * 1000)

const slot = (hours: number) => ({ start_at: inHours(hours), end_at: inHours(hours + 2) })

async function open(provider: AppointmentProvider, changes: Partial<AppointmentDraft> = {}) {
  const user_id = await fixture.harness.makeUser()
  const { id } = await fixture.place(METHOD_OF[provider], { user_id })
  const reserved = { status: 'reserved', ...slot(240), ...changes } as const
  const appointment = await book(fixture, id, provider, reserved)
  return {
    id,
    read: () => fixture.read(id),
    async appointment(): Promise<Body> {
      const row = await findAppointment(fixture.context, appointment.id)
      assert.ok(row)
      return showAppointment(fixture.context, row)
    },
    move: (hours: number) =>
      fixture.context.transaction(async (tx) => {
        const order = await lockOrder(tx, id)
        const row = await lockAppointment(tx, appointment.id)
        assert.ok(order && row)
        const at = inHours(0)
        await transitionAppointment(tx, row, { to: 'confirmed', at, changes: slot(hours) })
        await moveOrderWithAppointment(tx, order, 'rescheduled', at)
      }),
  }
}

const timeOf = (order: Body, status: string) =>
  order.events.find((event: Body) => event.status.endsWith(`.${status}`))?.created_at

test('a visit begins at its start and ends at its end, however far ahead', async () => {
  const one = await open('getlabs')
  const { start_at, end_at } = await one.appointment()
  await advance(239 * HOUR_SECONDS)
  assert.equal(statusesOf(await one.read()).at(-1), 'appointment_scheduled')
  await advance(2 * HOUR_SECONDS)
  assert.equal((await one.appointment()).status, 'in_progress')
  assert.equal((await one.appointment()).events.at(-1).created_at, start_at)
  await advance(20 * DAY_SECONDS)
  const order = await one.read()
  assert.equal(timeOf(order, 'draw_completed'), end_at)
  assert.equal(statusesOf(order).at(-1), 'completed')
  const { status, events } = await one.appointment()
  assert.deepEqual([status, events.at(-1).created_at], ['completed', end_at])
})

test('a rescheduled visit happens at its new time, also when that is earlier', async () => {
  for (const hours of [40, 300]) {
    const one = await open('getlabs')
    await advance(2 * HOUR_SECONDS)
    await one.move(hours)
    const { start_at, end_at } = await one.appointment()
    await advance(20 * DAY_SECONDS)
    assert.equal(timeOf(await one.read(), 'draw_completed'), end_at)
    const begun = (await one.appointment()).events.find(
      (event: Body) => event.status === 'in_progress',
    )
    assert.equal(begun.created_at, start_at)
  }
})

test('the results of a site appointment follow the appointment', async () => {
  const one = await open('quest')
  const { end_at } = await one.appointment()
  await advance(242 * HOUR_SECONDS)
  assert.equal(statusesOf(await one.read()).at(-1), 'appointment_scheduled')
  await advance(10 * DAY_SECONDS)
  const order = await one.read()
  const waited = (Date.parse(timeOf(order, 'completed')) - Date.parse(end_at)) / 1000
  assert.ok(waited >= 24 * HOUR_SECONDS && waited <= 72 * HOUR_SECONDS, `${waited} s`)
  assert.equal((await one.appointment()).status, 'completed')
})

test('a request gets its time as usual, and the collection is at its end', async () => {
  const one = await open('phlebfinders', REQUESTED)
  await advance(30 * DAY_SECONDS)
  const order = await one.read()
  const { events, end_at } = await one.appointment()
  assert.deepEqual(
    events.map((event: Body) => event.status),
    ['pending', 'scheduled', 'in_progress', 'completed'],
  )
  assert.equal(timeOf(order, 'draw_completed'), end_at)
  assert.equal(statusesOf(order).at(-1), 'completed')
})

test('a new appointment after a cancelled one is simulated again', async () => {
  const one = await open('getlabs')
  await advance(DAY_SECONDS)
  await fixture.update(one.id, { kind: 'appointment_cancelled' }, inHours(0))
  await advance(20 * DAY_SECONDS)
  assert.equal(statusesOf(await one.read()).at(-1), 'appointment_cancelled')
  const next = slot(50)
  await book(fixture, one.id, 'getlabs', next, inHours(0))
  await advance(20 * DAY_SECONDS)
  assert.equal(timeOf(await one.read(), 'draw_completed'), formatInstant(next.end_at))
})

test('a requested simulation is not postponed', async () => {
  const one = await open('getlabs')
  await advance(DAY_SECONDS)
  await fixture.harness.call('POST', `/v3/order/${one.id}/test`)
  await advance(1)
  assert.equal(statusesOf(await one.read()).at(-1), 'completed')
})
