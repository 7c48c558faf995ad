import type { ExpectedResult, Marker, MarkerComplete } from '../lab-catalog.schema.ts'
import { formatPrice } from '../pricing/prices.ts'
import type { OrderedMarker, OrderedResult, PlainMarker } from './markers.global.repository.ts'

/**
 * Returns the wire object of a marker: the price is text in dollars, and the name replaces a
 * missing description.
 */
export function toMarker(row: PlainMarker): Marker {
  const { id, name, slug, description, lab_id, provider_id, type, unit, questions } = row
  const { a_la_carte_enabled, common_tat_days, worst_case_tat_days, is_orderable } = row
  return {
    id,
    name,
    slug,
    // Clients expect a text.
    description: description ?? name,
    lab_id,
    provider_id,
    type,
    unit,
    price: formatPrice(row.price_cents),
    aoe: questions === null || questions.length === 0 ? null : { questions },
    a_la_carte_enabled,
    common_tat_days,
    worst_case_tat_days,
    is_orderable,
  }
}

/** Returns the wire object of a marker with its expected results. */
export function toMarkerComplete(row: OrderedMarker): MarkerComplete {
  const results = row.expected_results.map((result) => toExpectedResult(result, row.lab_id))
  return { ...toMarker(row), expected_results: results, specimens: row.specimens }
}

function toExpectedResult(result: OrderedResult, labId: number): ExpectedResult {
  const { id, name, slug, provider_id, required, loinc, unit } = result
  return { id, name, slug, lab_id: labId, provider_id, required, loinc, unit }
}
