import { invalidInput } from '@salus/kernel/errors'
import type { Scope } from '@salus/kernel/scope'
import { LAB_ACCOUNT_STATUSES, type LabAccount, US_STATES } from '../lab-catalog.schema.ts'
import * as repository from './lab-accounts.global.repository.ts'
import type { LabAccountList, LabAccountsQuery } from './lab-accounts.schema.ts'

/** Returns the accounts that list the team; none for an unknown id. */
export async function listLabAccounts(
  { db, environment }: Scope,
  { lab_account_id: labAccountId, status: wanted }: LabAccountsQuery,
): Promise<LabAccountList> {
  const status = LAB_ACCOUNT_STATUSES.find((known) => known === wanted?.toLowerCase())
  if (wanted !== undefined && status === undefined) {
    const msg = `Input should be one of: ${LAB_ACCOUNT_STATUSES.join(', ')}`
    throw invalidInput(['query', 'status'], msg, 'enum')
  }
  const rows = await repository.listTeamAccounts(db, environment, { labAccountId, status })
  return { data: rows.map(toLabAccount) }
}

/**
 * Returns the states without DC, which public clients do not know. Patients in DC can be billed all
 * the same, because checkBilling reads the stored list.
 */
const listStates = (states: readonly string[] = []): string[] =>
  states.filter((state) => (US_STATES as readonly string[]).includes(state))

function toLabAccount(row: repository.LabAccountRow & { lab_slug: string }): LabAccount {
  const { id, status, delegated_flow, provider_account_id, account_name } = row
  const { default_clinical_notes, business_units, allowed_billing, team_id_allowlist } = row
  return {
    id,
    lab: row.lab_slug,
    org_id: row.organization_id,
    status,
    delegated_flow,
    provider_account_id,
    account_name,
    default_clinical_notes,
    business_units,
    allowed_billing: Object.fromEntries(
      Object.entries(allowed_billing).map(([billing, states]) => [billing, listStates(states)]),
    ),
    team_id_allowlist,
  }
}
