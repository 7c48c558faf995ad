import { queryOptions } from '@tanstack/react-query'
import { unwrapResponse } from '../../../api/client.ts'
import type { Environment } from '../../../api/environment.ts'
import type { Order } from '../order-queries.ts'
import { APPOINTMENT_LABS, type AppointmentLab } from './appointment-labs.generated.ts'

export const findBookedLab = (slug: string): AppointmentLab | undefined =>
  APPOINTMENT_LABS.find((known) => known === slug)

export const RADII = ['10', '20', '25', '50', '100'] as const
export type Radius = (typeof RADII)[number]

/** Loads sites of the laboratory of an order around its patient, nearest first. */
export const sitesQuery = ({ key, team }: Environment, order: Order, radius: Radius) =>
  queryOptions({
    queryKey: [...key, 'order', order.id, 'sites', radius],
    queryFn: ({ signal }) => {
      const params = { path: { order_id: order.id }, query: { radius } }
      return unwrapResponse(team.GET('/v3/order/{order_id}/psc/info', { params, signal }))
    },
    staleTime: 300_000,
  })

interface SiteSearch {
  lab: AppointmentLab
  siteCodes: readonly string[]
  zip: string
  /** First day; empty is today. */
  from: string
}

/** Loads free times at sites; a booking key is valid for half an hour. */
export const siteSlotsQuery = ({ key, team }: Environment, search: SiteSearch) =>
  queryOptions({
    queryKey: [...key, 'site_slots', search],
    queryFn: ({ signal }) => {
      const { lab, siteCodes, zip, from } = search
      const query = {
        lab,
        zip_code: zip.slice(0, 5),
        ...(siteCodes.length > 0 && { site_codes: [...siteCodes] }),
        ...(from !== '' && { start_date: from }),
      }
      const address = '/v3/order/psc/appointment/availability'
      return unwrapResponse(team.POST(address, { params: { query }, signal }))
    },
    staleTime: 60_000,
  })

interface VisitPlace {
  first_line: string
  second_line?: string | null | undefined
  city: string
  state: string
  zip: string
}

/** Loads free times of visits at an address. */
export const visitSlotsQuery = (
  { key, team }: Environment,
  { first_line, second_line, city, state, zip }: VisitPlace,
  from: string,
) =>
  queryOptions({
    queryKey: [...key, 'visit_slots', first_line, city, state, zip, from],
    queryFn: ({ signal }) => {
      const body = { first_line, second_line: second_line ?? null, city, state, zip_code: zip }
      const query = from === '' ? {} : { start_date: from }
      const address = '/v3/order/phlebotomy/appointment/availability'
      return unwrapResponse(team.POST(address, { params: { query }, body, signal }))
    },
    staleTime: 60_000,
  })
