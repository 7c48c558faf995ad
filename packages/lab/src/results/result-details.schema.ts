import { REPORTED_STATUSES, TEST_ORIGINS, TEST_STATUSES } from '@salus/contracts/lab-gateway'
import { Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'

/** Parts of results that only reports with tests and documents have. */

const NullableText = Nullable(Type.String())

export const ResultPanel = Type.Object(
  {
    name: Type.String(),
    provider_id: Nullable(Type.String({ description: 'Code of the test at the laboratory.' })),
    loinc: NullableText,
    filler_number: Nullable(Type.String({ description: 'Number of the test at the laboratory.' })),
    origin: TextEnum(TEST_ORIGINS, {
      description: '`reflex`: caused by another result; `added`: ordered later, as by telephone.',
    }),
    status: TextEnum(TEST_STATUSES, {
      description: 'Status of the test; a test with an end is final, corrected or cancelled.',
    }),
  },
  {
    title: 'ResultPanel',
    description: 'Test under which the laboratory reported a result; null when it names none.',
  },
)
export type ResultPanel = Type.Static<typeof ResultPanel>

export const ParentResult = Type.Object(
  {
    name: NullableText,
    provider_id: NullableText,
    loinc: NullableText,
    sub_id: NullableText,
    result: NullableText,
  },
  {
    title: 'ParentResult',
    description: 'Result that led to the test, such as the isolate of a susceptibility.',
  },
)

/** A document of a laboratory (docs/contract/13-results.md#resultdocument). */
export const ResultDocument = Type.Object(
  {
    id: Uuid,
    order_id: Uuid,
    name: Type.String({ description: 'Name of the document at the laboratory.' }),
    content_type: Type.String({
      description: 'Content type by the bytes, `application/octet-stream` if it is unknown.',
    }),
    size: Type.Integer({ description: 'Size in bytes.' }),
    provider_id: Nullable(Type.String({ description: 'Code of the document at the laboratory.' })),
    loinc: NullableText,
    status: TextEnum(REPORTED_STATUSES),
    panel: Nullable(
      Type.String({ description: 'Name of the test to which it belongs; null for none.' }),
    ),
    version: Type.Integer({ description: 'Version of the results with which it came.' }),
    is_report: Type.Boolean({
      description: 'Whether it is the result document of the order, as `/result/pdf` returns it.',
    }),
  },
  { title: 'ResultDocument', description: 'Document of the laboratory beside the results.' },
)
export type ResultDocument = Type.Static<typeof ResultDocument>
