import type { DiagnosticReport, Observation, Quantity } from '@medplum/fhirtypes'
import {
  category,
  type FhirResource,
  idOf,
  instant,
  LABORATORY_REPORT,
  loincConcept,
  type ResourceContext,
  type StoredInstant,
  textOf,
  UCUM_SYSTEM,
} from './fhir-parts.ts'

/** A version of the results of an order. */
export interface ResultRow {
  order_id: string
  version: number
  status: string
  created_at: StoredInstant
  report: {
    /** Time of the collection; older reports of tests lack it. */
    collected_at?: { timestamp: string } | null
    specimen_number?: string | null
    evaluated: {
      results: {
        name: string
        slug?: string
        result: string
        type: string
        unit: string | null
        timestamp: string | null
        notes: string | null
        reference_range: string | null
        min_range_value: number | null
        max_range_value: number | null
        interpretation: string
        loinc: string | null
      }[]
    }
  }
}

const INTERPRETATIONS: Readonly<Record<string, string>> = {
  normal: 'N',
  abnormal: 'A',
  critical: 'AA',
}
const INTERPRETATION_SYSTEM = 'http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation'

const interpretationOf = (code: string) => {
  const found = INTERPRETATIONS[code]
  if (found === undefined) return {}
  return { interpretation: [{ coding: [{ system: INTERPRETATION_SYSTEM, code: found }] }] }
}

type UnitParts = Pick<Quantity, 'unit' | 'system' | 'code'>

/** UCUM accepts any words in braces as a unit of its own, such as `{ratio}`. */
const UCUM_ANNOTATION = /^\{[\x21-\x7a\x7c]+\}$/

/** Returns a unit as it is printed, with its code where it is known. */
function toUnitParts(unit: string | null, { toUcum }: ResourceContext): UnitParts {
  const label = textOf(unit)
  if (label === undefined) return {}
  const code = UCUM_ANNOTATION.test(label) ? label : toUcum(label)
  return { unit: label, ...(code !== null && { system: UCUM_SYSTEM, code }) }
}

const ABSENT_REASONS = 'http://terminology.hl7.org/CodeSystem/data-absent-reason'

type Measured = Pick<Quantity, 'value' | 'comparator'>

/** Returns the value of a result: a number with its unit where it is one, else as it is printed. */
function toResultValue(
  text: string,
  measured: Measured | null,
  unit: UnitParts,
): Partial<Observation> {
  if (measured !== null) return { valueQuantity: { ...measured, ...unit } }
  const { unit: label } = unit
  const value = textOf(text)
  return value === undefined
    ? {
        dataAbsentReason: {
          coding: [{ system: ABSENT_REASONS, code: 'unknown' }],
          text: 'not reported',
        },
      }
    : { valueString: label === undefined ? value : `${value} ${label}` }
}

interface PrintedRange {
  low: number | null
  high: number | null
  text?: string | null
}

function rangeOf({ low, high, text }: PrintedRange, unit: UnitParts) {
  const printed = textOf(text)
  if (low === null && high === null && printed === undefined) return {}
  return {
    referenceRange: [
      {
        ...(low !== null && { low: { value: low, ...unit } }),
        ...(high !== null && { high: { value: high, ...unit } }),
        ...(printed !== undefined && { text: printed }),
      },
    ],
  }
}

const REPORT_SECTIONS = 'http://terminology.hl7.org/CodeSystem/v2-0074'

const COMPARED = /^([<>]=?)\s*(\d+(?:\.\d+)?)$/

/** Reads a number that a laboratory prints, or its limit with < or >; an empty text is not zero. */
function readMeasured({ type, result }: { type: string; result: string }): Measured | null {
  const text = textOf(result)
  if (text === undefined) return null
  const [, comparator, bound] = COMPARED.exec(text.trim()) ?? []
  if (comparator !== undefined) {
    return { value: Number(bound), comparator: comparator as NonNullable<Quantity['comparator']> }
  }
  const value = type === 'numeric' ? Number(text) : Number.NaN
  return Number.isFinite(value) ? { value } : null
}

/**
 * Returns the status of a report: a version after a final one amends it, so of two reports of an
 * order the amended one is valid.
 */
function toReportStatus({ order_id, version, status }: ResultRow, { firstFinal }: ResourceContext) {
  if (status !== 'final') return { report: 'partial', observation: 'preliminary' } as const
  const isAmended = version > (firstFinal.get(order_id) ?? version)
  const known = isAmended ? 'amended' : 'final'
  return { report: known, observation: known } as const
}

/** Time to which a result or a report refers: that of the collection, where it is known. */
const toEffective = (at: string | undefined) => (at === undefined ? {} : { effectiveDateTime: at })

/** Returns a report with an observation for each of its results. */
export function toDiagnosticReport(row: ResultRow, context: ResourceContext): FhirResource[] {
  const { patient, refer } = context
  const { order_id: orderId, version } = row
  const { evaluated, collected_at: collected } = row.report
  const collectedAt = collected ? instant(collected.timestamp) : undefined
  const ids = context.resultIdsOf(orderId, version, evaluated.results)
  const issued = instant(row.created_at)
  const status = toReportStatus(row, context)
  const observations = evaluated.results.map((result, index) => {
    const note = textOf(result.notes)
    const unit = toUnitParts(result.unit, context)
    const { min_range_value: low, max_range_value: high, reference_range: text } = result
    const observation: Observation & { id: string } = {
      resourceType: 'Observation',
      id: ids[index] ?? '',
      status: status.observation,
      category: category('laboratory'),
      code: loincConcept(result.loinc, result.name),
      subject: patient,
      basedOn: [refer('ServiceRequest', orderId)],
      issued,
      ...toEffective(result.timestamp ? instant(result.timestamp) : collectedAt),
      ...toResultValue(result.result, readMeasured(result), unit),
      ...interpretationOf(result.interpretation),
      ...rangeOf({ low, high, text }, unit),
      ...(note && { note: [{ text: note }] }),
    }
    return observation
  })
  const report: DiagnosticReport & { id: string } = {
    resourceType: 'DiagnosticReport',
    id: context.reportIdOf(orderId, version),
    status: status.report,
    category: [{ coding: [{ system: REPORT_SECTIONS, code: 'LAB' }] }],
    code: loincConcept(LABORATORY_REPORT, 'Laboratory report'),
    subject: patient,
    basedOn: [refer('ServiceRequest', orderId)],
    issued,
    ...toEffective(collectedAt),
    ...(observations.length > 0 && {
      result: observations.map(({ id }) => refer('Observation', id)),
    }),
  }
  return [...observations, report]
}

export interface ReadResultRow {
  job_id: string
  position: number
  loinc_code: string | null
  name: string
  value: string
  unit: string | null
  /** Unit of the number and the range. */
  ucum_unit: string | null
  number: number | null
  low: number | null
  high: number | null
  interpretation: string
  collected_on: string | null
}

/** Returns a result that was read in an uploaded report. */
export function toReadResult(row: ReadResultRow, context: ResourceContext): FhirResource[] {
  const unit = toUnitParts(row.ucum_unit ?? row.unit, context)
  const observation: Observation & { id: string } = {
    resourceType: 'Observation',
    id: idOf('read result', row.job_id, row.position),
    status: 'unknown',
    category: category('laboratory'),
    code: loincConcept(row.loinc_code, row.name),
    subject: context.patient,
    ...(row.collected_on && { effectiveDateTime: row.collected_on }),
    ...toResultValue(row.value, row.number === null ? null : { value: row.number }, unit),
    ...interpretationOf(row.interpretation),
    ...rangeOf(row, unit),
  }
  return [observation]
}
