import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'

/** Returns the environments of live teams with a task whose escalation is due by their own time. */
export async function listEnvironmentsWithDueTasks(db: Db, now: Date): Promise<string[]> {
  // Only open tasks have a time of escalation, so the index has few rows to compare.
  const rows = await db
    .selectFrom('critical_result_tasks as task')
    .innerJoin('team_environments as environment', 'environment.id', 'task.environment_id')
    .innerJoin('teams as team', 'team.id', 'environment.team_id')
    .select('task.environment_id')
    .distinct()
    .where('team.deleted_at', 'is', null)
    .where('task.escalate_at', 'is not', null)
    .where(
      sql<boolean>`task.escalate_at
        <= ${now}::timestamptz + make_interval(secs => environment.clock_offset_seconds)`,
    )
    .execute()
  return rows.map(({ environment_id: id }) => id)
}
