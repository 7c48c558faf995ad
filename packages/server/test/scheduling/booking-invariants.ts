import assert from 'node:assert/strict'
import type pg from 'pg'
import { request } from '../server-process.ts'
import { waitFor } from '../webhooks/webhook-sink.ts'
import type { BookingClient } from './booking-clients.ts'

/** What must hold of bookings, however often the server was killed. */

/** As if the minutes had passed after which what a dead process was working on is settled. */
export async function letHoldsEnd(pool: pg.Pool): Promise<void> {
  await pool.query(`update booking_attempts set held_until = now() - interval '61 seconds'`)
  await pool.query(
    `update idempotent_answers set held_until = now() - interval '1 second' where status is null`,
  )
}

const BOOKING_JOBS = `graphile_worker._private_jobs job
  join graphile_worker._private_tasks task on task.id = job.task_id
  where identifier in ('settle_booking_attempt', 'cancel_appointment_at_provider', 'continue_booking')`

/** Waits until everything is settled; what is to run later runs now. */
export async function settleBookings(pool: pg.Pool): Promise<void> {
  await waitFor(
    'bookings to settle',
    async () => {
      await letHoldsEnd(pool)
      const left = await pool.query(`select from booking_attempts`)
      // The schedule would add it within a minute.
      const due = `select graphile_worker.add_job('run_due_appointments', job_key => 'due')`
      if (left.rowCount !== 0) await pool.query(due)
      await pool.query(`update graphile_worker._private_jobs set run_at = now()
        where locked_at is null and id in (select job.id from ${BOOKING_JOBS}) and run_at > now()`)
      return left.rowCount === 0 && (await pool.query(`select from ${BOOKING_JOBS}`)).rowCount === 0
    },
    90,
  )
}

const ACTIVE = `status in ('pending', 'reserved', 'confirmed', 'in_progress')`

/** Each finds rows that must not be. */
const FAULTS: Record<string, string> = {
  'an attempt that was not settled': 'select appointment_id from booking_attempts',
  'a slot whose seats are not those of its appointments': `
    select calendar, start_at, taken, (
      select count(*) from appointments
      where appointments.environment_id = slot.environment_id and appointments.start_at = slot.start_at
        and provider || '/' || coalesce(site_code, left(address ->> 'zip_code', 5)) = calendar and ${ACTIVE}
    ) as appointments
    from sandbox_slots slot where taken <> (
      select count(*) from appointments
      where appointments.environment_id = slot.environment_id and appointments.start_at = slot.start_at
        and provider || '/' || coalesce(site_code, left(address ->> 'zip_code', 5)) = calendar and ${ACTIVE})`,
  'an appointment without a seat, or with another one': `
    select appointments.id from appointments left join sandbox_bookings booking
      on booking.environment_id = appointments.environment_id and booking.appointment_id = appointments.id
        and booking.start_at = appointments.start_at and not is_cancelled
    where ${ACTIVE} and booking.appointment_id is null`,
  'a seat without an appointment': `
    select booking.appointment_id from sandbox_bookings booking left join appointments
      on booking.environment_id = appointments.environment_id and booking.appointment_id = appointments.id
        and ${ACTIVE}
    where booking.start_at is not null and appointments.id is null`,
  'an order that does not stand as its appointment does': `
    select orders.id, last_status, newest.status from orders
    left join lateral (select status from appointments where appointments.order_id = orders.id
      order by ${ACTIVE} desc, created_at desc limit 1) newest on true
    where last_status <> case newest.status when 'confirmed' then 'appointment_scheduled'
      when 'cancelled' then 'appointment_cancelled' else 'requisition_created' end`,
  'an order with other events than its appointments': `
    select orders.id from orders where (
      select count(*) from order_events where order_id = orders.id and status = 'appointment_scheduled'
    ) <> (
      select count(*) from appointment_events join appointments on appointments.id = appointment_id
      where order_id = orders.id and appointment_events.status = 'scheduled'
    ) or (
      select count(*) from order_events where order_id = orders.id and status = 'appointment_cancelled'
    ) <> (
      select count(*) from appointment_events join appointments on appointments.id = appointment_id
      where order_id = orders.id and appointment_events.status = 'cancelled')`,
  'messages that are not one for each event': `
    select count(*) from events where event_type = 'labtest.appointment.updated'
    having count(*) <> (select count(*) from appointment_events)`,
}

/** Holds the database against itself, and the answers of clients against what they read. */
export async function assertBookingsHold(
  pool: pg.Pool,
  baseUrl: string,
  clients: readonly BookingClient[],
): Promise<void> {
  for (const [fault, query] of Object.entries(FAULTS)) {
    const { rows } = await pool.query(query)
    assert.deepEqual(rows, [], fault)
  }
  for (const { orderId, kind, possible } of clients) {
    const path = `/v3/order/${orderId}/${kind}/appointment`
    const { status, body } = await request(baseUrl, 'GET', path)
    const shown = body as { status: string; start_at: string }
    const state = status === 404 || shown.status === 'cancelled' ? null : shown.start_at
    assert.ok(
      possible.includes(state),
      `${kind} ${orderId}: ${state}, not ${possible.join(' or ')}`,
    )
  }
}
