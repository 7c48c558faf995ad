import { INTERPRETATIONS } from '@salus/contracts/lab-gateway'
import { DateOnly, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { pageQuery } from '@salus/kernel/http/keyset-pages'
import Type from 'typebox'

/**
 * Results of a person from orders and from reports
 * (docs/contract/13-results.md#results-of-a-person).
 */

const SOURCES = ['order', 'lab_report'] as const
const PERIODS = ['month', 'quarter', 'year'] as const
const COMPARATORS = ['<', '>', '<=', '>='] as const

const NullableText = Nullable(Type.String())
const NullableNumber = Nullable(Type.Number())

/** Where a result is from: the id of the other source is null. */
const Origin = {
  source: TextEnum(SOURCES),
  order_id: Nullable(Uuid),
  parsing_job_id: Nullable(Uuid),
}

export const PersonResult = Type.Object(
  {
    ...Origin,
    name: Type.String({ description: 'As the laboratory calls it.' }),
    loinc_code: NullableText,
    measurement: Nullable(
      Type.String({
        description:
          'The same for results that measure the same, in whatever unit and by whatever method; nothing else is to be read from it.',
      }),
    ),
    date: Nullable(
      Type.String({
        format: 'date',
        description: 'Day of collection, else of the report; null where a report does not tell it.',
      }),
    ),
    value: Type.String({ description: 'As reported.' }),
    number: Nullable(
      Type.Number({ description: 'The number in the value; null where there is none.' }),
    ),
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
  description: 'Only results of orders, or of reports that were read.',
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
    Type.String({ maxLength: 20, description: 'Only results of this code.', examples: ['2345-7'] }),
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
    description: 'LOINC code of the analyte, in whatever unit.',
    examples: ['2345-7'],
  }),
  unit: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'Unit of the trend, in UCUM or as laboratories write it.',
      examples: ['mmol/L'],
    }),
  ),
  period: Type.Optional(
    TextEnum(PERIODS, { description: 'Also sums up the points of each.', examples: ['month'] }),
  ),
})
export type TrendQuery = Type.Static<typeof TrendQuery>

const TrendPoint = Type.Object(
  {
    ...Origin,
    date: DateOnly,
    loinc_code: Type.String(),
    value: Type.Number({ description: 'In the unit of the trend.' }),
    comparator: Nullable(TextEnum(COMPARATORS)),
    original_value: Type.String({ description: 'As reported.' }),
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
    loinc_codes: Type.Array(Type.String(), { description: 'Codes of the results in the trend.' }),
    unit: Nullable(Type.String({ description: 'UCUM; null where the results have none.' })),
    points: Type.Array(TrendPoint, { description: 'Oldest first.' }),
    periods: Nullable(
      Type.Array(TrendPeriod, {
        description: 'Oldest first; only with `period`. Values with a comparator do not count.',
      }),
    ),
    left_out: Type.Integer({
      description:
        'Results of the analyte without a day or a number, or in a unit that does not become the other.',
    }),
  },
  { title: 'ResultTrend' },
)
export type ResultTrend = Type.Static<typeof ResultTrend>
