import type { Scope } from '../../../platform/scope.ts'
import type { Lab } from '../lab-catalog.schema.ts'
import { type LabRow, listOpenLabs } from './labs.global.repository.ts'

/** Labs that take orders of the environment, by id. */
export async function showOpenLabs({ db, environment }: Scope): Promise<Lab[]> {
  return (await listOpenLabs(db, environment.kind)).map(toLab)
}

/** A lab as endpoints show it; its CLIA number and director, and whether it is enabled, stay inside. */
export function toLab(row: LabRow): Lab {
  const { id, slug, name, first_line_address, city, zipcode } = row
  const { collection_methods, sample_types, logo_url } = row
  const address = { first_line_address, city, zipcode }
  return { id, slug, name, ...address, collection_methods, sample_types, logo_url }
}
