import { sql } from 'kysely'
import type { Db } from '../../platform/postgres/database.ts'
import { isOfShownOrder } from './sandbox-steps.repository.ts'

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
