import type { Scope } from '@salus/kernel/scope'
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { LabTestRow } from '../../catalog/index.ts'
import type { UnmatchedResultTestsTable } from '../results.tables.ts'

export type ReviewTestRow = Selectable<UnmatchedResultTestsTable>

/** Inserts a run. Returns undefined when its key was used before. */
export function insertReviewTest(
  { db, environment }: Scope,
  run: Omit<Insertable<UnmatchedResultTestsTable>, 'environment_id'>,
): Promise<ReviewTestRow | undefined> {
  return db
    .insertInto('unmatched_result_tests')
    .values({ ...run, environment_id: environment.id })
    .onConflict((conflict) => conflict.columns(['environment_id', 'idempotency_key']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Returns a run by its id or by the key of its request. */
export function findReviewTest(
  { db, environment }: Scope,
  match: { id: string } | { idempotency_key: string },
): Promise<ReviewTestRow | undefined> {
  const [[column, value] = ['id', '']] = Object.entries(match)
  return db
    .selectFrom('unmatched_result_tests')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where(column as 'id', '=', value)
    .executeTakeFirst()
}

export async function updateReviewTest(
  { db, environment }: Scope,
  id: string,
  changes: Omit<Updateable<UnmatchedResultTestsTable>, 'environment_id' | 'id'>,
): Promise<void> {
  await db
    .updateTable('unmatched_result_tests')
    .set(changes)
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .execute()
}

/** Returns saved tests that can be ordered without a kit or a visit, oldest first. */
export function listPlainLabTests({ db, environment }: Scope): Promise<LabTestRow[]> {
  return db
    .selectFrom('lab_tests')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('status', '=', 'active')
    .where('auto_generated', '=', false)
    .where('method', 'in', ['walk_in_test', 'on_site_collection'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Returns the markers of a lab test, in the order of the test. */
export async function listMarkerIds(
  { db, environment }: Scope,
  labTestId: string,
): Promise<number[]> {
  const rows = await db
    .selectFrom('lab_test_markers')
    .select('marker_id')
    .where('environment_id', '=', environment.id)
    .where('lab_test_id', '=', labTestId)
    .orderBy('position')
    .execute()
  return rows.map(({ marker_id: id }) => id)
}
