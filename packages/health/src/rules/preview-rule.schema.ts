import { Nullable } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { Condition, EpisodeStep, period } from './rules.schema.ts'

/** Previews of rules (docs/contract/24-rules.md#preview). */

export const RulePreview = Type.Object(
  {
    condition: Condition,
    days: Type.Integer({ minimum: 1, maximum: 31, description: 'Days until now to look at.' }),
    user_id: Type.Optional(
      Nullable(
        Type.String({
          format: 'uuid',
          description: 'The user to look at; null looks at a page of users of the environment.',
        }),
      ),
    ),
    next_cursor: Type.Optional(Nullable(Type.String())),
  },
  { additionalProperties: false, title: 'RulePreview' },
)
export type RulePreview = Type.Static<typeof RulePreview>

export const RulePreviewResult = Type.Object(
  {
    episodes: Type.Array(Type.Object(period, { title: 'RulePreviewEpisode' }), {
      description: 'Times at which the rule would have triggered for the user; empty for a page.',
    }),
    steps: Type.Array(EpisodeStep, { description: 'The values of the user; empty for a page.' }),
    threshold: Nullable(Type.Number()),
    unit: Nullable(Type.String()),
    users_checked: Type.Integer(),
    users_triggered: Type.Integer(),
    users_holding: Type.Integer({ description: 'Users for whom the condition holds now.' }),
    episodes_counted: Type.Integer(),
    next_cursor: Nullable(Type.String()),
  },
  { title: 'RulePreviewResult' },
)
export type RulePreviewResult = Type.Static<typeof RulePreviewResult>
