import { SDK_PROVIDER_SLUGS } from '@salus/contracts/providers'
import { TextEnum } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { STAGES } from '../ingest/index.ts'

export const NDJSON = 'application/x-ndjson'
export const PARQUET = 'application/vnd.apache.parquet'

/** docs/contract/07-mobile-sync.md#post-v2timeseriesbulk */
export const BulkQuery = Type.Object({
  provider: TextEnum(SDK_PROVIDER_SLUGS, {
    description: 'Provider of all samples, to which their users are connected.',
    default: 'manual',
  }),
  stage: TextEnum(STAGES, {
    description:
      'Stage of the samples: `historical` raises one event for each user and resource, `daily` events about the data.',
    default: 'historical',
  }),
})
export type BulkQuery = Type.Static<typeof BulkQuery>

/** Reasons for which a line is refused: there is nothing, or no user, to quarantine it for. */
export const REFUSALS = [
  'invalid_json',
  'line_too_long',
  'missing_user',
  'unknown_user',
  'not_connected',
  'too_many_users',
  'unknown_resource',
] as const
export type Refusal = (typeof REFUSALS)[number]

export const BulkResult = Type.Object(
  {
    success: Type.Boolean(),
    lines: Type.Integer({ description: 'Number of lines or rows, without empty lines.' }),
    inserted: Type.Integer({ description: 'Number of new samples.' }),
    updated: Type.Integer({ description: 'Number of samples whose content was replaced.' }),
    unchanged: Type.Integer({ description: 'Number of samples that were already stored.' }),
    out_of_bounds: Type.Integer({
      description:
        'Number of samples outside the ingestion bounds of their user; they are dropped.',
    }),
    put_aside: Type.Integer({ description: 'Number of lines that were quarantined.' }),
    rejected: Type.Integer({
      description: 'Number of lines that belong to no user or resource, or are no JSON.',
    }),
    problems: Type.Array(
      Type.Object({
        line: Type.Integer({ description: 'Number of the line or row, from 1.' }),
        reason: Type.String({
          description: `Reason of the quarantine, or one of ${REFUSALS.map((name) => `\`${name}\``).join(', ')}.`,
        }),
      }),
      { description: 'First of the quarantined and rejected lines, at most 100.' },
    ),
  },
  { title: 'BulkUploadResult' },
)
export type BulkResult = Type.Static<typeof BulkResult>
