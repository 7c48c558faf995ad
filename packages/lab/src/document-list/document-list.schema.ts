import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { pageQuery } from '@salus/kernel/http/keyset-pages'
import Type from 'typebox'
import { RESULT_STATUSES } from '../results/index.ts'

/** Documents of a person (docs/contract/11-orders.md#documents-of-a-person). */

export const DOCUMENT_TYPES = [
  'requisition',
  'abn',
  'collection_instructions',
  'result',
  'result_document',
  'lab_report',
] as const

export const PersonDocument = Type.Object(
  {
    type: TextEnum(DOCUMENT_TYPES),
    order_id: Nullable(Uuid),
    parsing_job_id: Nullable(Uuid),
    lab_test_name: Nullable(
      Type.String({ description: 'Name of the ordered lab test; null for a lab report.' }),
    ),
    result_version: Nullable(Type.Integer()),
    result_status: Nullable(TextEnum(RESULT_STATUSES)),
    file_number: Nullable(
      Type.Integer({
        description: 'Number of the file in its lab report, from 1; null for other documents.',
      }),
    ),
    content_type: Type.String({ description: 'Content type by the bytes of the document.' }),
    path: Type.String({
      description: 'Path to request, with the same credential, to read the document.',
    }),
    created_at: DateTime,
  },
  { title: 'PersonDocument' },
)
export type PersonDocument = Type.Static<typeof PersonDocument>

export const DocumentListQuery = Type.Object({
  type: Type.Optional(
    TextEnum(DOCUMENT_TYPES, { description: 'Returns only documents of this type.' }),
  ),
  order_id: Type.Optional(
    Type.String({ format: 'uuid', description: 'Returns only documents of this order.' }),
  ),
  ...pageQuery(200),
})
export type DocumentListQuery = Type.Static<typeof DocumentListQuery>

export const DocumentList = Type.Object(
  { documents: Type.Array(PersonDocument), next_cursor: Nullable(Type.String()) },
  { title: 'DocumentList' },
)
export type DocumentList = Type.Static<typeof DocumentList>
