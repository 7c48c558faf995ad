import { ProviderFilter } from '@salus/contracts/providers'
import {
  DateOnly,
  DateOrDateTime,
  DateTime,
  Nullable,
  TextEnum,
} from '@salus/contracts/schema-types'
import { type Series, SOURCE_TYPES, toTitle } from '@salus/contracts/series'
import Type from 'typebox'
import { SET_ASIDE_REASONS } from './claim-samples.ts'
import { SLOT_NAMES } from './local-slots.ts'

export const MergedQuery = Type.Object({
  start_date: DateOrDateTime,
  end_date: Type.Optional(Nullable(DateOrDateTime)),
  slot: TextEnum(SLOT_NAMES, {
    default: '15_minutes',
    description: 'Length of a slot. A day is a local day of the user.',
  }),
  explain: Type.Boolean({
    default: false,
    description: 'Includes the samples of each slot: those that count and those that do not.',
  }),
  provider: ProviderFilter(
    'Merges the sources of this provider only; an empty value selects all providers.',
  ),
  next_cursor: Type.Optional(Nullable(Type.String())),
})
export type MergedQuery = Type.Static<typeof MergedQuery>

export const MergedSource = Type.Object(
  {
    provider: Type.String(),
    type: TextEnum(SOURCE_TYPES),
    app_id: Nullable(Type.String()),
  },
  { title: 'MergedSource' },
)
export type MergedSource = Type.Static<typeof MergedSource>

const explained = {
  source: MergedSource,
  start: DateTime,
  end: DateTime,
  value: Type.Number({ description: 'Value of the whole sample.' }),
}

const UsedSample = Type.Object(
  {
    ...explained,
    part: Type.Number({ description: 'Part of the value that counts in this slot.' }),
  },
  { title: 'UsedSample' },
)

export const SetAsideSample = Type.Object(
  {
    ...explained,
    part: Type.Number({
      description: 'Part of the value that lies in this slot and does not count.',
    }),
    reason: TextEnum(SET_ASIDE_REASONS),
    won_by: MergedSource,
  },
  { title: 'SetAsideSample' },
)

const SlotSource = Type.Object(
  {
    provider: Type.String(),
    type: TextEnum(SOURCE_TYPES),
    app_id: Nullable(Type.String()),
    value: Type.Number({
      description: 'Share of the sum, or mean of the readings, from this source.',
    }),
    count: Type.Integer({ description: 'Number of samples that count.' }),
  },
  { title: 'MergedSlotSource' },
)

/** Returns the schema of the slots of one series. */
export function mergedSchema(series: Series) {
  const title = toTitle(series.name)
  return Type.Object(
    {
      data: Type.Array(
        Type.Object(
          {
            start: DateTime,
            end: DateTime,
            calendar_date: DateOnly,
            timezone_offset: Type.Integer({ description: 'Offset from UTC in seconds.' }),
            type: Nullable(
              Type.String({
                description: 'Sample type. Samples of each type are merged separately.',
              }),
            ),
            value: Type.Number({ description: 'Sum, or mean of readings.' }),
            unit: Type.Literal(series.unit),
            min: Nullable(Type.Number({ description: 'Smallest reading; null for a sum.' })),
            max: Nullable(Type.Number({ description: 'Largest reading; null for a sum.' })),
            count: Type.Integer({ description: 'Number of samples that count.' }),
            sources: Type.Array(SlotSource, {
              description: 'Sources of the slot, best first, at most fifty.',
            }),
            used: Nullable(Type.Array(UsedSample)),
            set_aside: Nullable(Type.Array(SetAsideSample)),
          },
          { title: `${title}Slot`, description: series.meaning },
        ),
      ),
      next_cursor: Nullable(Type.String()),
    },
    { title: `${title}Merged` },
  )
}
/** The answer, which only differs by its unit between series. */
export type Merged = Type.Static<ReturnType<typeof mergedSchema>>
export type MergedItem = Merged['data'][number]
