import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/postgres/database.ts'
import type { SandboxStep, SandboxStepsTable } from './sandbox.tables.ts'

export type SandboxStepRow = Selectable<SandboxStepsTable>

/** Plans steps of an order in place of whatever was planned for it. */
export async function replaceSteps(
  db: Db,
  environmentId: string,
  orderId: string,
  steps: readonly { dueAt: Date; step: SandboxStep }[],
): Promise<void> {
  await db
    .deleteFrom('sandbox_steps')
    .where('environment_id', '=', environmentId)
    .where('order_id', '=', orderId)
    .execute()
  if (steps.length === 0) return
  const rows = steps.map(({ dueAt, step }, position) => ({
    environment_id: environmentId,
    order_id: orderId,
    position,
    due_at: dueAt,
    step: JSON.stringify(step),
  }))
  await db.insertInto('sandbox_steps').values(rows).execute()
}

/** What is planned for the order of a deleted person waits, in case that is undone. */
const isOfShownOrder = sql<boolean>`exists (
  select from orders
  where orders.environment_id = sandbox_steps.environment_id
    and orders.id = sandbox_steps.order_id and not orders.is_hidden
)`

/** The order to which something happens next, of those to which something is due. */
export async function findDueOrder(
  db: Db,
  environmentId: string,
  until: Date,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('sandbox_steps')
    .select('order_id')
    .where('environment_id', '=', environmentId)
    .where('due_at', '<=', until)
    .where(isOfShownOrder)
    .orderBy('due_at')
    .orderBy('order_id')
    .executeTakeFirst()
  return row?.order_id
}

/** The next step of an order, if it is due. */
export function findDueStep(
  db: Db,
  environmentId: string,
  orderId: string,
  until: Date,
): Promise<SandboxStepRow | undefined> {
  return db
    .selectFrom('sandbox_steps')
    .selectAll()
    .where('environment_id', '=', environmentId)
    .where('order_id', '=', orderId)
    .where('due_at', '<=', until)
    .orderBy('position')
    .executeTakeFirst()
}

export async function deleteStep(
  db: Db,
  environmentId: string,
  { order_id, position }: SandboxStepRow,
): Promise<void> {
  await db
    .deleteFrom('sandbox_steps')
    .where('environment_id', '=', environmentId)
    .where('order_id', '=', order_id)
    .where('position', '=', position)
    .execute()
}

/** Sandboxes in which something is due by their own time. */
export async function listEnvironmentsWithDueSteps(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('sandbox_steps')
    .innerJoin('team_environments as environment', 'environment.id', 'sandbox_steps.environment_id')
    .select('sandbox_steps.environment_id')
    .distinct()
    .where(isOfShownOrder)
    .where(
      sql<boolean>`sandbox_steps.due_at <= ${now}::timestamptz
        + make_interval(secs => environment.clock_offset_seconds)`,
    )
    .execute()
  return rows.map((row) => row.environment_id)
}

/** Orders of a sandbox that were placed and for which nothing is planned, oldest first. */
export async function listUnplannedOrders(
  db: Db,
  environmentId: string,
  today: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('orders')
    .select('id')
    .where('environment_id', '=', environmentId)
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
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Sandboxes of live teams. */
export async function listSandboxes(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('team_environments as environment')
    .innerJoin('teams as team', 'team.id', 'environment.team_id')
    .select('environment.id')
    .where('environment.environment', '=', 'sandbox')
    .where('team.deleted_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

/** Moves the time of an environment forward. Returns how far it is ahead now, in seconds. */
export async function advanceEnvironment(
  db: Db,
  environmentId: string,
  seconds: number,
): Promise<number> {
  const row = await db
    .updateTable('team_environments')
    .set({ clock_offset_seconds: sql<number>`clock_offset_seconds + ${seconds}` })
    .where('id', '=', environmentId)
    .returning('clock_offset_seconds')
    .executeTakeFirstOrThrow()
  return row.clock_offset_seconds
}
