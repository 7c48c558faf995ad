import type { LowLevelStatus } from '@salus/contracts/order-lifecycle'
import type { TestCase } from './review-tests.schema.ts'

/** What a test of the review queue starts from, and how its report differs from a safe one. */
export interface ReviewTestCase {
  case: TestCase
  /** Orders by their part in it, each with the status that it must have. */
  orders: Readonly<Record<string, LowLevelStatus>>
  labConstraints: readonly string[]
  /** Whether the orders can be made for it. */
  isManageable: boolean
  /** Whose report it is: that of the order's patient, or of someone whom nobody knows. */
  patient: 'of order' | 'unknown'
  /** Which sample: that of the order, or one that nobody knows. */
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

/** The cases that can be tried out (docs/contract/13-results.md#sandbox-test-endpoints). */
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

/**
 * What a case does and expects.
 * @throws for a name that the catalogue lacks, which is a fault of the program
 */
export function reviewTestCase(name: TestCase): ReviewTestCase {
  const found = REVIEW_TEST_CASES.find((each) => each.case === name)
  if (found === undefined) throw new Error('The test case does not exist.')
  return found
}
