import { COLLECTION_METHODS, LOW_LEVEL_STATUSES } from '@salus/contracts/order-lifecycle'
import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { pageQuery } from '@salus/kernel/http/keyset-pages'
import Type from 'typebox'
import {
  CANCEL_PROBLEMS,
  type CancelProblem,
  DISPATCH_PROBLEMS,
  type DispatchProblem,
} from '../dispatch/dispatch-problems.ts'

export const STUCK_REASONS = ['dispatch_failed', 'person_deleted', 'cancel_at_lab'] as const
type Problem = DispatchProblem | CancelProblem
const PROBLEMS = [
  ...new Set([...Object.keys(DISPATCH_PROBLEMS), ...Object.keys(CANCEL_PROBLEMS)]),
] as [Problem, ...Problem[]]

export const StuckOrder = Type.Object(
  {
    order_id: Uuid,
    reason: TextEnum(STUCK_REASONS),
    problem: Nullable(TextEnum(PROBLEMS)),
    detail: Nullable(
      Type.String({ description: "Codes of the laboratory's refusal; null without one." }),
    ),
    message: Type.String({ description: 'Explanation of the problem.' }),
    since: DateTime,
    lab: Type.String({ description: 'Slug of the laboratory.' }),
    method: TextEnum(COLLECTION_METHODS),
    low_level_status: TextEnum(LOW_LEVEL_STATUSES),
    sample_id: Nullable(
      Type.String({ description: 'Sample id by which the laboratory knows the order.' }),
    ),
    created_at: DateTime,
  },
  { title: 'StuckOrder' },
)
export type StuckOrder = Type.Static<typeof StuckOrder>

export const StuckOrderQuery = Type.Object({
  ...pageQuery(500, 100),
})
export type StuckOrderQuery = Type.Static<typeof StuckOrderQuery>

export const StuckOrderList = Type.Object(
  { data: Type.Array(StuckOrder), next_cursor: Nullable(Type.String()) },
  { title: 'StuckOrderList' },
)
