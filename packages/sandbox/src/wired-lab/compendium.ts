import type { RequisitionTest } from '@salus/contracts/lab-gateway'

/** A test as the API of Salus lists it (docs/contract/10-labs-and-tests.md#expectedresult). */
export interface ListedMarker {
  id: number
  name: string
  provider_id: string | null
  expected_results: {
    name: string
    provider_id: string | null
    required: boolean
    loinc: { code: string } | null
    unit: string | null
  }[]
}

/** Returns the tests of a laboratory by its codes, from the markers of the API. */
export function toCompendium(markers: readonly ListedMarker[]): Map<string, RequisitionTest> {
  const tests = markers.map((marker) => ({
    marker_id: marker.id,
    provider_id: marker.provider_id,
    name: marker.name,
    expected_results: marker.expected_results.map(
      ({ name, provider_id, required, loinc, unit }) => ({
        ...{ name, provider_id, required, unit },
        loinc: loinc?.code ?? null,
      }),
    ),
  }))
  return new Map(tests.map((test) => [test.provider_id ?? '', test]))
}
