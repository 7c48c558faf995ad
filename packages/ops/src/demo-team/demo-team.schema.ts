import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'

/** Steps, in the order in which they run. */
export const DEMO_STEPS = [
  'settings',
  'first_person',
  'people',
  'orders',
  'unmatched_results',
  'history',
  'lab_reports',
] as const
export type DemoStep = (typeof DEMO_STEPS)[number]

export const DEMO_STATUSES = ['none', 'filling', 'ready', 'failed'] as const

/** docs/contract/01-conventions.md#demo-team */
export const DemoTeam = Type.Object(
  {
    status: TextEnum(DEMO_STATUSES, {
      description: 'Status of the demo team; `none` when the organization has none.',
    }),
    team_id: Nullable(Uuid),
    first_user_id: Nullable({
      ...Uuid,
      description: 'Id of the user to look at first; null until there are data to see.',
    }),
    steps: Type.Array(
      Type.Object({
        step: TextEnum(DEMO_STEPS),
        status: TextEnum(['waiting', 'running', 'done', 'failed']),
      }),
      { description: 'Steps in the order in which they run.' },
    ),
    problem: Nullable(Type.String({ description: 'Reason of the failure.' })),
    started_at: Nullable(DateTime),
    ended_at: Nullable(DateTime),
  },
  { title: 'DemoTeam' },
)
export type DemoTeam = Type.Static<typeof DemoTeam>
