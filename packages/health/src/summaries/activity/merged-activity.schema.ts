import { DateOnly, DateOrDateTime, Nullable, TextEnum } from '@salus/contracts/schema-types'
import { SOURCE_TYPES } from '@salus/contracts/series'
import Type from 'typebox'

/** Fields of a merged day. */
export const MERGED_FIELDS = [
  'steps',
  'distance',
  'calories_active',
  'calories_total',
  'floors_climbed',
  'wheelchair_push',
] as const
export type MergedField = (typeof MERGED_FIELDS)[number]

export const MergedActivityQuery = Type.Object({
  start_date: DateOrDateTime,
  end_date: Type.Optional(Nullable(DateOrDateTime)),
})
export type MergedActivityQuery = Type.Static<typeof MergedActivityQuery>

const Origin = Nullable(
  TextEnum(['samples', 'summary'], {
    description:
      'Origin of the value. `samples`: the samples of all sources, merged. `summary`: the summary of the source with the highest priority, because no source has samples of the day.',
  }),
)

/** One local day of a user, merged from all sources. */
export const MergedActivityDay = Type.Object(
  {
    calendar_date: DateOnly,
    steps: Nullable(Type.Integer()),
    distance: Nullable(Type.Number({ description: 'Distance in meters.' })),
    calories_active: Nullable(Type.Number({ description: 'Active energy in kcal.' })),
    calories_total: Nullable(Type.Number({ description: 'Active and resting energy in kcal.' })),
    floors_climbed: Nullable(Type.Integer()),
    wheelchair_push: Nullable(Type.Integer()),
    from: Type.Object(
      {
        steps: Origin,
        distance: Origin,
        calories_active: Origin,
        calories_total: Origin,
        floors_climbed: Origin,
        wheelchair_push: Origin,
      },
      { title: 'MergedActivityOrigins' },
    ),
    sources: Type.Array(
      Type.Object(
        {
          provider: Type.String(),
          type: TextEnum(SOURCE_TYPES),
          app_id: Nullable(Type.String()),
          fields: Type.Array(TextEnum(MERGED_FIELDS), {
            description: 'Fields that this source contributed to.',
          }),
        },
        { title: 'MergedActivitySource' },
      ),
    ),
  },
  { title: 'MergedActivityDay' },
)
export type MergedActivityDay = Type.Static<typeof MergedActivityDay>

export const MergedActivity = Type.Object(
  { activity: Type.Array(MergedActivityDay) },
  { title: 'MergedActivity' },
)
