import type { Db } from '@salus/kernel/postgres/database'
import { EXPECTED_RESULTS_MERGE, MARKERS_MERGE } from './catalog-columns.registry.ts'
import type { Catalog, CatalogImportSummary, Changes } from './catalog-format.schema.ts'
import * as repository from './catalog-loading.global.repository.ts'
import type { MarkerDraft } from './resolve-catalog.ts'

/** Number of markers whose results are sent in one batch. */
const BATCH_MARKERS = 5000

type MarkerReport = Pick<CatalogImportSummary, 'markers' | 'deactivated' | 'expected_results'>

/** A marker with its ids in the database. */
interface KnownMarker {
  id: number
  labId: number
  draft: MarkerDraft
}

/**
 * Replaces the markers of a catalog's laboratories, parents of reflex markers first. Known markers
 * keep their ids; they are recognized by the laboratory's code, or by the slug without one. A
 * laboratory with a compendium keeps its markers when the catalog has none of it.
 */
export async function mergeMarkers(
  db: Db,
  { labs, orderables = {} }: Catalog,
  drafts: readonly MarkerDraft[],
): Promise<MarkerReport> {
  const slugs = new Set(labs.map(({ slug }) => slug))
  const replaced = (await repository.listLabIds(db)).filter(
    ({ slug, has_compendium: hasCompendium }) =>
      slugs.has(slug) && (!hasCompendium || Object.hasOwn(orderables, slug)),
  )
  const labIds = new Map(replaced.map(({ id, slug }) => [slug, id]))
  return writeMarkers(db, labIds, drafts)
}

/**
 * Writes the markers of laboratories, and deactivates their other ones.
 * @param kept Ids of markers that stay as they are.
 */
export async function writeMarkers(
  db: Db,
  labIds: ReadonlyMap<string, number>,
  drafts: readonly MarkerDraft[],
  kept: ReadonlySet<number> = new Set(),
): Promise<MarkerReport> {
  const there = await repository.listMarkerKeys(db, [...labIds.values()])
  const known = new Map(there.map((marker) => [keyOf(marker.lab_id, marker), marker.id]))
  const markers = await identify(db, labIds, known, drafts)
  const written = new Set(markers.map(({ id }) => id))
  const gone = there.filter(
    ({ id, is_active: isActive }) => isActive && !written.has(id) && !kept.has(id),
  )
  if (gone.length > 0) {
    await repository.deactivateMarkers(
      db,
      gone.map(({ id }) => id),
    )
  }
  const changes = await repository.mergeRows(db, MARKERS_MERGE, toMarkerRows(markers, known))
  const results = await mergeResults(db, markers)
  return { markers: changes, deactivated: gone.length, expected_results: results }
}

function keyOf(labId: number, marker: { provider_id: string | null; slug: string }): string {
  const { provider_id: providerId, slug } = marker
  return providerId === null ? `${labId} slug ${slug}` : `${labId} code ${providerId}`
}

/** Finds the ids of markers, and reserves those of new ones. */
async function identify(
  db: Db,
  labIds: ReadonlyMap<string, number>,
  known: ReadonlyMap<string, number>,
  drafts: readonly MarkerDraft[],
): Promise<KnownMarker[]> {
  const keyed = drafts.map((draft) => {
    const labId = labIds.get(draft.labSlug) ?? 0
    return { draft, labId, id: known.get(keyOf(labId, draft)) }
  })
  const newCount = keyed.filter(({ id }) => id === undefined).length
  const newIds = newCount === 0 ? [] : await repository.reserveMarkerIds(db, newCount)
  let next = 0
  return keyed.map(({ draft, labId, id }) => ({ draft, labId, id: id ?? newIds[next++] ?? 0 }))
}

function toMarkerRows(markers: readonly KnownMarker[], known: ReadonlyMap<string, number>) {
  const own = markers.map(({ id, labId, draft }) => [keyOf(labId, draft), id] as const)
  const ids = new Map([...known, ...own])
  return markers.map(({ id, labId, draft }) => {
    const { labSlug: _lab, reflexOf, results: _results, ...row } = draft
    const parent = { provider_id: reflexOf, slug: '' }
    const reflexId = reflexOf === null ? null : (ids.get(keyOf(labId, parent)) ?? null)
    return { ...row, id, lab_id: labId, is_active: true, reflex_of: reflexId }
  })
}

async function mergeResults(db: Db, markers: readonly KnownMarker[]): Promise<Changes> {
  const loincIds = new Map((await repository.listLoincs(db)).map(({ id, code }) => [code, id]))
  const total = { inserted: 0, updated: 0, unchanged: 0 }
  for (let start = 0; start < markers.length; start += BATCH_MARKERS) {
    const batch = markers.slice(start, start + BATCH_MARKERS)
    const rows = batch.flatMap(({ id, draft }) =>
      draft.results.map(({ loincCode, ...result }) => ({
        ...result,
        marker_id: id,
        loinc_id: loincIds.get(loincCode ?? '') ?? null,
      })),
    )
    const markerIds = batch.map(({ id }) => id)
    await repository.deleteStaleResults(db, markerIds, rows)
    const changes = await repository.mergeRows(db, EXPECTED_RESULTS_MERGE, rows)
    total.inserted += changes.inserted
    total.updated += changes.updated
    total.unchanged += changes.unchanged
  }
  return total
}
