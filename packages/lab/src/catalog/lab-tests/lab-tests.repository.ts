import { anyOfIds } from '@salus/kernel/postgres/bulk'
import { prepared } from '@salus/kernel/postgres/prepared-statements'
import type { Scope } from '@salus/kernel/scope'
import { type Selectable, sql } from 'kysely'
import type { LabTestStatus } from '../lab-catalog.schema.ts'
import type { LabTestsTable } from '../lab-catalog.tables.ts'
import { LAB_COLUMNS, type LabRow } from '../labs/labs.global.repository.ts'
import { MARKER_COLUMNS, type PlainMarker } from '../markers/markers.global.repository.ts'

export type LabTestRow = Selectable<LabTestsTable>

/** A test with its turnaround times: the longest of its markers, null when one is unknown. */
export type TimedLabTestRow = LabTestRow & {
  common_tat_days: number | null
  worst_case_tat_days: number | null
}

/** SQL of the longest time among the markers of a lab test, in days; null when one has none. */
export const longestTurnaround = (column: 'common_tat_days' | 'worst_case_tat_days') => sql<
  number | null
>`(
  select case when bool_and(m.${sql.ref(column)} is not null) then max(m.${sql.ref(column)}) end
  from lab_test_markers tm join markers m on m.id = tm.marker_id
  where tm.environment_id = lab_tests.environment_id and tm.lab_test_id = lab_tests.id
)`

const COLUMNS = [
  'environment_id',
  'id',
  'lab_id',
  'slug',
  'name',
  'description',
  'method',
  'sample_type',
  'price_cents',
  'status',
  'fasting',
  'auto_generated',
  'combination',
  'created_at',
  'updated_at',
] as const

/** Returns tests by id, unsorted; unknown ids and those of other environments are left out. */
export function listLabTestsByIds(
  { db, environment }: Scope,
  labTestIds: readonly string[],
): Promise<TimedLabTestRow[]> {
  return prepared(db)
    .selectFrom('lab_tests')
    .select(COLUMNS)
    .select([
      longestTurnaround('common_tat_days').as('common_tat_days'),
      longestTurnaround('worst_case_tat_days').as('worst_case_tat_days'),
    ])
    .where('environment_id', '=', environment.id)
    .where('id', '=', anyOfIds(labTestIds))
    .execute()
}

/** Returns the markers of tests, each test's in its own order. */
export function listLabTestMarkers(
  { db, environment }: Scope,
  labTestIds: readonly string[],
): Promise<{ lab_test_id: string; marker_id: number }[]> {
  return db
    .selectFrom('lab_test_markers')
    .select(['lab_test_id', 'marker_id'])
    .where('environment_id', '=', environment.id)
    .where(sql<boolean>`lab_test_id = any(${[...labTestIds]}::uuid[])`)
    .orderBy(sql`array_position(${[...labTestIds]}::uuid[], lab_test_id)`)
    .orderBy('position')
    .execute()
}

/** Returns an expression for the ids of the laboratories of tests. */
export const labIdsOfTests = ({ db, environment }: Scope, labTestIds: readonly string[]) =>
  db
    .selectFrom('lab_tests')
    .select('lab_tests.lab_id')
    .where('lab_tests.environment_id', '=', environment.id)
    .where(sql<boolean>`lab_tests.id = any(${[...labTestIds]}::uuid[])`)

/** Returns the laboratories of tests, by id. */
export function listLabsOfTests(scope: Scope, labTestIds: readonly string[]): Promise<LabRow[]> {
  return prepared(scope.db)
    .selectFrom('labs')
    .select(LAB_COLUMNS)
    .where('labs.id', 'in', labIdsOfTests(scope, labTestIds))
    .orderBy('labs.id')
    .execute()
}

/** Returns the markers of tests in the order of the tests; one of several tests is repeated. */
export function listMarkersOfTests(
  { db, environment }: Scope,
  labTestIds: readonly string[],
): Promise<PlainMarker[]> {
  return prepared(db)
    .selectFrom('markers')
    .select(MARKER_COLUMNS)
    .innerJoin('lab_test_markers as held', 'held.marker_id', 'markers.id')
    .where('held.environment_id', '=', environment.id)
    .where(sql<boolean>`held.lab_test_id = any(${[...labTestIds]}::uuid[])`)
    .orderBy(sql`array_position(${[...labTestIds]}::uuid[], held.lab_test_id)`)
    .orderBy('held.position')
    .execute()
}

/**
 * Changes a test. With `from`, only a test in one of these statuses. Returns false when there is
 * none.
 */
export async function updateLabTest(
  { db, environment }: Scope,
  labTestId: string,
  change: { name?: string; status?: LabTestStatus; updated_at: Date },
  from?: readonly LabTestStatus[],
): Promise<boolean> {
  let query = db
    .updateTable('lab_tests')
    .set(change)
    .where('environment_id', '=', environment.id)
    .where('id', '=', labTestId)
  if (from !== undefined) query = query.where('status', 'in', [...from])
  return (await query.returning('id').executeTakeFirst()) !== undefined
}

export type NewLabTest = Omit<LabTestRow, 'environment_id'>

/**
 * Stores a test with its markers, in one statement. Returns undefined when the environment already
 * has a test of the same combination.
 */
export async function insertLabTest(
  { db, environment }: Scope,
  test: NewLabTest,
  markerIds: readonly number[],
): Promise<LabTestRow | undefined> {
  const { combination } = test
  const made = await db
    .with('made', (make) =>
      make
        .insertInto('lab_tests')
        .values({ ...test, environment_id: environment.id })
        .onConflict((conflict) =>
          conflict
            .columns(['environment_id', 'combination'])
            .where('combination', 'is not', null)
            .doNothing(),
        )
        .returningAll(),
    )
    .with('held', (hold) =>
      hold
        .insertInto('lab_test_markers')
        .columns(['environment_id', 'lab_test_id', 'marker_id', 'position'])
        .expression((select) =>
          select
            .selectFrom('made')
            .innerJoin(
              sql<{ marker_id: number; position: number }>`
                unnest(${[...markerIds]}::integer[]) with ordinality`.as<'listed'>(
                sql`listed (marker_id, position)`,
              ),
              (join) => join.onTrue(),
            )
            .select(['made.environment_id', 'made.id', 'listed.marker_id', 'listed.position']),
        )
        .returning('marker_id'),
    )
    .selectFrom('made')
    .selectAll()
    .executeTakeFirst()
  if (made === undefined && combination === null) throw new Error('A lab test was not stored.')
  return made
}

/** Returns which of these combinations the environment already has tests for. */
export async function listKnownCombinations(
  { db, environment }: Scope,
  combinations: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('lab_tests')
    .select('combination')
    .where('environment_id', '=', environment.id)
    .where(sql<boolean>`combination = any(${[...combinations]}::text[])`)
    .execute()
  return rows.flatMap(({ combination }) => combination ?? [])
}

/**
 * Returns the generated test for a combination of markers and a method; an environment has at most
 * one.
 */
export function findLabTestByCombination(
  { db, environment }: Scope,
  combination: string,
): Promise<LabTestRow | undefined> {
  return db
    .selectFrom('lab_tests')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('combination', '=', combination)
    .executeTakeFirst()
}
