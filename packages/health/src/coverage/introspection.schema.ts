import { PROVIDER_OR_LAB_SLUGS } from '@salus/contracts/providers'
import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'

const optionalText = Type.Optional(Nullable(Type.String()))

export const IntrospectionQuery = Type.Object({
  user_id: Type.Optional(Nullable(Uuid)),
  provider: Type.Optional(Nullable(TextEnum(PROVIDER_OR_LAB_SLUGS))),
  user_limit: Type.Integer({ default: 50, minimum: 1, maximum: 500 }),
  next_cursor: optionalText,
  cursor: Type.Optional(Nullable(Type.String({ deprecated: true }))),
})
export type IntrospectionQuery = Type.Static<typeof IntrospectionQuery>

/** State of the historical pull of a resource (docs/contract/06-summaries.md#introspection). */
export const PullStatistics = Type.Object(
  {
    status: TextEnum(['scheduled', 'in_progress', 'retrying', 'success', 'failure']),
    range_start: Nullable(DateTime),
    range_end: Nullable(DateTime),
    timeline: Type.Object({
      scheduled_at: DateTime,
      started_at: Nullable(DateTime),
      ended_at: Nullable(DateTime),
    }),
    days_with_data: Type.Integer({
      description: 'Number of UTC days in the range that have samples or summaries.',
    }),
    release: Type.String({ description: 'Version of the server.' }),
    trace_id: Type.String({
      description: 'Identifier of the run. A repeated run has another one.',
    }),
    error_details: Nullable(Type.String()),
  },
  { title: 'PullStatistics' },
)
export type PullStatistics = Type.Static<typeof PullStatistics>

const ProviderPulls = Type.Object({
  pulled: Type.Record(Type.String(), PullStatistics),
  not_pulled: Type.Array(Type.String()),
})

export const HistoricalPulls = Type.Object(
  {
    data: Type.Array(
      Type.Object({ user_id: Uuid, provider: Type.Record(Type.String(), ProviderPulls) }),
    ),
    next: Nullable(Type.String({ deprecated: true })),
    next_cursor: Nullable(Type.String()),
  },
  { title: 'HistoricalPulls' },
)
export type HistoricalPulls = Type.Static<typeof HistoricalPulls>
