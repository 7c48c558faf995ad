import { INTERPRETATIONS } from '@salus/contracts/lab-gateway'
import { LOW_LEVEL_STATUSES } from '@salus/contracts/order-lifecycle'
import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { RESULT_STATUSES } from '../results.schema.ts'

/**
 * Test runs of the review queue in a sandbox (docs/contract/13-results.md#sandbox-test-endpoints).
 */

export const TEST_CASES = [
  'match_completed',
  'match_cancelled',
  'wrong_collection',
  'wrong_lab',
  'multiple_demo_match',
  'match_sample_id_mismatch_demo',
  'match_demo',
  'no_match',
] as const
export type TestCase = (typeof TEST_CASES)[number]

export const ORDER_SOURCES = ['managed', 'provided'] as const

export const TEST_STATUSES = ['queued', 'running', 'succeeded', 'failed'] as const
export type UnmatchedResultTestStatus = (typeof TEST_STATUSES)[number]

export const TEST_STAGES = [
  'queued',
  'validating',
  'selecting_configuration',
  'creating_orders',
  'transitioning_orders',
  'writing_result',
  'matching_result',
  'verifying_review',
  'succeeded',
  'failed',
] as const
export type UnmatchedResultTestStage = (typeof TEST_STAGES)[number]

export const UnmatchedResultTestCaseList = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          case: TextEnum(TEST_CASES),
          order_roles: Type.Array(Type.String()),
          required_statuses: Type.Record(
            Type.String(),
            TextEnum(LOW_LEVEL_STATUSES, { description: 'Status that the order must have.' }),
          ),
          lab_constraints: Type.Array(Type.String()),
        },
        { title: 'UnmatchedResultTestCase' },
      ),
    ),
  },
  { title: 'UnmatchedResultTestCaseList' },
)

export const UnmatchedResultTestCreate = Type.Object(
  {
    case: TextEnum(TEST_CASES),
    order_source: TextEnum(ORDER_SOURCES, {
      description:
        'Source of the orders. `managed`: the run creates them; `provided`: the field `orders` names them.',
    }),
    orders: Type.Optional(Nullable(Type.Record(Type.String(), Nullable(Uuid)))),
    result_status: Type.Optional(TextEnum(RESULT_STATUSES, { default: 'final' })),
    interpretation: Type.Optional(TextEnum(INTERPRETATIONS, { default: 'normal' })),
    lab_test_id: Type.Optional(Nullable(Uuid)),
    wrong_lab_test_id: Type.Optional(Nullable(Uuid)),
  },
  { additionalProperties: false, title: 'UnmatchedResultTestCreate' },
)
export type UnmatchedResultTestCreate = Type.Static<typeof UnmatchedResultTestCreate>

const TestOrder = Type.Object({
  order_id: Uuid,
  user_id: Uuid,
  order_transaction_id: Uuid,
})
export type UnmatchedResultTestOrder = Type.Static<typeof TestOrder>

export const UnmatchedResultTestAccepted = Type.Object(
  { run_id: Uuid, status: TextEnum(TEST_STATUSES) },
  { title: 'UnmatchedResultTestAccepted' },
)

export const UnmatchedResultTestRun = Type.Object(
  {
    run_id: Uuid,
    status: TextEnum(TEST_STATUSES),
    stage: TextEnum(TEST_STAGES),
    case: TextEnum(TEST_CASES),
    order_source: TextEnum(ORDER_SOURCES),
    result_status: TextEnum(RESULT_STATUSES),
    orders: Type.Record(Type.String(), TestOrder),
    raw_result_id: Nullable(Uuid),
    error: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
    created_at: DateTime,
    updated_at: DateTime,
    started_at: Nullable(DateTime),
    completed_at: Nullable(DateTime),
  },
  { title: 'UnmatchedResultTestRun' },
)
export type UnmatchedResultTestRun = Type.Static<typeof UnmatchedResultTestRun>
