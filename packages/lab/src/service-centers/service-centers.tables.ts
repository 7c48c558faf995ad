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
