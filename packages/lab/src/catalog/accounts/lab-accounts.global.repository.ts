import type { Database, Db } from '@salus/kernel/postgres/database'
import { prepared } from '@salus/kernel/postgres/prepared-statements'
import type { Environment, EnvironmentKind } from '@salus/kernel/scope'
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { LabAccountStatus } from '../lab-catalog.schema.ts'
import type { LabAccountsTable } from '../lab-catalog.tables.ts'

export type LabAccountRow = Selectable<LabAccountsTable>

const COLUMNS = [
  'id',
  'lab_id',
  'organization_id',
  'status',
  'delegated_flow',
  'provider_account_id',
  'account_name',
  'default_clinical_notes',
  'business_units',
  'allowed_billing',
  'team_id_allowlist',
  'offered_provider_ids',
  'is_sample',
  'created_at',
] as const

/** SQL condition for the accounts of an environment: sample accounts are for sandboxes. */
const isAccountOf = (environment: EnvironmentKind) =>
  environment === 'sandbox' ? sql<boolean>`true` : sql<boolean>`not lab_accounts.is_sample`

export function findLabAccount(db: Db, labAccountId: string): Promise<LabAccountRow | undefined> {
  return prepared(db)
    .selectFrom('lab_accounts')
    .select(COLUMNS)
    .where('id', '=', labAccountId)
    .executeTakeFirst()
}

export interface TeamAccountFilter {
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
  if (filter.labAccountId) query = query.where('lab_accounts.id', '=', filter.labAccountId)
  if (filter.status) query = query.where('status', '=', filter.status)
  return query.orderBy('lab_accounts.created_at').orderBy('lab_accounts.id').execute()
}

/**
 * Returns the accounts at labs that Salus may choose from, oldest first: those that list the team,
 * in any status, and the active ones of the installation.
 * @param labIds a subquery of the ids of the labs, or one id
 */
export function listAccountsToChoose(
  db: Db,
  { teamId, kind }: Pick<Environment, 'teamId' | 'kind'>,
  labIds: SelectQueryBuilder<Database, 'lab_tests', { lab_id: number }> | number,
): Promise<LabAccountRow[]> {
  return prepared(db)
    .selectFrom('lab_accounts')
    .select(COLUMNS)
    .where('lab_id', 'in', typeof labIds === 'number' ? [labIds] : labIds)
    .where(isAccountOf(kind))
    .where(
      sql<boolean>`(team_id_allowlist @> array[${teamId}::uuid]
        or (organization_id is null and status = 'active'))`,
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}
