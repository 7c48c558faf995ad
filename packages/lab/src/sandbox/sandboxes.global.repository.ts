import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'
import { isOfShownOrder } from './sandbox-steps.repository.ts'

/**
 * Returns sandboxes in which a step of an order, or a later answer of an appointment provider, is
 * due by their own time.
 */
export async function listSandboxesWithDueSteps(db: Db, now: Date): Promise<string[]> {
  const ownNow = sql<Date>`${now}::timestamptz
    + make_interval(secs => environment.clock_offset_seconds)`
  const rows = await db
    .selectFrom('sandbox_steps')
    .innerJoin('team_environments as environment', 'environment.id', 'sandbox_steps.environment_id')
    .select('environment.id')
    .where(isOfShownOrder)
    .where('sandbox_steps.due_at', '<=', ownNow)
    .union(
      db
        .selectFrom('sandbox_bookings as booking')
        .innerJoin('team_environments as environment', 'environment.id', 'booking.environment_id')
        .select('environment.id')
        .where('booking.answer_at', '<=', ownNow),
    )
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the sandboxes of live teams. */
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
