import type { Db } from '@salus/kernel/postgres/database'
import { type RawBuilder, sql } from 'kysely'
import type { FocusType, TaskKind } from './tasks.registry.ts'

/** Returns the environments of live teams with a task whose escalation is due by their own time. */
export async function listEnvironmentsWithDueTasks(db: Db, now: Date): Promise<string[]> {
  // Only open tasks have a time of escalation, so the index has few rows to compare.
  const rows = await db
    .selectFrom('tasks as task')
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

/** A reason for a task as it is in the tables of its domain. */
interface StoredReason {
  environment_id: string
  kind: TaskKind
  focus_type: FocusType
  focus_id: string
  user_id: string | null
  /** When it began: a person who ended its task later is not disturbed again. */
  since: Date
}

/** Query for all reasons of some kinds, whose columns are those of StoredReason. */
export interface TaskReasons {
  kinds: readonly TaskKind[]
  list: (now: Date) => RawBuilder<StoredReason>
}

/**
 * Returns some reasons without a task: from before tasks existed, and those that time brings. The
 * limit is outside: with it the planner takes rows in the order of their environment, and compares
 * each reason with all tasks of its environment.
 */
export async function listReasonsWithoutTask(
  db: Db,
  { list }: TaskReasons,
  now: Date,
  limit: number,
): Promise<StoredReason[]> {
  const { rows } = await sql<StoredReason>`with missing as materialized (
      select reason.* from (${list(now)}) reason
      where not exists (
        select from tasks where tasks.environment_id = reason.environment_id
          and tasks.focus_id = reason.focus_id and tasks.kind = reason.kind
          and (tasks.status in ('requested', 'received', 'accepted')
            or tasks.ended_at >= reason.since and tasks.ended_by is not null)
      )
    )
    select * from missing order by environment_id, since, focus_id limit ${limit}`.execute(db)
  return rows
}

/** Returns some open tasks whose reason has ended without them; the limit is outside here too. */
export async function listTasksWithoutReason(
  db: Db,
  { kinds, list }: TaskReasons,
  now: Date,
  limit: number,
): Promise<{ environment_id: string; kind: TaskKind; focus_id: string }[]> {
  const { rows } = await sql<{ environment_id: string; kind: TaskKind; focus_id: string }>`
    with ended as materialized (
      select tasks.environment_id, tasks.kind, tasks.focus_id from tasks
      where tasks.kind = any(${[...kinds]}::text[])
        and tasks.status in ('requested', 'received', 'accepted')
        and not exists (
          select from (${list(now)}) reason where reason.environment_id = tasks.environment_id
            and reason.focus_id = tasks.focus_id and reason.kind = tasks.kind
        )
    )
    select * from ended order by environment_id, focus_id limit ${limit}`.execute(db)
  return rows
}
