import type { LabTestRow } from '../lab-tests/lab-tests.repository.ts'
import type { LabTestPricing, MarkerPricing, Price } from './pricing.schema.ts'

/** The price of a marker. */
export interface PricedMarker {
  id: number
  price_cents: number | null
}

/** Returns the price as decimal text in dollars. */
export function formatPrice(priceCents: number | null): string {
  return priceCents === null ? 'N/A' : (priceCents / 100).toFixed(2)
}

function toPrice(priceCents: number | null): Price {
  return priceCents === null
    ? { unspecified: 'price_unavailable' }
    : { base_amount_minor: priceCents, modifiers: null }
}

function pricesOf(markers: readonly PricedMarker[]): Record<string, Price> {
  return Object.fromEntries(markers.map(({ id, price_cents: price }) => [id, toPrice(price)]))
}

/** Returns prices in cents by marker id; `price_unavailable` for a marker without a price. */
export function priceMarkers(markers: readonly PricedMarker[]): MarkerPricing {
  return { currency: 'USD', data: pricesOf(markers) }
}

/**
 * Returns the prices of tests, each with those of its markers. A stored 0 with an unpriced marker
 * means no price.
 */
export function priceLabTests(
  tests: readonly (Pick<LabTestRow, 'id' | 'price_cents'> & { markers: readonly PricedMarker[] })[],
): LabTestPricing {
  const entries = tests.map(({ id, price_cents: price, markers }) => {
    const isUnpriced = price === 0 && markers.some((marker) => marker.price_cents === null)
    const pricing = toPrice(isUnpriced ? null : price)
    return [id, { pricing, marker_breakdown: pricesOf(markers) }]
  })
  return { currency: 'USD', data: Object.fromEntries(entries) }
}
