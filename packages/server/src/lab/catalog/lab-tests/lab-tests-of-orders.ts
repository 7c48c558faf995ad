import type { Db } from '../../../platform/postgres/database.ts'
import type { LabTest } from '../lab-catalog.schema.ts'
import { toLabTest } from './lab-test-answer.ts'
import { listLabTestsByIds } from './lab-tests.repository.ts'

/** Tests as orders show them, without lab and markers, by id; one query for any number of ids. */
export async function showLabTests(
  db: Db,
  environmentId: string,
  ids: readonly string[],
): Promise<Map<string, LabTest>> {
  if (ids.length === 0) return new Map()
  const rows = await listLabTestsByIds(db, environmentId, [...new Set(ids)])
  return new Map(rows.map((row) => [row.id, toLabTest(row)]))
}
