import { anyOf } from '@salus/kernel/postgres/bulk'
import type { Db } from '@salus/kernel/postgres/database'
import { prepared } from '@salus/kernel/postgres/prepared-statements'
import type { EnvironmentKind } from '@salus/kernel/scope'
import { type Selectable, sql } from 'kysely'
import type { LabsTable } from '../lab-catalog.tables.ts'

export type LabRow = Selectable<LabsTable>

export const LAB_COLUMNS = [
  'labs.id',
  'labs.slug',
  'labs.name',
  'labs.first_line_address',
  'labs.city',
  'labs.state',
  'labs.zipcode',
  'labs.phone_number',
  'labs.clia_number',
  'labs.medical_director',
  'labs.collection_methods',
  'labs.sample_types',
  'labs.logo_url',
  'labs.is_enabled',
  'labs.is_sample',
  'labs.has_compendium',
] as const

/**
 * SQL condition for labs that accept orders of an environment: sample labs are for sandboxes, so
 * production has none until an operator loads a catalog. The statement must select from `labs`.
 */
export const acceptsOrdersOf = (environment: EnvironmentKind) =>
  environment === 'sandbox'
    ? sql<boolean>`labs.is_enabled`
    : sql<boolean>`(labs.is_enabled and not labs.is_sample)`

/** Returns the labs that accept orders of an environment, by id. */
export function listOpenLabs(db: Db, environment: EnvironmentKind): Promise<LabRow[]> {
  return db
    .selectFrom('labs')
    .selectAll()
    .where(acceptsOrdersOf(environment))
    .orderBy('id')
    .execute()
}

/** Returns whether a lab accepts orders of an environment. */
export function isLabOpen(lab: LabRow, environment: EnvironmentKind): boolean {
  return lab.is_enabled && (environment === 'sandbox' || !lab.is_sample)
}

/** Returns a lab by its id, also one that no longer accepts orders. */
export function findLab(db: Db, labId: number): Promise<LabRow | undefined> {
  return prepared(db)
    .selectFrom('labs')
    .select(LAB_COLUMNS)
    .where('id', '=', labId)
    .executeTakeFirst()
}

/** Returns a lab by its slug, also one that no longer accepts orders. */
export function findLabBySlug(db: Db, slug: string): Promise<LabRow | undefined> {
  return prepared(db)
    .selectFrom('labs')
    .select(LAB_COLUMNS)
    .where('slug', '=', slug)
    .executeTakeFirst()
}

/** Returns labs by id, in order of the ids; unknown ones are left out. */
export function listLabs(db: Db, labIds: readonly number[]): Promise<LabRow[]> {
  return db.selectFrom('labs').selectAll().where('id', '=', anyOf(labIds)).orderBy('id').execute()
}
