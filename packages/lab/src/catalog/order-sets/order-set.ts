import type { CollectionMethod } from '@salus/contracts/order-lifecycle'
import { badRequest } from '@salus/kernel/errors'
import type { Db } from '@salus/kernel/postgres/database'
import type { Environment, Scope } from '@salus/kernel/scope'
import { type KnownAccounts, offersMarkers, requireAllowed } from '../accounts/account-selection.ts'
import {
  findLabAccount,
  type LabAccountRow,
  listAccountsToChoose,
} from '../accounts/lab-accounts.global.repository.ts'
import { labAccountInvalid, labTestNotFound, methodNotSupported } from '../catalog-errors.ts'
import type { OrderSetRequest } from '../lab-catalog.schema.ts'
import {
  labIdsOfTests,
  listLabsOfTests,
  listLabTestsByIds,
  listMarkersOfTests,
  type TimedLabTestRow,
} from '../lab-tests/lab-tests.repository.ts'
import { findLab, isLabOpen, type LabRow } from '../labs/labs.global.repository.ts'
import { pickMarkers } from '../markers/marker-selection.ts'
import {
  listOrderedMarkers,
  type MarkerKeys,
  type OrderedMarker,
  type PlainMarker,
} from '../markers/markers.global.repository.ts'

/** The checked content of an order. */
export interface OrderSet {
  lab: LabRow
  /** Saved tests, in the order of the request. */
  labTests: TimedLabTestRow[]
  /** All markers without duplicates: those of the tests, then the add-ons. */
  markers: PlainMarker[]
  addOnMarkerIds: number[]
  /** The method that all tests share; null when they differ or there is none. */
  sharedMethod: CollectionMethod | null
  /** Whether one of the tests needs fasting. */
  fasting: boolean
  /** The account that the request names, at its top level or in the set. */
  labAccountId: string | null
  /** Accounts that were read with the set. */
  accounts: KnownAccounts
}

/** The fields of a request that select what is ordered. */
export interface OrderSelection {
  order_set?: OrderSetRequest | null | undefined
  /** Deprecated form: one test. */
  lab_test_id?: string | null | undefined
}

interface ReadWish {
  labTestIds: string[]
  addOn: MarkerKeys | null
  labAccountId: string | null
}

/**
 * Resolves an order set (docs/contract/11-orders.md#ordersetrequest).
 * @throws AppError 400 `order_set_required`, `order_set_conflict`, `lab_test_not_active`,
 *   `add_on_empty`, `add_on_conflict`, `multiple_labs`, `marker_not_a_la_carte`,
 *   `lab_account_invalid`; 404 `lab_test_not_found`, `marker_not_found`
 */
export async function resolveOrderSet(
  scope: Scope,
  selection: OrderSelection,
  options: { labAccountId?: string | null | undefined } = {},
): Promise<OrderSet> {
  const { db, environment } = scope
  const wish = readSelection(selection, options.labAccountId ?? null)
  const { labTestIds, addOn, labAccountId } = wish
  const read = await readCatalog(scope, wish)
  const account = labAccountId === null ? undefined : requireAllowed(scope, read.account)
  const labTests = sortLabTests(labTestIds, read.labTests)
  const added = addOn === null ? [] : await getAddOns(db, environment, addOn, labTests, account)
  if (account !== undefined && !offersMarkers(account, read.markers)) throw labAccountInvalid()

  const markers = [...new Map([...read.markers, ...added].map((item) => [item.id, item])).values()]
  const lab = read.labs[0] ?? (await getLab(db, added[0]?.lab_id))
  if (!isLabOpen(lab, environment.kind)) throw labTestNotActive()
  const methods = new Set(labTests.map(({ method }) => method))
  return {
    lab,
    labTests,
    markers,
    addOnMarkerIds: added.map(({ id }) => id),
    sharedMethod: methods.size === 1 ? ([...methods][0] ?? null) : null,
    fasting: labTests.some(({ fasting }) => fasting),
    labAccountId,
    accounts: { named: account, ofLab: read.accounts },
  }
}

/** Reads what the ids of a request name, with statements that do not wait for each other. */
async function readCatalog(scope: Scope, { labTestIds, labAccountId }: ReadWish) {
  const { db, environment } = scope
  const hasTests = labTestIds.length > 0
  const ofTests = labIdsOfTests(scope, labTestIds)
  const [account, labTests, markers, labs, accounts] = await Promise.all([
    labAccountId === null ? undefined : findLabAccount(db, labAccountId),
    hasTests ? listLabTestsByIds(scope, labTestIds) : [],
    hasTests ? listMarkersOfTests(scope, labTestIds) : [],
    hasTests ? listLabsOfTests(scope, labTestIds) : [],
    hasTests && labAccountId === null ? listAccountsToChoose(db, environment, ofTests) : undefined,
  ])
  return { account, labTests, markers, labs, accounts }
}

function readSelection(
  { order_set: set, lab_test_id: labTestId }: OrderSelection,
  accountId: string | null,
): ReadWish {
  if (set && labTestId) {
    throw badRequest('order_set_conflict', 'Give order_set or lab_test_id, not both.')
  }
  const labTestIds = (labTestId ? [labTestId] : (set?.lab_test_ids ?? [])).map((id) =>
    id.toLowerCase(),
  )
  const addOn = readAddOn(set?.add_on)
  if (labTestIds.length === 0 && addOn === null) {
    throw badRequest('order_set_required', 'The order set has no lab tests and no markers.')
  }
  const setAccountId = set?.lab_account_id?.toLowerCase() ?? null
  const labAccountId = accountId?.toLowerCase() ?? setAccountId
  if (setAccountId !== null && setAccountId !== labAccountId) throw labAccountInvalid()
  return { labTestIds: [...new Set(labTestIds)], addOn, labAccountId }
}

function readAddOn(addOn: OrderSetRequest['add_on']): MarkerKeys | null {
  if (!addOn) return null
  const ids = addOn.marker_ids ?? []
  const providerIds = addOn.provider_ids ?? []
  if (ids.length > 0 && providerIds.length > 0) {
    throw badRequest('add_on_conflict', 'Give marker_ids or provider_ids, not both.')
  }
  if (ids.length > 0) return { ids }
  if (providerIds.length > 0) return { providerIds }
  throw badRequest('add_on_empty', 'The add-on has no markers.')
}

/**
 * Returns tests in the order of the request.
 * @throws AppError 404 `lab_test_not_found`; 400 `lab_test_not_active`, `multiple_labs`
 */
function sortLabTests(ids: readonly string[], rows: readonly TimedLabTestRow[]): TimedLabTestRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const tests = ids.map((id) => byId.get(id)).filter((test) => test !== undefined)
  if (tests.length < ids.length) throw labTestNotFound()
  if (tests.some(({ status }) => status !== 'active')) {
    throw labTestNotActive()
  }
  if (new Set(tests.map(({ lab_id: labId }) => labId)).size > 1) throw multipleLabs()
  return tests
}

async function getAddOns(
  db: Db,
  { kind: environment }: Environment,
  keys: MarkerKeys,
  tests: readonly TimedLabTestRow[],
  account: LabAccountRow | undefined,
): Promise<OrderedMarker[]> {
  const added = await pickMarkers(db, environment, keys, {
    onlyLabId: account?.lab_id,
    sameLabId: tests[0]?.lab_id,
    otherLab: labAccountInvalid,
    severalLabs: multipleLabs,
  })
  if (account !== undefined && !offersMarkers(account, added)) throw labAccountInvalid()
  if (added.some(({ a_la_carte_enabled: isEnabled }) => !isEnabled)) {
    throw badRequest('marker_not_a_la_carte', 'A marker cannot be ordered by itself.')
  }
  return added
}

async function getLab(db: Db, labId: number | undefined): Promise<LabRow> {
  const lab = labId === undefined ? undefined : await findLab(db, labId)
  if (lab === undefined) throw new Error('A lab test or marker has no lab.')
  return lab
}

const labTestNotActive = () =>
  badRequest(
    'lab_test_not_active',
    'A lab test is archived, pending approval, or has lost its laboratory.',
  )

const multipleLabs = () =>
  badRequest('multiple_labs', 'All tests of an order must belong to one laboratory.')

/**
 * Resolves markers of one laboratory for an order that Salus creates itself, which may contain
 * markers that cannot be ordered by themselves.
 */
export async function resolveMarkers(db: Db, markerIds: readonly number[]): Promise<OrderSet> {
  const markers = await listOrderedMarkers(db, markerIds)
  const lab = await getLab(db, markers[0]?.lab_id)
  const accounts = { named: undefined, ofLab: undefined }
  const none = { labTests: [], addOnMarkerIds: [], sharedMethod: null, labAccountId: null }
  return { lab, markers, fasting: false, accounts, ...none }
}

/**
 * Returns the method of an order: the requested one, or the one that its tests share.
 * @throws AppError 400 `collection_method_required`, `multiple_methods`, `method_not_supported`
 */
export function chooseCollectionMethod(
  set: Pick<OrderSet, 'lab' | 'addOnMarkerIds' | 'sharedMethod'>,
  given: CollectionMethod | null | undefined,
): CollectionMethod {
  const method = given ?? impliedMethod(set)
  if (!set.lab.collection_methods.includes(method)) throw methodNotSupported()
  return method
}

function impliedMethod({
  addOnMarkerIds,
  sharedMethod,
}: Pick<OrderSet, 'addOnMarkerIds' | 'sharedMethod'>): CollectionMethod {
  if (addOnMarkerIds.length > 0) {
    throw badRequest(
      'collection_method_required',
      'An order with an add-on needs a collection method.',
    )
  }
  if (sharedMethod === null) {
    throw badRequest(
      'multiple_methods',
      'The lab tests have different collection methods. Specify one of them.',
    )
  }
  return sharedMethod
}
