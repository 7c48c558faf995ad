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
      'samples: merged from the samples of all sources. summary: no source has samples of the day; ' +
      'from the summary of the source that counts first.',
  }),
)

/** One local day of a person, all sources as one. */
export const MergedActivityDay = Type.Object(
  {
    calendar_date: DateOnly,
    steps: Nullable(Type.Integer()),
    distance: Nullable(Type.Number({ description: 'Meters.' })),
    calories_active: Nullable(Type.Number({ description: 'kcal.' })),
    calories_total: Nullable(Type.Number({ description: 'kcal, those at rest included.' })),
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
            description: 'Fields that it gave something to.',
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
