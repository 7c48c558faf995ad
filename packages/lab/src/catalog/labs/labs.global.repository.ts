import { anyOf } from '@salus/kernel/postgres/bulk'
import type { Db } from '@salus/kernel/postgres/database'
import type { EnvironmentKind } from '@salus/kernel/scope'
import { type Selectable, sql } from 'kysely'
import type { LabsTable } from '../lab-catalog.tables.ts'

export type LabRow = Selectable<LabsTable>

/**
 * Whether a lab takes orders of an environment: sample labs are for sandboxes, so production has
 * none until an operator loads a catalog. Of the table `labs` in the statement.
 */
export const takesOrdersOf = (environment: EnvironmentKind) =>
  environment === 'sandbox'
    ? sql<boolean>`labs.is_enabled`
    : sql<boolean>`(labs.is_enabled and not labs.is_sample)`

/** Labs that take orders of an environment, by id. */
export function listOpenLabs(db: Db, environment: EnvironmentKind): Promise<LabRow[]> {
  return db.selectFrom('labs').selectAll().where(takesOrdersOf(environment)).orderBy('id').execute()
}

/** As takesOrdersOf, of a lab at hand. */
export function isLabOpen(lab: LabRow, environment: EnvironmentKind): boolean {
  return lab.is_enabled && (environment === 'sandbox' || !lab.is_sample)
}

/** A lab, also one that takes no orders any more. */
export function findLab(db: Db, labId: number): Promise<LabRow | undefined> {
  return db.selectFrom('labs').selectAll().where('id', '=', labId).executeTakeFirst()
}

/** A lab, also one that takes no orders any more. */
export function findLabBySlug(db: Db, slug: string): Promise<LabRow | undefined> {
  return db.selectFrom('labs').selectAll().where('slug', '=', slug).executeTakeFirst()
}

/** Labs by id, in order of the ids; unknown ones are left out. */
export function listLabs(db: Db, labIds: readonly number[]): Promise<LabRow[]> {
  return db.selectFrom('labs').selectAll().where('id', '=', anyOf(labIds)).orderBy('id').execute()
}
