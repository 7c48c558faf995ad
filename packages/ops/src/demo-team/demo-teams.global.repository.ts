import type { Db } from '@salus/kernel/postgres/database'
import type { Selectable } from 'kysely'
import type { DemoStep } from './demo-team.schema.ts'

interface DemoTeamsTable {
  organization_id: string
  team_id: string
  /** Id of the filling that may write; a filling that takes over has another one. */
  run_id: string
  status: 'filling' | 'ready' | 'failed'
  step: DemoStep
  first_user_id: string | null
  problem: string | null
  started_at: Date
  /** Time at which the process that fills it last reported. */
  seen_at: Date
  ended_at: Date | null
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    demo_teams: DemoTeamsTable
  }
}

export type DemoTeamRow = Selectable<DemoTeamsTable>

export function findDemoTeam(db: Db, organizationId: string): Promise<DemoTeamRow | undefined> {
  return db
    .selectFrom('demo_teams')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
}

/**
 * Starts only one filling of an organization's demo team at a time.
 * @returns false when it already has one
 */
export async function insertDemoTeam(db: Db, row: DemoTeamRow): Promise<boolean> {
  const inserted = await db
    .insertInto('demo_teams')
    .values(row)
    .onConflict((conflict) => conflict.column('organization_id').doNothing())
    .returning('run_id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** @returns false when another process has taken over the filling */
export async function updateDemoTeam(
  db: Db,
  runId: string,
  changes: Partial<DemoTeamRow>,
): Promise<boolean> {
  const updated = await db
    .updateTable('demo_teams')
    .set(changes)
    .where('run_id', '=', runId)
    .returning('run_id')
    .executeTakeFirst()
  return updated !== undefined
}

export async function deleteDemoTeam(db: Db, organizationId: string): Promise<void> {
  await db.deleteFrom('demo_teams').where('organization_id', '=', organizationId).execute()
}

/** @throws when the team has no sandbox */
export async function findSandboxId(db: Db, teamId: string): Promise<string> {
  const { id } = await db
    .selectFrom('team_environments')
    .select('id')
    .where('team_id', '=', teamId)
    .where('environment', '=', 'sandbox')
    .executeTakeFirstOrThrow()
  return id
}
