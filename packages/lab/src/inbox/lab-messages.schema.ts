import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { pageQuery } from '@salus/kernel/http/keyset-pages'
import Type from 'typebox'
import { PROBLEM_CLASSES } from './message-problems.registry.ts'

/** States in which a message is the operator's to look at. */
export const SHOWN_STATES = ['failed', 'waiting'] as const

/**
 * A message of a laboratory, courier or kit vendor, without anything of what it says of a person.
 */
export const LabMessage = Type.Object(
  {
    id: Uuid,
    gateway: Type.String({ description: 'Through which it came.' }),
    state: TextEnum(['waiting', 'processed', 'ignored', 'held', 'failed', 'discarded']),
    content_type: Type.String(),
    problem_class: Nullable(
      TextEnum(PROBLEM_CLASSES, {
        description:
          '`unreadable`: the gateway cannot read it; `refused`: what it says cannot be; `fault`: an ' +
          'error of Salus.',
      }),
    ),
    problem: Nullable(
      Type.String({
        description: 'A code, or the name of an error of Salus; null before the first.',
      }),
    ),
    message: Nullable(Type.String({ description: 'What the problem means.' })),
    failed_attempts: Type.Integer(),
    order_id: Nullable(Uuid),
    received_at: DateTime,
    processed_at: Nullable(DateTime),
  },
  { title: 'LabMessage' },
)
export type LabMessage = Type.Static<typeof LabMessage>

export const LabMessageDetail = Type.Object(
  {
    ...LabMessage.properties,
    size_bytes: Type.Integer(),
    updates: Nullable(
      Type.Array(Type.String(), {
        description: 'The kinds of what it says, in order; null for one that cannot be read.',
      }),
    ),
    names: Nullable(
      Type.Array(
        Type.Object({
          lab: Type.String({ description: 'Slug of the laboratory.' }),
          order_id: Nullable(Type.String()),
          sample_id: Nullable(Type.String()),
        }),
        {
          description:
            'By what each of its updates names an order, whether or not there is one; null for one that ' +
            'cannot be read.',
        },
      ),
    ),
  },
  { title: 'LabMessageDetail' },
)
export type LabMessageDetail = Type.Static<typeof LabMessageDetail>

export const LabMessageQuery = Type.Object({
  state: Type.Optional(
    TextEnum(SHOWN_STATES, {
      default: 'failed',
      description: '`failed`: those that were given up; `waiting`: those that will be tried again.',
      examples: ['failed'],
    }),
  ),
  ...pageQuery(200),
})
export type LabMessageQuery = Type.Static<typeof LabMessageQuery>

export const LabMessageList = Type.Object(
  { data: Type.Array(LabMessage), next_cursor: Nullable(Type.String()) },
  { title: 'LabMessageList' },
)
