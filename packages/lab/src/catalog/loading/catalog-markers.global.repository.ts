import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'
import type { LabRow } from '../labs/labs.global.repository.ts'
import type { MarkerDraft, ResultDraft } from './resolve-catalog.ts'

/** A marker as it would be loaded again. */
export interface CatalogMarker {
  id: number
  isActive: boolean
  draft: MarkerDraft
}

const results = sql<ResultDraft[]>`coalesce((
  select json_agg(
    json_build_object(
      'position', e.position, 'name', e.name, 'slug', e.slug, 'provider_id', e.provider_id,
      'required', e.required, 'unit', e.unit, 'loincCode', l.code
    )
    order by e.position
  )
  from expected_results e left join loincs l on l.id = e.loinc_id
  where e.marker_id = markers.id
), '[]'::json)`

/** Returns all markers of a laboratory, also those that it no longer offers, by id. */
export async function listMarkersOfLab(
  db: Db,
  { id: labId, slug: labSlug }: Pick<LabRow, 'id' | 'slug'>,
): Promise<CatalogMarker[]> {
  const rows = await db
    .selectFrom('markers')
    .leftJoin('markers as parent', 'parent.id', 'markers.reflex_of')
    .selectAll('markers')
    .select(['parent.provider_id as reflexOf', results.as('results')])
    .where('markers.lab_id', '=', labId)
    .orderBy('markers.id')
    .execute()
  return rows.map(({ id, lab_id: _lab, is_active: isActive, reflex_of: _reflex, ...draft }) => ({
    id,
    isActive,
    draft: { labSlug, ...draft },
  }))
}

/** A test of a team, with those of some markers that it has. */
export interface TestOfMarkers {
  team_id: string
  environment: 'sandbox' | 'production'
  lab_test_id: string
  name: string
  marker_ids: number[]
}

/** Returns the tests of living teams that have one of these markers and can be ordered. */
export function listTestsOfMarkers(db: Db, markerIds: readonly number[]): Promise<TestOfMarkers[]> {
  return db
    .selectFrom('lab_test_markers as held')
    .innerJoin('lab_tests', (join) =>
      join
        .onRef('lab_tests.environment_id', '=', 'held.environment_id')
        .onRef('lab_tests.id', '=', 'held.lab_test_id'),
    )
    .innerJoin('team_environments', 'team_environments.id', 'held.environment_id')
    .innerJoin('teams', 'teams.id', 'team_environments.team_id')
    .select([
      'team_environments.team_id',
      'team_environments.environment',
      'lab_tests.id as lab_test_id',
      'lab_tests.name',
      sql<number[]>`array_agg(held.marker_id order by held.marker_id)`.as('marker_ids'),
    ])
    .where('teams.deleted_at', 'is', null)
    .where('lab_tests.status', '<>', 'inactive')
    .where('lab_tests.auto_generated', '=', false)
    .where(sql<boolean>`held.marker_id = any(${[...markerIds]}::integer[])`)
    .groupBy([
      'team_environments.team_id',
      'team_environments.environment',
      'lab_tests.id',
      'lab_tests.name',
    ])
    .orderBy('team_environments.team_id')
    .orderBy('team_environments.environment')
    .orderBy('lab_tests.id')
    .execute()
}

/** Records that the tests of a laboratory came from its compendium. */
export async function recordCompendiumOfLab(db: Db, labId: number): Promise<void> {
  await db
    .updateTable('labs')
    .set({ has_compendium: true })
    .where('id', '=', labId)
    .where('has_compendium', '=', false)
    .execute()
}
