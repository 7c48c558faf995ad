import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'

const LastAttempt = Type.Object(
  { timestamp: DateTime, status: TextEnum(['success', 'failure']) },
  { title: 'LastAttempt' },
)

/** Statistics of one resource of a connection (docs/contract/06-summaries.md#introspection). */
export const ResourceStatistics = Type.Object(
  {
    last_attempt: Nullable(LastAttempt),
    oldest_data: Nullable(DateTime),
    newest_data: Nullable(DateTime),
    sent_count: Nullable(
      Type.Integer({ description: 'Number of objects sent in events about new data.' }),
    ),
  },
  { title: 'ResourceStatistics' },
)
export type ResourceStatistics = Type.Static<typeof ResourceStatistics>

export const ResourceStatisticsList = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        user_id: Uuid,
        provider: Type.Record(Type.String(), Type.Record(Type.String(), ResourceStatistics), {
          description: 'Statistics by provider and resource.',
        }),
      }),
    ),
    next: Nullable(Type.String({ deprecated: true })),
    next_cursor: Nullable(Type.String()),
  },
  { title: 'ResourceStatisticsList' },
)
export type ResourceStatisticsList = Type.Static<typeof ResourceStatisticsList>
