import type { ServedType } from './served/sources.ts'

interface TypeElements {
  /** Elements of `_summary=true`: those that the definitions of FHIR R4 mark as summary. */
  summary: string
  /** Elements of every part: a resource without them is not valid. */
  kept?: string
}

/**
 * Elements of the types, without those that Salus never has
 * (https://hl7.org/fhir/R4/search.html#summary).
 */
export const TYPE_ELEMENTS: Readonly<Record<ServedType, TypeElements>> = {
  Patient: { summary: 'identifier name telecom gender birthDate address' },
  ServiceRequest: {
    summary:
      'identifier requisition status intent category priority code subject authoredOn requester performer reasonCode specimen',
    kept: 'status intent subject',
  },
  DiagnosticReport: {
    summary:
      'identifier status category code subject effectiveDateTime effectivePeriod issued performer',
    kept: 'status code',
  },
  Observation: {
    summary:
      'basedOn status code subject effectiveDateTime effectivePeriod issued performer valueQuantity valueString component',
    kept: 'status code',
  },
  Specimen: { summary: 'identifier accessionIdentifier type subject receivedTime' },
  Coverage: {
    summary: 'identifier status type subscriber subscriberId beneficiary payor order',
    kept: 'status beneficiary payor',
  },
  Appointment: {
    summary: 'status appointmentType start end',
    kept: 'status start end participant',
  },
  DocumentReference: {
    summary: 'identifier status type category subject date author content context',
    kept: 'status content',
  },
  Device: { summary: '' },
  Practitioner: { summary: 'identifier name' },
  Organization: { summary: 'identifier active type name', kept: 'name identifier' },
  Provenance: { summary: 'target recorded', kept: 'target recorded agent' },
}
