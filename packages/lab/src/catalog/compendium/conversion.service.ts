import { invalidInput, notFoundCode } from '@salus/kernel/errors'
import type { Db } from '@salus/kernel/postgres/database'
import type { EnvironmentKind, Scope } from '@salus/kernel/scope'
import { labTestNotFound } from '../catalog-errors.ts'
import { listLabTestMarkers, listLabTestsByIds } from '../lab-tests/lab-tests.repository.ts'
import { findLabBySlug, isLabOpen, type LabRow } from '../labs/labs.global.repository.ts'
import { findCandidates, rankCandidates } from './candidates.ts'
import * as repository from './compendium.global.repository.ts'
import type {
  CompendiumConversion,
  CompendiumLab,
  ConversionAnswer,
  OrderableTests,
  OrderableTestsSearch,
  PerLabCandidate,
} from './compendium.schema.ts'

/** A candidate with a lower confidence does not replace the source. */
const LEAST_CONFIDENCE = 0.3
const LOOKED_AT = 50

/** A code to convert; `marker` is undefined when no lab knows the code. */
interface Source {
  providerId: string
  marker: repository.CandidateRow | undefined
}

/**
 * Finds what another lab offers for a saved test, or for codes of a lab.
 * @throws InputError 422 unless exactly one of the two is given; AppError 404 `lab_test_not_found`,
 *   `lab_not_found`
 */
export async function convertTests(
  scope: Scope,
  request: CompendiumConversion,
): Promise<ConversionAnswer> {
  const { db, environment } = scope
  const { lab_test_id: labTestId, provider_ids: providerIds, target_lab, limit } = request
  const hasCodes = providerIds != null && providerIds.length > 0
  if ((labTestId != null) === hasCodes) {
    throw invalidInput(['body', 'lab_test_id'], 'Give lab_test_id or provider_ids', 'one_of')
  }
  const target = await getTargetLab(db, environment.kind, target_lab)
  const { sources, labId } = labTestId
    ? await listSourcesOfTest(scope, labTestId)
    : await listSourcesByCode(db, environment.kind, providerIds ?? [])
  const candidates = await listCandidatesBySource(db, target, sources, limit)
  const bestOf = (providerId: string) => candidates.get(providerId)?.[0]?.provider_id
  const sourceIds = sources.map((source) => source.providerId)
  return {
    source_lab_test_id: labTestId?.toLowerCase() ?? null,
    source_lab_id: labId,
    target_lab_id: target.id,
    target_lab_slug: target.slug,
    source_provider_ids: sourceIds,
    converted_provider_ids: sourceIds.flatMap((id) => bestOf(id) ?? []),
    unresolved_provider_ids: sourceIds.filter((id) => bestOf(id) == null),
    by_source_provider_id: Object.fromEntries(
      sourceIds.map((id) => [id, { source_provider_id: id, candidates: candidates.get(id) ?? [] }]),
    ),
  }
}

/** Finds what a lab offers for each code of any lab. @throws AppError 404 `lab_not_found` */
export async function searchOrderableTests(
  { db, environment }: Scope,
  { provider_ids: providerIds, target_lab, per_provider_limit: limit }: OrderableTestsSearch,
): Promise<OrderableTests> {
  const target = await getTargetLab(db, environment.kind, target_lab)
  const { sources } = await listSourcesByCode(db, environment.kind, providerIds)
  return {
    candidates: Object.fromEntries(await listCandidatesBySource(db, target, sources, limit)),
  }
}

async function getTargetLab(
  db: Db,
  environment: EnvironmentKind,
  slug: CompendiumLab,
): Promise<LabRow> {
  const lab = await findLabBySlug(db, slug)
  if (lab !== undefined && isLabOpen(lab, environment)) return lab
  throw notFoundCode('lab_not_found')
}

interface Sources {
  sources: Source[]
  /** Null when the lab cannot be determined from the codes. */
  labId: number | null
}

async function listSourcesOfTest(scope: Scope, labTestId: string): Promise<Sources> {
  const { db } = scope
  const [test] = await listLabTestsByIds(scope, [labTestId])
  if (test === undefined) throw labTestNotFound()
  const held = await listLabTestMarkers(scope, [test.id])
  const markerIds = held.map(({ marker_id: markerId }) => markerId)
  const markers = await repository.listMarkersOfIds(db, markerIds)
  const sources = markers.flatMap((marker) =>
    marker.provider_id === null ? [] : [{ providerId: marker.provider_id, marker }],
  )
  return { sources, labId: test.lab_id }
}

/**
 * A code of several labs counts for the lab that has all of the codes, or else for the most popular
 * marker.
 */
async function listSourcesByCode(
  db: Db,
  environment: EnvironmentKind,
  providerIds: readonly string[],
): Promise<Sources> {
  const wanted = [...new Set(providerIds)]
  const known = await repository.listMarkersByCode(db, environment, wanted)
  const byLab = Map.groupBy(known, (marker) => marker.lab_id)
  const whole = [...byLab].filter(([, markers]) => markers.length === wanted.length)
  const labId = whole.length === 1 ? (whole[0]?.[0] ?? null) : null
  const sources = wanted.map((providerId) => ({
    providerId,
    marker: known.find(
      (marker) => marker.provider_id === providerId && (labId === null || marker.lab_id === labId),
    ),
  }))
  return { sources, labId }
}

async function listCandidatesBySource(
  db: Db,
  target: LabRow,
  sources: readonly Source[],
  limit: number,
): Promise<Map<string, PerLabCandidate[]>> {
  const markers = sources.map(({ marker }) => marker).filter((marker) => marker !== undefined)
  const found = await findCandidates(db, [target.id], markers, LOOKED_AT)
  return new Map(
    sources.map(({ providerId, marker }) => {
      if (marker === undefined) return [providerId, []]
      const near = found[markers.indexOf(marker)] ?? []
      const orderable = near.filter((row) => row.provider_id !== null)
      const ranked = rankCandidates(marker, orderable, LOOKED_AT)
      const fitting = ranked.filter(({ confidence }) => confidence >= LEAST_CONFIDENCE)
      return [providerId, fitting.slice(0, limit)]
    }),
  )
}
