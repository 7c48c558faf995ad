import { type InputProblem, invalidInput } from '@salus/kernel/errors'
import type { Db } from '@salus/kernel/postgres/database'
import type { Scope } from '@salus/kernel/scope'
import { LABS, type Lab } from '../lab-catalog.schema.ts'
import { findLabBySlug, type LabRow, listOpenLabs } from './labs.global.repository.ts'

/** Labs that take orders of the environment, by id. */
export async function showOpenLabs({ db, environment }: Scope): Promise<Lab[]> {
  return (await listOpenLabs(db, environment.kind)).map(toLab)
}

/**
 * A lab as endpoints show it; its CLIA number and director, and whether it is enabled, stay inside.
 */
export function toLab(row: LabRow): Lab {
  const { id, slug, name, first_line_address, city, zipcode } = row
  const { collection_methods, sample_types, logo_url } = row
  const address = { first_line_address, city, zipcode }
  return { id, slug, name, ...address, collection_methods, sample_types, logo_url }
}

/**
 * The lab of a slug; undefined when the slug is of a lab that this installation does not have.
 * @param loc Where the request names it
 * @throws InputError for what is the slug of no lab
 */
export async function findKnownLab(
  db: Db,
  slug: string,
  loc: InputProblem['loc'],
): Promise<LabRow | undefined> {
  const lab = await findLabBySlug(db, slug)
  if (lab !== undefined || (LABS as readonly string[]).includes(slug)) return lab
  throw invalidInput(loc, 'Input should be the slug of a lab', 'enum')
}
