import type { Db } from '@salus/kernel/postgres/database'
import { listTestsOfMarkers, type TestOfMarkers } from '../catalog/index.ts'
import { countOpenOrdersByMarker } from '../orders/index.ts'
import type { Plan, TestChange } from './changes/plan-changes.ts'
import type { CompendiumReport } from './compendium-import.schema.ts'
import type { Compendium } from './reading/read-compendium.ts'

const MOST_CHANGES = 1000
const MOST_AFFECTED = 500
/** A compendium that retires more of the active tests is probably not complete. */
const MOST_RETIRED_SHARE = 0.1

interface Outcome {
  lab: { id: number; slug: string }
  plan: Plan
  compendium: Compendium
  /** Number of tests that the laboratory offers before the import. */
  active: number
}

/** Makes the report of a plan, with the lab tests and open orders that have a changed test. */
export async function makeReport(
  db: Db,
  { lab, plan, compendium, active }: Outcome,
): Promise<CompendiumReport> {
  const { changes } = plan
  const markerIds = changes.flatMap(({ markerId }) => markerId ?? [])
  const tests = markerIds.length === 0 ? [] : await listTestsOfMarkers(db, markerIds)
  const orders =
    markerIds.length === 0 ? new Map() : await countOpenOrdersByMarker(db, lab.id, markerIds)
  const counts = countByMarker(tests)
  const count = (kind: TestChange['kind']) => changes.filter((it) => it.kind === kind).length
  const retired = count('retired')
  return {
    dry_run: false,
    lab: lab.slug,
    added: count('added'),
    changed: count('changed'),
    retired,
    unchanged: plan.unchanged,
    refused: compendium.refusals.codes.size,
    loincs_added: plan.loincs.length,
    unused_rows: compendium.unusedRows,
    retires_too_many: retired > active * MOST_RETIRED_SHARE,
    changes: changes.slice(0, MOST_CHANGES).map(({ kind, code, name, markerId, fields }) => ({
      change: kind,
      code,
      name,
      fields,
      lab_tests: counts.get(markerId ?? 0) ?? 0,
      open_orders: orders.get(markerId ?? 0) ?? 0,
    })),
    refusals: compendium.refusals.list,
    refusal_count: compendium.refusals.count,
    affected_lab_tests: affectedBy(changes, tests).slice(0, MOST_AFFECTED),
  }
}

function countByMarker(tests: readonly TestOfMarkers[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const id of tests.flatMap(({ marker_ids: ids }) => ids)) {
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
}

function affectedBy(
  changes: readonly TestChange[],
  tests: readonly TestOfMarkers[],
): CompendiumReport['affected_lab_tests'] {
  const retired = new Map(
    changes.filter(({ kind }) => kind === 'retired').map(({ markerId, code }) => [markerId, code]),
  )
  return tests
    .map(({ marker_ids: ids, ...test }) => ({
      ...test,
      retired_codes: ids.flatMap((id) => retired.get(id) ?? []),
    }))
    .filter(({ retired_codes: codes }) => codes.length > 0)
}
