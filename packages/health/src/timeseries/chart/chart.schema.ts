import { ProviderFilter } from '@salus/contracts/providers'
import {
  DateOnly,
  DateOrDateTime,
  DateTime,
  Nullable,
  TextEnum,
} from '@salus/contracts/schema-types'
import Type from 'typebox'
import { MergedSource } from '../merged/merged.schema.ts'
import { BUCKET_NAMES } from './bucket-lengths.ts'

export const ChartQuery = Type.Object({
  start_date: DateOrDateTime,
  end_date: Type.Optional(Nullable(DateOrDateTime)),
  points: Type.Integer({
    default: 1000,
    minimum: 2,
    maximum: 4000,
    description: 'Most buckets of a line, such as the pixels of the screen.',
  }),
  by: TextEnum(['merged', 'source'], {
    default: 'merged',
    description:
      'One line of all sources, or a line for each. What cannot be merged has one for each.',
  }),
  provider: ProviderFilter('Provider slug; empty is all.'),
})
export type ChartQuery = Type.Static<typeof ChartQuery>

const numbers = (description?: string) =>
  Type.Array(Type.Number(), description === undefined ? {} : { description })
const integers = (description: string) => Type.Array(Type.Integer(), { description })

const ofReadings = {
  mean: Nullable(numbers('Null for a sum.')),
  min: Nullable(numbers()),
  max: Nullable(numbers()),
  last: Nullable(numbers('The latest reading of the bucket.')),
}

const ChartLine = Type.Object(
  {
    type: Nullable(Type.String({ description: 'Samples of each type have a line of their own.' })),
    source: Nullable(
      Type.Integer({ description: 'Position in sources; null where sources are merged.' }),
    ),
    start: integers('Unix seconds, in order. A bucket without data is left out.'),
    end: integers('Unix seconds; the bucket ends before.'),
    timezone_offset: integers('Seconds east of UTC where the person was at the start of the data.'),
    calendar_date: Nullable(
      Type.Array(DateOnly, {
        description:
          'The local day of the person, or the first one of a week or month; null for shorter buckets.',
      }),
    ),
    count: integers('Samples that take part.'),
    sum: Nullable(numbers('Null for readings.')),
    ...ofReadings,
    diastolic: Nullable(
      Type.Object(
        { mean: numbers(), min: numbers(), max: numbers(), last: numbers() },
        { title: 'ChartDiastolic', description: 'Of blood pressure; the others are systolic.' },
      ),
    ),
    origin: integers('Position in origins: which sources the value is from.'),
  },
  { title: 'ChartLine', description: 'Columns of one length.' },
)
export type ChartLine = Type.Static<typeof ChartLine>

const positions = (description: string) =>
  Type.Array(Type.Integer(), { description: `${description} Positions in sources.` })

const ChartLocalTime = Type.Object(
  {
    from: DateTime,
    timezone_offset: Type.Integer({ description: 'Seconds east of UTC.' }),
    is_journey: Type.Boolean({
      description: "False for the first, and where the clock of the person's zone was changed.",
    }),
  },
  { title: 'ChartLocalTime' },
)
export type ChartLocalTime = Type.Static<typeof ChartLocalTime>

export const Chart = Type.Object(
  {
    resource: Type.String(),
    unit: Type.String(),
    kind: TextEnum(['sum', 'level', 'pair'], {
      description: 'Amounts that add up, readings, or pairs of readings.',
    }),
    bucket: TextEnum(BUCKET_NAMES, {
      description:
        'What a bucket lasts. Days, weeks from Monday and months are those of the person.',
    }),
    precision: TextEnum(['exact', 'quarter_hours'], {
      description:
        'How sources were merged: as the merged read does, or by choosing one for each quarter of an hour.',
    }),
    sources: Type.Array(MergedSource, { description: 'That have data here; the best first.' }),
    origins: Type.Array(
      Type.Object(
        {
          used: positions('Whose samples take part.'),
          set_aside: positions('That have samples there which do not.'),
        },
        { title: 'ChartOrigin' },
      ),
    ),
    local_times: Type.Array(ChartLocalTime, {
      description: 'From when on the person had which local time, told to the bucket.',
    }),
    lines: Type.Array(ChartLine),
  },
  { title: 'Chart' },
)
export type Chart = Type.Static<typeof Chart>

/** Which charts a person has. */
export const ChartList = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          resource: Type.String(),
          unit: Type.String(),
          kind: TextEnum(['sum', 'level', 'pair']),
          oldest_data: DateTime,
          newest_data: DateTime,
        },
        { title: 'ChartListItem' },
      ),
    ),
    local_times: Type.Array(ChartLocalTime, {
      description:
        'From when on the person had which local time, as the data of all series say together.',
    }),
  },
  { title: 'ChartList' },
)
export type ChartList = Type.Static<typeof ChartList>
