import { badRequest } from '@salus/kernel/errors'
import type { Db } from '@salus/kernel/postgres/database'
import type { Environment, Scope } from '@salus/kernel/scope'
import { labAccountInvalid } from '../catalog-errors.ts'
import {
  BILLINGS,
  type Billing,
  type LabAccountStatus,
  type UsState,
} from '../lab-catalog.schema.ts'
import { listUninsuredMarkerIds } from '../markers/markers.global.repository.ts'
import type { LabAccountRow } from './lab-accounts.global.repository.ts'
import * as repository from './lab-accounts.global.repository.ts'

export type AccountPurpose = 'create' | 'import'

/**
 * Statuses in which a named account may be used (docs/contract/10-labs-and-tests.md#labaccount).
 */
const USABLE: Record<AccountPurpose, readonly LabAccountStatus[]> = {
  create: ['active'],
  import: ['active', 'pending', 'ready_to_launch'],
}

/** Returns true for an account that lists the team, and for one of the installation. */
function isAllowed(account: LabAccountRow, { teamId, kind: environment }: Environment): boolean {
  if (account.is_sample && environment !== 'sandbox') return false
  return account.organization_id === null || account.team_id_allowlist.includes(teamId)
}

/**
 * Returns whether the account offers all of these markers. An account without a list offers
 * everything.
 */
export function offersMarkers(
  account: Pick<LabAccountRow, 'offered_provider_ids'>,
  markers: readonly { provider_id: string | null }[],
): boolean {
  const offered = account.offered_provider_ids
  if (offered === null) return true
  return markers.every(({ provider_id: id }) => id !== null && offered.includes(id))
}

/**
 * Returns an account that the team may read, in any status.
 * @throws AppError 400 `lab_account_invalid` for an unknown account and for one of other teams
 */
export async function getAllowedAccount(
  scope: Scope,
  labAccountId: string,
): Promise<LabAccountRow> {
  return requireAllowed(scope, await repository.findLabAccount(scope.db, labAccountId))
}

/** Checks that the team may read an account. @throws AppError 400 `lab_account_invalid` */
export function requireAllowed(
  { environment }: Scope,
  account: LabAccountRow | undefined,
): LabAccountRow {
  if (account === undefined || !isAllowed(account, environment)) throw labAccountInvalid()
  return account
}

/** Returns an account by its id. @throws AppError 400 `lab_account_invalid` when there is none */
export async function getLabAccount(db: Db, labAccountId: string): Promise<LabAccountRow> {
  const account = await repository.findLabAccount(db, labAccountId)
  if (account === undefined) throw labAccountInvalid()
  return account
}

/**
 * Returns the accounts whose offer a team sees at a lab: the named one in any status, or the active
 * accounts of the team, or those of the installation when the team has none.
 * @throws AppError 400 `lab_account_invalid` for a named one that is unknown, of other teams, or of
 *   another lab
 */
export async function listOfferingAccounts(
  scope: Scope,
  labId: number,
  labAccountId: string | null | undefined,
): Promise<LabAccountRow[]> {
  if (labAccountId) {
    const account = await getAllowedAccount(scope, labAccountId)
    if (account.lab_id !== labId) throw labAccountInvalid()
    return [account]
  }
  return activeAccounts(scope, await listAccountsOfLab(scope, labId))
}

const listAccountsOfLab = ({ db, environment }: Scope, labId: number) =>
  repository.listAccountsToChoose(db, environment, labId)

/**
 * Returns the active accounts of the team, or the oldest of the installation. A team with accounts
 * of its own never falls back to the installation's.
 */
function activeAccounts(
  { environment: { teamId } }: Scope,
  accounts: readonly LabAccountRow[],
): LabAccountRow[] {
  const linked = accounts.filter((account) => account.team_id_allowlist.includes(teamId))
  if (linked.length === 0) return accounts.slice(0, 1)
  return linked.filter(({ status }) => status === 'active')
}

/** Returns the billing types that at least one of the accounts allows for patients of the state. */
export function listAllowedBillings(
  accounts: readonly Pick<LabAccountRow, 'allowed_billing'>[],
  state: string,
): Billing[] {
  return BILLINGS.filter((billing) =>
    accounts.some(({ allowed_billing: allowed }) => allowed[billing]?.includes(state)),
  )
}

export interface AccountRequest {
  labId: number
  /** Account that the request names; null when Salus chooses. */
  labAccountId: string | null | undefined
  /** An import also accepts accounts that are not active yet. */
  purpose: AccountPurpose
  /** Ordered markers; an account that does not offer them is refused. */
  markers?: readonly { provider_id: string | null }[]
  /** What was read of the accounts already, so that it is not read again. */
  known?: KnownAccounts | undefined
}

/** Accounts that were read with other data of a request. */
export interface KnownAccounts {
  /** The named account, if the team may read it. */
  named: LabAccountRow | undefined
  /** Those of the laboratory that Salus chooses from. */
  ofLab: readonly LabAccountRow[] | undefined
}

/**
 * Returns the account that an order is placed with
 * (docs/contract/10-labs-and-tests.md#lab-account-selection-at-order-time).
 * @throws AppError 400 `lab_account_invalid`, `lab_account_ambiguous`, `lab_account_unavailable`
 */
export async function selectLabAccount(
  scope: Scope,
  { labId, labAccountId, purpose, markers = [], known }: AccountRequest,
): Promise<LabAccountRow> {
  if (labAccountId) {
    const account = known?.named ?? (await getAllowedAccount(scope, labAccountId))
    const isUsable = USABLE[purpose].includes(account.status) && account.lab_id === labId
    if (!isUsable || !offersMarkers(account, markers)) throw labAccountInvalid()
    return account
  }
  const account = chooseAccount(scope, known?.ofLab ?? (await listAccountsOfLab(scope, labId)))
  if (account === undefined || !offersMarkers(account, markers)) {
    throw badRequest('lab_account_unavailable', 'No lab account can be used for this order.')
  }
  return account
}

function chooseAccount(
  scope: Scope,
  accounts: readonly LabAccountRow[],
): LabAccountRow | undefined {
  const active = activeAccounts(scope, accounts)
  if (active.length > 1) {
    throw badRequest(
      'lab_account_ambiguous',
      'Several lab accounts can be used. Specify one of them.',
      {
        lab_account_ids: active.map(({ id }) => id),
      },
    )
  }
  return active[0]
}

/**
 * Checks that the account allows the billing type for patients of the state.
 * @throws AppError 400 `billing_not_allowed`
 */
export function checkBilling(
  account: Pick<LabAccountRow, 'allowed_billing'>,
  billing: Billing,
  state: UsState,
): void {
  if (account.allowed_billing[billing]?.includes(state.toUpperCase())) return
  throw badRequest(
    'billing_not_allowed',
    "The lab account does not allow this billing type in the patient's state.",
  )
}

/**
 * Checks that insurers cover the markers in the state.
 * @throws AppError 400 `billing_not_allowed` with the markers that they do not cover
 */
export async function requireInsurableMarkers(
  db: Db,
  markers: readonly { id: number }[],
  state: UsState,
): Promise<void> {
  const ids = markers.map(({ id }) => id)
  const uninsured = await listUninsuredMarkerIds(db, ids, state.toUpperCase())
  if (uninsured.length === 0) return
  const message = "Insurers do not cover some of the markers in the patient's state."
  throw badRequest('billing_not_allowed', message, { marker_ids: uninsured })
}
