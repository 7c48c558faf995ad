import type { Organization, Provenance, ProvenanceAgent, Reference } from '@medplum/fhirtypes'
import type { FhirResource } from '../../resources/index.ts'

/** Types that have a provenance, by the letter that begins its id. */
const LETTERS: Readonly<Record<string, string>> = {
  P: 'Patient',
  S: 'ServiceRequest',
  R: 'DiagnosticReport',
  O: 'Observation',
  M: 'Specimen',
  C: 'Coverage',
  A: 'Appointment',
  D: 'DocumentReference',
  V: 'Device',
}

export const TARGETS_OF_PROVENANCE: readonly string[] = Object.values(LETTERS)

/** Returns the id of the provenance of a resource `Type/id`; undefined where there is none. */
export function provenanceIdOf(reference: string): string | undefined {
  const [type, id] = reference.split('/')
  const [letter] = Object.entries(LETTERS).find(([, name]) => name === type) ?? []
  return letter === undefined || id === undefined ? undefined : `${letter}.${id}`
}

/** Returns the resource that a provenance is about. */
export function targetOfProvenance(id: string): { type: string; id: string } | undefined {
  const [, letter = '', target] = /^([A-Z])\.([\w.-]{1,62})$/.exec(id) ?? []
  const type = Object.hasOwn(LETTERS, letter) ? LETTERS[letter] : undefined
  return type === undefined || target === undefined ? undefined : { type, id: target }
}

const AGENTS = 'http://terminology.hl7.org/CodeSystem/provenance-participant-type'
const US_AGENTS = 'http://hl7.org/fhir/us/core/CodeSystem/us-core-provenance-participant-type'
const PROFILE = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-provenance'

type Author = Pick<ProvenanceAgent, 'who' | 'onBehalfOf'>

/**
 * Returns who made a resource, and that the team of the environment transmits it.
 * @param teamId The team is the organization `team-ID`.
 */
export function toProvenance(resource: FhirResource, teamId: string): FhirResource {
  const team: Reference<Organization> = { reference: `Organization/team-${teamId}` }
  const { resourceType: type, id, meta } = resource
  const recorded = meta?.lastUpdated ?? new Date(0).toISOString()
  const provenance: Provenance & { id: string } = {
    resourceType: 'Provenance',
    id: provenanceIdOf(`${type}/${id}`) ?? id,
    meta: { lastUpdated: recorded, profile: [PROFILE] },
    target: [{ reference: `${type}/${id}` }],
    recorded,
    agent: [
      { type: { coding: [{ system: AGENTS, code: 'author' }] }, ...authorOf(resource, team) },
      { type: { coding: [{ system: US_AGENTS, code: 'transmitter' }] }, who: team },
    ],
  }
  return provenance
}

/** The physician of an order, the laboratory of results, the device of a sample, else the team. */
function authorOf(resource: FhirResource, team: Reference<Organization>): Author {
  switch (resource.resourceType) {
    case 'ServiceRequest':
      return resource.requester ? { who: resource.requester, onBehalfOf: team } : { who: team }
    case 'DiagnosticReport':
      return { who: (resource.performer?.[0] as Author['who']) ?? team }
    case 'DocumentReference':
      return { who: (resource.author?.[0] as Author['who']) ?? team }
    case 'Observation': {
      const { performer, device } = resource
      if (performer?.[0] !== undefined) return { who: performer[0] as Author['who'] }
      if (device === undefined) return { who: team }
      return { who: { display: device.display ?? 'Device', type: 'Device' }, onBehalfOf: team }
    }
    default:
      return { who: team }
  }
}
