import type { Scope } from '@salus/kernel/scope'
import { type Selectable, sql } from 'kysely'
import type { SandboxStep, SandboxStepsTable } from './sandbox.tables.ts'

export type SandboxStepRow = Selectable<SandboxStepsTable>

/** Replaces the planned steps of an order. */
export async function replaceSteps(
  { db, environment }: Scope,
  orderId: string,
  steps: readonly { dueAt: Date; step: SandboxStep }[],
): Promise<void> {
  await db
    .deleteFrom('sandbox_steps')
    .where('environment_id', '=', environment.id)
    .where('order_id', '=', orderId)
    .execute()
  if (steps.length === 0) return
  const rows = steps.map(({ dueAt, step }, position) => ({
    environment_id: environment.id,
    order_id: orderId,
    position,
    due_at: dueAt,
    step: JSON.stringify(step),
  }))
  await db.insertInto('sandbox_steps').values(rows).execute()
}

/**
 * SQL condition that skips orders of deleted people, whose steps wait in case the deletion is
 * undone.
 */
export const isOfShownOrder = sql<boolean>`exists (
  select from orders
  where orders.environment_id = sandbox_steps.environment_id
    and orders.id = sandbox_steps.order_id and not orders.is_hidden
)`

/** Returns the order with the earliest step that is due. */
export async function findDueOrder(
  { db, environment }: Scope,
  until: Date,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('sandbox_steps')
    .select('order_id')
    .where('environment_id', '=', environment.id)
    .where('due_at', '<=', until)
    .where(isOfShownOrder)
    .orderBy('due_at')
    .orderBy('order_id')
    .executeTakeFirst()
  return row?.order_id
}

/** Returns the time of the earliest step of all orders. */
export async function findDueStepTime(
  { db, environment }: Scope,
  until: Date,
): Promise<Date | undefined> {
  const row = await db
    .selectFrom('sandbox_steps')
    .select('due_at')
    .where('environment_id', '=', environment.id)
    .where('due_at', '<=', until)
    .where(isOfShownOrder)
    .orderBy('due_at')
    .executeTakeFirst()
  return row?.due_at
}

/** Returns the next step of an order, if it is due. */
export function findDueStep(
  { db, environment }: Scope,
  orderId: string,
  until: Date,
): Promise<SandboxStepRow | undefined> {
  return db
    .selectFrom('sandbox_steps')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('order_id', '=', orderId)
    .where('due_at', '<=', until)
    .orderBy('position')
    .executeTakeFirst()
}

export async function deleteStep(
  { db, environment }: Scope,
  { id }: SandboxStepRow,
): Promise<void> {
  await db
    .deleteFrom('sandbox_steps')
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .execute()
}

/** SQL condition that skips orders with a failed message, which waits for the operator. */
const hasNoFailedMessage = sql<boolean>`not exists (
  select from lab_messages
  where lab_messages.environment_id = orders.environment_id
    and lab_messages.order_id = orders.id and lab_messages.state = 'failed'
)`

/** SQL condition that skips orders of laboratories with an enabled connection. */
const isOfEmulatedLab = sql<boolean>`not exists (
  select from lab_connections
  join labs on labs.slug = lab_connections.lab_slug
  where lab_connections.environment_id = orders.environment_id and labs.id = orders.lab_id
    and lab_connections.is_enabled and lab_connections.deleted_at is null
)`

/**
 * Returns placed orders of a sandbox without planned steps, oldest first, except those of connected
 * laboratories.
 */
export async function listUnplannedOrders(
  { db, environment }: Scope,
  today: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('orders')
    .select('id')
    .where('environment_id', '=', environment.id)
    .where('is_hidden', '=', false)
    .where('last_status', 'in', ['ordered', 'awaiting_registration', 'registered'])
    .where((where) =>
      where.or([where('activate_by', 'is', null), where('activate_by', '<=', today)]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sandbox_steps')
            .select('sandbox_steps.order_id')
            .whereRef('sandbox_steps.environment_id', '=', 'orders.environment_id')
            .whereRef('sandbox_steps.order_id', '=', 'orders.id'),
        ),
      ),
    )
    .where(hasNoFailedMessage)
    .where(isOfEmulatedLab)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** SQL of the end of an appointment with a confirmed time; null for others. */
const appointmentEnd = sql<Date | null>`case
  when appointments.status in ('confirmed', 'in_progress') then appointments.end_at end`

/** SQL condition for orders with a simulation by request, or with a plan for their appointment. */
const hasFittingPlan = sql<boolean>`exists (
  select from sandbox_steps
  where sandbox_steps.environment_id = orders.environment_id
    and sandbox_steps.order_id = orders.id
    and (
      not sandbox_steps.step ? 'appointmentEnd'
      or (sandbox_steps.step ->> 'appointmentEnd')::timestamptz is not distinct from ${appointmentEnd}
    )
)`

/**
 * Returns orders with an active appointment and without a plan for its time, except those of
 * connected laboratories.
 */
export function listUntimedOrders({
  db,
  environment,
}: Scope): Promise<{ orderId: string; appointmentEnd: Date | null }[]> {
  return db
    .selectFrom('appointments')
    .innerJoin('orders', (join) =>
      join
        .onRef('orders.environment_id', '=', 'appointments.environment_id')
        .onRef('orders.id', '=', 'appointments.order_id'),
    )
    .select(['orders.id as orderId', appointmentEnd.as('appointmentEnd')])
    .where('appointments.environment_id', '=', environment.id)
    .where('appointments.status', 'in', ['pending', 'confirmed', 'in_progress'])
    .where('orders.last_status', 'in', ['appointment_pending', 'appointment_scheduled'])
    .where('orders.is_hidden', '=', false)
    .where(hasNoFailedMessage)
    .where(isOfEmulatedLab)
    .where(({ not }) => not(hasFittingPlan))
    .execute()
}
