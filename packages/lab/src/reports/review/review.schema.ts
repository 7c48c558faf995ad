import { DateOnly, DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { pageQuery } from '@salus/kernel/http/keyset-pages'
import Type from 'typebox'
import { PATIENT_SOURCES } from '../../patients/index.ts'
import { LabReportEvidence } from '../evidence.schema.ts'
import {
  GENDERS,
  LabReportResult,
  ParsedLabReportData,
  ParsingJob,
  ParsingJobSummary,
  PatientMatch,
  ResultMetadata,
} from '../lab-reports.schema.ts'

const Note = Type.Optional(Nullable(Type.String({ maxLength: 2000 })))

const Any = Type.Unsafe<unknown>({})

export const ReportCorrection = Type.Object(
  {
    position: Nullable(
      Type.Integer({
        description:
          'Position of the result in the reading, from 0; added results follow after it. Null for a field of the metadata.',
      }),
    ),
    field: Type.String({
      description:
        'Name of the field in `data`; `result` for a result that was added or removed as a whole.',
    }),
    old_value: Any,
    new_value: Any,
    reviewer_id: Type.String({
      format: 'uuid',
      description: 'Id of the management key of the reviewer.',
    }),
    corrected_at: DateTime,
  },
  { title: 'LabReportCorrection' },
)

const NullableText = Nullable(Type.String())

const PatientComparison = Type.Object(
  {
    match: PatientMatch,
    printed: Type.Object(
      {
        first_name: NullableText,
        last_name: NullableText,
        dob: Nullable(Type.String({ description: 'Birth date as printed.' })),
        sex: TextEnum(GENDERS),
      },
      { title: 'PrintedPatient' },
    ),
    known: Type.Array(
      Type.Object(
        {
          source: TextEnum(PATIENT_SOURCES),
          first_name: NullableText,
          last_name: NullableText,
          dob: Nullable(DateOnly),
          sex: Nullable(TextEnum(['male', 'female'])),
        },
        { title: 'KnownPatient' },
      ),
      { description: 'Known data of the person by source, the most reliable source first.' },
    ),
  },
  {
    title: 'PatientComparison',
    description:
      'Current comparison of the patient of the report with the person for whom it was uploaded.',
  },
)

export const ReportReview = Type.Object(
  {
    job: ParsingJob,
    patient_comparison: Nullable(PatientComparison),
    reading: Nullable(ParsedLabReportData),
    evidence: Nullable(LabReportEvidence),
    files: Type.Array(
      Type.Object({
        number: Type.Integer({
          description: 'Number of the file, from 1, in the order of the upload.',
        }),
        content_type: Type.String(),
        bytes: Type.Integer(),
      }),
      { description: 'Uploaded files; empty when they are no longer retained.' },
    ),
    corrections: Type.Array(ReportCorrection),
    decision: Nullable(TextEnum(['approved', 'rejected'])),
    note: Nullable(Type.String()),
    patient_confirmed: Nullable(
      Type.Boolean({
        description: 'Whether the reviewer confirmed that the report belongs to this person.',
      }),
    ),
    reviewer_id: Nullable(Uuid),
    decided_at: Nullable(DateTime),
  },
  {
    title: 'LabReportReview',
    description: 'A report for review or after it, with its machine reading.',
  },
)
export type ReportReview = Type.Static<typeof ReportReview>

export const ReportReviewQuery = Type.Object({
  status: Type.Optional(
    TextEnum(['pending_review', 'completed', 'failed'], {
      default: 'pending_review',
      examples: ['pending_review'],
    }),
  ),
  ...pageQuery(100),
})
export type ReportReviewQuery = Type.Static<typeof ReportReviewQuery>

export const ReportReviewList = Type.Object(
  { data: Type.Array(ParsingJobSummary), next_cursor: Nullable(Type.String()) },
  { title: 'LabReportReviewList' },
)

/**
 * Makes all fields optional and removes their defaults: a field that is left out is not corrected.
 */
function changesOf<Shape extends Type.TObject>(shape: Shape, title: string) {
  const properties = Object.fromEntries(
    Object.entries(shape.properties).map(([name, field]) => {
      const { default: _default, ...rest } = field as unknown as Record<string, unknown>
      return [name, Type.Optional(Type.Unsafe(rest as Type.TSchema))]
    }),
  )
  return Type.Unsafe<Partial<Type.Static<Shape>>>(
    Type.Object(properties, { title, additionalProperties: false, minProperties: 1 }),
  )
}

const { test_name, value, ...others } = LabReportResult.properties
const AddedResult = Type.Object(
  { test_name, value, ...Type.Partial(Type.Object(others)).properties },
  { title: 'AddedLabReportResult', additionalProperties: false },
)
export type AddedResult = Type.Static<typeof AddedResult>

export const ReportCorrections = Type.Object(
  {
    metadata: Type.Optional(changesOf(ResultMetadata, 'ResultMetadataChanges')),
    results: Type.Optional(
      Type.Array(
        Type.Object({
          position: Type.Integer({
            minimum: 0,
            description: 'Position in `reading.results`, from 0.',
          }),
          changes: Nullable(changesOf(LabReportResult, 'LabReportResultChanges')),
        }),
        {
          maxItems: 500,
          description: 'Corrections of results. A result with null `changes` is removed.',
        },
      ),
    ),
    added_results: Type.Optional(
      Type.Array(AddedResult, {
        maxItems: 200,
        description:
          'Results that the machine did not read. Fields that are left out are derived from the others.',
      }),
    ),
    patient_confirmed: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether the reviewer confirms that the report belongs to this person. Required when the corrected patient of the report does not certainly match the person.',
      }),
    ),
    note: Note,
  },
  { title: 'LabReportCorrections' },
)
export type ReportCorrections = Type.Static<typeof ReportCorrections>

export const ReportRejection = Type.Object({ note: Note }, { title: 'LabReportRejection' })
