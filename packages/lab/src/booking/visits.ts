import type {
  AppointmentProvider,
  SlotPlace,
  Visit,
  VisitAddress,
} from '@salus/contracts/lab-gateway'
import { SCHEDULING_PROVIDERS } from '@salus/contracts/lab-gateway'
import { badRequest } from '@salus/kernel/errors'
import type { LngLat } from '@salus/kernel/geography/distance'
import { findZipCode } from '@salus/kernel/geography/zip-codes'
import type { Scope } from '@salus/kernel/scope'
import type { AppointmentRow } from '../appointments/index.ts'
import type { OrderRow } from '../orders/index.ts'
import { findServiceCenter } from '../service-centers/index.ts'
import { siteInactive } from './availability/site-availability.service.ts'
import { areaNotServed } from './booking-rules.ts'

/** The location where patient and phlebotomist meet. */
export interface MeetingPoint {
  place: SlotPlace
  address: VisitAddress
  location: LngLat
}

/**
 * Returns the location of a visit.
 * @throws AppError 400 `area_not_served` for an unknown ZIP code
 */
export async function locateHome(address: VisitAddress): Promise<MeetingPoint> {
  const area = await findZipCode(address.zip_code)
  if (area === undefined) throw areaNotServed()
  const { zip, timeZone, longitude: lng, latitude: lat } = area
  return { place: { kind: 'area', zip, timeZone }, address, location: { lng, lat } }
}

/**
 * Returns the location of a site of the provider's laboratory.
 * @throws AppError 400 `site_not_found`, `site_inactive`
 */
export async function locateSite(
  scope: Scope,
  provider: AppointmentProvider,
  siteCode: string,
): Promise<MeetingPoint> {
  const labSlug = SCHEDULING_PROVIDERS[provider].labSlug ?? ''
  const center = await findServiceCenter(scope, labSlug, siteCode)
  if (center === undefined)
    throw badRequest('site_not_found', 'The laboratory does not have this site.')
  if (!center.isActive) throw siteInactive()
  const { address, location, timeZone } = center
  return { place: { kind: 'site', siteCode, timeZone }, address, location }
}

/** Returns the location of an appointment. */
export function meetingPointOf(row: AppointmentRow): MeetingPoint {
  const { site_code: siteCode, address, lng, lat, time_zone: timeZone } = row
  const place: SlotPlace =
    siteCode === null
      ? { kind: 'area', zip: address.zip_code.slice(0, 5), timeZone }
      : { kind: 'site', siteCode, timeZone }
  return { place, address, location: { lng, lat } }
}

/** Returns the columns of an appointment for its location. */
export function toColumns({ place: where, address, location: { lng, lat } }: MeetingPoint) {
  const site_code = where.kind === 'site' ? where.siteCode : null
  return { address, lng, lat, site_code, time_zone: where.timeZone }
}

/**
 * Returns the patient's address.
 * @throws AppError 400 `area_not_served` for an order without one
 */
export function homeAddressOf({ patient_address: home }: OrderRow): VisitAddress {
  if (home === null) throw areaNotServed()
  const { first_line, second_line, city, state, zip, access_notes } = home
  return { first_line, second_line, city, state, zip_code: zip, access_notes }
}

/** Returns the visit that is sent to the provider for an appointment. */
export function toVisit(
  order: OrderRow,
  appointmentId: string,
  { place: where, address }: MeetingPoint,
  notes: string | null,
): Visit {
  const { patient_details: patient } = order
  return {
    environmentId: order.environment_id,
    appointmentId,
    place: where,
    address,
    patient: patient && {
      first_name: patient.first_name,
      last_name: patient.last_name,
      dob: patient.dob,
      gender: patient.gender,
      phone_number: patient.phone_number,
      email: patient.email,
    },
    requisitionNumber: order.sample_id,
    notes,
  }
}
