import { DateOnly, DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { SERIES } from '@salus/contracts/series'
import Type from 'typebox'
import { TeamPriorityChanges, UserSourcePrioritiesInput } from '../../source-priorities/index.ts'
import { MergedSource } from '../../timeseries/index.ts'
import { CHOICE_REASONS, SAME_RULES } from './merged-session.ts'
import { SESSION_RESOURCES } from './session-record.ts'

/** What is merged: series, sleeps and workouts. */
const RESOURCES = [
  ...SERIES.filter(({ merge }) => merge.kind !== 'none').map(({ name }) => name),
  ...SESSION_RESOURCES,
]

/** Without rules of the user, or changes of the team's, the stored ones apply. */
export const PriorityPreviewInput = Type.Object(
  {
    resource: TextEnum(RESOURCES, {
      description: 'Series that is merged, or `sleep` or `workouts`.',
    }),
    date: DateOnly,
    source_priorities: Type.Optional(UserSourcePrioritiesInput.properties.source_priorities),
    team_source_priorities: Type.Optional(TeamPriorityChanges),
  },
  { title: 'SourcePriorityPreviewInput' },
)
export type PriorityPreviewInput = Type.Static<typeof PriorityPreviewInput>

const PreviewValue = Type.Object(
  {
    value: Type.Number({ description: 'Sum, or mean of readings.' }),
    min: Nullable(Type.Number({ description: 'Smallest reading; null for a sum.' })),
    max: Nullable(Type.Number({ description: 'Largest reading; null for a sum.' })),
    count: Type.Integer({ description: 'Number of samples that count.' }),
    sources: Type.Array(
      Type.Object(
        {
          provider: Type.String(),
          type: Type.String({ description: 'Source type.' }),
          app_id: Nullable(Type.String()),
          value: Type.Number({
            description: 'Share of the sum, or mean of the readings, from this source.',
          }),
          count: Type.Integer({ description: 'Number of samples that count.' }),
        },
        { title: 'PreviewSource' },
      ),
      { description: 'Sources whose samples count, best first, at most fifty.' },
    ),
  },
  { title: 'PreviewValue' },
)

const PreviewSlot = Type.Object(
  {
    start: DateTime,
    end: DateTime,
    timezone_offset: Type.Integer({ description: 'Offset from UTC in seconds.' }),
    type: Nullable(Type.String({ description: 'Sample type, where they are merged separately.' })),
    before: Nullable(PreviewValue),
    after: Nullable(PreviewValue),
  },
  { title: 'PreviewSlot', description: 'A value by the stored and by the proposed priorities.' },
)

const RecordOutcome = Type.Object(
  {
    counts: Type.Boolean(),
    won_by_id: Nullable(
      Type.String({
        format: 'uuid',
        description: 'Record that counts instead; null if this does.',
      }),
    ),
    rule: Nullable(TextEnum(SAME_RULES, { description: 'Rule by which both are the same.' })),
    reason: Nullable(TextEnum(CHOICE_REASONS, { description: 'Reason for which the other won.' })),
  },
  { title: 'PreviewOutcome' },
)
export type RecordOutcome = Type.Static<typeof RecordOutcome>

const PreviewRecord = Type.Object(
  {
    id: Uuid,
    source: MergedSource,
    start: DateTime,
    end: DateTime,
    before: RecordOutcome,
    after: RecordOutcome,
  },
  { title: 'PreviewRecord', description: 'A sleep or a workout of the day.' },
)

const Ranked = (description: string) => Type.Array(MergedSource, { description })

export const PriorityPreview = Type.Object(
  {
    resource: Type.String(),
    unit: Nullable(
      Type.String({ description: 'Unit of the series; null for sleeps and workouts.' }),
    ),
    date: DateOnly,
    sources_before: Ranked('Sources by the stored priorities, best first, at most fifty.'),
    sources_after: Ranked('Sources by the proposed priorities, best first, at most fifty.'),
    day: Type.Array(PreviewSlot, { description: 'The whole day; empty for sleeps and workouts.' }),
    hours: Type.Array(PreviewSlot, { description: 'Its hours with data.' }),
    records: Type.Array(PreviewRecord, {
      description: 'Sleeps or workouts of the day; empty for a series.',
    }),
  },
  { title: 'SourcePriorityPreview' },
)
export type PriorityPreview = Type.Static<typeof PriorityPreview>
export type PreviewSlot = PriorityPreview['day'][number]
