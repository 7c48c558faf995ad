import type { CatalogLoinc, CatalogMarker, MarkerDraft, SampleType } from '../../catalog/index.ts'
import type { Compendium, CompendiumTest } from '../reading/read-compendium.ts'
import { compareStates, type FieldChange, stateOf } from './marker-state.ts'
import { type CompendiumLab, toDraft } from './to-draft.ts'

/** A test that an import adds, changes or retires. */
export interface TestChange {
  kind: 'added' | 'changed' | 'retired'
  /** The laboratory's code; the slug of a test without one. */
  code: string
  name: string
  /** Undefined for a test that is added. */
  markerId: number | undefined
  /** Empty unless it is changed. */
  fields: FieldChange[]
}

export interface Plan {
  changes: TestChange[]
  /** Markers to write. */
  drafts: MarkerDraft[]
  /** Ids of markers that stay as they are. */
  kept: Set<number>
  /** LOINC codes that the installation does not have yet. */
  loincs: CatalogLoinc[]
  unchanged: number
}

/** What the catalog has of a laboratory. */
export interface CatalogOfLab {
  lab: CompendiumLab & { sample_types: readonly SampleType[] }
  markers: readonly CatalogMarker[]
  loincs: ReadonlyMap<string, CatalogLoinc>
}

/**
 * Compares a compendium with the catalog. Tests that it refuses stay as they are, and so do those
 * that it does not have when its files are changes only.
 */
export function planChanges(
  catalog: CatalogOfLab,
  compendium: Compendium,
  scope: 'full' | 'changes',
): Plan {
  const plan: Plan = { changes: [], drafts: [], kept: new Set(), loincs: [], unchanged: 0 }
  const known = new Map(catalog.markers.map((marker) => [marker.draft.provider_id, marker]))
  const written = new Set<number>()
  for (const test of compendium.tests.values()) {
    if (test.isRetired || compendium.refusals.codes.has(test.code)) continue
    const existing = known.get(test.code)
    const draft = draftOf(catalog, compendium, test, existing)
    if (draft === undefined) continue
    if (addTest(plan, draft, existing) && existing !== undefined) written.add(existing.id)
  }
  for (const marker of catalog.markers) {
    if (written.has(marker.id)) continue
    if (isGone(marker, compendium, scope)) retire(plan, marker)
    else plan.kept.add(marker.id)
  }
  plan.loincs = findNewLoincs(plan.drafts, catalog.loincs)
  return plan
}

/** Returns the marker of a test, or refuses a test whose specimen the laboratory does not take. */
function draftOf(
  { lab, loincs }: CatalogOfLab,
  { refusals }: Compendium,
  test: CompendiumTest,
  existing: CatalogMarker | undefined,
): MarkerDraft | undefined {
  const { sample_type: sampleType, ...draft } = toDraft(lab, test, existing?.draft, loincs)
  const path = `${test.place}, sample_type`
  if (sampleType === undefined) refusals.add(test.code, path, 'The test has no sample type.')
  else if (lab.sample_types.includes(sampleType)) return { ...draft, sample_type: sampleType }
  else refusals.add(test.code, path, `The lab does not take ${sampleType}.`)
  return undefined
}

/** Returns whether the marker has to be written. */
function addTest(plan: Plan, draft: MarkerDraft, existing: CatalogMarker | undefined): boolean {
  const { provider_id: code, name } = draft
  const change = { code: code ?? '', name, markerId: existing?.id }
  if (existing === undefined) plan.changes.push({ kind: 'added', ...change, fields: [] })
  else {
    const fields = compareStates(stateOf(existing.draft), stateOf(draft))
    if (!existing.isActive) fields.unshift({ field: 'is_active', before: 'false', after: 'true' })
    if (fields.length === 0) {
      plan.unchanged++
      return false
    }
    plan.changes.push({ kind: 'changed', ...change, fields })
  }
  plan.drafts.push(draft)
  return true
}

function isGone(
  { draft, isActive }: CatalogMarker,
  { tests, refusals }: Compendium,
  scope: 'full' | 'changes',
): boolean {
  const code = draft.provider_id ?? ''
  if (!isActive || refusals.codes.has(code)) return false
  const test = tests.get(code)
  return test === undefined ? scope === 'full' : test.isRetired
}

function retire(plan: Plan, { id, draft }: CatalogMarker): void {
  const { provider_id: code, slug, name } = draft
  plan.changes.push({ kind: 'retired', code: code ?? slug, name, markerId: id, fields: [] })
}

/** A code that is new gets the name of its first result, until the LOINC table is loaded. */
function findNewLoincs(
  drafts: readonly MarkerDraft[],
  known: ReadonlyMap<string, CatalogLoinc>,
): CatalogLoinc[] {
  const found = new Map<string, CatalogLoinc>()
  for (const { loincCode: code, name } of drafts.flatMap(({ results }) => results)) {
    if (code !== null && !known.has(code) && !found.has(code)) found.set(code, { code, name })
  }
  return [...found.values()]
}
