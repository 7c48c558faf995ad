import type { Db } from '../../platform/postgres/database.ts'

/** Ids of the environments that have rules. */
export async function listEnvironmentsWithRules(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('retention_rules')
    .select('environment_id')
    .distinct()
    .orderBy('environment_id')
    .execute()
  return rows.map((row) => row.environment_id)
}
