import { DateOnly, DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { MergedSource } from '@salus/health/timeseries'
import { PersonResult } from '@salus/lab/result-history'
import Type from 'typebox'

/** A person at a glance (docs/contract/02-users.md#get-v2useruser_idglance). */

/** Figures in the order of the answer, with their units. */
export const GLANCE_FIGURES = {
  steps: 'count',
  sleep_duration: 's',
  resting_heart_rate: 'bpm',
  heart_rate_variability: 'ms',
  glucose_in_range: '%',
  weight: 'kg',
} as const
export type GlanceFigureName = keyof typeof GLANCE_FIGURES

const FIGURE_NAMES = Object.keys(GLANCE_FIGURES) as GlanceFigureName[]

/** Percentage of glucose readings from 3.9 to 10 mmol/L (70 to 180 mg/dL). */
export const GLUCOSE_RANGE = { from: 3.9, to: 10 } as const

const GlanceFigure = Type.Object(
  {
    name: TextEnum(FIGURE_NAMES),
    unit: TextEnum(Object.values(GLANCE_FIGURES)),
    value: Nullable(
      Type.Number({ description: 'Value of the newest local day that has one; null without any.' }),
    ),
    date: Nullable(
      Type.String({
        format: 'date',
        description: 'Local day of the value: for a night, that of its morning.',
      }),
    ),
    is_complete: Nullable(
      Type.Boolean({ description: 'Whether the local day of the value is over.' }),
    ),
    local_start: Nullable(
      Type.String({ description: 'Local time at which the night began, without an offset.' }),
    ),
    local_end: Nullable(
      Type.String({
        description:
          'Local time of the measurement or at which the night ended, without an offset; null for a whole day.',
      }),
    ),
    sources: Type.Array(MergedSource, { description: 'Sources that the value is from.' }),
    set_aside: Type.Array(MergedSource, {
      description: 'Sources with a record of the same night, which does not count.',
    }),
    mean: Nullable(
      Type.Number({
        description: 'Mean of the values of the 28 days before the date; null without any.',
      }),
    ),
    days: Type.Integer({ description: 'Number of days that the mean is of.' }),
    change: Nullable(Type.Number({ description: 'Value minus mean.' })),
  },
  { title: 'GlanceFigure' },
)
export type GlanceFigure = Type.Static<typeof GlanceFigure>

const GlanceResults = Type.Object(
  {
    date: Nullable(DateOnly),
    count: Type.Integer({ description: 'Number of results of that day.' }),
    abnormal: Type.Integer({ description: 'Number of them that are abnormal or critical.' }),
    critical: Type.Integer({ description: 'Number of them that are critical.' }),
    results: Type.Array(PersonResult, {
      description: 'At most 5 of them: critical ones first, then abnormal ones.',
    }),
  },
  { title: 'GlanceResults' },
)
export type GlanceResults = Type.Static<typeof GlanceResults>

export const Glance = Type.Object(
  {
    user_id: Uuid,
    date: Type.String({ format: 'date', description: 'Present local day of the user.' }),
    time_zone: Nullable(Type.String({ description: 'IANA time zone of the days; null for UTC.' })),
    as_of: DateTime,
    figures: Type.Array(GlanceFigure, {
      description: 'All figures in this order; one without data has the value null.',
    }),
    results: Nullable(GlanceResults),
  },
  { title: 'Glance', description: 'A person at a glance.' },
)
export type Glance = Type.Static<typeof Glance>
