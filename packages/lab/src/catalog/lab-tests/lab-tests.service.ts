import { badRequest, invalidInput } from '@salus/kernel/errors'
import type { Db } from '@salus/kernel/postgres/database'
import { type Environment, environmentNow, type Scope } from '@salus/kernel/scope'
import { getAllowedAccount, offersMarkers } from '../accounts/account-selection.ts'
import type { LabAccountRow } from '../accounts/lab-accounts.global.repository.ts'
import {
  labAccountInvalid,
  labTestNotFound,
  markerNotFound,
  methodNotSupported,
} from '../catalog-errors.ts'
import type { LabTest } from '../lab-catalog.schema.ts'
import { findLab, type LabRow } from '../labs/labs.global.repository.ts'
import { findKnownLab } from '../labs/labs.service.ts'
import { slicePage, toMarkerPage } from '../markers/marker-page.ts'
import { pickMarkers } from '../markers/marker-selection.ts'
import {
  listOrderedMarkers,
  listReflexMarkers,
  type MarkerKeys,
  type OrderedMarker,
} from '../markers/markers.global.repository.ts'
import type { MarkerPage, MarkersOfTestQuery } from '../markers/markers.schema.ts'
import { type FilledLabTest, fillLabTests } from './filled-lab-tests.ts'
import { insertLabTest, listLabTestsByIds, updateLabTest } from './lab-tests.repository.ts'
import type { LabTestCreate, LabTestUpdate } from './lab-tests.schema.ts'
import { planLabTest } from './new-lab-test.ts'

/**
 * Returns a test of the environment with lab and markers. With an account, only a test that it
 * offers.
 * @throws AppError 400 `lab_account_invalid`; 404 `lab_test_not_found`
 */
async function getFilledLabTest(
  scope: Scope,
  labTestId: string,
  labAccountId?: string | undefined,
): Promise<FilledLabTest> {
  const account = labAccountId === undefined ? null : await getAllowedAccount(scope, labAccountId)
  const rows = await listLabTestsByIds(scope, [labTestId])
  const [test] = await fillLabTests(scope, rows)
  if (test === undefined) throw labTestNotFound()
  const isOffered =
    account === null || (account.lab_id === test.row.lab_id && offersMarkers(account, test.markers))
  if (!isOffered) throw labTestNotFound()
  return test
}

/**
 * Returns a test of the environment.
 * @throws AppError 400 `lab_account_invalid`; 404 `lab_test_not_found`, also when the account does
 *   not offer it
 */
export async function getLabTest(
  scope: Scope,
  labTestId: string,
  labAccountId?: string | undefined,
): Promise<LabTest> {
  return (await getFilledLabTest(scope, labTestId, labAccountId)).answer
}

/** Returns the markers of a test, followed by their reflex markers. */
export async function listMarkersOfLabTest(
  scope: Scope,
  labTestId: string,
  query: MarkersOfTestQuery,
): Promise<MarkerPage> {
  const { db } = scope
  const { markers } = await getFilledLabTest(scope, labTestId, query.lab_account_id)
  const ids = markers.map(({ id }) => id)
  const reflexes = await listReflexMarkers(db, ids)
  const all = [...new Set([...ids, ...reflexes.map(({ id }) => id)])]
  const page = await listOrderedMarkers(db, slicePage(all, query))
  return toMarkerPage(page, all.length, query)
}

/**
 * Creates a test, which is active at once or pending approval
 * (docs/contract/10-labs-and-tests.md#post-v3lab_tests).
 * @throws AppError 400 `marker_selection_required`, `marker_selection_conflict`,
 *   `markers_from_multiple_labs`, `method_not_supported`, `lab_account_invalid`; 404
 *   `marker_not_found`
 */
export async function createLabTest(scope: Scope, input: LabTestCreate): Promise<LabTest> {
  const { db, environment } = scope
  const keys = readSelection(input)
  const { account, onlyLabId } = await readLabChoice(scope, input)
  const markers = await pickMarkers(db, environment.kind, keys, {
    onlyLabId,
    otherLab: markerNotFound,
    severalLabs: markersFromSeveralLabs,
  })
  if (account !== null && !offersMarkers(account, markers)) throw markerNotFound()
  const lab = await getLabOf(db, markers)
  const { name, description, method } = input
  if (!lab.collection_methods.includes(method)) throw methodNotSupported()
  const status = isApprovedAtOnce(environment) ? 'active' : 'pending_approval'
  const fasting = input.fasting ?? false
  const plan = { lab, markers, name, description, method, fasting, status } as const
  const test = planLabTest(environment, plan, environmentNow(scope))
  const markerIds = markers.map(({ id }) => id)
  await insertLabTest(scope, test, markerIds)
  return getLabTest(scope, test.id)
}

function readSelection({ marker_ids: ids, provider_ids: providerIds }: LabTestCreate): MarkerKeys {
  const isById = ids != null && ids.length > 0
  const isByCode = providerIds != null && providerIds.length > 0
  if (isById && isByCode) {
    throw badRequest('marker_selection_conflict', 'Give marker_ids or provider_ids, not both.')
  }
  if (isById) return { ids }
  if (isByCode) return { providerIds }
  throw badRequest('marker_selection_required', 'Give marker_ids or provider_ids.')
}

interface LabLimits {
  account: LabAccountRow | null
  onlyLabId: number | undefined
}

async function readLabChoice(
  scope: Scope,
  { lab_account_id: accountId, lab_slug: slug }: LabTestCreate,
): Promise<LabLimits> {
  const { db } = scope
  const account = accountId ? await getAllowedAccount(scope, accountId) : null
  if (!slug) return { account, onlyLabId: account?.lab_id }
  const lab = await findKnownLab(db, slug, ['body', 'lab_slug'])
  if (account !== null && account.lab_id !== lab?.id) throw labAccountInvalid()
  // The slug of a lab that this installation does not have matches no markers.
  return { account, onlyLabId: lab?.id ?? 0 }
}

async function getLabOf(db: Db, [first]: readonly OrderedMarker[]): Promise<LabRow> {
  const lab = first && (await findLab(db, first.lab_id))
  if (lab === undefined) throw new Error('A marker has no lab.')
  return lab
}

const markersFromSeveralLabs = () =>
  badRequest('markers_from_multiple_labs', 'All markers of a test must belong to one laboratory.')

/**
 * Renames, archives or restores a test. Existing orders of it continue.
 * @throws AppError 400 `not_approved` for a test that is pending approval; 404 `lab_test_not_found`
 */
export async function changeLabTest(
  scope: Scope,
  labTestId: string,
  { name, active }: LabTestUpdate,
): Promise<LabTest> {
  const hasName = name != null
  const hasActive = active != null
  if (!hasName && !hasActive) {
    throw invalidInput(['body'], 'Give name or active', 'missing')
  }
  const change = {
    ...(hasName && { name }),
    ...(hasActive && { status: active ? ('active' as const) : ('inactive' as const) }),
    updated_at: environmentNow(scope),
  }
  // Restoring must not activate a test that was archived before its approval.
  const from = hasActive ? (['active', 'inactive'] as const) : undefined
  const isChanged = await updateLabTest(scope, labTestId, change, from)
  const test = await getLabTest(scope, labTestId)
  if (!isChanged) throw badRequest('not_approved', 'The lab test is pending approval.')
  return test
}

/**
 * Approves a test; an active one stays as it is.
 * @throws AppError 400 `not_pending_approval` for an archived one; 404 `lab_test_not_found`
 */
export async function approveLabTest(scope: Scope, labTestId: string): Promise<LabTest> {
  const change = { status: 'active' as const, updated_at: environmentNow(scope) }
  await updateLabTest(scope, labTestId, change, ['pending_approval'])
  const test = await getLabTest(scope, labTestId)
  if (test.status === 'active') return test
  throw badRequest('not_pending_approval', 'The lab test is archived.')
}

/**
 * Returns whether new tests of the team need no approval: in a sandbox, unless its setting requires
 * it.
 */
function isApprovedAtOnce({ settings, kind: environment }: Environment): boolean {
  return settings.lab_test_auto_approve ?? environment === 'sandbox'
}
