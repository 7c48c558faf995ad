import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { HOUR_MS } from '@salus/contracts/time-units'
import { deletePersonRows } from '../../../rights/src/person-data/index.ts'
import {
  book,
  labMessages,
  loneAppointments,
  slotIn,
} from '../../../server/test/orders/appointments.ts'
import { createOrdersFixture } from '../../../server/test/orders/orders-fixture.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import {
  type AppointmentChanges,
  type AppointmentRow,
  emitReminder,
  showAppointment,
  updateAppointment,
} from './index.ts'

/** Timed changes of appointments, and appointments of deleted people. */

const fixture = useFixture(createOrdersFixture)
let lone: ReturnType<typeof loneAppointments>

before(() => {
  lone = loneAppointments(fixture)
})

const now = () => fixture.harness.clock.now()
const show = (row: AppointmentRow) => showAppointment(fixture.context, row)
const hours = (count: number) => count * HOUR_MS
const update = (row: AppointmentRow, changes: AppointmentChanges) =>
  fixture.context.transaction((tx) => updateAppointment(tx, row, changes, now()))

async function cancelJobs({ id }: AppointmentRow) {
  const { rows } = await fixture.harness.database.pool.query(
    `select payload from graphile_worker._private_jobs
    where payload ->> 'appointmentId' = $1`,
    [id],
  )
  return rows.map(({ payload }) => payload)
}

describe('a provider', () => {
  test('gets the cancellations that it did not make itself', async () => {
    const row = await lone.make()
    await lone.change(row, { to: 'cancelled', data: { origin: 'customer' } })
    const { id: appointmentId, environment_id: environmentId, provider } = row
    assert.deepEqual(await cancelJobs(row), [{ appointmentId, environmentId, provider }])
  })

  test('gets neither its own cancellations nor completed appointments', async () => {
    const row = await lone.make()
    await lone.change(row, { to: 'cancelled', data: { origin: 'provider' } })
    const other = await lone.make()
    await lone.change(other, { to: 'completed' })
    assert.deepEqual([await cancelJobs(row), await cancelJobs(other)], [[], []])
  })
})

describe('the timed changes of an appointment', () => {
  const due = ({ confirm_by, cancel_at, remind_at }: AppointmentRow) => [
    confirm_by,
    cancel_at,
    remind_at,
  ]
  const before = (start: Date | null) => new Date((start as Date).getTime() - hours(24))

  test('end with the status that they wait for', async () => {
    const later = new Date(now().getTime() + hours(5))
    const dates = { confirm_by: later, cancel_at: later }
    const pending = await lone.make({ status: 'pending', ...dates })
    assert.deepEqual(due(pending), [later, later, null])
    const reserved = await lone.change(pending, { to: 'reserved' })
    assert.deepEqual(due(reserved), [null, later, before(reserved.start_at)])
    const confirmed = await lone.change(reserved, { to: 'confirmed' })
    assert.deepEqual(due(confirmed), [null, null, before(reserved.start_at)])
    const running = await lone.change(confirmed, { to: 'in_progress' })
    assert.deepEqual(due(running), [null, null, null])
    const cancelled = await lone.change(await lone.make({ status: 'pending', ...dates }), {
      to: 'cancelled',
    })
    assert.deepEqual(due(cancelled), [null, null, null])
  })

  test('include a reminder a day before the start, sent once, and again after a reschedule', async () => {
    const row = await lone.make()
    const reminded = await fixture.context.transaction((tx) => emitReminder(tx, row))
    assert.equal(reminded.remind_at, null)
    const [message] = (await lone.listEvents(row)).slice(2)
    assert.deepEqual(message, { text: 'appointment.reminder confirmed', data: await show(row) })
    const same = await lone.change(reminded, { to: 'confirmed' })
    assert.equal(same.remind_at, null)
    const moved = await lone.change(same, { to: 'confirmed', changes: slotIn(fixture, 50) })
    assert.deepEqual(moved.remind_at, before(moved.start_at))
    const notes = await update(moved, { notes: 'new' })
    assert.deepEqual(notes.remind_at, moved.remind_at)
  })

  test('include no reminder of an appointment that begins within a day, or has no time', async () => {
    assert.equal((await lone.make(slotIn(fixture, 24))).remind_at, null)
    assert.notEqual((await lone.make(slotIn(fixture, 25))).remind_at, null)
    const unset = { status: 'pending', start_at: null, end_at: null } as const
    const requested = await lone.make(unset)
    assert.equal(requested.remind_at, null)
    const confirmed = await lone.change(requested, {
      to: 'confirmed',
      changes: slotIn(fixture, 30),
    })
    assert.deepEqual(confirmed.remind_at, before(confirmed.start_at))
  })
})

describe('the appointment of a deleted person', () => {
  test('emits no events, and is deleted with the person', async () => {
    const { harness } = fixture
    const of = await lone.order()
    const row = await book(fixture, of.id, 'getlabs')
    const earlier = (await labMessages(fixture, row.user_id)).length
    assert.equal((await harness.call('DELETE', `/v2/user/${row.user_id}`)).status, 200)
    const changed = await lone.change(row, { to: 'confirmed', changes: slotIn(fixture, 90) })
    await fixture.context.transaction((tx) => emitReminder(tx, changed))
    await update(changed, { notes: 'x' })
    assert.equal((await labMessages(fixture, row.user_id)).length, earlier)
    await deletePersonRows(fixture.context, row.user_id)
    for (const table of ['appointments', 'appointment_events']) {
      const key = table === 'appointments' ? 'id' : 'appointment_id'
      const { rows } = await harness.database.pool.query(
        `select count(*)::int as count from ${table} where ${key} = $1`,
        [row.id],
      )
      assert.equal(rows[0].count, 0, table)
    }
  })
})
