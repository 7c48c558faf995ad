import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LOW_LEVEL_STATUSES } from '@salus/contracts/order-lifecycle'
import fc from 'fast-check'
import type { OrderRow } from '../../orders/index.ts'
import { CANDIDATE_REASONS } from '../match-review/match-review.schema.ts'
import {
  type CandidateOrder,
  confidenceOf,
  decideMatch,
  toCandidateGroups,
} from './candidate-order.ts'

const candidate: fc.Arbitrary<CandidateOrder> = fc.record({
  row: fc.record({
    id: fc.uuid(),
    user_id: fc.constantFrom('one', 'other'),
    transaction_id: fc.uuid(),
    last_status: fc.constantFrom(...LOW_LEVEL_STATUSES),
    last_status_at: fc.constant(new Date('2026-03-01T00:00:00Z')),
    created_at: fc.date({ noInvalidDate: true }),
  }) as unknown as fc.Arbitrary<OrderRow>,
  isProvenance: fc.boolean(),
  fit: fc.constantFrom('match', 'mismatch'),
  isSameLab: fc.boolean(),
  isAccountMismatch: fc.boolean(),
  overlap: fc.record({
    reported: fc.nat({ max: 9 }),
    ordered: fc.nat({ max: 9 }),
    shared: fc.nat({ max: 9 }),
  }),
  plan: fc.constantFrom('stored', 'held', 'ignored'),
  canReceive: fc.boolean(),
})
/** Lists of orders of which at most the first has the sample, as in matching. */
const orders = fc.array(candidate, { maxLength: 5 }).map((all) =>
  all.map((order, index) => {
    const isProvenance = index === 0 && order.isProvenance
    return { ...order, isProvenance, fit: isProvenance ? order.fit : ('match' as const) }
  }),
)

describe('a decision', () => {
  test('chooses an order only with matching sample, patient, laboratory and account', () => {
    fc.assert(
      fc.property(orders, (all) => {
        const decision = decideMatch(all)
        const [first] = all
        const isSafe =
          first?.isProvenance === true &&
          first.fit === 'match' &&
          first.isSameLab &&
          !first.isAccountMismatch
        assert.equal('order' in decision, isSafe)
        if ('order' in decision) assert.equal(decision.order, first?.row)
      }),
      { seed: 13, numRuns: 2000 },
    )
  })

  test('without an order of the sample never reports a matching sample', () => {
    fc.assert(
      fc.property(orders, (all) => {
        if (all[0]?.isProvenance) return
        const outcome = decideMatch(all)
        assert.ok('decision' in outcome && !outcome.decision.code.startsWith('match_sample_id'))
        assert.equal(
          'decision' in outcome && outcome.decision.code === 'no_match',
          all.length === 0,
        )
      }),
      { seed: 13, numRuns: 1000 },
    )
  })
})

describe('the confidence in a candidate', () => {
  const reasons = fc.uniqueArray(fc.constantFrom(...CANDIDATE_REASONS))

  test('is between 0 and 1, and does not fall with more reasons for it', () => {
    fc.assert(
      fc.property(reasons, (some) => {
        const score = confidenceOf(some)
        assert.ok(score >= 0 && score <= 1)
        for (const good of ['sample_id_match', 'demographic_match', 'same_lab'] as const) {
          if (!some.includes(good)) assert.ok(confidenceOf([...some, good]) >= score)
        }
        for (const bad of ['demographic_mismatch', 'lab_account_mismatch'] as const) {
          if (!some.includes(bad)) assert.ok(confidenceOf([...some, bad]) <= score)
        }
      }),
      { seed: 13, numRuns: 1000 },
    )
  })

  test('is high for sample and patient, medium for the patient here, low for elsewhere', () => {
    const all = ['sample_id_match', 'demographic_match', 'same_lab', 'marker_overlap_none'] as const
    assert.ok(confidenceOf(all) >= 0.75)
    const patient = confidenceOf(all.slice(1))
    assert.ok(patient >= 0.4 && patient < 0.75)
    assert.ok(confidenceOf(['demographic_match', 'possible_wrong_lab']) < 0.4)
  })

  test('ranks all groups and candidates', () => {
    fc.assert(
      fc.property(orders, (all) => {
        const groups = toCandidateGroups(all)
        const scores = groups.map(({ candidates }) =>
          candidates.map(({ confidence_score: score }) => score ?? -1),
        )
        for (const list of scores)
          assert.deepEqual(
            list,
            list.toSorted((a, b) => b - a),
          )
        const best = scores.map(([first = -1]) => first)
        assert.deepEqual(
          best,
          best.toSorted((a, b) => b - a),
        )
        assert.equal(scores.flat().length, all.length)
      }),
      { seed: 13 },
    )
  })
})
