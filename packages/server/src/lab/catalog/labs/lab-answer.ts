import type { Lab } from '../lab-catalog.schema.ts'
import type { LabRow } from './labs.repository.ts'

export function toLab(row: LabRow): Lab {
  const { id, slug, name, first_line_address, city, zipcode } = row
  const { collection_methods, sample_types, logo_url } = row
  const place = { first_line_address, city, zipcode }
  return { id, slug, name, ...place, collection_methods, sample_types, logo_url }
}
