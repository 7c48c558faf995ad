import { formatInstant } from '@salus/kernel/time/instants'
import type { Field, LabReport, LoincMatch, ReportResult } from '@salus/lab-report-parser'
import type { JobRow, ListedJobRow } from './lab-reports.repository.ts'
import type * as schema from './lab-reports.schema.ts'
import { applyCorrections, type Correction } from './review/corrections.ts'

/** Returns the wire object of a job, with results when it is completed. */
export function toParsingJob(row: JobRow, corrections: readonly Correction[]): schema.ParsingJob {
  const isShown = row.status === 'completed' && row.report !== null
  return {
    ...toSummary(row),
    data: isShown && row.report ? applyCorrections(toReportData(row.report), corrections) : null,
  }
}

export function toSummary(row: ListedJobRow): schema.ParsingJobSummary {
  const { pages_total: pages } = row
  return {
    id: row.id,
    job_id: row.id,
    user_id: row.user_id,
    status: row.status,
    failure_reason: row.failure_reason,
    needs_human_review: row.needs_human_review,
    is_reviewed: row.is_reviewed,
    review_reasons: row.review_reasons,
    patient_match: row.patient_match,
    progress: pages === null ? null : { pages_read: row.pages_read ?? 0, pages },
    created_at: formatInstant(row.created_at),
    updated_at: formatInstant(row.updated_at),
  }
}

const textOf = (field: Field | null): string | null => field?.text ?? null

/**
 * Returns the reading as the wire object
 * docs/contract/16-lab-report-parsing.md#parsedlabreportdata.
 */
export function toReportData({
  header,
  results,
}: Pick<LabReport, 'header' | 'results'>): schema.ParsedLabReportData {
  return {
    metadata: {
      patient_first_name: textOf(header.patientFirstName),
      patient_last_name: textOf(header.patientLastName),
      dob: textOf(header.dateOfBirth),
      gender: header.gender?.value ?? 'other',
      lab_name: textOf(header.labName),
      date_reported: textOf(header.dateReported),
      date_collected: textOf(header.dateCollected),
      specimen_number: textOf(header.specimenNumber),
    },
    results: results.map(toResult),
  }
}

function toResult(result: ReportResult): schema.LabReportResult {
  return {
    test_name: result.name.text,
    value: result.value.text,
    sample_type: result.sampleType,
    measurement_kind: result.measurementKind,
    type: result.type,
    units: textOf(result.unit),
    max_reference_range: result.high,
    min_reference_range: result.low,
    source_panel_name: textOf(result.panel),
    sensitivity: result.sensitivity,
    loinc_matches: result.loincMatches.map(toMatch),
    loinc_match_status: result.loincMatchStatus,
    interpretation: result.interpretation,
    is_above_max_range: result.isAboveHigh,
    is_below_min_range: result.isBelowLow,
  }
}

const toMatch = (match: LoincMatch): schema.LoincMatch => ({
  loinc_code: match.code,
  loinc_name: match.name,
  display_name: match.displayName,
  aliases: match.aliases,
  confidence_score: match.score,
})
