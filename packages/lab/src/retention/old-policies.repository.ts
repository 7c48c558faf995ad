import type { RowScope } from '@salus/kernel/scope'
import { type RawBuilder, sql } from 'kysely'
import type { OldRecords } from './old-records.ts'

/**
 * SQL condition for a policy `p` that another one replaced before the cutoff, and that no stored
 * order was billed to.
 */
function isOld({ environment }: RowScope, { cutoff, held }: OldRecords): RawBuilder<boolean> {
  return sql<boolean>`(p.environment_id = ${environment.id} and p.user_id <> all(${held}::uuid[])
    and exists (select from insurance_policies later where later.environment_id = p.environment_id
      and later.user_id = p.user_id and later.is_primary = p.is_primary
      and later.sequence > p.sequence and later.created_at < ${cutoff})
    and not exists (select from orders o where o.environment_id = p.environment_id
      and o.user_id = p.user_id and o.health_insurance_id = p.id))`
}

/** Returns the number of policies that deleteOldPolicies would delete, and of their people. */
export async function countOldPolicies(
  scope: RowScope,
  old: OldRecords,
): Promise<{ rows: number; people: number }> {
  const { rows } = await sql<{ rows: number; people: number }>`
    select count(*)::int as rows, count(distinct p.user_id)::int as people
    from insurance_policies p where ${isOld(scope, old)}`.execute(scope.db)
  return rows[0] ?? { rows: 0, people: 0 }
}

/** Deletes at most `limit` policies and returns them; callers repeat it until it returns none. */
export async function deleteOldPolicies(
  scope: RowScope,
  old: OldRecords,
  limit: number,
): Promise<{ id: string; user_id: string }[]> {
  const { db, environment } = scope
  const { rows } = await sql<{ id: string; user_id: string }>`delete from insurance_policies
    where environment_id = ${environment.id} and id in (
      select p.id from insurance_policies p where ${isOld(scope, old)} limit ${limit}
    ) returning id, user_id`.execute(db)
  return rows
}
