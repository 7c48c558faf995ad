import type { DelayedAnswer, Seat } from '@salus/contracts/lab-gateway'
import { prepared } from '@salus/kernel/postgres/prepared-statements'
import type { RowScope } from '@salus/kernel/scope'
import { type Selectable, sql } from 'kysely'
import type { SandboxBookingsTable } from './sandbox-slots.tables.ts'

export type SandboxBookingRow = Selectable<SandboxBookingsTable>

/** Returns the taken seats of a calendar's slots that start in a range. */
export function listTakenSeats(
  { db, environment }: RowScope,
  calendar: string,
  from: Date,
  before: Date,
): Promise<{ start: Date; taken: number }[]> {
  return db
    .selectFrom('sandbox_slots')
    .select(['start_at as start', 'taken'])
    .where('environment_id', '=', environment.id)
    .where('calendar', '=', calendar)
    .where('start_at', '>=', from)
    .where('start_at', '<', before)
    .execute()
}

/** Takes a seat of a slot, which stays locked. Returns false when the slot is full. */
export async function takeSeat(
  { db, environment }: RowScope,
  { calendar, start: start_at, capacity }: Seat,
): Promise<boolean> {
  const row = { environment_id: environment.id, calendar, start_at, capacity, taken: 1 }
  const { numInsertedOrUpdatedRows } = await prepared(db)
    .insertInto('sandbox_slots')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['environment_id', 'calendar', 'start_at'])
        .doUpdateSet({ taken: sql`sandbox_slots.taken + 1` })
        .whereRef('sandbox_slots.taken', '<', 'sandbox_slots.capacity'),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Releases a seat of a slot. */
export async function releaseSeat(
  { db, environment }: RowScope,
  { calendar, start }: Pick<Seat, 'calendar' | 'start'>,
): Promise<void> {
  await db
    .updateTable('sandbox_slots')
    .set({ taken: sql`taken - 1` })
    .where('environment_id', '=', environment.id)
    .where('calendar', '=', calendar)
    .where('start_at', '=', start)
    .execute()
}

/** Adds a booking without a seat, unless the appointment has one. Returns whether it was added. */
export async function addBooking(
  { db, environment }: RowScope,
  appointmentId: string,
  fields: Partial<SandboxBookingRow>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await prepared(db)
    .insertInto('sandbox_bookings')
    .values({ ...fields, environment_id: environment.id, appointment_id: appointmentId })
    .onConflict((conflict) => conflict.columns(['environment_id', 'appointment_id']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Returns the seat of an appointment. */
export function findSeat(
  { db, environment }: RowScope,
  appointmentId: string,
): Promise<Seat | undefined> {
  return db
    .selectFrom('sandbox_bookings as booking')
    .innerJoin('sandbox_slots as slot', (join) =>
      join
        .onRef('slot.environment_id', '=', 'booking.environment_id')
        .onRef('slot.calendar', '=', 'booking.calendar')
        .onRef('slot.start_at', '=', 'booking.start_at'),
    )
    .select(['slot.calendar', 'slot.start_at as start', 'slot.capacity'])
    .where('booking.environment_id', '=', environment.id)
    .where('booking.appointment_id', '=', appointmentId)
    .executeTakeFirst()
}

/**
 * Returns the slot of an appointment, locked until the transaction ends.
 * @throws when it has none
 */
export function lockBooking(
  { db, environment }: RowScope,
  appointmentId: string,
): Promise<SandboxBookingRow> {
  return db
    .selectFrom('sandbox_bookings')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('appointment_id', '=', appointmentId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Changes the slot and seat of a booking. */
export async function updateBooking(
  { db, environment }: RowScope,
  appointmentId: string,
  fields: Partial<SandboxBookingRow>,
): Promise<void> {
  await db
    .updateTable('sandbox_bookings')
    .set(fields)
    .where('environment_id', '=', environment.id)
    .where('appointment_id', '=', appointmentId)
    .execute()
}

/** Something more that a provider says of an appointment. */
export interface DueAnswer extends DelayedAnswer {
  appointmentId: string
  orderId: string
  labId: number
}

/**
 * Returns the next answer that a provider has to send. Bookings without an appointment have no
 * answers yet, and answers about orders of deleted people wait in case the deletion is undone.
 */
export async function findDueAnswer(
  { db, environment }: RowScope,
  until: Date,
): Promise<DueAnswer | undefined> {
  const row = await db
    .selectFrom('sandbox_bookings as booking')
    .innerJoin('appointments as appointment', (join) =>
      join
        .onRef('appointment.environment_id', '=', 'booking.environment_id')
        .onRef('appointment.id', '=', 'booking.appointment_id'),
    )
    .innerJoin('orders', (join) =>
      join
        .onRef('orders.environment_id', '=', 'appointment.environment_id')
        .onRef('orders.id', '=', 'appointment.order_id'),
    )
    .select(['booking.appointment_id', 'booking.answer', 'booking.answer_at'])
    .select(['orders.id as order_id', 'orders.lab_id'])
    .where('booking.environment_id', '=', environment.id)
    .where('booking.answer_at', '<=', until)
    .where('orders.is_hidden', '=', false)
    .orderBy('booking.answer_at')
    .orderBy('booking.appointment_id')
    .executeTakeFirst()
  if (row?.answer == null || row.answer_at === null) return undefined
  const { appointment_id: appointmentId, order_id: orderId, lab_id: labId } = row
  return { appointmentId, orderId, labId, kind: row.answer, at: row.answer_at }
}

/** Removes an answer that was sent, unless a new one has replaced it. */
export async function removeAnswer(
  { db, environment }: RowScope,
  { appointmentId, at }: DueAnswer,
): Promise<void> {
  await db
    .updateTable('sandbox_bookings')
    .set({ answer: null, answer_at: null })
    .where('environment_id', '=', environment.id)
    .where('appointment_id', '=', appointmentId)
    .where('answer_at', '=', at)
    .execute()
}
