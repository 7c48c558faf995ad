import { priceMarkers } from '../pricing/prices.ts'
import { toMarkerComplete } from './marker.presenter.ts'
import type { OrderedMarker } from './markers.global.repository.ts'
import type { MarkerPage, PageQuery } from './markers.schema.ts'

/** Returns a page of a complete list. */
export function slicePage<T>(items: readonly T[], { page, size }: PageQuery): T[] {
  return items.slice((page - 1) * size, page * size)
}

/** Returns the response of the endpoints that list markers. */
export function toMarkerPage(
  markers: readonly OrderedMarker[],
  total: number,
  { page, size }: PageQuery,
  includePricing = false,
): MarkerPage {
  return {
    markers: markers.map(toMarkerComplete),
    total,
    page,
    size,
    pages: Math.ceil(total / size),
    pricing: includePricing ? priceMarkers(markers) : null,
  }
}
