import type { Tone } from '../../components/status-badge.tsx'
import type { PatientMatch, ReportHead, ReportJob, ReportReview } from './report-query.ts'

/** Labels of statuses and reasons (docs/contract/16-lab-report-parsing.md). */
export const JOB_STATUS: Record<ReportJob['status'], { label: string; tone: Tone }> = {
  upload_pending: { label: 'Uploaded', tone: 'info' },
  started: { label: 'Being read', tone: 'info' },
  pending_review: { label: 'To review', tone: 'warning' },
  completed: { label: 'Completed', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
}

export const FAILURE_REASON: Record<NonNullable<ReportJob['failure_reason']>, string> = {
  invalid_input: 'This is not a laboratory report with results.',
  low_quality: 'The text is not legible. Upload a sharper photo or the original PDF.',
  not_english: 'The language of the report is not supported.',
  too_many_pages: 'The report has more than 20 pages. Upload it in parts.',
  processing_error: 'The report could not be parsed. Upload it again.',
}

export const REVIEW_REASON: Record<ReportJob['review_reasons'][number], string> = {
  requested: 'Requested',
  patient_mismatch: 'Another person',
  patient_uncertain: 'Perhaps another person',
  several_patients: 'Several patients',
  results_not_read: 'Partly read',
  doubtful_values: 'Doubtful values',
}

export const FIT: Record<PatientMatch['name']['outcome'], { label: string; tone: Tone }> = {
  match: { label: 'The same', tone: 'good' },
  partial: { label: 'Matches in part', tone: 'good' },
  uncertain: { label: 'Perhaps', tone: 'warning' },
  mismatch: { label: 'Different', tone: 'bad' },
  not_comparable: { label: 'Not compared', tone: 'neutral' },
}

type Comparison = NonNullable<ReportReview['patient_comparison']>

export const KNOWN_FROM: Record<Comparison['known'][number]['source'], string> = {
  demographics: 'Demographics',
  fallback_birth_date: 'User',
  order: 'Order',
  insurance: 'Insurance',
  lab_report: 'An earlier report',
}

export const SEX: Record<Comparison['printed']['sex'], string | null> = {
  female: 'Female',
  male: 'Male',
  // A report that does not print the sex has this value, too.
  other: null,
}

export const HEAD_FIELDS: readonly (readonly [field: keyof ReportHead, label: string])[] = [
  ['patient_first_name', 'First name'],
  ['patient_last_name', 'Last name'],
  ['dob', 'Birth date'],
  ['gender', 'Sex'],
  ['lab_name', 'Laboratory'],
  ['specimen_number', 'Specimen number'],
  ['date_collected', 'Collected'],
  ['date_reported', 'Reported'],
]

export function formatInterval(
  low: number | null | undefined,
  high: number | null | undefined,
): string {
  if (low != null && high != null) return `${low} – ${high}`
  if (low != null) return `≥ ${low}`
  return high != null ? `≤ ${high}` : ''
}
