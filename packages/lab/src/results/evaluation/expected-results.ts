import type { OrderedMarker, OrderedResult } from '../../catalog/index.ts'

/** Keys of a result: a laboratory's code, a LOINC code, a name. */
export interface ResultKey {
  name: string
  provider_id: string | null
  loinc: string | null
}

/** An ordered marker as results name it (docs/contract/13-results.md#biomarkerresult). */
export interface SourceMarker {
  marker_id: number
  name: string
  slug: string
  provider_id: string | null
}

/** A result that an order expects, or that a reflex marker may add. */
export interface Expectation {
  key: ResultKey
  slug: string
  loincSlug: string | null
  isRequired: boolean
  /** The ordered marker; for a reflex marker, the marker whose result triggers it. */
  marker: SourceMarker
}

/** Data that a result takes from its expectation. */
export interface Origin {
  slug: string
  loinc: string | null
  loincSlug: string | null
  /** Null for a result without an ordered marker. */
  markers: SourceMarker[] | null
}

type Markers = Pick<OrderedMarker, 'id' | 'name' | 'slug' | 'provider_id' | 'expected_results'>
type ReflexMarkers = Markers & Pick<OrderedMarker, 'reflex_of'>

/**
 * Returns the expected results of ordered markers, and the optional ones of their reflex markers.
 */
export function expectationsOf(
  ordered: readonly Markers[],
  reflexes: readonly ReflexMarkers[] = [],
): Expectation[] {
  const own = ordered.flatMap((marker) =>
    marker.expected_results.map((result) => toExpectation(result, marker, result.required)),
  )
  const added = reflexes.flatMap((reflex) => {
    const parent = ordered.find(({ id }) => id === reflex.reflex_of)
    if (parent === undefined) return []
    return reflex.expected_results.map((result) => toExpectation(result, parent, false))
  })
  return [...own, ...added]
}

function toExpectation(result: OrderedResult, marker: Markers, isRequired: boolean): Expectation {
  return {
    key: {
      name: result.name,
      provider_id: result.provider_id,
      loinc: result.loinc?.code ?? null,
    },
    slug: result.slug,
    loincSlug: result.loinc?.slug ?? null,
    isRequired,
    marker: {
      marker_id: marker.id,
      name: marker.name,
      slug: marker.slug,
      provider_id: marker.provider_id,
    },
  }
}

/** Returns a name as a slug: lower case, with single dashes. */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/**
 * Returns whether two keys mean the same result: by the laboratory's code, else by LOINC, else by
 * name. Names count only without codes, because glucose is also measured in urine.
 */
export function isSameResult(one: ResultKey, other: ResultKey): boolean {
  const haveCodes = one.provider_id !== null && other.provider_id !== null
  if (haveCodes && one.provider_id === other.provider_id) return true
  if (one.loinc !== null && other.loinc !== null) return one.loinc === other.loinc
  if (haveCodes) return false
  return slugOf(one.name) === slugOf(other.name)
}

/** Returns the data of a reported result from the expected ones. */
export function expectedOriginOf(key: ResultKey, expectations: readonly Expectation[]): Origin {
  const fitting = expectations.filter((expected) => isSameResult(key, expected.key))
  // The expectation with the same code names the result; others share only its LOINC code or name.
  const named = fitting.find((expected) => expected.key.provider_id === key.provider_id)
  const first = named ?? fitting[0]
  // A laboratory may report another code, as for another formula; its slug is then unknown.
  const isSameLoinc = key.loinc === null || key.loinc === first?.key.loinc
  const markers = new Map(fitting.map(({ marker }) => [marker.marker_id, marker]))
  return {
    slug: first?.slug ?? slugOf(key.name),
    loinc: key.loinc ?? first?.key.loinc ?? null,
    loincSlug: (isSameLoinc ? first?.loincSlug : null) ?? null,
    markers: markers.size === 0 ? null : [...markers.values()],
  }
}
