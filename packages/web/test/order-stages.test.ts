import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MACHINES } from '@salus/contracts/order-lifecycle'
import { listStages, type Stage } from '../src/console/components/order-stages.ts'
import { describeOrderStatus } from '../src/console/components/order-words.ts'

/** The track of an order that had these statuses, one a day. */
function track(type: string, ...statuses: string[]): Stage[] {
  const events = statuses.map((status, index) => ({
    id: index + 1,
    created_at: `2026-03-0${index + 1}T09:00:00Z`,
    status: `any.${type}.${status}`,
  }))
  return listStages({ details: { type }, events })
}

const shown = (stages: readonly Stage[]): string[] =>
  stages.map(({ name, state }) => `${name}: ${state}`)

describe('the track of an order', () => {
  test('has a stage or an end for every status of every method, in words', () => {
    for (const [method, { groups, transitions }] of Object.entries(MACHINES)) {
      const ends = new Set(['completed', 'corrected'])
      for (const status of Object.keys(groups)) {
        const stages = track(method, 'ordered', status)
        const last = stages.findLast(({ event }) => event?.status.endsWith(`.${status}`))
        assert.ok(last, `${method} ${status}`)
        const goesOn = transitions.some(({ from, to }) => from === status && !ends.has(to))
        if (last.state === 'ended') assert.equal(goesOn, false, `${method} ${status}`)
        assert.notEqual(describeOrderStatus(status).label, '', status)
        assert.doesNotMatch(describeOrderStatus(status).label, /_/)
      }
    }
  })

  test('says what is behind, where it stands and what lies ahead', () => {
    const path = ['ordered', 'requisition_created', 'transit_customer', 'out_for_delivery']
    assert.deepEqual(shown(track('testkit', ...path)), [
      'Ordered: done',
      'Accepted: done',
      'Kit sent: current',
      'With the person: ahead',
      'Sent back: ahead',
      'At the laboratory: ahead',
      'Results: ahead',
    ])
    assert.deepEqual(
      shown(track('testkit', ...path, 'problem_in_transit_customer'))[2],
      ['Kit sent: problem'][0],
    )
  })

  test('shows what was left out, and a kit that found its patient late in its order', () => {
    assert.deepEqual(
      shown(track('at_home_phlebotomy', 'ordered', 'requisition_created', 'completed')),
      [
        'Ordered: done',
        'Accepted: done',
        'Appointment: skipped',
        'Collected: skipped',
        'Results: done',
      ],
    )
    const kit = ['ordered', 'awaiting_registration', 'transit_customer', 'with_customer']
    assert.deepEqual(shown(track('testkit', ...kit, 'registered')).slice(0, 5), [
      'Ordered: done',
      'Kit sent: done',
      'With the person: done',
      'Registered: current',
      'Accepted: ahead',
    ])
  })

  test('ends where the order ended', () => {
    assert.deepEqual(shown(track('walk_in_test', 'ordered', 'requisition_created', 'cancelled')), [
      'Ordered: done',
      'Accepted: done',
      'Cancelled: ended',
    ])
    assert.deepEqual(shown(track('walk_in_test', 'ordered', 'partial_results', 'sample_error')), [
      'Ordered: done',
      'Accepted: skipped',
      'First results: done',
      'Sample could not be tested: ended',
    ])
  })
})
