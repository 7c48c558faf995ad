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
    description: 'Maximum number of buckets of a line, such as the width of the screen in pixels.',
  }),
  by: TextEnum(['merged', 'source'], {
    default: 'merged',
    description:
      'Lines to return: one line of all sources, or a line for each source. Samples that cannot be merged have a line for each source.',
  }),
  provider: ProviderFilter('Provider slug; an empty value selects all providers.'),
})
export type ChartQuery = Type.Static<typeof ChartQuery>

const numbers = (description?: string) =>
  Type.Array(Type.Number(), description === undefined ? {} : { description })
const integers = (description: string) => Type.Array(Type.Integer(), { description })

const ofReadings = {
  mean: Nullable(numbers('Mean of readings; null for a sum.')),
  min: Nullable(numbers()),
  max: Nullable(numbers()),
  last: Nullable(numbers('Latest reading of the bucket.')),
}

const ChartLine = Type.Object(
  {
    type: Nullable(Type.String({ description: 'Sample type. Each type has a line of its own.' })),
    source: Nullable(
      Type.Integer({ description: 'Index into `sources`; null when sources are merged.' }),
    ),
    start: integers('Starts in Unix seconds, in order. A bucket without data is omitted.'),
    end: integers('Ends in Unix seconds, exclusive.'),
    timezone_offset: integers(
      'Offset from UTC in seconds where the user was at the start of the data.',
    ),
    calendar_date: Nullable(
      Type.Array(DateOnly, {
        description:
          'Local day of the user, or the first day of a week or month; null for shorter buckets.',
      }),
    ),
    count: integers('Number of samples that count.'),
    sum: Nullable(numbers('Sum of amounts; null for readings.')),
    ...ofReadings,
    diastolic: Nullable(
      Type.Object(
        { mean: numbers(), min: numbers(), max: numbers(), last: numbers() },
        {
          title: 'ChartDiastolic',
          description: 'Values of the diastolic pressure. The other columns are systolic.',
        },
      ),
    ),
    origin: integers('Index into `origins`, which lists the sources of the value.'),
  },
  { title: 'ChartLine', description: 'Line of a chart. All columns have the same length.' },
)
export type ChartLine = Type.Static<typeof ChartLine>

const positions = (description: string) =>
  Type.Array(Type.Integer(), {
    description: `${description} The items are indexes into \`sources\`.`,
  })

const ChartLocalTime = Type.Object(
  {
    from: DateTime,
    timezone_offset: Type.Integer({ description: 'Offset from UTC in seconds.' }),
    is_journey: Type.Boolean({
      description:
        'Whether the user traveled to another local time. False for the first one, and when daylight saving time changed.',
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
      description: 'Kind of the values: amounts that add up, readings, or pairs of readings.',
    }),
    bucket: TextEnum(BUCKET_NAMES, {
      description:
        'Length of a bucket. Days, weeks from Monday and months are in local time of the user.',
    }),
    precision: TextEnum(['exact', 'quarter_hours'], {
      description:
        'Precision of the merge: like the merged read, or by choosing one source for each quarter of an hour.',
    }),
    sources: Type.Array(MergedSource, {
      description: 'Sources that have data in the range, best first.',
    }),
    origins: Type.Array(
      Type.Object(
        {
          used: positions('Sources whose samples count.'),
          set_aside: positions('Sources with samples that do not count.'),
        },
        { title: 'ChartOrigin' },
      ),
    ),
    local_times: Type.Array(ChartLocalTime, {
      description: 'Local times of the user, each with its start at the precision of a bucket.',
    }),
    lines: Type.Array(ChartLine),
  },
  { title: 'Chart' },
)
export type Chart = Type.Static<typeof Chart>

/** The charts of a user. */
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
      description: 'Local times of the user, each with its start, from the data of all series.',
    }),
  },
  { title: 'ChartList' },
)
export type ChartList = Type.Static<typeof ChartList>
