import { CAUSES, type Cause, LOW_LEVEL_STATUSES } from '@salus/contracts/order-lifecycle'
import { TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'

const causeNames = Object.keys(CAUSES) as Cause[]

const PossibleTransition = Type.Object({
  to: TextEnum(LOW_LEVEL_STATUSES),
  status: Type.String({ description: 'Dotted, as an event of the order would show it.' }),
  causes: Type.Array(
    Type.Object({
      cause: TextEnum(causeNames),
      by: TextEnum(['update', 'result', 'command']),
      meaning: Type.String(),
    }),
  ),
})

/**
 * What may come of an order from where it is
 * (docs/contract/11-orders.md#get-v3orderorder_idtransition).
 */
export const PossibleTransitions = Type.Object(
  {
    order_id: Uuid,
    low_level_status: TextEnum(LOW_LEVEL_STATUSES),
    is_final: Type.Boolean({ description: 'Nothing more comes, save corrections of results.' }),
    transitions: Type.Array(PossibleTransition),
    usual_path: Type.Array(TextEnum(LOW_LEVEL_STATUSES), {
      description: 'The life of an order of this method that goes well, from its beginning.',
    }),
    can: Type.Object(
      {
        cancel: Type.Boolean(),
        reschedule: Type.Boolean({ description: 'Its `activate_by` may be changed.' }),
        complete_draw: Type.Boolean(),
        register_kit: Type.Boolean(),
        replace: Type.Boolean(),
      },
      { description: 'What the team may ask of the order now.' },
    ),
  },
  { title: 'PossibleTransitions' },
)
export type PossibleTransitions = Type.Static<typeof PossibleTransitions>
