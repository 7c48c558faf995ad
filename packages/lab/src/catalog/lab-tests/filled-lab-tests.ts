import type { Scope } from '@salus/kernel/scope'
import type { LabTest } from '../lab-catalog.schema.ts'
import { listLabs } from '../labs/labs.global.repository.ts'
import { toLab } from '../labs/labs.service.ts'
import { toMarker } from '../markers/marker.presenter.ts'
import { listPlainMarkers, type PlainMarker } from '../markers/markers.global.repository.ts'
import {
  type LabTestRow,
  listLabTestMarkers,
  listLabTestsByIds,
  type TimedLabTestRow,
} from './lab-tests.repository.ts'

export interface FilledLabTest {
  row: TimedLabTestRow
  markers: PlainMarker[]
  /** The wire object with lab and markers, as the endpoints of lab tests return it. */
  answer: LabTest
}

/** Adds labs and markers to tests, with three queries for any number of tests. */
export async function fillLabTests(
  scope: Scope,
  rows: readonly TimedLabTestRow[],
): Promise<FilledLabTest[]> {
  const { db } = scope
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const [held, labs] = await Promise.all([
    listLabTestMarkers(scope, ids),
    listLabs(db, [...new Set(rows.map((row) => row.lab_id))]),
  ])
  const markerIds = [...new Set(held.map((item) => item.marker_id))]
  const found = await listPlainMarkers(db, markerIds)
  const markersById = new Map(found.map((marker) => [marker.id, marker]))
  const labsById = new Map(labs.map((lab) => [lab.id, toLab(lab)]))
  const heldByTest = Map.groupBy(held, (item) => item.lab_test_id)
  return rows.map((row) => {
    const ofTest = heldByTest.get(row.id) ?? []
    const markers = ofTest.flatMap((item) => markersById.get(item.marker_id) ?? [])
    const lab = labsById.get(row.lab_id) ?? null
    return { row, markers, answer: toLabTest(row, { lab, markers: markers.map(toMarker) }) }
  })
}

/** Returns tests by id as orders show them, without lab and markers, with one query. */
export async function showLabTests(
  scope: Scope,
  ids: readonly string[],
): Promise<Map<string, LabTest>> {
  if (ids.length === 0) return new Map()
  const rows = await listLabTestsByIds(scope, [...new Set(ids)])
  return new Map(rows.map((row) => [row.id, toLabTest(row)]))
}

/** A test with its turnaround times, unless they would have to be read. */
export type OrderedTest = LabTestRow | TimedLabTestRow

/** Returns a test as orders show it, and reads only what the row lacks. */
export async function showOrderedTest(scope: Scope, row: OrderedTest): Promise<LabTest> {
  if ('common_tat_days' in row) return toLabTest(row)
  const shown = (await showLabTests(scope, [row.id])).get(row.id)
  if (shown === undefined) throw new Error('The lab test of an order is gone.')
  return shown
}

/** Returns the wire object of a test. Only the endpoints of lab tests fill `lab` and `markers`. */
function toLabTest(
  row: TimedLabTestRow,
  filled: Pick<LabTest, 'lab' | 'markers'> = { lab: null, markers: null },
): LabTest {
  const { id, slug, name, description, method, sample_type, status, fasting, auto_generated } = row
  return {
    id,
    slug,
    name,
    sample_type,
    method,
    price: row.price_cents / 100,
    is_active: status === 'active',
    status,
    fasting,
    lab: filled.lab,
    markers: filled.markers,
    is_delegated: false,
    auto_generated,
    // Salus writes the instructions itself, so every test has them.
    has_collection_instructions: true,
    common_tat_days: row.common_tat_days,
    worst_case_tat_days: row.worst_case_tat_days,
    description,
  }
}
