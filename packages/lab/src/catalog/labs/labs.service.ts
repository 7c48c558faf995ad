import { type InputProblem, invalidInput } from '@salus/kernel/errors'
import type { Db } from '@salus/kernel/postgres/database'
import type { Scope } from '@salus/kernel/scope'
import { LABS, type Lab } from '../lab-catalog.schema.ts'
import { findLabBySlug, type LabRow, listOpenLabs } from './labs.global.repository.ts'

/** Returns the labs that accept orders of the environment, by id. */
export async function showOpenLabs({ db, environment }: Scope): Promise<Lab[]> {
  return (await listOpenLabs(db, environment.kind)).map(toLab)
}

/**
 * Returns the wire object of a lab, without its CLIA number, director and whether it is enabled.
 */
export function toLab(row: LabRow): Lab {
  const { id, slug, name, first_line_address, city, zipcode } = row
  const { collection_methods, sample_types, logo_url } = row
  const address = { first_line_address, city, zipcode }
  return { id, slug, name, ...address, collection_methods, sample_types, logo_url }
}

/**
 * Returns the lab with a slug; undefined when this installation does not have the lab.
 * @param loc field of the request with the slug
 * @throws InputError for a slug of no lab
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
