import type { Db } from '@salus/kernel/postgres/database'
import type { Environment } from '@salus/kernel/scope'

/** Part of an environment that its rules need. */
export type EnvironmentWithRules = Pick<Environment, 'id' | 'clockOffsetSeconds'>

/** Returns environments that have rules. */
export function listEnvironmentsWithRules(db: Db): Promise<EnvironmentWithRules[]> {
  return db
    .selectFrom('team_environments')
    .select(['id', 'clock_offset_seconds as clockOffsetSeconds'])
    .where('id', 'in', (select) => select.selectFrom('retention_rules').select('environment_id'))
    .orderBy('id')
    .execute()
}
