import { hash } from 'node:crypto'
import type { CodeableConcept, Patient, Reference, Resource } from '@medplum/fhirtypes'

/** What every resource of a bundle refers to. */
export interface BundleContext {
  /** The UCUM code of a unit as laboratories write it; null for one that is not known. */
  toUcum(unit: string): string | null
  patient: Reference<Patient> & { reference: string }
}

export const LOINC = 'http://loinc.org'
export const UCUM_SYSTEM = 'http://unitsofmeasure.org'
export const ICD_10_CM = 'http://hl7.org/fhir/sid/icd-10-cm'
const CATEGORIES = 'http://terminology.hl7.org/CodeSystem/observation-category'

export type FhirResource = Resource & { id: string }

/** Refers to another resource of the bundle. */
export const refer = (id: string): { reference: string } => ({ reference: `urn:uuid:${id}` })

export const category = (code: string): CodeableConcept[] => [
  { coding: [{ system: CATEGORIES, code }] },
]

/** A code of LOINC, where there is one, and in words. */
export const loincConcept = (code: string | null | undefined, text: string): CodeableConcept => ({
  ...(code && { coding: [{ system: LOINC, code }] }),
  text,
})

/** The id of what has no UUID: always the same one of the same parts (of version 8, RFC 9562). */
export function idOf(...parts: readonly unknown[]): string {
  const hex = hash('sha1', parts.join('\u001f'), 'hex')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Instants are dates of PostgreSQL, or texts of ClickHouse. */
export type StoredInstant = Date | string

export const instant = (at: StoredInstant): string => new Date(at).toISOString()

/** The time on the person's clock, where the offset is known, in seconds; a whole minute as FHIR wants it. */
export function localInstant(at: StoredInstant, offsetSeconds: number | null): string {
  if (offsetSeconds === null || offsetSeconds % 60 !== 0) return instant(at)
  const local = new Date(new Date(at).getTime() + offsetSeconds * 1000).toISOString().slice(0, -1)
  const minutes = Math.abs(offsetSeconds) / 60
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) =>
    String(part).padStart(2, '0'),
  )
  return `${local}${offsetSeconds < 0 ? '-' : '+'}${hours}:${rest}`
}

/** A text as FHIR has it: not empty, no blanks around it. */
export const textOf = (text: string | null | undefined): string | undefined =>
  text?.trim() || undefined
