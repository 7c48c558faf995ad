import type { Db } from '@salus/kernel/postgres/database'
import type { Selectable } from 'kysely'
import type { CompendiumLoadsTable } from './compendium-loads.tables.ts'

/** Records a compendium that changed something. */
export async function insertCompendiumLoad(
  db: Db,
  load: Selectable<CompendiumLoadsTable>,
): Promise<void> {
  await db.insertInto('compendium_loads').values(load).execute()
}
