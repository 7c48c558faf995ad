import { badRequest, notFoundCode } from '@salus/kernel/errors'
import { findZipCode } from '@salus/kernel/geography/zip-codes'
import type { Scope } from '@salus/kernel/scope'
import {
  type Billing,
  findLab,
  getLabAccount,
  isLabOpen,
  type LabAccountRow,
  type LabRow,
  listAllowedBillings,
  listOfferingAccounts,
} from '../catalog/index.ts'
import { getOrderRow } from '../orders/index.ts'
import { hasCenters } from './service-centers.global.repository.ts'
import { toLabLocation, toServiceCapability } from './service-centers.presenter.ts'
import type {
  CenterListing,
  CentersQuery,
  OrderCentersQuery,
  WireCapability,
} from './service-centers.schema.ts'
import { listServiceCentersNear } from './service-centers.service.ts'

/** A listing, and why it is empty independently of the request. */
export interface ShownCenters {
  listing: CenterListing
  warning?: string
}

/**
 * Returns the sites of a laboratory around a ZIP code
 * (docs/contract/14-appointments-and-psc.md#get-v3orderpscinfo).
 * @param isByAlias selects the spelling of the response
 * @throws AppError 404 `lab_not_found`, 400 `lab_account_invalid`
 */
export async function showCentersNear(
  scope: Scope,
  query: CentersQuery,
  isByAlias: boolean,
): Promise<ShownCenters> {
  const [lab, accounts] = await Promise.all([
    findLab(scope.db, query.lab_id),
    listOfferingAccounts(scope, query.lab_id, query.lab_account_id),
  ])
  if (lab === undefined || !isLabOpen(lab, scope.environment.kind)) {
    throw notFoundCode('lab_not_found')
  }
  return showCenters(scope, { ...query, lab, accounts, isByAlias })
}

/**
 * Returns the sites of an order's laboratory around the patient's ZIP code
 * (docs/contract/14-appointments-and-psc.md#get-v3orderorder_idpscinfo).
 * @throws AppError 404 `order_not_found`, 400 `order_has_no_address` for an unregistered kit
 */
export async function showCentersOfOrder(
  scope: Scope,
  orderId: string,
  query: OrderCentersQuery,
  isByAlias: boolean,
): Promise<ShownCenters> {
  const order = await getOrderRow(scope, orderId)
  if (order.patient_address === null) {
    throw badRequest(
      'order_has_no_address',
      'The order does not have the address of its patient yet.',
    )
  }
  const [lab, account] = await Promise.all([
    findLab(scope.db, order.lab_id),
    getLabAccount(scope.db, order.lab_account_id),
  ])
  if (lab === undefined) throw notFoundCode('lab_not_found')
  const zip = order.patient_address.zip
  return showCenters(scope, { ...query, zip_code: zip, lab, accounts: [account], isByAlias })
}

interface Showing {
  zip_code: string
  radius: string
  capabilities?: readonly WireCapability[] | null
  lab: LabRow
  accounts: readonly LabAccountRow[]
  isByAlias: boolean
}

async function showCenters(scope: Scope, showing: Showing): Promise<ShownCenters> {
  const { zip_code: zip, lab, accounts, isByAlias } = showing
  const centers = await listServiceCentersNear(scope, {
    labId: lab.id,
    zip,
    radiusMiles: Number(showing.radius),
    capabilities: (showing.capabilities ?? []).map(toServiceCapability),
    businessUnits: unitsOf(accounts),
  })
  const billings = await listBillingsAt(accounts, zip)
  const locations = centers.map((center) => toLabLocation(center, billings, isByAlias))
  const listing = { lab_id: lab.id, slug: lab.slug, patient_service_centers: locations }
  const warning = centers.length === 0 ? await explainEmptiness(scope, lab.id, zip) : undefined
  return { listing, ...(warning !== undefined && { warning }) }
}

/** Returns the billing types that the accounts allow for patients in the state. */
export async function listBillingsAt(
  accounts: readonly LabAccountRow[],
  zip: string,
): Promise<Billing[]> {
  const found = await findZipCode(zip)
  return found === undefined ? [] : listAllowedBillings(accounts, found.state)
}

/**
 * Returns the business units of the accounts at a laboratory; null when an account is for all, or
 * there is none.
 */
export function unitsOf(accounts: readonly LabAccountRow[]): string[] | null {
  const units = accounts.map(({ business_units: units }) => units)
  if (units.length === 0 || units.includes(null)) return null
  return units.flatMap((list) => list ?? [])
}

/**
 * Returns why no site can be near in any radius; undefined when there may be sites farther away.
 */
async function explainEmptiness(
  { db, environment }: Scope,
  labId: number,
  zip: string,
): Promise<string | undefined> {
  const found = await findZipCode(zip)
  if (found === undefined) return 'no such ZIP code'
  if (found.isMilitary) return 'military ZIP codes have no location'
  if (await hasCenters(db, environment.kind, labId)) return undefined
  return 'the directory has no service centers of this laboratory'
}
