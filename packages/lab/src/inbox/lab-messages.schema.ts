import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { pageQuery } from '@salus/kernel/http/keyset-pages'
import Type from 'typebox'
import { PROBLEM_CLASSES } from './message-problems.registry.ts'

/** States in which a message is listed for the operator. */
export const SHOWN_STATES = ['failed', 'waiting'] as const

/**
 * A message of a laboratory, courier or kit vendor, without personal data.
 */
export const LabMessage = Type.Object(
  {
    id: Uuid,
    gateway: Type.String({ description: 'Gateway through which the message was received.' }),
    state: TextEnum(['waiting', 'processed', 'ignored', 'held', 'failed', 'discarded']),
    content_type: Type.String(),
    problem_class: Nullable(
      TextEnum(PROBLEM_CLASSES, {
        description:
          'Kind of the problem. `unreadable`: the gateway cannot read the message; `refused`: its ' +
          'content was refused; `fault`: an internal error of Salus.',
      }),
    ),
    problem: Nullable(
      Type.String({
        description: 'Code of the problem, or name of an internal error; null when there was none.',
      }),
    ),
    message: Nullable(Type.String({ description: 'Explanation of the problem.' })),
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
        description: 'Kinds of the updates in the message, in order; null when it cannot be read.',
      }),
    ),
    names: Nullable(
      Type.Array(
        Type.Object({
          lab: Type.String({ description: 'Slug of the laboratory.' }),
          order_id: Nullable(Type.String()),
          placer_numbers: Type.Array(Type.String(), {
            description: 'Numbers that Salus gave the order or its tests.',
          }),
          filler_numbers: Type.Array(Type.String(), {
            description: 'Numbers that the laboratory gave the tests.',
          }),
          sample_id: Nullable(Type.String()),
        }),
        {
          description:
            'Identifiers by which each update names its order, whether or not the order exists; null when ' +
            'the message cannot be read.',
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
      description:
        'State to list. `failed`: messages without further attempts; `waiting`: messages that will be tried again.',
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
