import type { CapabilityStatement, CapabilityStatementRestResource } from '@medplum/fhirtypes'
import { VERSION } from '@salus/kernel/version'
import { RESOURCE_TYPES, SERVED_TYPES } from './resource-types.registry.ts'
import type { ServedType } from './served/sources.ts'

const US_CORE = 'http://hl7.org/fhir/us/core'
const SECURITY = 'http://terminology.hl7.org/CodeSystem/restful-security-service'

/** Day on which the statement was last changed. */
const CHANGED = '2026-11-26'

/** Returns the statement of what the interface can do, from the registry that it works by. */
export function toCapabilityStatement(base: string): CapabilityStatement {
  return {
    resourceType: 'CapabilityStatement',
    status: 'active',
    date: CHANGED,
    publisher: 'Salus',
    kind: 'instance',
    instantiates: [`${US_CORE}/CapabilityStatement/us-core-server`],
    software: { name: 'Salus', version: VERSION },
    implementation: { description: 'FHIR R4 interface of Salus', url: base },
    fhirVersion: '4.0.1',
    format: ['json', 'application/fhir+json'],
    rest: [
      {
        mode: 'server',
        security: {
          service: [{ coding: [{ system: SECURITY, code: 'SMART-on-FHIR' }] }],
          description: 'A key of the team in x-service-api-key, or a bearer token.',
        },
        resource: [...SERVED_TYPES.map(toResource), BINARY],
      },
    ],
  }
}

const BINARY: CapabilityStatementRestResource = {
  type: 'Binary',
  interaction: [{ code: 'read' }],
}

function toResource(type: ServedType): CapabilityStatementRestResource {
  const { profile, parameters, includes } = RESOURCE_TYPES[type]
  return {
    type,
    ...(profile && { supportedProfile: [`${US_CORE}/StructureDefinition/${profile}`] }),
    interaction: [{ code: 'read' }, { code: 'search-type' }],
    versioning: 'no-version',
    ...(includes.length > 0 && { searchInclude: includes.map((name) => `${type}:${name}`) }),
    searchParam: [
      { name: '_id', type: 'token' },
      { name: '_lastUpdated', type: 'date' },
      ...Object.entries(parameters).map(([name, parameter]) => ({ name, type: parameter.type })),
    ],
  }
}
