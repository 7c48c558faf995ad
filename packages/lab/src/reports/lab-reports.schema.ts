import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { pageQuery } from '@salus/kernel/http/keyset-pages'
import Type from 'typebox'
import { FITS, PATIENT_MATCH_STATUSES, PATIENT_SOURCES } from '../patients/index.ts'

// Shapes of docs/contract/16-lab-report-parsing.md#objects.

export const JOB_STATUSES = [
  'upload_pending',
  'started',
  'pending_review',
  'completed',
  'failed',
] as const
export type JobStatus = (typeof JOB_STATUSES)[number]

export const FAILURE_REASONS = [
  'invalid_input',
  'low_quality',
  'not_english',
  'too_many_pages',
  'processing_error',
] as const

export const RESULT_TYPES = [
  'numeric',
  'range',
  'comment',
  'boolean',
  'duration',
  'percentage',
  'ratio',
] as const

export const SAMPLE_TYPES = [
  'urine',
  'serum_plasma_blood',
  'capillary_blood',
  'stool',
  'saliva',
  'other',
  'unknown',
] as const
export const MEASUREMENT_KINDS = ['direct', 'calculated', 'ratio', 'unknown'] as const
export const SENSITIVITIES = ['sensitive', 'insensitive', 'unknown'] as const
export const LOINC_STATUSES = ['auto_match', 'needs_review', 'no_match'] as const
export const GENDERS = ['male', 'female', 'other'] as const
export const REPORT_INTERPRETATIONS = ['normal', 'abnormal', 'critical', 'unknown'] as const

const NullableText = Nullable(Type.String())
const text = (description: string) => Type.String({ description })

export const LoincMatch = Type.Object(
  {
    loinc_code: Type.String({ description: 'LOINC code.', examples: ['2345-7'] }),
    loinc_name: text('Long common name of the code.'),
    display_name: Type.String({ default: '', description: 'Common name of the code.' }),
    aliases: Type.Array(Type.String(), { default: [], description: 'Further names of the code.' }),
    confidence_score: Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'Confidence that the code is right; independent of how well the report could be read.',
    }),
  },
  { title: 'LoincMatch' },
)
export type LoincMatch = Type.Static<typeof LoincMatch>

export const ResultMetadata = Type.Object(
  {
    patient_first_name: Nullable(text('First name of the patient as printed.')),
    patient_last_name: Nullable(text('Last name of the patient as printed.')),
    dob: Nullable(Type.String({ description: 'Birth date as printed.' })),
    gender: TextEnum(GENDERS, {
      default: 'other',
      description: 'Gender of the patient; `other` when unknown.',
    }),
    lab_name: Nullable(text('Name of the reporting laboratory.')),
    date_reported: Nullable(Type.String({ description: 'Date of the report as printed.' })),
    date_collected: Nullable(Type.String({ description: 'Date of collection as printed.' })),
    specimen_number: Nullable(Type.String({ description: 'Specimen or accession number.' })),
  },
  { title: 'ResultMetadata' },
)
export type ResultMetadata = Type.Static<typeof ResultMetadata>

export const LabReportResult = Type.Object(
  {
    test_name: text('Name of the analyte as printed.'),
    value: Type.String({ description: 'Value as printed.' }),
    sample_type: TextEnum(SAMPLE_TYPES, { default: 'unknown' }),
    measurement_kind: TextEnum(MEASUREMENT_KINDS, {
      default: 'unknown',
      description: 'Whether the value was measured, or calculated from others.',
    }),
    type: Nullable(TextEnum(RESULT_TYPES, { description: 'Shape of the value.' })),
    units: Nullable(text('Unit as printed.')),
    max_reference_range: Nullable(
      Type.Number({ description: 'Upper bound of the printed interval.' }),
    ),
    min_reference_range: Nullable(
      Type.Number({ description: 'Lower bound of the printed interval.' }),
    ),
    source_panel_name: Nullable(Type.String({ description: 'Panel heading on the report.' })),
    sensitivity: TextEnum(SENSITIVITIES, {
      default: 'unknown',
      description: 'Sensitivity of an assay that is named so, or of a germ to an antibiotic.',
    }),
    loinc_matches: Nullable(
      Type.Array(LoincMatch, { description: 'At most five candidate codes, the best first.' }),
    ),
    loinc_match_status: Nullable(
      TextEnum(LOINC_STATUSES, {
        description:
          'Outcome of the search for a code. `auto_match`: the first candidate is certain; `needs_review`: there are candidates; `no_match`: there are none.',
      }),
    ),
    interpretation: Nullable(TextEnum(REPORT_INTERPRETATIONS)),
    is_above_max_range: Nullable(
      Type.Boolean({
        description: 'Whether the value is above the printed interval; null when undecidable.',
      }),
    ),
    is_below_min_range: Nullable(
      Type.Boolean({
        description: 'Whether the value is below the printed interval; null when undecidable.',
      }),
    ),
  },
  { title: 'LabReportResult' },
)
export type LabReportResult = Type.Static<typeof LabReportResult>

export const ParsedLabReportData = Type.Object(
  { metadata: ResultMetadata, results: Type.Array(LabReportResult) },
  { title: 'ParsedLabReportData' },
)
export type ParsedLabReportData = Type.Static<typeof ParsedLabReportData>

const Progress = Type.Object(
  {
    pages_read: Type.Integer(),
    pages: Type.Integer(),
  },
  { title: 'ParsingProgress' },
)

export const REVIEW_REASONS = [
  'requested',
  'patient_mismatch',
  'patient_uncertain',
  'several_patients',
  'results_not_read',
  'doubtful_values',
] as const
export type ReviewReason = (typeof REVIEW_REASONS)[number]

const FieldMatch = Type.Object(
  {
    outcome: TextEnum(FITS, {
      description:
        'Outcome of the comparison. `partial`: the printed part agrees, such as an initial; `uncertain`: the difference may be an error, such as one wrong letter, or day and month swapped.',
    }),
    compared_with: Nullable(
      TextEnum(PATIENT_SOURCES, {
        description: 'Source of the known value; null when the field was not compared.',
      }),
    ),
  },
  { title: 'PatientFieldMatch' },
)

export const PatientMatch = Type.Object(
  {
    status: TextEnum(PATIENT_MATCH_STATUSES, {
      description:
        'Outcome of the comparison. `not_comparable`: the report does not name its patient, or no data of the person are known.',
    }),
    name: FieldMatch,
    birth_date: FieldMatch,
    sex: FieldMatch,
    has_other_patients: Type.Boolean({ description: 'Whether the report names further patients.' }),
    is_confirmed: Type.Boolean({
      description: 'Whether a reviewer has confirmed that the report belongs to this person.',
    }),
  },
  {
    title: 'PatientMatch',
    description: 'Comparison of the patient of a report with the person for whom it was uploaded.',
  },
)
export type PatientMatch = Type.Static<typeof PatientMatch>

/** Fields of a job without its results. */
const JOB_FIELDS = {
  id: Uuid,
  job_id: Type.String({ format: 'uuid', description: 'Same value as `id`.' }),
  user_id: Uuid,
  status: TextEnum(JOB_STATUSES),
  failure_reason: Nullable(
    TextEnum(FAILURE_REASONS, {
      description: 'Reason of the failure; null unless the job failed.',
    }),
  ),
  needs_human_review: Type.Boolean({ description: 'Whether a review was requested at creation.' }),
  is_reviewed: Type.Boolean({ description: 'Whether a reviewer has decided.' }),
  review_reasons: Type.Array(TextEnum(REVIEW_REASONS), {
    description:
      'Reasons for which the report needs or needed a review; empty when it needs none. `requested`: the job was created with `needs_human_review`; `results_not_read`: the report has results that are not in the reading, see `unread` of the evidence; `doubtful_values`: see `doubts` of the fields of the evidence.',
  }),
  patient_match: Nullable(PatientMatch),
  progress: Nullable(Progress),
  created_at: DateTime,
  updated_at: DateTime,
}

export const ParsingJob = Type.Object(
  {
    ...JOB_FIELDS,
    data: Nullable(ParsedLabReportData),
  },
  { title: 'ParsingJob' },
)
export type ParsingJob = Type.Static<typeof ParsingJob>

export const ParsingJobSummary = Type.Object(JOB_FIELDS, { title: 'ParsingJobSummary' })
export type ParsingJobSummary = Type.Static<typeof ParsingJobSummary>

export const ParsingJobList = Type.Object(
  { jobs: Type.Array(ParsingJobSummary), next_cursor: NullableText },
  { title: 'ParsingJobList' },
)

export const ParsingJobQuery = Type.Object({
  user_id: Type.Optional(Uuid),
  status: Type.Optional(TextEnum(JOB_STATUSES)),
  ...pageQuery(100),
})
export type ParsingJobQuery = Type.Static<typeof ParsingJobQuery>
