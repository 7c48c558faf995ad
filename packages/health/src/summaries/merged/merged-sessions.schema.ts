import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { MergedSource } from '../../timeseries/index.ts'
import { Sleep } from '../sleep/sleep.schema.ts'
import { CalendarDate } from '../summary-fields.schema.ts'
import { Workout } from '../workout/workout.schema.ts'
import { CHOICE_REASONS, SAME_RULES } from './merged-session.ts'

const SetAsideSummary = Type.Object(
  {
    id: Uuid,
    source: MergedSource,
    start: DateTime,
    end: DateTime,
    calendar_date: CalendarDate('Local day of the record.'),
    rule: TextEnum(SAME_RULES, {
      description: 'Rule by which it is a record of the same sleep or workout.',
    }),
    overlap: Nullable(
      Type.Number({
        description:
          'Common time of both records as a share of the shorter one, from 0 to 1; null for a record that names only a day.',
      }),
    ),
    won_by_id: Type.String({
      format: 'uuid',
      description:
        'Id of the record that it was compared with. That one counts, or is in this list itself.',
    }),
    reason: TextEnum(CHOICE_REASONS, {
      description: 'Reason for which the other record counts instead of this one.',
    }),
  },
  { title: 'SetAsideSummary' },
)
export type SetAsideSummary = Type.Static<typeof SetAsideSummary>

const merged = {
  merged: Type.Object(
    {
      set_aside: Type.Array(SetAsideSummary, {
        description:
          'Other records of the same sleep or workout, which do not count; empty if there is only one.',
      }),
    },
    { title: 'MergedRecords', description: 'Records that were merged into this one.' },
  ),
}

/** A sleep that counts once (docs/contract/06-summaries.md#merged-nights-and-workouts). */
export const MergedSleep = Type.Object({ ...Sleep.properties, ...merged }, { title: 'MergedSleep' })

export type MergedSleep = Type.Static<typeof MergedSleep>

/** A workout that counts once. */
export const MergedWorkout = Type.Object(
  { ...Workout.properties, ...merged },
  { title: 'MergedWorkout' },
)
