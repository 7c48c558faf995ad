import { hash } from 'node:crypto'
import type { CodeableConcept, Coding, Patient, Reference, Resource } from '@medplum/fhirtypes'

/** Names of the objects that rows reference by ids, for readers of the resources elsewhere. */
export interface ResourceNames {
  labTests: ReadonlyMap<string, string>
  payors: ReadonlyMap<string, { name: string; code: string }>
  /** By order: version from which its results were final. */
  firstFinal: ReadonlyMap<string, number>
}

/** Context that every resource of a bundle, or of an answer, uses. */
export interface ResourceContext extends ResourceNames {
  /** Returns the UCUM code of a unit that laboratories write; null for an unknown one. */
  toUcum(unit: string): string | null
  /** Returns a reference to another resource. */
  refer(type: Resource['resourceType'], id: string): { reference: string }
  patient: Reference<Patient> & { reference: string }
  /** Returns the id of the report of a version of the results of an order. */
  reportIdOf(orderId: string, version: number): string
  /** Returns the ids of the observations of such a version, in the order of its results. */
  resultIdsOf(orderId: string, version: number, results: readonly NamedResult[]): string[]
}

/** Part of a result by which it is recognized in a later version. */
export interface NamedResult {
  name: string
  slug?: string
}

export const LOINC = 'http://loinc.org'
export const UCUM_SYSTEM = 'http://unitsofmeasure.org'
/** LOINC code of a laboratory report as a whole. */
export const LABORATORY_REPORT = '11502-2'
export const ICD_10_CM = 'http://hl7.org/fhir/sid/icd-10-cm'
const CATEGORIES = 'http://terminology.hl7.org/CodeSystem/observation-category'

export type FhirResource = Resource & { id: string }

export const category = (code: string): CodeableConcept[] => [
  { coding: [{ system: CATEGORIES, code }] },
]

/** Returns a concept with a LOINC code, where there is one, further codes, and a text. */
export function loincConcept(
  code: string | null | undefined,
  text: string,
  ...further: Coding[]
): CodeableConcept {
  const coding = [...(code ? [{ system: LOINC, code }] : []), ...further]
  return { ...(coding.length > 0 && { coding }), text }
}

/**
 * Returns a concept with a code that only Salus knows, such as the name of a series, and its text.
 */
export const salusConcept = (
  kind: string,
  code: string,
  text = wordsOf(code),
): CodeableConcept => ({
  coding: [salusCoding(kind, code)],
  text,
})

export const salusCoding = (kind: string, code: string): Coding => ({
  system: `urn:salus:${kind}`,
  code,
})

const SPELLED: Readonly<Record<string, string>> = {
  afib: 'AFib',
  heartrate: 'heart rate',
  hrv: 'HRV',
  ige: 'IgE',
  igg: 'IgG',
  uv: 'UV',
  vo2: 'VO2',
}

/**
 * Returns a name of Salus in its written form: `patient_service_center` is `Patient service
 * center`.
 */
export function wordsOf(name: string): string {
  const words = name.split('_').map((word) => SPELLED[word] ?? word)
  const text = words.join(' ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/**
 * Returns the id of an object without a UUID: always the same for the same parts (version 8, RFC
 * 9562).
 */
export function idOf(...parts: readonly unknown[]): string {
  const hex = hash('sha1', parts.join('\u001f'), 'hex')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Instants are dates of PostgreSQL, or texts of ClickHouse. */
export type StoredInstant = Date | string

export const instant = (at: StoredInstant): string => new Date(at).toISOString()

/**
 * Returns the local time of the person, where the offset is known, in seconds; FHIR requires whole
 * minutes.
 */
export function localInstant(at: StoredInstant, offsetSeconds: number | null): string {
  if (offsetSeconds === null || offsetSeconds % 60 !== 0) return instant(at)
  const local = new Date(new Date(at).getTime() + offsetSeconds * 1000).toISOString().slice(0, -1)
  const minutes = Math.abs(offsetSeconds) / 60
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) =>
    String(part).padStart(2, '0'),
  )
  return `${local}${offsetSeconds < 0 ? '-' : '+'}${hours}:${rest}`
}

/** Returns a text as FHIR requires it: not empty, without blanks around it. */
export const textOf = (text: string | null | undefined): string | undefined =>
  text?.trim() || undefined
