import { COLLECTION_METHODS, type CollectionMethod } from '@salus/contracts/order-lifecycle'
import type { Db } from '@salus/kernel/postgres/database'
import type { Scope } from '@salus/kernel/scope'
import { findLab } from '../labs/labs.global.repository.ts'
import {
  listMarkersBySlug,
  listOrderedMarkers,
  listPopularMarkers,
  type PlainMarker,
} from '../markers/markers.global.repository.ts'
import { isFastingQuestion } from '../order-entry-questions/fasting-question.ts'
import { FAMILIAR_PANELS, type FamiliarPanel } from './familiar-panels.registry.ts'
import { insertLabTest, listKnownCombinations } from './lab-tests.repository.ts'
import { planLabTest } from './new-lab-test.ts'

const NAMES: Record<CollectionMethod, string> = {
  testkit: 'Starter testkit',
  walk_in_test: 'Starter walk-in test',
  at_home_phlebotomy: 'Starter at-home phlebotomy test',
  on_site_collection: 'Starter on-site collection test',
}
const MARKERS_OF_A_TEST = 3
/** Enough candidates that markers with questions can be skipped. */
const LOOKED_AT_PER_LAB = 30

const combinationOf = (method: CollectionMethod): string => `starting:${method}`
const combinationOfPanel = ({ key }: FamiliarPanel): string => `starting:panel:${key}`

/**
 * Creates the tests that a sandbox starts with: one for each collection method, of popular markers
 * without required questions, and the well-known panels. Tests that exist, also archived or renamed
 * ones, are skipped, so it can be called at any time and concurrently. Tests and panels whose
 * markers the catalog lacks are not created.
 */
export async function createStartingLabTests(scope: Scope, at: Date): Promise<void> {
  const combinations = [
    ...COLLECTION_METHODS.map(combinationOf),
    ...FAMILIAR_PANELS.map(combinationOfPanel),
  ]
  const known = new Set(await listKnownCombinations(scope, combinations))
  if (known.size === combinations.length) return
  const methods = COLLECTION_METHODS.filter((method) => !known.has(combinationOf(method)))
  for (const method of methods) await makeStartingLabTest(scope, method, at)
  const isMissing = (panel: FamiliarPanel): boolean => !known.has(combinationOfPanel(panel))
  await makeFamiliarPanels(scope, FAMILIAR_PANELS.filter(isMissing), at)
}

/** Creates the panels of which the laboratory offers all markers, none with a required question. */
async function makeFamiliarPanels(
  scope: Scope,
  panels: readonly FamiliarPanel[],
  at: Date,
): Promise<void> {
  const { db, environment } = scope
  const slugs = panels.flatMap(({ labSlug, markerSlugs }) =>
    markerSlugs.map((slug) => ({ labSlug, slug })),
  )
  const offered = (await listMarkersBySlug(db, slugs)).filter(needsNoAnswers)
  for (const [index, panel] of panels.entries()) {
    const { name, description, method, fasting, labSlug, markerSlugs } = panel
    const markers = markerSlugs.flatMap(
      (slug) => offered.find((one) => one.lab_slug === labSlug && one.slug === slug) ?? [],
    )
    const lab = markers[0] && (await findLab(db, markers[0].lab_id))
    const isWhole = markers.length === markerSlugs.length
    if (!isWhole || !lab?.collection_methods.includes(method)) continue
    const status = 'active' as const
    const plan = { lab, markers, name, description, method, fasting, status }
    // Lists are sorted by creation: the panels follow the simple tests in the order of the
    // registry.
    const createdAt = new Date(at.getTime() + index + 1)
    const combination = combinationOfPanel(panel)
    const test = planLabTest(environment, { ...plan, combination }, createdAt)
    const markerIds = markers.map(({ id }) => id)
    await insertLabTest(scope, test, markerIds)
  }
}

async function makeStartingLabTest(
  scope: Scope,
  method: CollectionMethod,
  at: Date,
): Promise<void> {
  const { db, environment } = scope
  const chosen = await choosePopularMarkers(db, method)
  const markerIds = chosen.map(({ id }) => id)
  const labId = chosen[0]?.lab_id
  const lab = labId === undefined ? undefined : await findLab(db, labId)
  if (lab === undefined) return
  const markers = await listOrderedMarkers(db, markerIds)
  const words = {
    name: NAMES[method],
    description: markers.map(({ name }) => name).join(', '),
  }
  const plan = { lab, markers, ...words, method, fasting: false, status: 'active' as const }
  const test = planLabTest(environment, { ...plan, combination: combinationOf(method) }, at)
  await insertLabTest(scope, test, markerIds)
}

/** Returns the most popular markers of the lab whose best markers are the most popular. */
async function choosePopularMarkers(
  db: Db,
  method: CollectionMethod,
): Promise<(PlainMarker & { popularity: number })[]> {
  const popular = await listPopularMarkers(db, method, LOOKED_AT_PER_LAB)
  const simple = popular.filter((marker) => isSimple(marker, method))
  const byLab = [...Map.groupBy(simple, ({ lab_id: labId }) => labId).values()]
  const best = byLab.map((markers) => markers.slice(0, MARKERS_OF_A_TEST))
  const weigh = (markers: { popularity: number }[]): number =>
    markers.reduce((sum, { popularity }) => sum + popularity, 0)
  return best.sort((a, b) => weigh(b) - weigh(a))[0] ?? []
}

/** Returns whether a marker has no required question and, for a kit, needs no blood draw. */
function isSimple(marker: PlainMarker, method: CollectionMethod): boolean {
  const needsTube = marker.sample_type === 'serum' && method === 'testkit'
  return !needsTube && needsNoAnswers(marker)
}

function needsNoAnswers({ questions }: PlainMarker): boolean {
  return !(questions ?? []).some(
    (question) => question.required && question.default === null && !isFastingQuestion(question),
  )
}
