import type { Db } from '@salus/kernel/postgres/database'
import type { Environment, EnvironmentKind } from '@salus/kernel/scope'
import { type Selectable, sql } from 'kysely'
import type { LabAccountStatus } from '../lab-catalog.schema.ts'
import type { LabAccountsTable } from '../lab-catalog.tables.ts'

export type LabAccountRow = Selectable<LabAccountsTable>

/** SQL condition for the accounts of an environment: sample accounts are for sandboxes. */
const isAccountOf = (environment: EnvironmentKind) =>
  environment === 'sandbox' ? sql<boolean>`true` : sql<boolean>`not lab_accounts.is_sample`

export function findLabAccount(db: Db, labAccountId: string): Promise<LabAccountRow | undefined> {
  return db.selectFrom('lab_accounts').selectAll().where('id', '=', labAccountId).executeTakeFirst()
}

export interface TeamAccountFilter {
  labId?: number | undefined
  labAccountId?: string | undefined
  status?: LabAccountStatus | undefined
}

/** Returns the accounts that list the team, oldest first, each with the slug of its lab. */
export function listTeamAccounts(
  db: Db,
  { teamId, kind }: Pick<Environment, 'teamId' | 'kind'>,
  filter: TeamAccountFilter = {},
): Promise<(LabAccountRow & { lab_slug: string })[]> {
  let query = db
    .selectFrom('lab_accounts')
    .innerJoin('labs', 'labs.id', 'lab_accounts.lab_id')
    .selectAll('lab_accounts')
    .select('labs.slug as lab_slug')
    .where(isAccountOf(kind))
    .where(sql<boolean>`team_id_allowlist @> array[${teamId}::uuid]`)
  if (filter.labId !== undefined) query = query.where('lab_id', '=', filter.labId)
  if (filter.labAccountId) query = query.where('lab_accounts.id', '=', filter.labAccountId)
  if (filter.status) query = query.where('status', '=', filter.status)
  return query.orderBy('lab_accounts.created_at').orderBy('lab_accounts.id').execute()
}

/** Returns the oldest active account of the installation at a lab. */
export function findPlatformAccount(
  db: Db,
  environment: EnvironmentKind,
  labId: number,
): Promise<LabAccountRow | undefined> {
  return db
    .selectFrom('lab_accounts')
    .selectAll()
    .where('lab_id', '=', labId)
    .where(isAccountOf(environment))
    .where('organization_id', 'is', null)
    .where('status', '=', 'active')
    .orderBy('created_at')
    .orderBy('id')
    .executeTakeFirst()
}
