import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '@salus/kernel/ids'
import { createOrdersFixture } from '../../../../server/test/orders/orders-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { listOrderEvents } from '../order-events.repository.ts'
import { findOrder, listTransactions, type OrderRow } from '../orders.repository.ts'
import { insertNewOrder, takeOrderEventId } from './new-orders.repository.ts'

const fixture = useFixture(createOrdersFixture)

/** Returns an order with a value in every column whose type allows one. */
async function draftOf(change: Partial<OrderRow> = {}): Promise<OrderRow> {
  const { id } = await fixture.place('walk_in_test')
  const placed = await findOrder(fixture.context, id)
  assert.ok(placed)
  return {
    ...placed,
    id: newId(),
    details_id: newId(),
    transaction_id: newId(),
    notes: 'A "quoted" note\nof two lines, ä€😀 \\x41',
    passthrough: '{"their": "own"}',
    icd_codes: ['E11.9', 'I10'],
    activate_by: '2027-03-01',
    created_at: new Date('2026-03-01T12:00:00.123Z'),
    ...change,
  }
}

/** Returns the id of the event; undefined when nothing was inserted. */
const insert = (order: OrderRow, isFirst = true) =>
  fixture.context.transaction(async (tx) => {
    const id = await takeOrderEventId(tx)
    return (await insertNewOrder(tx, order, { id }, isFirst)) ? id : undefined
  })

test('the row of a new order is the stored one', async () => {
  const order = await draftOf()
  const id = await insert(order)
  assert.ok(id)
  assert.deepEqual(await findOrder(fixture.context, order.id), order)
  const { environment_id, id: order_id, created_at } = order
  const status = { status: 'ordered', status_detail: null }
  const event = { environment_id, order_id, id, ...status, created_at }
  assert.deepEqual(await listOrderEvents(fixture.context, [order.id]), [event])
  const [transaction] = await listTransactions(fixture.context, [order.transaction_id])
  assert.deepEqual([transaction?.status, transaction?.created_at], ['active', order.created_at])
})

test('an order that joins a transaction leaves that as it is', async () => {
  const first = await draftOf()
  await insert(first)
  const later = await draftOf({ transaction_id: first.transaction_id })
  assert.ok(await insert(later, false))
  const [transaction] = await listTransactions(fixture.context, [first.transaction_id])
  assert.deepEqual(transaction?.updated_at, first.created_at)
})

test('a sample id of another order of the laboratory stores no order and no event', async () => {
  const one = await draftOf({ sample_id: 'TAKEN-1' })
  assert.ok(await insert(one))
  const other = await draftOf({ sample_id: 'TAKEN-1' })
  assert.equal(await insert(other), undefined)
  assert.equal(await findOrder(fixture.context, other.id), undefined)
  assert.deepEqual(await listOrderEvents(fixture.context, [other.id]), [])
})
