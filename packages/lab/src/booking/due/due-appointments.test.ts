import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { HOUR_SECONDS, MINUTE_SECONDS } from '@salus/contracts/time-units'
import { book, labMessages, slotIn } from '../../../../server/test/orders/appointments.ts'
import { createOrdersFixture } from '../../../../server/test/orders/orders-fixture.ts'
import {
  BOOKED,
  type ScriptedProvider,
  scriptProvider,
} from '../../../../server/test/scheduling/scripted-provider.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import {
  type AppointmentChanges,
  type AppointmentDraft,
  type AppointmentRow,
  lockAppointment,
  showAppointment,
  transitionAppointment,
} from '../../appointments/index.ts'
import { runDueAppointments } from './run-due-appointments.service.ts'

/** Timed changes of appointments; the clock moves only here. */

const fixture = useFixture(createOrdersFixture)
let provider: ScriptedProvider

beforeEach(() => {
  provider = scriptProvider()
})

const now = () => fixture.harness.clock.now()
const inSeconds = (seconds: number) => new Date(now().getTime() + seconds * 1000)
const runDue = () => runDueAppointments(fixture.context, provider)

/** Advances the clock and runs the changes that are due. */
async function wait(seconds: number) {
  fixture.harness.clock.advance(seconds)
  await runDue()
}

/** Creates an order of a new person. */
async function order(hasRequisition = true) {
  const user_id = await fixture.harness.makeUser()
  const { id } = await fixture.place('walk_in_test', { user_id })
  if (hasRequisition) await fixture.walk(id, 'requisition_created')
  return fixture.row(id)
}

/** Changes are computed when the order is placed, because the clock advances with it. */
async function appointment(changes: () => Partial<AppointmentDraft>, hasRequisition = true) {
  const { id } = await order(hasRequisition)
  return book(fixture, id, 'quest', changes())
}

const inHours = (hours: number) => appointment(() => slotIn(fixture, hours))

const shown = async ({ id }: AppointmentRow) => {
  const row = await fixture.context.transaction((tx) => lockAppointment(tx, id))
  return showAppointment(fixture.context, row as AppointmentRow)
}

const change = (
  { id }: AppointmentRow,
  to: 'confirmed' | 'cancelled',
  changes: AppointmentChanges = {},
) =>
  fixture.context.transaction(async (tx) => {
    const row = await lockAppointment(tx, id)
    const data = { origin: 'customer' } as const
    await transitionAppointment(tx, row as AppointmentRow, { to, at: now(), data, changes })
  })

const messages = async ({ user_id }: AppointmentRow) =>
  (await labMessages(fixture, user_id)).map(({ text }) => text)

const reminders = async (row: AppointmentRow) =>
  (await messages(row)).filter((text) => text.startsWith('appointment.reminder'))

async function jobsOf({ id }: AppointmentRow) {
  const { rows } = await fixture.harness.database.pool.query(
    `select identifier as task, run_at from graphile_worker._private_jobs job
    join graphile_worker._private_tasks task on task.id = job.task_id
    where payload ->> 'appointmentId' = $1 order by job.id`,
    [id],
  )
  return rows as { task: string; run_at: Date }[]
}
const isCancelledThere = async (row: AppointmentRow) =>
  (await jobsOf(row)).some(({ task }) => task === 'cancel_appointment_at_provider')

describe('a reminder', () => {
  test('is sent once, 24 hours before the start', async () => {
    const row = await inHours(72)
    await wait(48 * HOUR_SECONDS - 1)
    assert.deepEqual(await reminders(row), [])
    await wait(1)
    assert.deepEqual(await reminders(row), ['appointment.reminder confirmed'])
    await wait(HOUR_SECONDS)
    await wait(48 * HOUR_SECONDS)
    assert.equal((await reminders(row)).length, 1)
  })

  test('moves with the appointment, also when it was sent before', async () => {
    const row = await inHours(72)
    await change(row, 'confirmed', slotIn(fixture, 96))
    await wait(71 * HOUR_SECONDS)
    assert.deepEqual(await reminders(row), [])
    await wait(HOUR_SECONDS)
    assert.equal((await reminders(row)).length, 1)
    await change(row, 'confirmed', slotIn(fixture, 48))
    await wait(24 * HOUR_SECONDS)
    assert.equal((await reminders(row)).length, 2)
  })

  test('is not sent for a cancelled appointment, or one that begins earlier', async () => {
    const cancelled = await inHours(72)
    const soon = await inHours(23)
    await change(cancelled, 'cancelled')
    await wait(73 * HOUR_SECONDS)
    assert.deepEqual([await reminders(cancelled), await reminders(soon)], [[], []])
  })

  test('is not sent for an appointment that began while the server was down', async () => {
    const late = await inHours(72)
    const over = await inHours(48)
    await wait(49 * HOUR_SECONDS)
    assert.deepEqual(await reminders(late), ['appointment.reminder confirmed'])
    assert.deepEqual(await reminders(over), [])
    await wait(HOUR_SECONDS)
    assert.deepEqual(await reminders(over), [])
  })

  test('waits while its person is deleted, in case the deletion is undone', async () => {
    const row = await inHours(48)
    await fixture.harness.call('DELETE', `/v2/user/${row.user_id}`)
    await wait(25 * HOUR_SECONDS)
    assert.deepEqual(await reminders(row), [])
    const undone = await fixture.harness.call('POST', `/v2/user/undo_delete?user_id=${row.user_id}`)
    assert.equal(undone.status, 200)
    await runDue()
    assert.equal((await reminders(row)).length, 1)
  })
})

describe('an appointment without a requisition', () => {
  const held = (hours: number) =>
    appointment(() => ({ status: 'reserved', cancel_at: inSeconds(hours * HOUR_SECONDS) }), false)

  test('is cancelled when its time is over, also at the provider, while the order stays', async () => {
    const row = await held(8)
    await wait(8 * HOUR_SECONDS - 1)
    assert.equal((await shown(row)).status, 'reserved')
    await wait(1)
    const { status, event_data } = await shown(row)
    assert.deepEqual([status, event_data], ['cancelled', { origin: 'system' }])
    assert.equal((await fixture.row(row.order_id)).last_status, 'ordered')
    assert.ok(await isCancelledThere(row))
    assert.deepEqual(await messages(row), [
      'order.created ordered',
      'appointment.created reserved',
      'appointment.updated reserved',
      'appointment.updated cancelled',
    ])
  })

  test('stays when the requisition is created in time', async () => {
    const row = await held(8)
    await wait(7 * HOUR_SECONDS)
    await fixture.update(row.order_id, { kind: 'requisition_accepted', sampleId: null })
    await wait(2 * HOUR_SECONDS)
    assert.equal((await shown(row)).status, 'confirmed')
    assert.equal((await fixture.row(row.order_id)).last_status, 'appointment_scheduled')
    assert.ok(!(await isCancelledThere(row)))
  })

  test('that was rescheduled is cancelled by its new time', async () => {
    const row = await held(8)
    await fixture.context.transaction(async (tx) => {
      const locked = (await lockAppointment(tx, row.id)) as AppointmentRow
      const changes = { ...slotIn(fixture, 5), cancel_at: inSeconds(3 * HOUR_SECONDS) }
      await transitionAppointment(tx, locked, { to: 'reserved', at: now(), changes })
    })
    await wait(3 * HOUR_SECONDS)
    assert.equal((await shown(row)).status, 'cancelled')
  })
})

describe('a booking without an answer of the provider', () => {
  const pending = (patienceMinutes = 15) =>
    appointment(() => ({
      status: 'pending',
      provider_id: '',
      site_code: 'S-1',
      notes: 'The left arm.',
      confirm_by: inSeconds(patienceMinutes * MINUTE_SECONDS),
      ...slotIn(fixture, 72),
    }))

  test('is sent again with growing pauses, and confirmed by an answer', async () => {
    const row = await pending()
    const start = row.created_at.getTime()
    provider.answers = ['silent', 'silent', 'silent', 'silent', BOOKED]
    for (let second = 0; second < 120; second += 1) await wait(1)
    const pauses = provider.asked.map(({ now: at }) => (at.getTime() - start) / 1000)
    assert.deepEqual(pauses, [0, 5, 10, 20, 40])
    for (const { visit, slot } of provider.asked) {
      assert.deepEqual([visit.appointmentId, visit.notes], [row.id, 'The left arm.'])
      assert.deepEqual(visit.place, { kind: 'site', siteCode: 'S-1', timeZone: row.time_zone })
      assert.deepEqual(slot, { start: row.start_at, end: row.end_at })
      assert.equal(visit.patient?.last_name, 'Moreau')
    }
    const { status, provider_id, external_id, events } = await shown(row)
    assert.deepEqual([status, provider_id, external_id], ['confirmed', 'P-9', 'QWERTY'])
    assert.deepEqual(
      events.map((event) => [event.status, event.data]),
      [
        ['pending', { origin: 'customer' }],
        ['scheduled', { origin: 'provider' }],
      ],
    )
    assert.equal((await fixture.row(row.order_id)).last_status, 'appointment_scheduled')
    // The reminder follows the new time.
    await wait(48 * HOUR_SECONDS)
    assert.equal((await reminders(row)).length, 1)
  })

  test('is cancelled when its time is over, also at the provider', async () => {
    const row = await pending()
    await wait(15 * MINUTE_SECONDS)
    const { status, event_data } = await shown(row)
    assert.deepEqual([status, event_data], ['cancelled', { origin: 'system' }])
    assert.equal((await fixture.row(row.order_id)).last_status, 'appointment_cancelled')
    assert.ok(await isCancelledThere(row))
    const count = provider.asked.length
    await wait(HOUR_SECONDS)
    assert.equal(provider.asked.length, count)
  })

  for (const state of ['slot_unavailable', 'refused'] as const) {
    test(`is cancelled when it says ${state}`, async () => {
      const row = await pending()
      provider.answers = ['silent', { state }]
      await wait(10)
      const { status, event_data } = await shown(row)
      assert.deepEqual([status, event_data], ['cancelled', { origin: 'provider' }])
      assert.equal((await fixture.row(row.order_id)).last_status, 'appointment_cancelled')
      assert.ok(!(await isCancelledThere(row)))
    })
  }

  test('is reserved without a requisition, and for a laboratory that confirms itself', async () => {
    const early = await book(fixture, (await order(false)).id, 'quest', {
      status: 'pending',
      confirm_by: inSeconds(15 * MINUTE_SECONDS),
    })
    provider.answers = [BOOKED]
    await wait(5)
    assert.equal((await shown(early)).status, 'reserved')
    assert.equal((await fixture.row(early.order_id)).last_status, 'ordered')
    const ofLab = await pending()
    provider.answers = [{ ...BOOKED, isHeld: true }]
    await wait(5)
    assert.equal((await shown(ofLab)).status, 'reserved')
    assert.equal((await fixture.row(ofLab.order_id)).last_status, 'appointment_pending')
  })

  test('that was cancelled during the call is cancelled at the provider once more', async () => {
    const row = await pending()
    provider.answers = [
      async () => {
        await change(row, 'cancelled')
        await fixture.harness.database.pool.query('delete from graphile_worker._private_jobs')
        return BOOKED
      },
    ]
    await wait(5)
    assert.equal((await shown(row)).status, 'cancelled')
    assert.ok(await isCancelledThere(row))
  })

  test('is finally sent again every hour', async () => {
    const row = await pending(48 * 60)
    for (let minute = 0; minute < 48 * 60; minute += 10) await wait(10 * MINUTE_SECONDS)
    const asked = provider.asked.filter(({ visit }) => visit.appointmentId === row.id)
    assert.ok(asked.length > 40 && asked.length < 60, `${asked.length}`)
    assert.equal((await shown(row)).status, 'cancelled')
  })
})

test('a failure delays no other change, and is retried the next time', async () => {
  fixture.harness.errors.expect('due appointment could not be processed')
  const broken = await appointment(() => ({
    status: 'pending',
    confirm_by: inSeconds(2 * HOUR_SECONDS),
    ...slotIn(fixture, 72),
  }))
  const row = await inHours(25)
  const fail = async () => {
    throw new Error('broken')
  }
  provider.answers = [fail, fail]
  await wait(HOUR_SECONDS)
  assert.equal((await reminders(row)).length, 1)
  assert.equal((await shown(broken)).status, 'pending')
  await runDue()
  provider.answers = [BOOKED]
  await runDue()
  assert.equal((await shown(broken)).status, 'confirmed')
})
