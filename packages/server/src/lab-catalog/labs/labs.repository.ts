import type { Selectable } from 'kysely'
import { anyOf } from '../../platform/postgres/bulk.ts'
import type { Db } from '../../platform/postgres/database.ts'
import type { LabsTable } from '../lab-catalog.tables.ts'

export type LabRow = Selectable<LabsTable>

/** Labs of the installation that take orders, by id. */
export function listEnabledLabs(db: Db): Promise<LabRow[]> {
  return db.selectFrom('labs').selectAll().where('is_enabled', '=', true).orderBy('id').execute()
}

/** A lab, also one that takes no orders any more. */
export function findLab(db: Db, labId: number): Promise<LabRow | undefined> {
  return db.selectFrom('labs').selectAll().where('id', '=', labId).executeTakeFirst()
}

export function findLabBySlug(db: Db, slug: string): Promise<LabRow | undefined> {
  return db.selectFrom('labs').selectAll().where('slug', '=', slug).executeTakeFirst()
}

/** Labs by id, in order of the ids; unknown ones are left out. */
export function listLabs(db: Db, labIds: readonly number[]): Promise<LabRow[]> {
  return db.selectFrom('labs').selectAll().where('id', '=', anyOf(labIds)).orderBy('id').execute()
}
