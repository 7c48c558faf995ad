import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { CONTRACT_LIFECYCLES } from '../../../server/test/orders/contract-lifecycles.ts'
import { CAUSES, type Cause } from './causes.ts'
import {
  allowedStatuses,
  groupOf,
  isTerminal,
  type OrderFacts,
  orderStatus,
  statusesAfter,
  transactionStatus,
} from './machine.ts'
import {
  COLLECTION_METHODS,
  type CollectionMethod,
  LOW_LEVEL_STATUSES,
  type LowLevelStatus,
} from './statuses.ts'
import { MACHINES } from './transitions.ts'

const lines = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim())

const statusesOf = (method: CollectionMethod) =>
  Object.keys(MACHINES[method].groups) as LowLevelStatus[]

const FACTS: Omit<OrderFacts, 'method' | 'status'> = {
  isUnregisteredKit: false,
  isRegistered: false,
  wasShipped: false,
  isRedraw: false,
}

for (const method of COLLECTION_METHODS) {
  describe(method, () => {
    const { statuses, transitions } = CONTRACT_LIFECYCLES[method]

    test('has the statuses of the contract, each in its group', () => {
      const own = statusesOf(method).map((status) => orderStatus(method, status))
      assert.deepEqual(own.toSorted(), lines(statuses).toSorted())
    })

    test('has the transitions of the contract and no other', () => {
      const own = MACHINES[method].transitions.map(({ from, to }) => `${from} ${to}`)
      assert.deepEqual(own.toSorted(), lines(transitions).toSorted())
      assert.equal(new Set(own).size, own.length)
    })

    test('leads by one cause from one status to one other at most', () => {
      const causes = MACHINES[method].transitions.flatMap(({ from, causes: all }) =>
        all.map((cause) => `${from} ${cause}`),
      )
      assert.equal(new Set(causes).size, causes.length)
    })

    test('reaches every status from the first one', () => {
      const reached = new Set<LowLevelStatus>(['ordered'])
      for (const status of reached) {
        for (const next of statusesAfter(method, status)) reached.add(next)
      }
      assert.deepEqual([...reached].toSorted(), statusesOf(method).toSorted())
    })

    test('ends only in statuses that are final', () => {
      for (const status of statusesOf(method)) {
        const onlyCorrections = statusesAfter(method, status).every((to) => to === 'corrected')
        assert.equal(isTerminal(status), onlyCorrections, status)
      }
    })

    test('gives the usual path only steps that the tables have', () => {
      const { successPath } = MACHINES[method]
      for (const [index, from] of successPath.slice(0, -1).entries()) {
        const to = successPath[index + 1] as LowLevelStatus
        assert.ok(statusesAfter(method, from).includes(to), `${from} → ${to}`)
      }
    })
  })
}

describe('all methods together', () => {
  test('know all 27 low-level statuses', () => {
    assert.equal(LOW_LEVEL_STATUSES.length, 27)
    const known = new Set(COLLECTION_METHODS.flatMap(statusesOf))
    assert.deepEqual([...known].toSorted(), [...LOW_LEVEL_STATUSES].toSorted())
  })

  test('know a transition for every cause', () => {
    const known = new Set<Cause>(
      COLLECTION_METHODS.flatMap((method) =>
        MACHINES[method].transitions.flatMap(({ causes }) => causes),
      ),
    )
    assert.deepEqual([...known].toSorted(), Object.keys(CAUSES).toSorted())
  })

  test('put a draw in another group on site than at home', () => {
    assert.equal(groupOf('at_home_phlebotomy', 'draw_completed'), 'collecting_sample')
    assert.equal(groupOf('on_site_collection', 'draw_completed'), 'sample_with_lab')
  })

  test('refuse to place a status that a method does not know', () => {
    assert.throws(() => orderStatus('walk_in_test', 'with_customer'), /no status of walk_in_test/)
  })
})

describe('guards', () => {
  const kit = (status: LowLevelStatus, facts: Partial<OrderFacts> = {}): LowLevelStatus[] =>
    allowedStatuses({ ...FACTS, method: 'testkit', status, ...facts })

  test('only kits ordered without a patient are registered, once', () => {
    assert.ok(!kit('with_customer').includes('registered'))
    assert.ok(kit('with_customer', { isUnregisteredKit: true }).includes('registered'))
    const again = { isUnregisteredKit: true, isRegistered: true }
    assert.ok(!kit('with_customer', again).includes('registered'))
  })

  test('only kits with a patient go back to the laboratory', () => {
    assert.ok(kit('with_customer').includes('transit_lab'))
    assert.ok(!kit('with_customer', { isUnregisteredKit: true }).includes('transit_lab'))
    assert.ok(!kit('with_customer', { isUnregisteredKit: true }).includes('delivered_to_lab'))
  })

  test('a registered kit does not go out again', () => {
    const registered = { isUnregisteredKit: true, isRegistered: true }
    assert.ok(!kit('requisition_created', registered).includes('transit_customer'))
    assert.ok(kit('requisition_created', registered).includes('transit_lab'))
  })

  test('a shipped kit cannot be cancelled, whatever it became', () => {
    for (const status of ['requisition_created', 'registered'] as const) {
      assert.ok(kit(status, { isUnregisteredKit: true, isRegistered: true }).includes('cancelled'))
      const shipped = { isUnregisteredKit: true, isRegistered: true, wasShipped: true }
      assert.ok(!kit(status, shipped).includes('cancelled'), status)
    }
  })

  test('a redraw never makes another one', () => {
    const facts = { ...FACTS, method: 'walk_in_test', status: 'partial_results' } as const
    assert.ok(allowedStatuses(facts).includes('redraw_available'))
    assert.ok(!allowedStatuses({ ...facts, isRedraw: true }).includes('redraw_available'))
  })
})

test('a transaction is what its orders are', () => {
  const of = (...statuses: LowLevelStatus[]) =>
    transactionStatus(statuses.map((status) => ({ status, origin: 'initial' })))
  assert.equal(of('ordered'), 'active')
  assert.equal(of('completed', 'partial_results'), 'active')
  assert.equal(of('redraw_available', 'ordered'), 'active')
  assert.equal(of('redraw_available', 'completed'), 'completed')
  assert.equal(of('cancelled', 'cancelled'), 'cancelled')
  assert.equal(of('cancelled', 'sample_error'), 'completed')
  assert.equal(of('lost'), 'completed')
  assert.equal(of('cancelled', 'do_not_process'), 'cancelled')
})

test('random walks stay within the statuses of their method and end in a final one or can go on', () => {
  const walk = fc.record({
    method: fc.constantFrom(...COLLECTION_METHODS),
    choices: fc.array(fc.nat({ max: 50 }), { maxLength: 40 }),
    isUnregisteredKit: fc.boolean(),
  })
  fc.assert(
    fc.property(walk, ({ method, choices, isUnregisteredKit }) => {
      let facts: OrderFacts = { ...FACTS, method, status: 'ordered', isUnregisteredKit }
      for (const choice of choices) {
        const next = allowedStatuses(facts)
        if (next.length === 0) break
        const status = next[choice % next.length] as LowLevelStatus
        assert.ok(groupOf(method, status))
        facts = { ...facts, status, isRegistered: facts.isRegistered || status === 'registered' }
      }
      const mayGoOn = allowedStatuses(facts).some((to) => to !== 'corrected')
      assert.equal(isTerminal(facts.status), !mayGoOn)
    }),
    { seed: 20_261_121, numRuns: 2000 },
  )
})
