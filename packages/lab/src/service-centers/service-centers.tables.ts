import type { Billing } from '../catalog/index.ts'
import type { Capability } from './service-centers.schema.ts'

export interface ServiceCentersTable {
  lab_id: number
  site_code: string
  name: string
  first_line: string
  second_line: string | null
  city: string
  state: string
  zip_code: string
  latitude: number
  longitude: number
  time_zone: string
  phone_number: string | null
  fax_number: string | null
  website: string | null
  /** Opening hours in the format of readOpeningHours. */
  hours: string | null
  capabilities: Capability[]
  bill_types: Billing[] | null
  business_unit: string | null
  is_active: boolean
  is_sample: boolean
}

const COLUMNS = {
  lab_id: true,
  site_code: true,
  name: true,
  first_line: true,
  second_line: true,
  city: true,
  state: true,
  zip_code: true,
  latitude: true,
  longitude: true,
  time_zone: true,
  phone_number: true,
  fax_number: true,
  website: true,
  hours: true,
  capabilities: true,
  bill_types: true,
  business_unit: true,
  is_active: true,
  is_sample: true,
} satisfies Record<keyof ServiceCentersTable, true>

/** All columns of service centers, by name, for prepared statements. */
export const SERVICE_CENTER_COLUMNS = Object.keys(COLUMNS) as (keyof ServiceCentersTable)[]

export interface ServiceCenterLoadsTable {
  source: string
  content_hash: Buffer
  loaded_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    service_centers: ServiceCentersTable
    service_center_loads: ServiceCenterLoadsTable
  }
}
