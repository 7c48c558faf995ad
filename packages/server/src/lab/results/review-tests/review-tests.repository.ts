import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../../../platform/postgres/database.ts'
import type { LabTestRow } from '../../catalog/index.ts'
import type { UnmatchedResultTestsTable } from '../results.tables.ts'

export type ReviewTestRow = Selectable<UnmatchedResultTestsTable>

/** Inserts a run, or returns undefined when its key was used before. */
export function insertReviewTest(
  db: Db,
  environmentId: string,
  run: Omit<Insertable<UnmatchedResultTestsTable>, 'environment_id'>,
): Promise<ReviewTestRow | undefined> {
  return db
    .insertInto('unmatched_result_tests')
    .values({ ...run, environment_id: environmentId })
    .onConflict((conflict) => conflict.columns(['environment_id', 'idempotency_key']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export function findReviewTest(
  db: Db,
  environmentId: string,
  match: { id: string } | { idempotency_key: string },
): Promise<ReviewTestRow | undefined> {
  const [[column, value] = ['id', '']] = Object.entries(match)
  return db
    .selectFrom('unmatched_result_tests')
    .selectAll()
    .where('environment_id', '=', environmentId)
    .where(column as 'id', '=', value)
    .executeTakeFirst()
}

export async function updateReviewTest(
  db: Db,
  environmentId: string,
  id: string,
  changes: Omit<Updateable<UnmatchedResultTestsTable>, 'environment_id' | 'id'>,
): Promise<void> {
  await db
    .updateTable('unmatched_result_tests')
    .set(changes)
    .where('environment_id', '=', environmentId)
    .where('id', '=', id)
    .execute()
}

/** Saved tests that can be ordered and need no kit and no visit, the oldest first. */
export function listPlainLabTests(db: Db, environmentId: string): Promise<LabTestRow[]> {
  return db
    .selectFrom('lab_tests')
    .selectAll()
    .where('environment_id', '=', environmentId)
    .where('status', '=', 'active')
    .where('auto_generated', '=', false)
    .where('method', 'in', ['walk_in_test', 'on_site_collection'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function listMarkerIds(
  db: Db,
  environmentId: string,
  labTestId: string,
): Promise<number[]> {
  const rows = await db
    .selectFrom('lab_test_markers')
    .select('marker_id')
    .where('environment_id', '=', environmentId)
    .where('lab_test_id', '=', labTestId)
    .orderBy('position')
    .execute()
  return rows.map(({ marker_id: id }) => id)
}
