import type { RowScope } from '@salus/kernel/scope'
import type { Insertable, Selectable } from 'kysely'
import type { InsurancePoliciesTable } from '../insurance.tables.ts'

export type PolicyRow = Selectable<InsurancePoliciesTable>
export type NewPolicy = Omit<Insertable<InsurancePoliciesTable>, 'environment_id' | 'sequence'>

export function insertPolicy({ db, environment }: RowScope, policy: NewPolicy): Promise<PolicyRow> {
  return db
    .insertInto('insurance_policies')
    .values({ ...policy, environment_id: environment.id })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns the newest policy of a person that is or is not primary. */
export function findNewestPolicy(
  { db, environment }: RowScope,
  userId: string,
  isPrimary: boolean,
): Promise<PolicyRow | undefined> {
  return db
    .selectFrom('insurance_policies')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('is_primary', '=', isPrimary)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Returns the policies of a person after the given one, newest first. */
export function listPolicies(
  { db, environment }: RowScope,
  userId: string,
  { before, limit }: { before: number | null; limit: number },
): Promise<PolicyRow[]> {
  let query = db
    .selectFrom('insurance_policies')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
  if (before !== null) query = query.where('sequence', '<', before)
  return query.orderBy('sequence', 'desc').limit(limit).execute()
}

export function findPolicy(
  { db, environment }: RowScope,
  policyId: string,
): Promise<PolicyRow | undefined> {
  return db
    .selectFrom('insurance_policies')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('id', '=', policyId)
    .executeTakeFirst()
}

/** Returns the payors of a person. */
export function listPayorsOfUser(
  { db, environment }: RowScope,
  userId: string,
): Promise<{ id: string; payor_code: string; name: string }[]> {
  return db
    .selectFrom('payors')
    .select(['id', 'payor_code', 'name'])
    .where('id', 'in', (query) =>
      query
        .selectFrom('insurance_policies')
        .select('payor_id')
        .where('environment_id', '=', environment.id)
        .where('user_id', '=', userId),
    )
    .execute()
}
