import { PROVIDER_OR_LAB_SLUGS } from '@salus/contracts/providers'
import { DateOnly, Nullable, TextEnum } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { SOURCE_RULES } from './compiled-query.ts'
import { GroupByExpression, Period, SelectExpression, Where } from './expressions.schema.ts'

/**
 * A request of the query language (docs/contract/09-aggregate.md). Rules that a schema cannot
 * express are checked in analysis/.
 */

const closed = { additionalProperties: false } as const

export const Timeframe = Type.Object(
  { type: TextEnum(['relative']), anchor: DateOnly, past: Period },
  {
    title: 'QueryTimeframe',
    description:
      'Time range in local time. It ends with the anchor day and is exactly `past` long.',
  },
)
export type Timeframe = Type.Static<typeof Timeframe>

const Cap = Type.Optional(Nullable(Period))

const Align = Type.Object(
  {
    carry: Type.Union([
      Type.Object({ mode: TextEnum(['carry_forward', 'carry_backward']), max_age: Cap }, closed),
      Type.Object({ mode: TextEnum(['carry_nearest']), span: Cap }, closed),
    ]),
  },
  {
    ...closed,
    title: 'QueryAlign',
    description: 'Adds the missing rows of the `date_trunc` key and fills null values.',
  },
)
export type Align = Type.Static<typeof Align>

const QuerySchema = Type.Object(
  {
    select: Type.Array(SelectExpression, { minItems: 1, maxItems: 100 }),
    group_by: Type.Optional(Nullable(Type.Array(GroupByExpression, { maxItems: 20 }))),
    where: Type.Optional(Where),
    align: Type.Optional(Nullable(Align)),
    split_by_source: Type.Optional(
      Nullable(
        Type.Boolean({
          deprecated: true,
          description: 'Adds `source_provider` and `source_type` as the last group keys.',
        }),
      ),
    ),
    source_rule: Type.Optional(
      Nullable(
        TextEnum(['merged'], {
          description:
            'Merges the sources of the tables `sleep` and `workout`, so that each sleep or workout counts once.',
        }),
      ),
    ),
  },
  { title: 'Query' },
)
/** A query as in a request. */
export interface Query {
  select: SelectExpression[]
  group_by?: GroupByExpression[] | null
  where?: string | null
  align?: Align | null
  split_by_source?: boolean | null
  source_rule?: 'merged' | null
}
export const Query = Type.Unsafe<Query>(QuerySchema)

export const QueryConfig = Type.Object(
  {
    provider_priority_overrides: Type.Optional(
      Nullable(
        Type.Array(TextEnum(PROVIDER_OR_LAB_SLUGS), {
          maxItems: 100,
          description:
            'Slugs of providers that take precedence over all others, in descending order of priority.',
        }),
      ),
    ),
  },
  { title: 'QueryConfig' },
)
export type QueryConfig = Type.Static<typeof QueryConfig>

export const QueryRequest = Type.Object(
  {
    timeframe: Timeframe,
    queries: Type.Array(Query, { minItems: 1, maxItems: 20 }),
    config: Type.Optional(Nullable(QueryConfig)),
  },
  { title: 'QueryRequest' },
)
export type QueryRequest = Type.Static<typeof QueryRequest>

export const QueryTable = Type.Record(Type.String(), Type.Array(Type.Unknown()), {
  title: 'QueryTable',
  description: 'Values by column name. All columns have the same length.',
})

export const SourceRule = TextEnum(SOURCE_RULES, {
  description:
    'Sources that count. `merged`: each instant counts once, by merging all sources. `one_source`: each group counts the rows of one source. `all_sources`: the rows of every source count, even when several measured the same.',
})

export const QueryResponse = Type.Object(
  { results: Type.Array(Type.Object({ table: QueryTable, source_rule: SourceRule })) },
  { title: 'QueryResponse' },
)
