import type { RowScope } from '@salus/kernel/scope'
import { sql } from 'kysely'

/**
 * What may be due for an appointment: to ask a provider that has not answered, to give its answer
 * up, to cancel it because there is still no requisition, to remind the team of it. Of things due
 * at the same instant the first one counts.
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

/** As the indexes of what is due have it. */
export const DUE_AT = sql<Date>`least(ask_at, confirm_by, cancel_at, remind_at)`

/** What is due for appointments of deleted people waits, in case that is undone. */
export const isOfShownOrder = sql<boolean>`exists (
  select from orders
  where orders.environment_id = appointments.environment_id
    and orders.id = appointments.order_id and not orders.is_hidden
)`

/** The first thing that is due in an environment up to an instant of its own time. */
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
