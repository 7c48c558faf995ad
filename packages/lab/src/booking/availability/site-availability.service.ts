import type { SchedulingGateway, SlotDay, SlotSearch } from '@salus/contracts/lab-gateway'
import { badRequest, notFoundCode } from '@salus/kernel/errors'
import { distanceMiles } from '@salus/kernel/geography/distance'
import { findZipCode } from '@salus/kernel/geography/zip-codes'
import { environmentNow, type Scope } from '@salus/kernel/scope'
import { dateInZone } from '@salus/kernel/time/instants'
import { findLabBySlug } from '../../catalog/index.ts'
import {
  listServiceCentersByCode,
  listServiceCentersNear,
  type ServiceCenter,
} from '../../service-centers/index.ts'
import type { AvailabilitySlots, DaySlots, SiteSlotsQuery } from '../booking.schema.ts'
import { BookingKeys } from '../booking-key.ts'
import type { BookingParts } from '../booking-parts.ts'
import { requireScheduling } from '../booking-rules.ts'
import { readFromProvider } from '../provider-calls.ts'
import type { SlotCache } from './slot-cache.ts'
import { AVAILABLE_DAYS, laterDate, toStartDate, toTimeSlot } from './slot-days.ts'

const MOST_SITES = 3
/** Number of local days from today that the cache holds for `allow_stale`. */
const KEPT_DAYS = 21

/** The search for slots of sites. */
interface SiteSearch {
  scope: Scope
  gateway: SchedulingGateway
  cache: SlotCache
  now: Date
  query: SiteSlotsQuery
}

/**
 * Returns the slots at sites of a laboratory on 14 local days of each site
 * (docs/contract/14-appointments-and-psc.md#post-v3orderpscappointmentavailability).
 * @throws AppError 400 `site_or_zip_required`, `radius_required`, `too_many_sites`,
 *   `site_not_found`, `site_inactive`, `start_date_in_past`; 404 `no_slots_found`; 403; 502
 */
export async function findSiteSlots(
  scope: Scope,
  parts: BookingParts & { cache: SlotCache },
  query: SiteSlotsQuery,
): Promise<AvailabilitySlots> {
  requireScheduling(scope)
  const centers = (await listAskedCenters(scope, query)).filter(({ capabilities }) =>
    capabilities.includes('appointment_scheduling_via_service'),
  )
  const gateway = parts.scheduling.find(scope.environment.kind, query.lab)
  if (centers.length === 0 || gateway === undefined) throw notFoundCode('no_slots_found')
  const now = environmentNow(scope)
  // For sites in several time zones a day is past when it is past in all of them.
  const todays = centers.map(({ timeZone }) => dateInZone(now, timeZone)).sort()
  if (query.start_date) toStartDate(query.start_date, todays[0] as string)
  const search: SiteSearch = { scope, gateway, cache: parts.cache, now, query }
  const keys = new BookingKeys(parts.secrets, scope.environment.id)
  const days = await Promise.all(
    centers.map(async (center) => {
      const sold = { keys, provider: query.lab, location: center.siteCode, now }
      const location = toLocation(center)
      return (await listDays(search, center)).map(
        ({ date, slots }): DaySlots => ({
          location,
          date,
          slots: slots.filter(({ start }) => start > now).map((slot) => toTimeSlot(slot, sold)),
        }),
      )
    }),
  )
  return { slots: days.flat(), timezone: null }
}

async function listAskedCenters(scope: Scope, query: SiteSlotsQuery): Promise<ServiceCenter[]> {
  const { lab: labSlug, zip_code: zip, radius } = query
  const codes = [...new Set(query.site_codes ?? [])]
  if (codes.length === 0 && !zip) {
    throw badRequest('site_or_zip_required', 'Give site_codes or a zip_code.')
  }
  if (zip && radius === null) {
    throw badRequest('radius_required', 'A search around a zip_code needs a radius.')
  }
  if (codes.length > MOST_SITES) throw badRequest('too_many_sites', 'Give at most three sites.')
  if (codes.length > 0) return listNamedCenters(scope, labSlug, codes, zip)
  const lab = await findLabBySlug(scope.db, labSlug)
  return lab === undefined
    ? []
    : listServiceCentersNear(scope, {
        labId: lab.id,
        zip: zip as string,
        radiusMiles: Number(radius),
        capabilities: ['appointment_scheduling_via_service'],
        limit: MOST_SITES,
      })
}

async function listNamedCenters(
  scope: Scope,
  labSlug: string,
  codes: readonly string[],
  zip: string | null | undefined,
): Promise<ServiceCenter[]> {
  const centers = await listServiceCentersByCode(scope, labSlug, codes)
  if (centers.length < codes.length) {
    throw badRequest('site_not_found', 'The laboratory does not have this site.')
  }
  if (centers.some(({ isActive }) => !isActive)) throw siteInactive()
  const from = zip ? await findZipCode(zip) : undefined
  if (from === undefined || from.isMilitary) return centers
  const middle = { lng: from.longitude, lat: from.latitude }
  return centers.map((center) => ({
    ...center,
    distanceMiles: distanceMiles(middle, center.location),
  }))
}

export const siteInactive = () => badRequest('site_inactive', 'The site is closed.')

/** Returns the days of a site from its provider, or from the cache when stale slots are allowed. */
async function listDays(search: SiteSearch, center: ServiceCenter): Promise<SlotDay[]> {
  const { scope, gateway, cache, now, query } = search
  const { siteCode, timeZone } = center
  const today = dateInZone(now, timeZone)
  const startDate = query.start_date ?? today
  const fetchDays = (from: string, days: number) => {
    const wanted: SlotSearch = {
      environmentId: scope.environment.id,
      now,
      place: { kind: 'site', siteCode, timeZone },
      startDate: from,
      days,
    }
    return readFromProvider((signal) => gateway.listSlots(wanted, signal))
  }
  const isKept =
    startDate >= today && laterDate(startDate, AVAILABLE_DAYS) <= laterDate(today, KEPT_DAYS)
  if (!query.allow_stale || !isKept) return fetchDays(startDate, AVAILABLE_DAYS)
  const name = JSON.stringify([scope.environment.id, gateway.provider, siteCode])
  const kept = await cache.find({ name, today, now }, () => fetchDays(today, KEPT_DAYS))
  const before = laterDate(startDate, AVAILABLE_DAYS)
  return kept.filter(({ date }) => date >= startDate && date < before)
}

function toLocation(center: ServiceCenter): DaySlots['location'] {
  const { address, location, distanceMiles: miles, siteCode, name, timeZone } = center
  return {
    location,
    distance: miles === undefined ? null : Math.round(miles),
    address: { ...address, unit: null },
    code: siteCode,
    name,
    iana_timezone: timeZone,
  }
}
