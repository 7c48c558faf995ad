import { CAUSES, type Cause, LOW_LEVEL_STATUSES } from '@salus/contracts/order-lifecycle'
import { TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'

const causeNames = Object.keys(CAUSES) as Cause[]

const PossibleTransition = Type.Object({
  to: TextEnum(LOW_LEVEL_STATUSES),
  status: Type.String({ description: 'Dotted status that an event of the order would show.' }),
  causes: Type.Array(
    Type.Object({
      cause: TextEnum(causeNames),
      by: TextEnum(['update', 'result', 'command']),
      meaning: Type.String(),
    }),
  ),
})

/**
 * Statuses that an order may take next
 * (docs/contract/11-orders.md#get-v3orderorder_idtransition).
 */
export const PossibleTransitions = Type.Object(
  {
    order_id: Uuid,
    low_level_status: TextEnum(LOW_LEVEL_STATUSES),
    is_final: Type.Boolean({
      description: 'Whether the order is complete and only corrections of results can follow.',
    }),
    transitions: Type.Array(PossibleTransition),
    usual_path: Type.Array(TextEnum(LOW_LEVEL_STATUSES), {
      description:
        'Statuses of a successful order with this collection method, from its beginning.',
    }),
    can: Type.Object(
      {
        cancel: Type.Boolean(),
        reschedule: Type.Boolean({
          description: 'Whether the `activate_by` of the order may be changed.',
        }),
        complete_draw: Type.Boolean(),
        register_kit: Type.Boolean(),
        replace: Type.Boolean(),
      },
      { description: 'Commands that the team may give for the order now.' },
    ),
  },
  { title: 'PossibleTransitions' },
)
export type PossibleTransitions = Type.Static<typeof PossibleTransitions>
