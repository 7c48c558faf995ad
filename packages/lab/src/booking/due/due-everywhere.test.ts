import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HOUR_SECONDS } from '@salus/contracts/time-units'
import { book, labMessages, slotIn } from '../../../../server/test/orders/appointments.ts'
import { createOrdersFixture } from '../../../../server/test/orders/orders-fixture.ts'
import { BOOKED, scriptProvider } from '../../../../server/test/scheduling/scripted-provider.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { type AppointmentDraft, CANCEL_AT_PROVIDER } from '../../appointments/index.ts'
import { bookingJobs } from '../booking.jobs.ts'
import { CONTINUE_BOOKING } from '../booking-job.ts'
import {
  listEnvironmentsWithDueAppointments,
  selectDueEnvironments,
} from './due-appointments.global.repository.ts'

/** Timed changes in all environments, by the time of each, and the job that runs them. */

const fixture = useFixture(() => createOrdersFixture({ sandboxAutoProgress: true }))
const provider = scriptProvider()

const now = () => fixture.harness.clock.now()
const query = (text: string, values: unknown[] = []) =>
  fixture.harness.database.pool.query(text, values)
const listDue = () => listEnvironmentsWithDueAppointments(fixture.context.db, now())
const ownId = () => fixture.context.environment.id

async function appointment(changes: () => Partial<AppointmentDraft>) {
  const user_id = await fixture.harness.makeUser()
  const { id } = await fixture.place('walk_in_test', { user_id })
  await fixture.walk(id, 'requisition_created')
  return book(fixture, id, 'quest', changes())
}

/** Runs a job as the queue does. */
function run(name: string, payload: object = {}) {
  const handler = bookingJobs(fixture.harness.dependencies, provider).handlers[name]
  assert.ok(handler)
  const signal = new AbortController().signal
  return handler({ environmentId: ownId(), ...payload }, signal, { isLast: false })
}

const reminders = async (userId: string) =>
  (await labMessages(fixture, userId)).filter(({ text }) => text.includes('reminder')).length

describe('environments in which something is due', () => {
  test('are found by real time, and an advanced sandbox by its own time', async () => {
    const { user_id } = await appointment(() => slotIn(fixture, 72))
    assert.deepEqual(await listDue(), [])
    await query('update team_environments set clock_offset_seconds = $1 where id = $2', [
      48 * HOUR_SECONDS,
      ownId(),
    ])
    assert.deepEqual(await listDue(), [ownId()])
    await run('run_due_appointments')
    assert.equal(await reminders(user_id), 1)
    assert.deepEqual(await listDue(), [])
    await query('update team_environments set clock_offset_seconds = 0')
    const later = await appointment(() => slotIn(fixture, 25))
    fixture.harness.clock.advance(HOUR_SECONDS)
    assert.deepEqual(await listDue(), [ownId()])
    await run('run_due_appointments')
    assert.equal(await reminders(later.user_id), 1)
  })

  test('are not those of deleted people and deleted teams', async () => {
    const { user_id } = await appointment(() => slotIn(fixture, 25))
    fixture.harness.clock.advance(HOUR_SECONDS)
    await query('update orders set is_hidden = true where user_id = $1', [user_id])
    assert.deepEqual(await listDue(), [])
    await query('update orders set is_hidden = false where user_id = $1', [user_id])
    await query('update teams set deleted_at = now() where id = $1', [fixture.harness.teamId])
    assert.deepEqual(await listDue(), [])
    await query('update teams set deleted_at = null')
    assert.deepEqual(await listDue(), [ownId()])
    await run('run_due_appointments')
  })

  test('are found with a few index blocks among two thousand others', async () => {
    await appointment(() => slotIn(fixture, 25))
    fixture.harness.clock.advance(HOUR_SECONDS)
    await makeQuietEnvironments(1, 500)
    const among = await blocksRead()
    await makeQuietEnvironments(501, 2000)
    assert.deepEqual(await listDue(), [ownId()])
    const amongMany = await blocksRead()
    const { rows } = await query(
      `select pg_relation_size('appointments') / current_setting('block_size')::int as blocks`,
    )
    // Indexes four times as large may be a level deeper; a table scan would cost far more blocks.
    assert.ok(amongMany <= among + 20, `${amongMany} blocks, not ${among}`)
    assert.ok(Number(rows[0].blocks) > 5 * amongMany, `${rows[0].blocks} blocks in all`)
    await run('run_due_appointments')
  })
})

/** Returns the number of blocks that the search reads. */
async function blocksRead(): Promise<number> {
  await query('vacuum analyze appointments')
  await query('vacuum analyze team_environments')
  const { sql, parameters } = selectDueEnvironments(fixture.context.db, now()).compile()
  const { rows } = await query(`explain (analyze, buffers, format json) ${sql}`, [...parameters])
  return rows[0]['QUERY PLAN'][0].Plan['Shared Hit Blocks']
}

/** Creates environments of other teams, each with five future appointments. */
async function makeQuietEnvironments(first: number, last: number): Promise<void> {
  const { pool } = fixture.harness.database
  const { id } = await appointment(() => slotIn(fixture, 20))
  const connection = await pool.connect()
  try {
    // Creating their people and orders would take longer than the test.
    await connection.query('set session_replication_role = replica')
    await connection.query(
      `insert into team_environments
      select made.* from team_environments own, generate_series($1::int, $2::int) number, lateral jsonb_populate_record(own,
        jsonb_build_object('id', md5(number::text), 'team_id', md5(number::text))) made
      where own.id = $3`,
      [first, last, ownId()],
    )
    await connection.query(
      `insert into appointments
      select made.* from appointments one, team_environments other, generate_series(1, 5) number, lateral jsonb_populate_record(one,
        jsonb_build_object('id', gen_random_uuid(), 'environment_id', other.id, 'order_id', gen_random_uuid(),
          'user_id', gen_random_uuid(), 'remind_at', $1::timestamptz + interval '1 day' * number)) made
      where one.id = $2 and not exists (select from appointments where environment_id = other.id)`,
      [now(), id],
    )
  } finally {
    await connection.query('set session_replication_role = default')
    connection.release()
  }
}

describe('a job', () => {
  test('sends a cancellation to the provider until it succeeds', async () => {
    const { id: appointmentId } = await appointment(() => slotIn(fixture, 72))
    const payload = { appointmentId, provider: 'quest' }
    provider.deafFor = 1
    await assert.rejects(run(CANCEL_AT_PROVIDER.name, payload), { name: 'ProviderUnavailable' })
    await run(CANCEL_AT_PROVIDER.name, payload)
    assert.deepEqual(provider.cancelled, [appointmentId])
  })

  test('of a cancellation is replaced by a later one during maintenance of the provider', async () => {
    const { id: appointmentId } = await appointment(() => slotIn(fixture, 72))
    Object.assign(provider, { deafFor: 1, isUnderMaintenance: true })
    await run(CANCEL_AT_PROVIDER.name, { appointmentId, provider: 'quest' })
    provider.isUnderMaintenance = false
    assert.ok(!provider.cancelled.includes(appointmentId))
    const { rows } = await query(
      `select job.run_at, job.payload from graphile_worker._private_jobs job
      where job.payload::text like $1`,
      [`%${appointmentId}%`],
    )
    assert.equal(rows.length, 1)
    assert.equal(rows[0].run_at.getTime() - now().getTime(), 300_000)
    await run(CANCEL_AT_PROVIDER.name, rows[0].payload)
    assert.ok(provider.cancelled.includes(appointmentId))
  })

  test('calls a silent provider again, and the scheduled job only adds such jobs', async () => {
    const pending = () => ({
      status: 'pending' as const,
      confirm_by: new Date(now().getTime() + HOUR_SECONDS * 1000),
      ...slotIn(fixture, 20),
    })
    const { id: appointmentId } = await appointment(pending)
    const jobs = async () => {
      const { rowCount } = await query(`select from graphile_worker._private_jobs where key = $1`, [
        `continue:${appointmentId}`,
      ])
      return rowCount
    }
    await run('run_due_appointments')
    await run('run_due_appointments')
    assert.deepEqual([provider.asked.length, await jobs()], [0, 1])
    await run(CONTINUE_BOOKING.name, { appointmentId })
    assert.equal(provider.asked.length, 1)
    // The job does nothing before its time.
    await run(CONTINUE_BOOKING.name, { appointmentId })
    assert.equal(provider.asked.length, 1)
    provider.answers = [BOOKED]
    fixture.harness.clock.advance(5)
    await run(CONTINUE_BOOKING.name, { appointmentId })
    const { rows } = await query('select status from appointments where id = $1', [appointmentId])
    assert.equal(rows[0].status, 'confirmed')
  })
})

test('a sandbox that is advanced by days first reminds, and then collects', async () => {
  const user_id = await fixture.harness.makeUser()
  const { id } = await fixture.place('at_home_phlebotomy', { user_id })
  await fixture.walk(id, 'requisition_created')
  const row = await book(fixture, id, 'getlabs', slotIn(fixture, 72))
  const advanced = await fixture.harness.call('POST', '/v3/sandbox/advance', {
    seconds: 240 * HOUR_SECONDS,
  })
  assert.equal(advanced.status, 200)
  const texts = (await labMessages(fixture, user_id)).map(({ text }) => text)
  const reminder = texts.indexOf('appointment.reminder confirmed')
  const drawn = texts.findIndex((text) => text.startsWith('order.updated draw_completed'))
  assert.ok(reminder > 0 && drawn > reminder, texts.join(', '))
  assert.ok(texts.lastIndexOf('appointment.reminder confirmed') === reminder)
  assert.ok(row.remind_at)
})
