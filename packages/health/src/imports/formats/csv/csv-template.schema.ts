import { Nullable, TextEnum } from '@salus/contracts/schema-types'
import { SERIES, type SeriesName, SOURCE_TYPES } from '@salus/contracts/series'
import Type from 'typebox'

const column = (description: string) => Type.String({ minLength: 1, maxLength: 200, description })
const names = (description: string) =>
  Type.Record(Type.String(), Type.String({ maxLength: 100 }), { description })
const SERIES_NAMES = SERIES.map(({ name }) => name) as SeriesName[]

const TimeCells = Type.Object(
  {
    column: column('Column of the date, or of the date with its time.'),
    time_column: Type.Optional(column('Column of the time, where the date is in one of its own.')),
  },
  { title: 'CsvTimeCells' },
)

const Value = Type.Object(
  {
    series: TextEnum(SERIES_NAMES, { description: 'Series of the values.' }),
    column: Type.Optional(
      column('Column of the value; of a blood pressure that of the systolic one.'),
    ),
    constant: Type.Optional(
      Type.Number({ description: 'Value of every row, in place of a column.' }),
    ),
    diastolic_column: Type.Optional(column('Column of the diastolic pressure.')),
    unit: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Unit of all values, one that the series accepts.',
      }),
    ),
    unit_column: Type.Optional(column('Column of the unit, where rows differ.')),
    units: Type.Optional(names('Units that the series accepts, by the texts of the unit column.')),
    type: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Type of all samples, where the series has types.',
      }),
    ),
    type_column: Type.Optional(column('Column of the type.')),
    types: Type.Optional(names('Types of the series, by the texts of the type column.')),
    when: Type.Optional(
      Type.Object(
        {
          column: column('Column that says what a row is.'),
          equals: Type.Array(Type.String({ maxLength: 200 }), {
            ...{ minItems: 1, maxItems: 50 },
            description: 'Texts of the rows that have this value.',
          }),
        },
        { title: 'CsvCondition', description: 'Reads only some of the rows.' },
      ),
    ),
  },
  { title: 'CsvValue', additionalProperties: false },
)
export type CsvValue = Type.Static<typeof Value>

const DATE_FORMATS = [
  'year_first',
  'day_first',
  'month_first',
  'epoch_seconds',
  'epoch_milliseconds',
] as const

/** How a table of any program is read. */
export const CsvTemplate = Type.Object(
  {
    delimiter: Type.Optional(
      TextEnum([',', ';', '\t', '|'], {
        description: 'Delimiter; by default the one that the first rows have.',
      }),
    ),
    has_head: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'Whether a row names the columns: the first one that has all columns of the template. Without it columns are named by their position, from `1`.',
      }),
    ),
    decimal: Type.Optional(
      TextEnum(['.', ','], { default: '.', description: 'Decimal separator of the numbers.' }),
    ),
    date_format: TextEnum(DATE_FORMATS, {
      description:
        'Order of year, month and day, or seconds or milliseconds since 1970. Times have 12 or 24 hours, and may have an offset.',
    }),
    time_zone: Type.Optional(
      Type.String({
        ...{ minLength: 1, maxLength: 64 },
        description:
          'IANA zone of local times, or `floating`; by default that of the import or of the user.',
      }),
    ),
    start: TimeCells,
    end: Type.Optional(TimeCells),
    duration: Type.Optional(
      Type.Object(
        {
          column: column('Column of the duration, in place of an end.'),
          unit: TextEnum(['s', 'min', 'h'], { description: 'Unit of the duration.' }),
        },
        { title: 'CsvDuration' },
      ),
    ),
    source_type: Type.Optional(
      TextEnum(SOURCE_TYPES, { default: 'unknown', description: 'Kind of the source.' }),
    ),
    app_id: Type.Optional(
      Type.String({
        ...{ minLength: 1, maxLength: 100, default: 'csv' },
        description: 'App or device that the values come from: another one is a source of its own.',
      }),
    ),
    values: Type.Array(Value, {
      minItems: 1,
      maxItems: 50,
      description: 'Values of a row, and their series.',
    }),
  },
  { title: 'CsvTemplate', additionalProperties: false },
)
export type CsvTemplate = Type.Static<typeof CsvTemplate>

const KINDS = [
  ...['date_time', 'date', 'time', 'instant', 'epoch_seconds', 'epoch_milliseconds'],
  ...['number', 'text', 'empty'],
] as const

/** A column of a preview, with what its cells may be. */
export const CsvColumn = Type.Object(
  {
    name: Type.String({ description: 'Name in the head row, or the position from `1`.' }),
    kind: Type.String({
      enum: [...KINDS],
      description: 'Kind of all cells of the first rows. An instant has an offset.',
    }),
    date_orders: Type.Array(Type.String(), {
      description:
        'Orders of day and month in which all dates are valid: several mean that the file does not decide.',
    }),
    decimals: Type.Array(Type.String(), {
      description: 'Decimal separators with which all cells are numbers.',
    }),
    suggestion: Nullable(
      Type.Object(
        {
          series: Type.String(),
          unit: Nullable(Type.String({ description: 'Null where the name has no unit.' })),
        },
        { title: 'CsvSuggestion' },
      ),
    ),
  },
  { title: 'CsvColumn' },
)
export type CsvColumn = Type.Static<typeof CsvColumn>

export const CsvPreview = Type.Object(
  {
    delimiter: Type.String(),
    has_head: Type.Boolean({ description: 'Whether a row looks like a head row.' }),
    columns: Type.Array(CsvColumn),
    rows: Type.Array(Type.Array(Type.String()), { description: 'Cells of the first rows.' }),
    results: Nullable(
      Type.Array(
        Type.Object(
          {
            row: Type.Integer({ description: 'Position among the rows, from 0.' }),
            becomes: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
              description: 'Samples of the row, and what is quarantined with its reason.',
            }),
          },
          { title: 'CsvRowResult' },
        ),
        { description: 'Outcome of each row by the template; null without one.' },
      ),
    ),
  },
  { title: 'CsvPreview' },
)
export type CsvPreview = Type.Static<typeof CsvPreview>
