import type { AppError } from '@salus/kernel/errors'
import type { Db } from '@salus/kernel/postgres/database'
import type { EnvironmentKind } from '@salus/kernel/scope'
import { markerNotFound } from '../catalog-errors.ts'
import {
  listOrderableMarkers,
  type MarkerKeys,
  type OrderedMarker,
} from './markers.global.repository.ts'

/** From which laboratory the markers are taken. */
export interface LabChoice {
  /** The only lab that counts. */
  onlyLabId?: number | undefined
  /** The refusal of markers that another lab has, and the only one that counts has not. */
  otherLab: () => AppError
  /** The lab to prefer where several know the codes; markers of another one are refused. */
  sameLabId?: number | undefined
  /** The refusal of markers that are not all of one lab, or whose lab the codes leave open. */
  severalLabs: () => AppError
}

/**
 * The markers that a request names, in its order and each once, all of one lab.
 * @throws AppError 404 `marker_not_found` for an unknown one and one that cannot be ordered
 */
export async function pickMarkers(
  db: Db,
  environment: EnvironmentKind,
  keys: MarkerKeys,
  { onlyLabId, sameLabId, otherLab, severalLabs }: LabChoice,
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
