import type { LabReport } from '@salus/lab-report-parser'
import type { ColumnType, Generated } from 'kysely'
import type {
  JobStatus,
  ParsingJob,
  PatientMatch,
  REPORT_INTERPRETATIONS,
  ReviewReason,
} from './lab-reports.schema.ts'

/** An uploaded file. */
export interface StoredFile {
  content_type: 'application/pdf' | 'image/jpeg' | 'image/png'
  bytes: number
}

export interface LabReportJobsTable {
  environment_id: string
  id: string
  user_id: string
  status: JobStatus
  failure_reason: ParsingJob['failure_reason']
  failure_detail: string | null
  needs_human_review: boolean
  is_reviewed: Generated<boolean>
  /** Reasons for which a reviewer decides or decided; empty without a review. */
  review_reasons: Generated<ReviewReason[]>
  /** Null until the report is parsed, and for jobs from before patients were compared. */
  patient_match: ColumnType<PatientMatch | null, string | null | undefined, string | null>
  attempts: Generated<number>
  pages_read: number | null
  pages_total: number | null
  files: ColumnType<StoredFile[], string, string>
  sealed_file_key: Buffer | null
  delete_files_at: Date
  report: ColumnType<LabReport | null, string | null, string | null>
  created_at: Date
  updated_at: Date
}

export interface LabReportResultsTable {
  environment_id: string
  job_id: string
  position: number
  user_id: string
  loinc_code: string | null
  name: string
  value: string
  unit: string | null
  ucum_unit: string | null
  number: number | null
  comparator: '<' | '>' | '<=' | '>=' | null
  low: number | null
  high: number | null
  interpretation: (typeof REPORT_INTERPRETATIONS)[number]
  collected_on: string | null
  reported_on: string | null
}

export interface LabReportReviewsTable {
  environment_id: string
  job_id: string
  decision: 'approved' | 'rejected'
  reviewer_id: string
  note: string | null
  /** Whether the reviewer confirmed that the report belongs to this person. */
  is_patient_confirmed: Generated<boolean>
  decided_at: Date
}

type Json = ColumnType<unknown, string | null, string | null>

export interface LabReportCorrectionsTable {
  environment_id: string
  job_id: string
  id: Generated<number>
  position: number | null
  field: string
  old_value: Json
  new_value: Json
  reviewer_id: string
  corrected_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    lab_report_jobs: LabReportJobsTable
    lab_report_results: LabReportResultsTable
    lab_report_reviews: LabReportReviewsTable
    lab_report_corrections: LabReportCorrectionsTable
  }
}
