import type { LowLevelStatus } from '@salus/contracts/order-lifecycle'
import type { TestCase } from './review-tests.schema.ts'

/** The orders of a test case, and how its result message differs from a certain match. */
export interface ReviewTestCase {
  case: TestCase
  /** Orders by role, each with its required status. */
  orders: Readonly<Record<string, LowLevelStatus>>
  labConstraints: readonly string[]
  /** Whether a run can create the orders. */
  isManageable: boolean
  /** Patient of the result message: that of the order, or an unknown one. */
  patient: 'of order' | 'unknown'
  /** Sample of the result message: that of the order, or an unknown one. */
  sample: 'of order' | 'unknown'
  lab: 'of order' | 'other'
}

const SAME_LAB = 'The result is from the laboratory of the order.'

const ONE = {
  orders: { order: 'requisition_created' },
  labConstraints: [SAME_LAB],
  isManageable: true,
  patient: 'of order',
  sample: 'of order',
  lab: 'of order',
} as const

/** The test cases (docs/contract/13-results.md#sandbox-test-endpoints). */
export const REVIEW_TEST_CASES: readonly ReviewTestCase[] = [
  { ...ONE, case: 'match_completed', orders: { order: 'completed' } },
  { ...ONE, case: 'match_cancelled', orders: { order: 'cancelled' } },
  { ...ONE, case: 'wrong_collection', isManageable: false },
  {
    ...ONE,
    case: 'wrong_lab',
    sample: 'unknown',
    lab: 'other',
    labConstraints: ['The result is from another laboratory than the order.'],
  },
  {
    ...ONE,
    case: 'multiple_demo_match',
    orders: { first_order: 'requisition_created', second_order: 'requisition_created' },
    sample: 'unknown',
    labConstraints: ['Both orders are at the laboratory of the result.'],
  },
  { ...ONE, case: 'match_sample_id_mismatch_demo', patient: 'unknown' },
  { ...ONE, case: 'match_demo', sample: 'unknown' },
  {
    ...ONE,
    case: 'no_match',
    orders: {},
    patient: 'unknown',
    sample: 'unknown',
    labConstraints: ['The result is from the laboratory of the lab test.'],
  },
]

/** Returns a test case by name. @throws Error for an unknown name */
export function reviewTestCase(name: TestCase): ReviewTestCase {
  const found = REVIEW_TEST_CASES.find((each) => each.case === name)
  if (found === undefined) throw new Error('The test case does not exist.')
  return found
}
