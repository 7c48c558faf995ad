import type { RowScope } from '@salus/kernel/scope'
import { sql } from 'kysely'

/**
 * Timed changes of an appointment: call a provider that has not answered, cancel an unanswered
 * booking, cancel for a missing requisition, remind the team. Changes due at the same instant
 * happen in this order.
 */
const DUE_KINDS = [
  ['give_up', 'confirm_by'],
  ['cancel', 'cancel_at'],
  ['ask', 'ask_at'],
  ['remind', 'remind_at'],
] as const
export type DueKind = (typeof DUE_KINDS)[number][0]

export interface DueAppointment {
  id: string
  orderId: string
  kind: DueKind
  /** In the environment's own time. */
  at: Date
}

/** The same expression as in the indexes. */
export const DUE_AT = sql<Date>`least(ask_at, confirm_by, cancel_at, remind_at)`

/** Timed changes of deleted people's appointments wait, because the deletion may be undone. */
export const isOfShownOrder = sql<boolean>`exists (
  select from orders
  where orders.environment_id = appointments.environment_id
    and orders.id = appointments.order_id and not orders.is_hidden
)`

/**
 * Returns the first timed change that is due in an environment until an instant of its own time.
 */
export async function findDueAppointment(
  { db, environment }: RowScope,
  until: Date,
  exceptIds: readonly string[],
): Promise<DueAppointment | undefined> {
  const row = await db
    .selectFrom('appointments')
    .select(['id', 'order_id', 'ask_at', 'confirm_by', 'cancel_at', 'remind_at', DUE_AT.as('at')])
    .where('environment_id', '=', environment.id)
    .where(DUE_AT, '<=', until)
    .where(isOfShownOrder)
    .where(sql<boolean>`id <> all(${exceptIds}::uuid[])`)
    .orderBy(DUE_AT)
    .orderBy('id')
    .executeTakeFirst()
  const due = row && DUE_KINDS.find(([, column]) => row[column]?.getTime() === row.at.getTime())
  return due && { id: row.id, orderId: row.order_id, kind: due[0], at: row.at }
}
