import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LowLevelStatus } from '@salus/contracts/order-lifecycle'
import { createFakeGateway, dispatchBy } from '../../../../server/test/orders/fake-gateway.ts'
import {
  type Body,
  createOrdersFixture,
  refusalOf,
  scan,
  statusesOf,
} from '../../../../server/test/orders/orders-fixture.ts'
import { check, type Living } from '../../../../server/test/orders/random-life.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { dispatchOrder } from '../dispatch/dispatch-order.service.ts'

/** Concurrent changes of orders. */

const fixture = useFixture(createOrdersFixture)

const cancel = (orderId: string) => fixture.harness.call('POST', `/v3/order/${orderId}/cancel`)

/** Creates an order of a new user, whose events are only those of the order. */
async function living(method: Living['method']): Promise<Living> {
  const userId = await fixture.harness.makeUser()
  const order = await fixture.place(method, { user_id: userId })
  const rest = {
    kitNumber: '',
    changedAt: order.created_at,
    seenEvents: 0,
    silent: new Set<number>(),
    repeated: 0,
  }
  return { userId, orderId: order.id, method, ...rest }
}

test('concurrent cancels cancel once', async () => {
  const one = await living('walk_in_test')
  const answers = await Promise.all(Array.from({ length: 8 }, () => cancel(one.orderId)))
  const codes = answers.map((answer) => (answer.status === 200 ? 'ok' : refusalOf(answer)[1]))
  assert.deepEqual(codes.toSorted(), ['ok', ...Array(7).fill('transition_not_allowed')])
  assert.deepEqual(statusesOf(await fixture.read(one.orderId)), ['ordered', 'cancelled'])
  await check(fixture, one)
})

test('the same scan, sent twenty times concurrently, is one event', async () => {
  const one = await living('testkit')
  await fixture.transition(one.orderId, 'requisition_created')
  const effects = await Promise.all(
    Array.from({ length: 20 }, () => fixture.update(one.orderId, scan('outbound', 'in_transit'))),
  )
  assert.equal(effects.filter((effect) => effect === 'transitioned').length, 1)
  assert.equal(effects.filter((effect) => effect === 'shown').length, 19)
  assert.equal((await fixture.read(one.orderId)).events.length, 3)
  await check(fixture, one)
})

test('a cancel during the acceptance results in one of two sequences of events', async () => {
  const outcomes = new Set<string>()
  for (let round = 0; round < 12; round++) {
    const one = await living('walk_in_test')
    const gateway = createFakeGateway()
    gateway.answer = async () => {
      // In some rounds the laboratory is slower than the customer.
      if (round % 2 === 0) await fixture.row(one.orderId)
      return { state: 'accepted', sampleId: `RACE-${round}` }
    }
    const [answer] = await Promise.all([
      cancel(one.orderId),
      dispatchOrder(
        fixture.context,
        { ...dispatchBy(gateway), secrets: fixture.harness.secrets },
        one.orderId,
        { isLast: false },
      ),
    ])
    assert.equal(answer.status, 200)
    const statuses = statusesOf(await fixture.read(one.orderId))
    outcomes.add(statuses.join(' '))
    assert.equal(statuses.at(-1), 'cancelled')
    const tasks = (await fixture.jobs(one.orderId)).map(({ task }) => task)
    const wasPlaced = gateway.placed.length > 0
    assert.equal(tasks.filter((task) => task === 'cancel_order_at_lab').length, wasPlaced ? 1 : 0)
    await check(fixture, one)
  }
  for (const outcome of outcomes) {
    assert.ok(['ordered cancelled', 'ordered requisition_created cancelled'].includes(outcome))
  }
})

test('changes of orders of one transaction do not deadlock', async () => {
  const replace = (orderId: string) =>
    fixture.harness.call('POST', '/v3/order/create', {
      recreate_from_order_id: orderId,
      update_reason: 'OTHER',
    })
  const first = await fixture.place('on_site_collection')
  const family: string[] = [first.id]
  for (let count = 0; count < 4; count++) {
    await fixture.transition(family.at(-1) as string, 'requisition_created')
    await fixture.transition(family.at(-1) as string, 'partial_results')
    fixture.harness.clock.advance(1)
    const { body } = await replace(family.at(-1) as string)
    family.push(body.order.id)
  }
  const targets: LowLevelStatus[] = [
    'requisition_created',
    'partial_results',
    'completed',
    'corrected',
  ]
  const refused: unknown[] = []
  const quietly = (work: Promise<unknown>) =>
    work.catch((error) => {
      // An illegal transition may happen here; a deadlock may not.
      if (error.errorType !== 'transition_not_allowed') throw error
      refused.push(error)
    })
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) => {
      const id = family[index % family.length] as string
      switch (index % 4) {
        case 0:
          return replace(id)
        case 1:
          return cancel(id)
        case 2:
          return fixture.harness.call('PATCH', `/v3/order/${id}/draw_completed`)
        default:
          return quietly(
            fixture.transition(id, targets[(index >> 2) % targets.length] as LowLevelStatus),
          )
      }
    }),
  )
  for (const answer of answers as Body[]) {
    if (answer?.status === undefined) continue
    assert.ok(answer.status === 200 || answer.status === 400, `${answer.status} ${answer.text}`)
  }
  const { rows } = await fixture.harness.database.pool.query(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )
  assert.equal(rows[0].deadlocks, 0)
  const { order_transaction: group } = await fixture.read(first.id)
  const parents = group.orders.map(({ parent_id }: Body) => parent_id).filter((id: unknown) => id)
  assert.equal(new Set(parents).size, parents.length)
  const isEnded = ({ low_level_status: status }: Body) =>
    ['completed', 'corrected', 'cancelled', 'sample_error'].includes(status)
  assert.equal(group.status === 'active', !group.orders.every(isEnded))
})
