import type { CapabilityStatement, CapabilityStatementRestResource } from '@medplum/fhirtypes'
import { VERSION } from '@salus/kernel/version'
import { RESOURCE_TYPES, reverseIncludesOf, SERVED_TYPES } from './resource-types.registry.ts'
import type { ServedType } from './served/sources.ts'
import { isVersioned } from './served/versioned-types.ts'

const US_CORE = 'http://hl7.org/fhir/us/core'
const BULK_DATA = 'http://hl7.org/fhir/uv/bulkdata'
const SECURITY = 'http://terminology.hl7.org/CodeSystem/restful-security-service'

/** Day on which the statement was last changed. */
const CHANGED = '2026-11-27'

/** Returns the statement of what the interface can do, from the registry that it works by. */
export function toCapabilityStatement(base: string): CapabilityStatement {
  return {
    resourceType: 'CapabilityStatement',
    status: 'active',
    date: CHANGED,
    publisher: 'Salus',
    kind: 'instance',
    instantiates: [
      `${US_CORE}/CapabilityStatement/us-core-server`,
      `${BULK_DATA}/CapabilityStatement/bulk-data`,
    ],
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
        resource: [...SERVED_TYPES.map(toResource), BINARY, GROUP],
        interaction: [{ code: 'transaction' }],
      },
    ],
  }
}

const BINARY: CapabilityStatementRestResource = {
  type: 'Binary',
  interaction: [{ code: 'read' }],
}

/** The only group is the team, which an export names. */
const GROUP: CapabilityStatementRestResource = {
  type: 'Group',
  operation: [{ name: 'export', definition: `${BULK_DATA}/OperationDefinition/group-export` }],
}

const OPERATIONS: Readonly<Partial<Record<ServedType, [name: string, definition: string][]>>> = {
  Patient: [
    ['everything', 'http://hl7.org/fhir/OperationDefinition/Patient-everything'],
    ['export', `${BULK_DATA}/OperationDefinition/patient-export`],
  ],
  DocumentReference: [['docref', `${US_CORE}/OperationDefinition/docref`]],
}

/** An order is placed, and is cancelled by its status. */
const ORDERING = [
  ...[{ code: 'create' as const }, { code: 'update' as const }, { code: 'patch' as const }],
]

/** Vital signs have profiles beside that of results of laboratories. */
const VITAL_SIGNS = [
  ...['pulse-oximetry', 'blood-pressure', 'bmi', 'body-temperature', 'body-weight'],
  ...['heart-rate', 'respiratory-rate'],
].map((name) => `us-core-${name}`)

function toResource(type: ServedType): CapabilityStatementRestResource {
  const { profile, parameters, includes } = RESOURCE_TYPES[type]
  const profiles = [profile ?? [], type === 'Observation' ? VITAL_SIGNS : []].flat()
  const isOrder = type === 'ServiceRequest'
  const versions = isVersioned(type)
    ? [{ code: 'vread' as const }, { code: 'history-instance' as const }]
    : []
  const operations = OPERATIONS[type]
  const reverse = reverseIncludesOf(type)
  return {
    type,
    ...(profiles.length > 0 && {
      supportedProfile: profiles.map((name) => `${US_CORE}/StructureDefinition/${name}`),
    }),
    interaction: [
      ...[{ code: 'read' as const }, { code: 'search-type' as const }],
      ...versions,
      ...(isOrder ? ORDERING : []),
    ],
    versioning: isVersioned(type) ? 'versioned' : 'no-version',
    readHistory: isVersioned(type),
    conditionalRead: 'full-support',
    ...(isOrder && { conditionalCreate: true }),
    ...(includes.length > 0 && { searchInclude: includes.map((name) => `${type}:${name}`) }),
    ...(reverse.length > 0 && { searchRevInclude: [...reverse] }),
    searchParam: [
      { name: '_id', type: 'token' },
      { name: '_lastUpdated', type: 'date' },
      ...Object.entries(parameters).map(([name, parameter]) => ({ name, type: parameter.type })),
    ],
    ...(operations && {
      operation: operations.map(([name, definition]) => ({ name, definition })),
    }),
  }
}
