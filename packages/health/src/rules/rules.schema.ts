import { TASK_PRIORITIES } from '@salus/accounts/tasks'
import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { pageQuery } from '@salus/kernel/http/keyset-pages'
import Type from 'typebox'
import { type TableColumn, ValueColumn } from '../queries/index.ts'

/** Rules on the data of a person (docs/contract/24-rules.md). */

const RULE_STATUSES = ['active', 'paused'] as const
export type RuleStatus = (typeof RULE_STATUSES)[number]

const RESOLVED_REASONS = ['data', 'rule_paused', 'rule_changed', 'rule_deleted'] as const
export type ResolvedReason = (typeof RESOLVED_REASONS)[number]

const closed = { additionalProperties: false } as const

export const CONDITION_TYPES = ['threshold', 'trend', 'no_data', 'goal'] as const
export const COMPARISONS = ['>', '>=', '<', '<='] as const
export type Comparison = (typeof COMPARISONS)[number]

const WINDOW_UNITS = ['minute', 'hour', 'day', 'week'] as const
const Window = Type.Object(
  { value: Type.Integer({ minimum: 1, maximum: 1000 }), unit: TextEnum(WINDOW_UNITS) },
  { ...closed, title: 'RuleWindow' },
)
export type RuleWindow = Type.Static<typeof Window>

/** Functions of queries whose values of parts of a window give that of the whole. */
export const RULE_FUNCTIONS = ['mean', 'min', 'max', 'sum', 'count', 'newest'] as const
export type RuleFunction = (typeof RULE_FUNCTIONS)[number]

const RuleValue = Type.Unsafe<{ func: RuleFunction; arg: TableColumn }>(
  Type.Object(
    { func: TextEnum(RULE_FUNCTIONS), arg: ValueColumn },
    {
      ...closed,
      title: 'RuleValue',
      description:
        'Aggregate as in a query: a function, and a column of a table, such as `{"func": "mean", "arg": {"merged": "heartrate", "field": "value"}}`.',
    },
  ),
)

export const Condition = Type.Object(
  {
    type: TextEnum(CONDITION_TYPES, {
      description:
        '`threshold`: a value over a window is above or below a number. `trend`: the mean of the last days differs from that of the days before. `no_data`: nothing was measured, or arrived, for some time. `goal`: the value of a local day or week reaches a number.',
    }),
    value: Type.Optional(RuleValue),
    window: Type.Optional(Window),
    comparison: Type.Optional(TextEnum(COMPARISONS)),
    threshold: Type.Optional(
      Type.Number({ description: 'Number that the value, or its change, is compared with.' }),
    ),
    unit: Type.Optional(
      Type.String({
        maxLength: 20,
        description:
          'Unit of the threshold; by default that of the series. Values of summaries have the unit of their column.',
      }),
    ),
    for: Type.Optional(Window),
    change_in: Type.Optional(TextEnum(['unit', 'percent'])),
    recent_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 31 })),
    baseline_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 62 })),
    minimum_readings: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000,
        description: 'Least number of readings in each of the two periods of a trend; default 3.',
      }),
    ),
    resource: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 100,
          description: 'Series whose data are missed, by its name in queries; null means any.',
        }),
      ),
    ),
    counted_from: Type.Optional(
      TextEnum(['measurement', 'arrival'], {
        description: 'Whether silence counts from the newest measurement or the newest arrival.',
      }),
    ),
  },
  { ...closed, title: 'RuleCondition' },
)
export type Condition = Type.Static<typeof Condition>

const RuleTask = Type.Object(
  {
    priority: TextEnum(TASK_PRIORITIES),
    escalation_minutes: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 1,
          maximum: 10_080,
          description:
            'Minutes after which a task without an acknowledgement is escalated; null means never.',
        }),
      ),
    ),
  },
  { ...closed, title: 'RuleTask' },
)

const usersOf = (minItems: number) =>
  Nullable(
    Type.Array(Uuid, {
      minItems,
      maxItems: 1000,
      description: 'Users to whom the rule applies; null means everyone of the environment.',
    }),
  )

const fields = {
  name: Type.String({ minLength: 1, maxLength: 100 }),
  status: TextEnum(RULE_STATUSES),
  condition: Condition,
  user_ids: usersOf(1),
  emits_events: Type.Boolean({
    description: 'Whether `rule.triggered` and `rule.resolved` are sent.',
  }),
  task: Nullable(RuleTask),
  cool_down_minutes: Type.Integer({
    minimum: 0,
    maximum: 43_200,
    description: 'Minutes after a trigger in which the rule does not trigger again for the person.',
  }),
  maximum_data_age_hours: Type.Integer({
    minimum: 1,
    maximum: 744,
    description: 'Hours after which a time is too old to trigger, as when older data arrive late.',
  }),
}

export const RuleCreate = Type.Object(
  {
    name: fields.name,
    condition: Condition,
    status: Type.Optional(fields.status),
    user_ids: Type.Optional(fields.user_ids),
    emits_events: Type.Optional(fields.emits_events),
    task: Type.Optional(fields.task),
    cool_down_minutes: Type.Optional(fields.cool_down_minutes),
    maximum_data_age_hours: Type.Optional(fields.maximum_data_age_hours),
  },
  { ...closed, title: 'RuleCreate' },
)
export type RuleCreate = Type.Static<typeof RuleCreate>

export const RuleUpdate = Type.Partial(RuleCreate, { ...closed, title: 'RuleUpdate' })
export type RuleUpdate = Type.Static<typeof RuleUpdate>

export const Rule = Type.Object(
  {
    id: Uuid,
    ...fields,
    // None are left when all of them were deleted.
    user_ids: usersOf(0),
    created_at: DateTime,
    updated_at: DateTime,
    activated_at: Type.String({
      format: 'date-time',
      description: 'Time since which it judges: it was made active, or its condition was changed.',
    }),
  },
  { title: 'Rule' },
)
export type Rule = Type.Static<typeof Rule>

export const RuleQuery = Type.Object({
  ...pageQuery(100),
  status: Type.Optional(fields.status),
})
export type RuleQuery = Type.Static<typeof RuleQuery>

export const RuleList = Type.Object(
  { data: Type.Array(Rule), next_cursor: Nullable(Type.String()) },
  { title: 'RuleList' },
)
export type RuleList = Type.Static<typeof RuleList>

export const EpisodeStep = Type.Object(
  {
    start: Type.String({ description: 'Local time at which the step begins.' }),
    value: Nullable(Type.Number()),
    is_holding: Nullable(
      Type.Boolean({ description: 'Whether the condition holds; null without a reading.' }),
    ),
  },
  { title: 'RuleStep' },
)
export type EpisodeStep = Type.Static<typeof EpisodeStep>

const LocalTime = (description: string) => Type.String({ description })

/** When a condition held, and by which value. */
export const period = {
  start: LocalTime('Local time from which on the condition holds; of silence in UTC.'),
  end: Nullable(LocalTime('Local time at which it ended; null while it holds.')),
  value: Nullable(
    Type.Number({ description: 'The value that triggered, in the unit of the rule.' }),
  ),
}

const episodeFacts = {
  id: Uuid,
  rule_id: Uuid,
  rule_name: Type.String(),
  condition_type: TextEnum(CONDITION_TYPES),
  status: TextEnum(['triggered', 'resolved']),
  ...period,
  threshold: Nullable(Type.Number()),
  unit: Nullable(Type.String()),
  triggered_at: DateTime,
  resolved_at: Nullable(DateTime),
  resolved_reason: Nullable(TextEnum(RESOLVED_REASONS)),
}

/** Payload of the events of a rule. */
export const RuleEpisodeEvent = Type.Object(
  { ...episodeFacts, team_id: Uuid },
  { title: 'RuleEpisodeEvent' },
)
export type RuleEpisodeEvent = Type.Static<typeof RuleEpisodeEvent>

export const RuleEpisode = Type.Object(
  {
    ...episodeFacts,
    user_id: Uuid,
    client_user_id: Type.String(),
    steps: Type.Array(EpisodeStep, {
      description: 'The last values before it was triggered, oldest first.',
    }),
  },
  { title: 'RuleEpisode' },
)
export type RuleEpisode = Type.Static<typeof RuleEpisode>

export const EpisodeQuery = Type.Object({
  ...pageQuery(100),
  rule_id: Type.Optional(Uuid),
  user_id: Type.Optional(Uuid),
  status: Type.Optional(TextEnum(['triggered', 'resolved'])),
})
export type EpisodeQuery = Type.Static<typeof EpisodeQuery>

export const EpisodeList = Type.Object(
  { data: Type.Array(RuleEpisode), next_cursor: Nullable(Type.String()) },
  { title: 'RuleEpisodeList' },
)
export type EpisodeList = Type.Static<typeof EpisodeList>

export const RuleTemplates = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          slug: Type.String(),
          name: Type.String(),
          meaning: Type.String(),
          source: Type.String({ description: 'Source of the numbers.' }),
          condition: Condition,
          cool_down_minutes: Type.Integer(),
        },
        { title: 'RuleTemplate' },
      ),
    ),
  },
  { title: 'RuleTemplateList' },
)
export type RuleTemplate = Type.Static<typeof RuleTemplates>['data'][number]

export const OfRule = Type.Object({ rule_id: Uuid })
export const OfEpisode = Type.Object({ episode_id: Uuid })
