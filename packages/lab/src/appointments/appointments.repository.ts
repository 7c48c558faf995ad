import type { AppointmentType } from '@salus/contracts/lab-gateway'
import { anyOf, anyOfIds } from '@salus/kernel/postgres/bulk'
import { prepared } from '@salus/kernel/postgres/prepared-statements'
import type { RowScope, Scope, TransactionScope } from '@salus/kernel/scope'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { ACTIVE_STATUSES } from './appointments.machine.ts'
import {
  APPOINTMENT_COLUMNS,
  type AppointmentEventData,
  type AppointmentEventsTable,
  type AppointmentsTable,
} from './appointments.tables.ts'

export type AppointmentRow = Selectable<AppointmentsTable>
export type AppointmentEventRow = Selectable<AppointmentEventsTable>
type NewAppointment = Omit<Insertable<AppointmentsTable>, 'environment_id'>
type StoredChanges = Omit<Updateable<AppointmentsTable>, 'environment_id' | 'id'>

/**
 * Inserts an appointment and its first event, in one statement. Returns undefined when a unique
 * index finds another active appointment.
 */
export async function insertAppointment(
  { db, environment }: TransactionScope,
  appointment: NewAppointment,
  { status, data }: Pick<AppointmentEventRow, 'status' | 'data'>,
): Promise<{ row: AppointmentRow; event: AppointmentEventRow } | undefined> {
  const stored = await prepared(db)
    .with('made', (query) =>
      query
        .insertInto('appointments')
        .values({ ...appointment, environment_id: environment.id })
        .onConflict((conflict) => conflict.doNothing())
        .returning(APPOINTMENT_COLUMNS),
    )
    .with('recorded', (query) =>
      query
        .insertInto('appointment_events')
        .columns(['environment_id', 'appointment_id', 'status', 'data', 'created_at'])
        .expression(
          sql`select environment_id, id, ${status}, ${data && JSON.stringify(data)}::jsonb, created_at
            from made`,
        )
        .returning('id'),
    )
    .selectFrom(['made', 'recorded'])
    .select(APPOINTMENT_COLUMNS.map((column) => `made.${column}` as const))
    .select('recorded.id as event_id')
    .executeTakeFirst()
  if (stored === undefined) return undefined
  const { event_id: id, ...row } = stored
  const { environment_id, created_at } = row
  return { row, event: { environment_id, appointment_id: row.id, id, status, data, created_at } }
}

export function updateAppointmentRow(
  { db, environment }: TransactionScope,
  id: string,
  changes: StoredChanges,
): Promise<AppointmentRow> {
  return db
    .updateTable('appointments')
    .set(changes)
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns an appointment by its id, in any status and of any person. */
export function findAppointment(
  { db, environment }: Scope,
  id: string,
): Promise<AppointmentRow | undefined> {
  return db
    .selectFrom('appointments')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/**
 * Returns the appointment, of any person, locked until the transaction ends. Lock its order first.
 */
export function lockAppointment(
  { db, environment }: TransactionScope,
  id: string,
): Promise<AppointmentRow | undefined> {
  return db
    .selectFrom('appointments')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

function selectActive({ db, environment }: Scope, orderId: string) {
  return prepared(db)
    .selectFrom('appointments')
    .select(APPOINTMENT_COLUMNS)
    .where('environment_id', '=', environment.id)
    .where('order_id', '=', orderId)
    .where('status', 'in', ACTIVE_STATUSES)
}

/** Returns the active appointment of an order; there is at most one. */
export function findActiveAppointment(
  scope: Scope,
  orderId: string,
): Promise<AppointmentRow | undefined> {
  return selectActive(scope, orderId).executeTakeFirst()
}

/**
 * Returns the active appointment of an order, locked until the transaction ends. Lock the order
 * first.
 */
export function lockActiveAppointment(
  tx: TransactionScope,
  orderId: string,
): Promise<AppointmentRow | undefined> {
  return selectActive(tx, orderId).forUpdate().executeTakeFirst()
}

/** Returns the active appointment of an order, or the newest one when none is active. */
export function findNewestAppointment(
  { db, environment }: Scope,
  orderId: string,
  type: AppointmentType,
): Promise<AppointmentRow | undefined> {
  return db
    .selectFrom('appointments')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('order_id', '=', orderId)
    .where('type', '=', type)
    .orderBy((order) => order('status', 'in', ACTIVE_STATUSES), 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
}

/** Returns the appointments of a person, newest first, each with its position in the list. */
export function listAppointmentsOfUser(
  { db, environment }: Scope,
  userId: string,
  page: { after: { createdAt: string; id: string } | null; limit: number },
): Promise<(AppointmentRow & { position: string })[]> {
  let query = db
    .selectFrom('appointments')
    .selectAll()
    .select(sql<string>`created_at::text`.as('position'))
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
  if (page.after !== null) {
    const { createdAt, id } = page.after
    query = query.where(sql<boolean>`(created_at, id) < (${createdAt}::timestamptz, ${id}::uuid)`)
  }
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(page.limit).execute()
}

/** Returns the ids of active appointments by order. */
export async function listActiveAppointmentIds(
  { db, environment }: Scope,
  orderIds: readonly string[],
): Promise<Map<string, string>> {
  if (orderIds.length === 0) return new Map()
  const rows = await prepared(db)
    .selectFrom('appointments')
    .select(['id', 'order_id'])
    .where('environment_id', '=', environment.id)
    .where('order_id', '=', anyOfIds(orderIds))
    .where('status', 'in', ACTIVE_STATUSES)
    .execute()
  return new Map(rows.map((row) => [row.order_id, row.id]))
}

export function insertAppointmentEvent(
  { db, environment }: TransactionScope,
  event: Pick<AppointmentEventRow, 'appointment_id' | 'status' | 'created_at'> & {
    data: AppointmentEventData | null
  },
): Promise<AppointmentEventRow> {
  const { data, ...rest } = event
  return db
    .insertInto('appointment_events')
    .values({
      ...rest,
      environment_id: environment.id,
      data: data && JSON.stringify(data),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns the events of appointments, oldest first. */
export function listAppointmentEvents(
  { db, environment }: Scope,
  appointmentIds: readonly string[],
): Promise<AppointmentEventRow[]> {
  return db
    .selectFrom('appointment_events')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('appointment_id', '=', anyOf(appointmentIds))
    .orderBy('id')
    .execute()
}

/** Returns the newest event of an appointment. */
export function findLastAppointmentEvent(
  { db, environment }: Scope,
  appointmentId: string,
): Promise<AppointmentEventRow | undefined> {
  return db
    .selectFrom('appointment_events')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('appointment_id', '=', appointmentId)
    .orderBy('id', 'desc')
    .executeTakeFirst()
}

/**
 * Sets the time of the next call to the provider of a pending booking. Returns false when it is no
 * longer pending.
 */
export async function postponeProviderCall(
  { db, environment }: RowScope,
  id: string,
  askAt: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('appointments')
    .set({ ask_at: askAt })
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Removes the reminder without emitting it. */
export async function clearReminder({ db, environment }: RowScope, id: string): Promise<void> {
  await db
    .updateTable('appointments')
    .set({ remind_at: null })
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .execute()
}
