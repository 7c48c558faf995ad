import type { Scope } from '../../../platform/scope.ts'
import type { LabTest } from '../lab-catalog.schema.ts'
import { toLabTest } from './lab-test.presenter.ts'
import { listLabTestsByIds } from './lab-tests.repository.ts'

/** Tests as orders show them, without lab and markers, by id; one query for any number of ids. */
export async function showLabTests(
  scope: Scope,
  ids: readonly string[],
): Promise<Map<string, LabTest>> {
  if (ids.length === 0) return new Map()
  const rows = await listLabTestsByIds(scope, [...new Set(ids)])
  return new Map(rows.map((row) => [row.id, toLabTest(row)]))
}
