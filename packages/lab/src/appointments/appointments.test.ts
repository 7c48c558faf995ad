import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { formatInstant } from '@salus/kernel/time/instants'
import { loneAppointments, slotIn } from '../../../server/test/orders/appointments.ts'
import { createOrdersFixture } from '../../../server/test/orders/orders-fixture.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { APPOINTMENT_TRANSITIONS, eventStatusOf } from './appointments.machine.ts'
import { APPOINTMENT_STATUSES, type AppointmentStatus } from './appointments.schema.ts'
import {
  type AppointmentChanges,
  type AppointmentRow,
  findNewestAppointment,
  listActiveAppointmentIds,
  lockActiveAppointment,
  lockAppointment,
  showAppointment,
  updateAppointment,
} from './index.ts'

/** Appointments by themselves, independent of their orders. */

const fixture = useFixture(createOrdersFixture)
let lone: ReturnType<typeof loneAppointments>

before(() => {
  lone = loneAppointments(fixture)
})

const now = () => fixture.harness.clock.now()
const show = (row: AppointmentRow) => showAppointment(fixture.context, row)
const update = (row: AppointmentRow, changes: AppointmentChanges) =>
  fixture.context.transaction((tx) => updateAppointment(tx, row, changes, now()))

test('a stored appointment is shown as the contract says, with one created and one updated event', async () => {
  const row = await lone.make({ notes: 'A dog lives there.', external_id: 'ABCDEF' })
  const shown = await show(row)
  const { address, start_at, end_at } = row
  assert.deepEqual(shown, {
    id: row.id,
    user_id: row.user_id,
    order_id: row.order_id,
    order_transaction_id: row.order_transaction_id,
    address: { ...address, unit: null },
    location: { lng: -112.07, lat: 33.45 },
    start_at: formatInstant(start_at as Date),
    end_at: formatInstant(end_at as Date),
    iana_timezone: 'America/Phoenix',
    type: 'phlebotomy',
    provider: 'getlabs',
    status: 'confirmed',
    provider_id: 'P-1',
    external_id: 'ABCDEF',
    can_reschedule: true,
    appointment_notes: 'A dog lives there.',
    event_status: 'scheduled',
    event_data: { origin: 'customer' },
    events: [
      { created_at: formatInstant(now()), status: 'scheduled', data: { origin: 'customer' } },
    ],
  })
  assert.deepEqual(await lone.listEvents(row), [
    { text: 'appointment.created confirmed', data: shown },
    { text: 'appointment.updated confirmed', data: shown },
  ])
})

/**
 * Copied by hand from docs/contract/14-appointments-and-psc.md#appointment-states; a reserved one
 * may also be rescheduled.
 */
const STATES: Record<AppointmentStatus, AppointmentStatus[]> = {
  pending: ['confirmed', 'reserved', 'cancelled'],
  reserved: ['confirmed', 'cancelled', 'reserved'],
  confirmed: ['confirmed', 'in_progress', 'cancelled', 'completed'],
  in_progress: ['completed', 'cancelled'],
  completed: [],
  cancelled: [],
}

describe('an appointment', () => {
  for (const from of APPOINTMENT_STATUSES) {
    for (const to of APPOINTMENT_STATUSES) {
      const isAllowed = STATES[from].includes(to)
      test(`that is ${from} ${isAllowed ? 'may become' : 'never becomes'} ${to}`, async () => {
        const row = await lone.make({ status: from })
        assert.equal(APPOINTMENT_TRANSITIONS[from].includes(to), isAllowed)
        const earlier = await show(row)
        fixture.harness.clock.advance(60)
        if (!isAllowed) {
          await assert.rejects(lone.change(row, { to }))
          const stored = await fixture.context.transaction((tx) => lockAppointment(tx, row.id))
          assert.deepEqual(stored, row)
          assert.equal((await lone.listEvents(row)).length, 2)
          return
        }
        const changed = await lone.change(row, { to, data: { origin: 'provider' } })
        const later = await show(changed)
        const event = {
          created_at: formatInstant(now()),
          status: eventStatusOf(to),
          data: { origin: 'provider' },
        }
        assert.deepEqual(later, {
          ...earlier,
          provider_id: 'P-1',
          status: to,
          event_status: event.status,
          event_data: event.data,
          events: [...earlier.events, event],
        })
        assert.deepEqual((await lone.listEvents(row)).slice(2), [
          { text: `appointment.updated ${to}`, data: later },
        ])
      })
    }
  }

  test('has events in ascending order of time', async () => {
    const row = await lone.make()
    const early = new Date(now().getTime() - 3_600_000)
    const { events } = await show(await lone.change(row, { to: 'in_progress', at: early }))
    assert.equal(events.at(-1)?.created_at, events[0]?.created_at)
  })

  test('may change its notes without an event of its own, and emits updated', async () => {
    const row = await lone.make({ notes: 'one' })
    const changed = await update(row, { notes: null })
    const shown = await show(changed)
    assert.deepEqual([shown.appointment_notes, shown.events.length], [null, 1])
    assert.deepEqual((await lone.listEvents(row)).at(-1), {
      text: 'appointment.updated confirmed',
      data: shown,
    })
  })

  test('may move to another location with another time', async () => {
    const row = await lone.make()
    const address = { ...row.address, first_line: '7 Elm St' }
    const changes = { ...slotIn(fixture, 100), address, lng: -100, lat: 40, site_code: 'X' }
    const shown = await show(await lone.change(row, { to: 'confirmed', changes }))
    assert.equal(shown.address.first_line, '7 Elm St')
    assert.deepEqual(shown.location, { lng: -100, lat: 40 })
    assert.equal(shown.start_at, formatInstant(changes.start_at))
  })
})

describe('one active appointment', () => {
  const refusal = { errorType: 'appointment_exists', status: 400 }

  test('is allowed for an order', async () => {
    const of = await lone.order()
    const first = await lone.make({}, of)
    await assert.rejects(lone.make({ provider: 'phlebfinders' }, of), refusal)
    await lone.change(first, { to: 'cancelled' })
    const second = await lone.make({}, of)
    const active = await fixture.context.transaction((tx) => lockActiveAppointment(tx, of.id))
    assert.deepEqual(active, second)
  })

  test('is allowed for a patient with a provider of phlebotomists', async () => {
    const of = await lone.order()
    const other = await fixture.row(
      (await fixture.place('at_home_phlebotomy', { user_id: of.user_id })).id,
    )
    const first = await lone.make({}, of)
    await assert.rejects(lone.make({}, other), refusal)
    await lone.make({ provider: 'phlebfinders' }, other)
    await lone
      .change(first, { to: 'in_progress' })
      .then((row) => lone.change(row, { to: 'completed' }))
    const third = await fixture.row(
      (await fixture.place('at_home_phlebotomy', { user_id: of.user_id })).id,
    )
    await lone.make({}, third)
  })

  test('does not limit the sites of a laboratory, where a patient may have several orders', async () => {
    const of = await lone.order()
    const other = await fixture.row(
      (await fixture.place('walk_in_test', { user_id: of.user_id })).id,
    )
    const site = { type: 'patient_service_center', provider: 'quest' } as const
    const [first, second] = [await lone.make(site, of), await lone.make(site, other)]
    const active = await listActiveAppointmentIds(fixture.context, [of.id, other.id])
    assert.deepEqual(Object.fromEntries(active), { [of.id]: first.id, [other.id]: second.id })
  })

  test('stays the only one after concurrent creations', async () => {
    const of = await lone.order()
    const made = await Promise.allSettled(Array.from({ length: 8 }, () => lone.make({}, of)))
    assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const one of made)
      if (one.status === 'rejected') assert.equal(one.reason.errorType, 'appointment_exists')
    const { rows } = await fixture.harness.database.pool.query(
      'select count(*)::int as count from appointments where order_id = $1',
      [of.id],
    )
    assert.equal(rows[0].count, 1)
  })
})

describe('the newest appointment of an order', () => {
  test('is the active one, or the newest one when none is active', async () => {
    const of = await lone.order()
    const find = () => findNewestAppointment(fixture.context, of.id, 'phlebotomy')
    assert.equal(await find(), undefined)
    const first = await lone.make({}, of)
    await lone.change(first, { to: 'cancelled' })
    fixture.harness.clock.advance(60)
    const second = await lone.make({}, of)
    assert.equal((await find())?.id, second.id)
    await lone.change(second, { to: 'cancelled' })
    assert.equal((await find())?.id, second.id)
    assert.equal(
      await findNewestAppointment(fixture.context, of.id, 'patient_service_center'),
      undefined,
    )
  })

  test('is read for many orders at once when it is active', async () => {
    const [one, two, three] = [await lone.order(), await lone.order(), await lone.order()]
    const active = await lone.make({}, one)
    await lone.change(await lone.make({}, two), { to: 'cancelled' })
    const ids = await listActiveAppointmentIds(fixture.context, [one.id, two.id, three.id])
    assert.deepEqual([...ids], [[one.id, active.id]])
  })
})
