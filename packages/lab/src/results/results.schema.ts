import {
  FAILURE_TYPES,
  INTERPRETATIONS,
  REPORTED_STATUSES,
  RESULT_TYPES,
} from '@salus/contracts/lab-gateway'
import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { OrderTransaction } from '../orders/index.ts'
import { ParentResult, ResultDocument, ResultPanel } from './result-details.schema.ts'

/** Results as endpoints return them (docs/contract/13-results.md). */

export const RESULT_STATUSES = ['final', 'partial'] as const
export type ResultStatus = (typeof RESULT_STATUSES)[number]

const NullableText = Nullable(Type.String())
const NullableNumber = Nullable(Type.Number())
const NullableBoolean = Nullable(Type.Boolean())

export const ParentBiomarkerData = Type.Object(
  {
    marker_id: Type.Integer(),
    name: Type.String(),
    slug: Type.String(),
    provider_id: NullableText,
  },
  { title: 'ParentBiomarkerData' },
)

const SourceMarkers = Nullable(
  Type.Array(ParentBiomarkerData, {
    description: 'Ordered markers that produce this result; null when no ordered marker does.',
  }),
)

export const BiomarkerResult = Type.Object(
  {
    name: Type.String({ description: 'Name of the result at the laboratory.' }),
    slug: Type.String(),
    result: Type.String({ description: 'Value as text; its format depends on `type`.' }),
    type: TextEnum(RESULT_TYPES),
    result_type: TextEnum(RESULT_TYPES, { description: 'Same value as `type`.' }),
    unit: NullableText,
    timestamp: Nullable(DateTime),
    notes: Nullable(
      Type.String({
        description: 'Comments of the laboratory, including the text of ranges and comments.',
      }),
    ),
    reference_range: Nullable(
      Type.String({
        description:
          'Reference interval as printed; it shows whether a bound belongs to the interval.',
      }),
    ),
    min_range_value: NullableNumber,
    max_range_value: NullableNumber,
    is_above_max_range: NullableBoolean,
    is_below_min_range: NullableBoolean,
    interpretation: TextEnum(INTERPRETATIONS),
    source_interpretation: Type.String({
      description: 'Flag of the laboratory; empty when it gave none.',
    }),
    loinc: NullableText,
    loinc_slug: NullableText,
    provider_id: Nullable(Type.String({ description: 'Code of the result at the laboratory.' })),
    source_markers: SourceMarkers,
    performing_laboratory: Nullable(
      Type.String({ description: 'Key of the laboratory in `performing_laboratories`.' }),
    ),
    source_sample_id: Nullable(
      Type.String({ description: 'Key of the sample in `sample_information`.' }),
    ),
    status: Nullable(
      TextEnum(REPORTED_STATUSES, {
        description: 'A preliminary value is not verified yet; null in results stored before.',
      }),
    ),
    flags: Nullable(
      Type.Array(Type.String(), { description: 'All flags of the laboratory; null without any.' }),
    ),
    sub_id: Nullable(
      Type.String({
        description: 'Distinguishes results with one code in one test, such as isolates.',
      }),
    ),
    specimen_type: NullableText,
    collected_at: Nullable(
      Type.String({
        format: 'date-time',
        description: 'Time of the draw; results of timed draws with one code differ in it.',
      }),
    ),
    panel: Nullable(ResultPanel),
    parent: Nullable(ParentResult),
  },
  { title: 'BiomarkerResult' },
)
export type BiomarkerResult = Type.Static<typeof BiomarkerResult>

/** Details that results of earlier releases were stored without. */
export const WITHOUT_DETAILS = {
  status: null,
  flags: null,
  sub_id: null,
  specimen_type: null,
  collected_at: null,
  panel: null,
  parent: null,
} as const satisfies Partial<BiomarkerResult>

export const MissingBiomarkerResult = Type.Object(
  {
    name: Type.String(),
    slug: Type.String(),
    inferred_failure_type: TextEnum(FAILURE_TYPES),
    note: NullableText,
    loinc: NullableText,
    loinc_slug: NullableText,
    provider_id: NullableText,
    source_markers: SourceMarkers,
  },
  { title: 'MissingBiomarkerResult' },
)
export type MissingBiomarkerResult = Type.Static<typeof MissingBiomarkerResult>

export const LabResultsMetadata = Type.Object(
  {
    age: Type.String({ description: 'Age in years; empty when the birth date is unknown.' }),
    dob: Type.String({ description: 'Birth date, YYYY-MM-DD; empty when unknown.' }),
    'clia_#': Nullable(Type.String({ description: 'CLIA number of the laboratory.' })),
    clia_number: Nullable(Type.String({ description: 'Same value as `clia_#`.' })),
    patient: Type.String(),
    provider: Nullable(Type.String({ description: 'Name of the ordering physician.' })),
    laboratory: NullableText,
    date_reported: Type.String({ format: 'date-time', deprecated: true }),
    date_collected: Nullable(Type.String({ format: 'date-time', deprecated: true })),
    date_received: Nullable(Type.String({ format: 'date-time', deprecated: true })),
    specimen_number: Type.String(),
    status: TextEnum(RESULT_STATUSES),
    interpretation: Nullable(
      TextEnum(INTERPRETATIONS, { description: 'Worst interpretation of all results.' }),
    ),
    patient_id: NullableText,
    account_id: NullableText,
  },
  { title: 'LabResultsMetadata' },
)
export type LabResultsMetadata = Type.Static<typeof LabResultsMetadata>

const UtcTimestampWithOffset = Type.Object(
  {
    timestamp: DateTime,
    timezone_offset: Type.Integer({ description: 'Offset in seconds east of UTC.' }),
  },
  { title: 'UtcTimestampWithOffset' },
)

const PerformingLaboratory = Type.Object(
  {
    name: Type.String(),
    phone_number: NullableText,
    medical_director: NullableText,
    address: Nullable(
      Type.Object({
        first_line: Type.String(),
        second_line: NullableText,
        city: Type.String(),
        state: Type.String(),
        zip: Type.String(),
        country: Type.String(),
        access_notes: NullableText,
      }),
    ),
  },
  { title: 'PerformingLaboratory' },
)

export const SampleData = Type.Object(
  {
    sample_id: NullableText,
    control_number: NullableText,
    date_collected: Nullable(UtcTimestampWithOffset),
    date_received: Nullable(UtcTimestampWithOffset),
    date_reported: Nullable(UtcTimestampWithOffset),
    performing_laboratories: Type.Record(Type.String(), PerformingLaboratory),
    clinical_information: Type.Object(
      {
        fasting: Type.Boolean(),
        notes: NullableText,
        information: NullableText,
        total_volume: NullableText,
      },
      { title: 'ClinicalInformation' },
    ),
  },
  { title: 'SampleData' },
)
export type SampleData = Type.Static<typeof SampleData>

export const LabResultsRaw = Type.Object(
  {
    metadata: LabResultsMetadata,
    results: Type.Array(BiomarkerResult),
    missing_results: Type.Array(MissingBiomarkerResult),
    sample_information: Type.Record(Type.String(), SampleData),
    documents: Type.Array(ResultDocument, {
      description: 'Documents of the laboratory: its report, images, texts; oldest first.',
    }),
    order_transaction: OrderTransaction,
  },
  { title: 'LabResultsRaw' },
)
export type LabResultsRaw = Type.Static<typeof LabResultsRaw>

/** Query that selects a version of the results. */
export const VersionQuery = Type.Object({
  version: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'Version of the results; the newest by default.',
    }),
  ),
})

export const ResultVersion = Type.Object(
  {
    version: Type.Integer({ description: 'Number of the version, from 1.' }),
    status: TextEnum(RESULT_STATUSES),
    is_correction: Type.Boolean({
      description: 'Whether the laboratory marked the results as corrected.',
    }),
    interpretation: TextEnum(INTERPRETATIONS, {
      description: 'Worst interpretation of all results.',
    }),
    has_missing_results: Type.Boolean(),
    date_reported: Type.String({
      format: 'date-time',
      description: 'Time at which the laboratory reported the results.',
    }),
    created_at: Type.String({
      format: 'date-time',
      description: 'Time at which the results were received.',
    }),
  },
  { title: 'ResultVersion' },
)
export type ResultVersion = Type.Static<typeof ResultVersion>

export const ResultVersions = Type.Object(
  { data: Type.Array(ResultVersion, { description: 'Versions, newest first.' }) },
  { title: 'ResultVersions' },
)

/** Payload of labtest.result.critical (docs/contract/17-lab-events.md#criticalresult). */
export const CriticalResult = Type.Object(
  {
    order_id: Uuid,
    sample_id: Type.String(),
    status: TextEnum(RESULT_STATUSES),
    interpretation: TextEnum(INTERPRETATIONS, {
      description: 'Interpretation of the results; always critical.',
    }),
    team_id: Uuid,
    user_id: Uuid,
    created_at: Type.String({ format: 'date-time', description: 'Time of the first version.' }),
    updated_at: Type.String({ format: 'date-time', description: 'Time of this version.' }),
  },
  { title: 'CriticalResult' },
)
