import { INTERPRETATIONS } from '@salus/contracts/lab-gateway'
import { DateOnly, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { pageQuery } from '@salus/kernel/http/keyset-pages'
import Type from 'typebox'

/**
 * Results of a person from orders and lab reports
 * (docs/contract/13-results.md#results-of-a-person).
 */

const SOURCES = ['order', 'lab_report'] as const
const PERIODS = ['month', 'quarter', 'year'] as const
const COMPARATORS = ['<', '>', '<=', '>='] as const

const NullableText = Nullable(Type.String())
const NullableNumber = Nullable(Type.Number())

/** The source of a result; the id of the other source is null. */
const Origin = {
  source: TextEnum(SOURCES),
  order_id: Nullable(Uuid),
  parsing_job_id: Nullable(Uuid),
}

export const PersonResult = Type.Object(
  {
    ...Origin,
    name: Type.String({ description: 'Name of the result at the laboratory.' }),
    loinc_code: NullableText,
    loinc_component: Nullable(
      Type.String({
        description: 'Component of the LOINC code, such as `Cholesterol.in LDL`; null if unknown.',
      }),
    ),
    panel: Nullable(
      Type.String({
        description:
          'Name of the panel or test of the laboratory that the result is of; null if unknown.',
      }),
    ),
    measurement: Nullable(
      Type.String({
        description:
          'Opaque key that is equal for results of the same analyte, in any unit and by any method.',
      }),
    ),
    date: Nullable(
      Type.String({
        format: 'date',
        description:
          'Day of collection, or of the report when that is unknown; null when a lab report has neither.',
      }),
    ),
    value: Type.String({ description: 'Value as reported.' }),
    number: Nullable(Type.Number({ description: 'Number in the value; null when it has none.' })),
    comparator: Nullable(TextEnum(COMPARATORS)),
    unit: NullableText,
    ucum_unit: NullableText,
    min_range_value: NullableNumber,
    max_range_value: NullableNumber,
    interpretation: TextEnum(INTERPRETATIONS),
  },
  { title: 'PersonResult' },
)
export type PersonResult = Type.Static<typeof PersonResult>

const Source = TextEnum(SOURCES, {
  description: 'Returns only results of orders, or only results of lab reports.',
  examples: ['lab_report'],
})

const Between = {
  start_date: Type.Optional(DateOnly),
  end_date: Type.Optional(DateOnly),
}

export const PersonResultQuery = Type.Object({
  ...Between,
  source: Type.Optional(Source),
  loinc_code: Type.Optional(
    Type.String({
      maxLength: 20,
      description: 'Returns only results with this LOINC code.',
      examples: ['2345-7'],
    }),
  ),
  ...pageQuery(500, 100),
})
export type PersonResultQuery = Type.Static<typeof PersonResultQuery>

export const PersonResults = Type.Object(
  { results: Type.Array(PersonResult), next_cursor: NullableText },
  { title: 'PersonResults' },
)

export const TrendQuery = Type.Object({
  ...Between,
  source: Type.Optional(Source),
  loinc_code: Type.String({
    maxLength: 20,
    description: 'LOINC code of the analyte in any unit.',
    examples: ['2345-7'],
  }),
  unit: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'Unit of the trend, in UCUM or in the notation of laboratories.',
      examples: ['mmol/L'],
    }),
  ),
  period: Type.Optional(
    TextEnum(PERIODS, {
      description: 'Period for which the points are also summarized.',
      examples: ['month'],
    }),
  ),
})
export type TrendQuery = Type.Static<typeof TrendQuery>

const TrendPoint = Type.Object(
  {
    ...Origin,
    date: DateOnly,
    loinc_code: Type.String(),
    value: Type.Number({ description: 'Value in the unit of the trend.' }),
    comparator: Nullable(TextEnum(COMPARATORS)),
    original_value: Type.String({ description: 'Value as reported.' }),
    original_unit: NullableText,
    min_range_value: NullableNumber,
    max_range_value: NullableNumber,
    interpretation: TextEnum(INTERPRETATIONS),
  },
  { title: 'TrendPoint' },
)
export type TrendPoint = Type.Static<typeof TrendPoint>

const TrendPeriod = Type.Object(
  {
    start_date: Type.String({ format: 'date', description: 'First day of the period.' }),
    count: Type.Integer(),
    min: Type.Number(),
    max: Type.Number(),
    mean: Type.Number(),
    last: Type.Number(),
  },
  { title: 'TrendPeriod' },
)
export type TrendPeriod = Type.Static<typeof TrendPeriod>

export const ResultTrend = Type.Object(
  {
    loinc_codes: Type.Array(Type.String(), {
      description: 'LOINC codes of the results in the trend.',
    }),
    unit: Nullable(
      Type.String({ description: 'UCUM unit of the trend; null when the results have none.' }),
    ),
    points: Type.Array(TrendPoint, { description: 'Points of the trend, oldest first.' }),
    periods: Nullable(
      Type.Array(TrendPeriod, {
        description:
          'Summaries of the periods, oldest first; null without `period`. Values with a comparator do not count.',
      }),
    ),
    left_out: Type.Integer({
      description:
        'Number of results of the analyte that were left out because they have no day or no number, or a unit that cannot be converted.',
    }),
  },
  { title: 'ResultTrend' },
)
export type ResultTrend = Type.Static<typeof ResultTrend>
