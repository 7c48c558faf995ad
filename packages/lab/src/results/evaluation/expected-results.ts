import type { OrderedMarker, OrderedResult } from '../../catalog/index.ts'

/** By what a result is known: a laboratory's code, a LOINC code, a name. */
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

/**
 * Something that the laboratory was asked to report, or reports by itself after what it was asked.
 */
export interface Expectation {
  key: ResultKey
  slug: string
  loincSlug: string | null
  isRequired: boolean
  /** The ordered marker behind it; of a reflex, the marker whose result asked for it. */
  marker: SourceMarker
}

/** What a matched result inherits from what was expected. */
export interface Origin {
  slug: string
  loinc: string | null
  loincSlug: string | null
  /** Null for a result that nobody asked for. */
  markers: SourceMarker[] | null
}

type Markers = Pick<OrderedMarker, 'id' | 'name' | 'slug' | 'provider_id' | 'expected_results'>
type ReflexMarkers = Markers & Pick<OrderedMarker, 'reflex_of'>

/**
 * What to expect of ordered markers, and of the markers that the laboratory may add after them, of
 * which nothing is required.
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

/** A name as it stands in slugs: lower case, with single dashes. */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/**
 * Whether two keys mean the same result: by the laboratory's code, else by LOINC, else by name.
 * Names count only where codes cannot tell, because glucose is also measured in urine.
 */
export function isSameResult(one: ResultKey, other: ResultKey): boolean {
  const haveCodes = one.provider_id !== null && other.provider_id !== null
  if (haveCodes && one.provider_id === other.provider_id) return true
  if (one.loinc !== null && other.loinc !== null) return one.loinc === other.loinc
  if (haveCodes) return false
  return slugOf(one.name) === slugOf(other.name)
}

/** What is known of a reported result from what was expected. */
export function originOf(key: ResultKey, expectations: readonly Expectation[]): Origin {
  const fitting = expectations.filter((expected) => isSameResult(key, expected.key))
  // The one with the very code names it; the others only share the LOINC code or the name.
  const named = fitting.find((expected) => expected.key.provider_id === key.provider_id)
  const first = named ?? fitting[0]
  // A laboratory may answer under another code, as of another formula; its slug is not known here.
  const isSameLoinc = key.loinc === null || key.loinc === first?.key.loinc
  const markers = new Map(fitting.map(({ marker }) => [marker.marker_id, marker]))
  return {
    slug: first?.slug ?? slugOf(key.name),
    loinc: key.loinc ?? first?.key.loinc ?? null,
    loincSlug: (isSameLoinc ? first?.loincSlug : null) ?? null,
    markers: markers.size === 0 ? null : [...markers.values()],
  }
}
