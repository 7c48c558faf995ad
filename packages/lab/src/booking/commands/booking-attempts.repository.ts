import type { AppointmentProvider } from '@salus/contracts/lab-gateway'
import { prepared } from '@salus/kernel/postgres/prepared-statements'
import type { Scope, TransactionScope } from '@salus/kernel/scope'
import type { Selectable } from 'kysely'

interface BookingAttemptsTable {
  environment_id: string
  appointment_id: string
  order_id: string
  provider: AppointmentProvider
  start_at: Date | null
  end_at: Date | null
  site_code: string | null
  holder: string
  held_until: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    booking_attempts: BookingAttemptsTable
  }
}

export type AttemptRow = Selectable<BookingAttemptsTable>

const COLUMNS = [
  'environment_id',
  'appointment_id',
  'order_id',
  'provider',
  'start_at',
  'end_at',
  'site_code',
  'holder',
  'held_until',
] as const
export type NewAttempt = Omit<AttemptRow, 'environment_id'>

/** Inserts an attempt. Returns undefined when the order already has one. */
export function insertAttempt(
  { db, environment }: TransactionScope,
  attempt: NewAttempt,
): Promise<AttemptRow | undefined> {
  return prepared(db)
    .insertInto('booking_attempts')
    .values({ ...attempt, environment_id: environment.id })
    .onConflict((conflict) => conflict.doNothing())
    .returning(COLUMNS)
    .executeTakeFirst()
}

/** Returns the booking in progress for an appointment, if any. */
export function findAttempt(
  { db, environment }: Scope,
  appointmentId: string,
): Promise<AttemptRow | undefined> {
  return db
    .selectFrom('booking_attempts')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('appointment_id', '=', appointmentId)
    .executeTakeFirst()
}

/** Returns the booking in progress for an order; there is at most one. */
export function findAttemptOfOrder(
  { db, environment }: Scope,
  orderId: string,
): Promise<AttemptRow | undefined> {
  return db
    .selectFrom('booking_attempts')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('order_id', '=', orderId)
    .executeTakeFirst()
}

/**
 * Claims an attempt that no other process holds at `now`. Returns undefined when it is held or does
 * not exist.
 */
export function claimAttempt(
  { db, environment }: Scope,
  appointmentId: string,
  { now, ...hold }: { holder: string; held_until: Date; now: Date },
): Promise<AttemptRow | undefined> {
  return db
    .updateTable('booking_attempts')
    .set(hold)
    .where('environment_id', '=', environment.id)
    .where('appointment_id', '=', appointmentId)
    .where('held_until', '<=', now)
    .returningAll()
    .executeTakeFirst()
}

/** Releases an attempt, so that others can claim it from `at` on. */
export async function releaseAttempt(
  { db, environment }: Scope,
  { appointment_id, holder }: Pick<AttemptRow, 'appointment_id' | 'holder'>,
  at: Date,
): Promise<void> {
  await db
    .updateTable('booking_attempts')
    .set({ held_until: at })
    .where('environment_id', '=', environment.id)
    .where('appointment_id', '=', appointment_id)
    .where('holder', '=', holder)
    .execute()
}

/** Removes an attempt. Returns false when the holder does not hold it any more. */
export async function removeAttempt(
  { db, environment }: Scope,
  { appointment_id, holder }: Pick<AttemptRow, 'appointment_id' | 'holder'>,
): Promise<boolean> {
  const { numDeletedRows } = await prepared(db)
    .deleteFrom('booking_attempts')
    .where('environment_id', '=', environment.id)
    .where('appointment_id', '=', appointment_id)
    .where('holder', '=', holder)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Removes the attempt of an order, independent of its holder. */
export async function removeAttemptOfOrder(
  { db, environment }: TransactionScope,
  orderId: string,
): Promise<void> {
  await db
    .deleteFrom('booking_attempts')
    .where('environment_id', '=', environment.id)
    .where('order_id', '=', orderId)
    .execute()
}
