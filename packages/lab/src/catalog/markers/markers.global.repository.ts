import type { CollectionMethod } from '@salus/contracts/order-lifecycle'
import type { Database, Db } from '@salus/kernel/postgres/database'
import { prepared } from '@salus/kernel/postgres/prepared-statements'
import type { EnvironmentKind } from '@salus/kernel/scope'
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { MarkersTable } from '../lab-catalog.tables.ts'
import { acceptsOrdersOf } from '../labs/labs.global.repository.ts'

/** An expected result of a marker. */
export interface OrderedResult {
  id: number
  name: string
  slug: string
  provider_id: string | null
  required: boolean
  unit: string | null
  loinc: { id: number; code: string; slug: string; name: string; unit: string | null } | null
}

/** A marker as responses show it, without its expected results. */
export type PlainMarker = Pick<
  Selectable<MarkersTable>,
  | 'id'
  | 'lab_id'
  | 'provider_id'
  | 'name'
  | 'slug'
  | 'description'
  | 'type'
  | 'unit'
  | 'is_orderable'
  | 'a_la_carte_enabled'
  | 'price_cents'
  | 'sample_type'
  | 'questions'
  | 'specimens'
  | 'common_tat_days'
  | 'worst_case_tat_days'
  | 'reflex_of'
>

/** A marker with all data for an order, its requisition and its response. */
export type OrderedMarker = PlainMarker & { expected_results: OrderedResult[] }

export const MARKER_COLUMNS = [
  'markers.id',
  'markers.lab_id',
  'markers.provider_id',
  'markers.name',
  'markers.slug',
  'markers.description',
  'markers.type',
  'markers.unit',
  'markers.is_orderable',
  'markers.a_la_carte_enabled',
  'markers.price_cents',
  'markers.sample_type',
  'markers.questions',
  'markers.specimens',
  'markers.common_tat_days',
  'markers.worst_case_tat_days',
  'markers.reflex_of',
] as const

const expectedResults = sql<OrderedResult[]>`coalesce((
  select json_agg(
    json_build_object(
      'id', e.id, 'name', e.name, 'slug', e.slug, 'provider_id', e.provider_id,
      'required', e.required, 'unit', e.unit,
      'loinc', case when l.id is not null then json_build_object(
        'id', l.id, 'code', l.code, 'slug', l.slug, 'name', l.name, 'unit', l.unit
      ) end
    )
    order by e.position
  )
  from expected_results e left join loincs l on l.id = e.loinc_id
  where e.marker_id = markers.id
), '[]'::json)`.as('expected_results')

function selectMarkers(db: Db): SelectQueryBuilder<Database, 'markers', OrderedMarker> {
  return db.selectFrom('markers').select(MARKER_COLUMNS).select(expectedResults)
}

/**
 * Returns markers in order of the ids; unknown ids are left out. Old orders may have inactive
 * markers.
 */
export function listOrderedMarkers(db: Db, markerIds: readonly number[]): Promise<OrderedMarker[]> {
  return selectMarkers(prepared(db))
    .where(sql<boolean>`markers.id = any(${[...markerIds]}::integer[])`)
    .orderBy(sql`array_position(${[...markerIds]}::integer[], markers.id)`)
    .execute()
}

/** Returns markers without their results, unsorted. */
export function listPlainMarkers(db: Db, markerIds: readonly number[]): Promise<PlainMarker[]> {
  return db
    .selectFrom('markers')
    .select(MARKER_COLUMNS)
    .where(sql<boolean>`markers.id = any(${[...markerIds]}::integer[])`)
    .execute()
}

/** Returns the ids of the markers that insurers do not cover in a state, unsorted. */
export async function listUninsuredMarkerIds(
  db: Db,
  markerIds: readonly number[],
  state: string,
): Promise<number[]> {
  const rows = await db
    .selectFrom('markers')
    .select('id')
    .where(sql<boolean>`id = any(${[...markerIds]}::integer[])`)
    .where(sql<boolean>`${state} <> all(insurance_states)`)
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the marker with a lab's own code; undefined when the marker or the lab is not in use. */
export function findMarkerByCode(
  db: Db,
  environment: EnvironmentKind,
  labId: number,
  providerId: string,
): Promise<PlainMarker | undefined> {
  return db
    .selectFrom('markers')
    .innerJoin('labs', 'labs.id', 'markers.lab_id')
    .select(MARKER_COLUMNS)
    .where(acceptsOrdersOf(environment))
    .where('markers.is_active', '=', true)
    .where('markers.lab_id', '=', labId)
    .where('markers.provider_id', '=', providerId)
    .executeTakeFirst()
}

/** Returns the reflex markers of these markers, in order of the ids. */
export function listReflexMarkers(db: Db, markerIds: readonly number[]): Promise<OrderedMarker[]> {
  return selectMarkers(prepared(db))
    .where(sql<boolean>`markers.reflex_of = any(${[...markerIds]}::integer[])`)
    .where('markers.is_active', '=', true)
    .orderBy(sql`array_position(${[...markerIds]}::integer[], markers.reflex_of)`)
    .orderBy('markers.id')
    .execute()
}

/** Keys of markers: our ids, or the laboratories' codes. */
export type MarkerKeys = { ids: readonly number[] } | { providerIds: readonly string[] }

/**
 * Returns markers that can be ordered now, of all labs that accept orders of the environment, by
 * lab and id.
 */
export function listOrderableMarkers(
  db: Db,
  environment: EnvironmentKind,
  keys: MarkerKeys,
): Promise<OrderedMarker[]> {
  const isMeant =
    'ids' in keys
      ? sql<boolean>`markers.id = any(${[...keys.ids]}::integer[])`
      : sql<boolean>`markers.provider_id = any(${[...keys.providerIds]}::text[])`
  return selectMarkers(db)
    .innerJoin('labs', 'labs.id', 'markers.lab_id')
    .where(acceptsOrdersOf(environment))
    .where('markers.is_active', '=', true)
    .where('markers.is_orderable', '=', true)
    .where(isMeant)
    .orderBy('markers.lab_id')
    .orderBy('markers.id')
    .execute()
}

/** Returns markers that can be ordered now by lab and slug, unsorted; others are left out. */
export function listMarkersBySlug(
  db: Db,
  slugs: readonly { labSlug: string; slug: string }[],
): Promise<(OrderedMarker & { lab_slug: string })[]> {
  const wanted = sql`unnest(
    ${slugs.map(({ labSlug }) => labSlug)}::text[], ${slugs.map(({ slug }) => slug)}::text[]
  )`
  return selectMarkers(db)
    .innerJoin('labs', 'labs.id', 'markers.lab_id')
    .select('labs.slug as lab_slug')
    .where('labs.is_enabled', '=', true)
    .where('markers.is_active', '=', true)
    .where('markers.is_orderable', '=', true)
    .where(sql<boolean>`(labs.slug, markers.slug) in (select * from ${wanted})`)
    .execute()
}

/** Returns markers for a first test: the most popular of each lab that supports the method. */
export function listPopularMarkers(
  db: Db,
  method: CollectionMethod,
  perLab: number,
): Promise<(PlainMarker & { popularity: number })[]> {
  return db
    .selectFrom('labs')
    .innerJoinLateral(
      (inner) =>
        inner
          .selectFrom('markers')
          .select([...MARKER_COLUMNS, 'markers.popularity'])
          .whereRef('markers.lab_id', '=', 'labs.id')
          .where('markers.is_active', '=', true)
          .where('markers.is_orderable', '=', true)
          .where('markers.provider_id', 'is not', null)
          .orderBy('markers.popularity', 'desc')
          .orderBy('markers.name')
          .orderBy('markers.id')
          .limit(perLab)
          .as('popular'),
      (join) => join.onTrue(),
    )
    .selectAll('popular')
    .where('labs.is_enabled', '=', true)
    .where(sql<boolean>`${method} = any(labs.collection_methods)`)
    .orderBy('labs.id')
    .orderBy('popular.popularity', 'desc')
    .orderBy('popular.name')
    .orderBy('popular.id')
    .execute()
}

/** Codes of a result message that identify the ordered tests. */
export interface ReportedCodes {
  /** Codes of orderables. */
  ordered: readonly string[]
  /** Codes of results, and their LOINC codes. */
  results: readonly string[]
  loincs: readonly string[]
}

/** Returns the orderable markers of a laboratory that a result message may belong to. */
export async function listMarkersOfMessage(
  db: Db,
  labId: number,
  { ordered, results, loincs }: ReportedCodes,
): Promise<number[]> {
  const rows = await db
    .selectFrom('markers')
    .select('markers.id')
    .where('markers.lab_id', '=', labId)
    .where('markers.is_active', '=', true)
    .where('markers.is_orderable', '=', true)
    .where(
      sql<boolean>`(
        markers.provider_id = any(${[...ordered]}::text[])
        or exists (
          select from expected_results e left join loincs l on l.id = e.loinc_id
          where e.marker_id = markers.id
            and (e.provider_id = any(${[...results]}::text[]) or l.code = any(${[...loincs]}::text[]))
        )
      )`,
    )
    .orderBy('markers.id')
    .execute()
  return rows.map(({ id }) => id)
}
