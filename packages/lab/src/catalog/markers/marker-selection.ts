import type { AppError } from '@salus/kernel/errors'
import type { Db } from '@salus/kernel/postgres/database'
import type { EnvironmentKind } from '@salus/kernel/scope'
import { markerNotFound } from '../catalog-errors.ts'
import {
  listOrderableMarkers,
  type MarkerKeys,
  type OrderedMarker,
} from './markers.global.repository.ts'

/** Rules for the laboratory of the selected markers. */
export interface LabRule {
  /** The only lab whose markers may be selected. */
  onlyLabId?: number | undefined
  /** Returns the refusal of markers that only another lab has. */
  otherLab: () => AppError
  /** The preferred lab when several have the codes; markers of other labs are refused. */
  sameLabId?: number | undefined
  /** Returns the refusal of markers of several labs, or of codes whose lab is ambiguous. */
  severalLabs: () => AppError
}

/**
 * Returns the markers that a request names, in its order, without duplicates, all of one lab.
 * @throws AppError 404 `marker_not_found` for an unknown marker or one that cannot be ordered
 */
export async function pickMarkers(
  db: Db,
  environment: EnvironmentKind,
  keys: MarkerKeys,
  { onlyLabId, sameLabId, otherLab, severalLabs }: LabRule,
): Promise<OrderedMarker[]> {
  const wanted: unknown[] = [...new Set<unknown>('ids' in keys ? keys.ids : keys.providerIds)]
  const keyOf = (marker: OrderedMarker): unknown => ('ids' in keys ? marker.id : marker.provider_id)
  const found = await listOrderableMarkers(db, environment, keys)
  const known = new Set(found.map(keyOf))
  if (!wanted.every((key) => known.has(key))) throw markerNotFound()

  const whole = [...Map.groupBy(found, ({ lab_id: labId }) => labId).values()].filter(
    (ofLab) => new Set(ofLab.map(keyOf)).size === wanted.length,
  )
  const isOf = (labId: number) => whole.filter(([first]) => first?.lab_id === labId)
  const allowed = onlyLabId === undefined ? whole : isOf(onlyLabId)
  if (allowed.length === 0 && whole.length > 0) throw otherLab()
  const candidates =
    sameLabId === undefined ? allowed : allowed.filter(([first]) => first?.lab_id === sameLabId)
  const [chosen, ...others] = candidates
  if (chosen === undefined || others.length > 0) throw severalLabs()
  const byKey = new Map(chosen.map((marker) => [keyOf(marker), marker]))
  return wanted.flatMap((key) => byKey.get(key) ?? [])
}
