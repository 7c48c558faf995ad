import { ProviderFilter } from '@salus/contracts/providers'
import { DateOrDateTime, Nullable } from '@salus/contracts/schema-types'
import { type Series, sampleGroupSchema, toTitle } from '@salus/contracts/series'
import Type from 'typebox'

const period = {
  start_date: DateOrDateTime,
  end_date: Type.Optional(Nullable(DateOrDateTime)),
  provider: ProviderFilter('Provider slug; an empty value selects all providers.'),
}

export const GroupedQuery = Type.Object({
  ...period,
  next_cursor: Type.Optional(Nullable(Type.String())),
  cursor: Type.Optional(Nullable(Type.String({ deprecated: true }))),
})
export type GroupedQuery = Type.Static<typeof GroupedQuery>

export const FlatQuery = Type.Object(period)
export type FlatQuery = Type.Static<typeof FlatQuery>

/**
 * Returns the schema of a grouped read of one series: samples by provider, and the cursor of the
 * next page.
 */
export function groupedSchema(series: Series) {
  return Type.Object(
    {
      groups: Type.Record(Type.String(), Type.Array(sampleGroupSchema(series)), {
        description: 'Groups by provider slug.',
      }),
      next: Nullable(Type.String({ deprecated: true })),
      next_cursor: Nullable(Type.String()),
    },
    { title: `${toTitle(series.name)}Groups` },
  )
}
