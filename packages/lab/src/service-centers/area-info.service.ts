import type { AppointmentProvider, AppointmentServiceType } from '@salus/contracts/lab-gateway'
import type { Scope } from '@salus/kernel/scope'
import {
  findLabBySlug,
  getAllowedAccount,
  isLabOpen,
  type LabRow,
  listOfferingAccounts,
} from '../catalog/index.ts'
import { listBillingsAt, unitsOf } from './center-listing.service.ts'
import { summarizeCenters } from './service-centers.global.repository.ts'
import { toWireCapabilities } from './service-centers.presenter.ts'
import {
  AREA_LABS,
  type AreaInfo,
  type AreaQuery,
  CAPABILITIES,
  type PscAreaInfo,
} from './service-centers.schema.ts'
import { locateZip } from './service-centers.service.ts'

/** Returns the phlebotomy providers that serve a ZIP code, with their service types. */
export type ListPhlebotomyProviders = (
  scope: Scope,
  zip: string,
) => Promise<{ name: AppointmentProvider; service_types: AppointmentServiceType[] }[]>

/**
 * Returns the services in an area (docs/contract/14-appointments-and-psc.md#get-v3orderareainfo);
 * none for an unknown ZIP code. A lab account applies to its own laboratory; the other laboratories
 * are listed as without it.
 * @throws AppError 400 `lab_account_invalid`
 */
export async function showAreaInfo(
  scope: Scope,
  query: AreaQuery,
  listPhlebotomyProviders: ListPhlebotomyProviders,
  isByAlias: boolean,
): Promise<AreaInfo> {
  const { zip_code: zip, lab_account_id: accountId } = query
  const account = accountId ? await getAllowedAccount(scope, accountId) : undefined
  const isAnywhere = (await locateZip(zip)) !== undefined
  const providers = isAnywhere ? await listPhlebotomyProviders(scope, zip) : []
  const labs = await listRequestedLabs(scope, query)
  const infos = labs.map(async (lab): Promise<[string, PscAreaInfo]> => {
    const ownAccountId = account?.lab_id === lab.id ? account.id : null
    return [lab.slug, await showLabInArea(scope, query, lab, ownAccountId, isByAlias)]
  })
  return {
    zip_code: zip,
    phlebotomy: { is_served: providers.length > 0, providers },
    central_labs: Object.fromEntries(await Promise.all(infos)),
  }
}

/**
 * Returns the requested laboratories, or all that areas list, as far as the environment has them.
 */
async function listRequestedLabs(
  { db, environment }: Scope,
  { lab, labs }: AreaQuery,
): Promise<LabRow[]> {
  const requested = [...(labs ?? []), ...(lab ? [lab] : [])]
  const slugs = AREA_LABS.filter((slug) => requested.length === 0 || requested.includes(slug))
  const found = await Promise.all(slugs.map((slug) => findLabBySlug(db, slug)))
  return found.filter((row) => row !== undefined && isLabOpen(row, environment.kind)) as LabRow[]
}

async function showLabInArea(
  scope: Scope,
  { zip_code: zip, radius }: AreaQuery,
  lab: LabRow,
  labAccountId: string | null,
  isByAlias: boolean,
): Promise<PscAreaInfo> {
  const accounts = await listOfferingAccounts(scope, lab.id, labAccountId)
  const center = await locateZip(zip)
  const found =
    center === undefined
      ? { count: 0, capabilities: [] }
      : await summarizeCenters(scope.db, scope.environment.kind, {
          labId: lab.id,
          center,
          radiusMiles: Number(radius),
          capabilities: [],
          businessUnits: unitsOf(accounts),
        })
  const capabilities = CAPABILITIES.filter((it) => found.capabilities.includes(it))
  return {
    patient_service_centers: {
      appointment_with_vital: capabilities.includes('appointment_scheduling_via_service'),
      within_radius: found.count,
      radius,
      capabilities: toWireCapabilities(capabilities, isByAlias),
    },
    supported_bill_types: center === undefined ? [] : await listBillingsAt(accounts, zip),
    lab_id: lab.id,
  }
}
