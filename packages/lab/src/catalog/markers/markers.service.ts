import type { Scope } from '@salus/kernel/scope'
import { getAllowedAccount, offersMarkers } from '../accounts/account-selection.ts'
import { markerNotFound } from '../catalog-errors.ts'
import type { Marker, OrderSetRequest } from '../lab-catalog.schema.ts'
import { listOpenLabs } from '../labs/labs.global.repository.ts'
import { findKnownLab } from '../labs/labs.service.ts'
import { resolveOrderSet } from '../order-sets/order-set.ts'
import { toMarker } from './marker.presenter.ts'
import { slicePage, toMarkerPage } from './marker-page.ts'
import type { MarkerFilter } from './marker-search.global.repository.ts'
import { findMarkers } from './marker-search.ts'
import { findMarkerByCode, listOrderedMarkers } from './markers.global.repository.ts'
import type { MarkerPage, MarkersQuery, PageQuery } from './markers.schema.ts'

/**
 * Returns the filtered markers that can be ordered
 * (docs/contract/10-labs-and-tests.md#get-v3lab_testsmarkers).
 */
export async function listMarkers(scope: Scope, query: MarkersQuery): Promise<MarkerPage> {
  const { db } = scope
  const filter = await readFilter(scope, query)
  const { ids, total } = await findMarkers(db, filter, query.name, query)
  const markers = ids.length === 0 ? [] : await listOrderedMarkers(db, ids)
  return toMarkerPage(markers, total, query, query.include_pricing)
}

async function readFilter(scope: Scope, query: MarkersQuery): Promise<MarkerFilter> {
  const { db, environment } = scope
  const { lab_slug: slug, lab_id: labIds, lab_account_id: accountId } = query
  const account = accountId === undefined ? null : await getAllowedAccount(scope, accountId)
  if (slug) await findKnownLab(db, slug, ['query', 'lab_slug'])
  const labs = (await listOpenLabs(db, environment.kind))
    .filter((lab) => (slug === undefined ? (labIds?.includes(lab.id) ?? true) : lab.slug === slug))
    .filter((lab) => account === null || lab.id === account.lab_id)
  return {
    labIds: labs.map(({ id }) => id),
    isALaCarte: query.a_la_carte_enabled,
    offeredProviderIds: account?.offered_provider_ids ?? null,
  }
}

/**
 * Returns the markers that an order set would order, without duplicates
 * (docs/contract/11-orders.md#post-v3order has the errors).
 */
export async function listOrderSetMarkers(
  scope: Scope,
  request: OrderSetRequest,
  page: PageQuery,
): Promise<MarkerPage> {
  const set = await resolveOrderSet(scope, { order_set: request })
  const ids = slicePage(set.markers, page).map(({ id }) => id)
  const markers = ids.length === 0 ? [] : await listOrderedMarkers(scope.db, ids)
  return toMarkerPage(markers, set.markers.length, page)
}

/** Returns the marker with a code of the laboratory. @throws AppError 404 `marker_not_found` */
export async function getMarker(
  scope: Scope,
  labId: number,
  providerId: string,
  labAccountId: string | undefined,
): Promise<Marker> {
  const { db, environment } = scope
  const account = labAccountId === undefined ? null : await getAllowedAccount(scope, labAccountId)
  const marker = await findMarkerByCode(db, environment.kind, labId, providerId)
  if (marker === undefined) throw markerNotFound()
  const isOffered =
    account === null || (account.lab_id === labId && offersMarkers(account, [marker]))
  if (!isOffered) throw markerNotFound()
  return toMarker(marker)
}
