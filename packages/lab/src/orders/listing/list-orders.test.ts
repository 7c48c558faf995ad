import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { newId } from '@salus/kernel/ids'
import { PATIENT_ADDRESS, PATIENT_DETAILS } from '../../../../server/test/orders/order-bodies.ts'
import { type Body, createOrdersFixture } from '../../../../server/test/orders/orders-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const fixture = useFixture(createOrdersFixture)
/** The orders as single reads return them, oldest first. */
let orders: Body[]

before(async () => {
  const walkIn = await fixture.place('walk_in_test')
  const kit = await fixture.place('testkit', {
    patient_details: { ...PATIENT_DETAILS, first_name: 'Zadie', last_name: "O'Neill" },
    patient_address: { ...PATIENT_ADDRESS, receiver_name: 'ZOË 50%' },
    activate_by: '2026-04-01',
  })
  const unknown = await fixture.orderKit()
  orders = await Promise.all([walkIn, kit, unknown].map(({ id }) => fixture.read(id)))
})

async function list(query: string, headers: object = {}): Promise<Body> {
  const { status, body, text } = await fixture.harness.call(
    'GET',
    `/v3/orders${query}`,
    undefined,
    headers,
  )
  assert.equal(status, 200, text)
  return body
}

/** Returns the positions of the listed orders among those of this test. */
async function found(query: string): Promise<number[]> {
  const { orders: listed, total } = await list(query)
  assert.equal(total, listed.length)
  return listed.map((order: Body) => orders.findIndex(({ id }) => id === order.id))
}

test('orders are listed with all fields, newest first', async () => {
  assert.deepEqual(await list(''), { orders: orders.toReversed(), total: 3, page: 1, size: 50 })
})

test('pages have the requested size and all have the same total', async () => {
  const query = '?order_direction=asc&size=2'
  const [first, second] = [orders.slice(0, 2), orders.slice(2)]
  assert.deepEqual(await list(query), { orders: first, total: 3, page: 1, size: 2 })
  assert.deepEqual(await list(`${query}&page=2`), { orders: second, total: 3, page: 2, size: 2 })
  assert.deepEqual(await list(`${query}&page=3`), { orders: [], total: 3, page: 3, size: 2 })
})

test('every filter finds the matching orders', async () => {
  const [walkIn, kit, unknown] = orders
  const expected: [query: string, positions: number[]][] = [
    [`search_input=${kit.id}`, [1]],
    [`search_input=${fixture.userId.toUpperCase()}`, [2, 1, 0]],
    [`search_input=${PATIENT_DETAILS.dob}`, [1, 0]],
    ['search_input=Zoë%2050%25', [1]],
    ['search_input=NEILL', [1]],
    ['start_date=2026-03-01&end_date=2026-03-01', [2, 1, 0]],
    ['end_date=2026-02-28', []],
    ['updated_end_date=2026-03-01', []],
    ['updated_start_date=2026-03-01T12:00:00Z', [2, 1, 0]],
    ['status=awaiting_registration&status=lost', [2]],
    ['order_type=testkit', [2, 1]],
    ['is_critical=true', []],
    ['is_critical=false', [2, 1, 0]],
    ['interpretation=normal', []],
    ['order_activation_types=scheduled', [1]],
    ['order_activation_types=current', [2, 0]],
    [`user_id=${fixture.userId}`, [2, 1, 0]],
    ["patient_name=zadie%20o'n", [1]],
    ['shipping_recipient_name=zo%C3%8B', [1]],
    [`order_ids=${walkIn.id}&order_ids=${unknown.id}`, [2, 0]],
    [`order_transaction_id=${kit.order_transaction.id}`, [1]],
    ['order_key=patient_name&order_direction=desc', [1, 0, 2]],
    ['order_key=last_status&status=awaiting_registration', [2]],
  ]
  for (const [query, positions] of expected)
    assert.deepEqual(await found(`?${query}`), positions, query)
})

test('no team sees the orders of another', async () => {
  const { sandboxKey } = await fixture.harness.makeTeam()
  const headers = { 'x-service-api-key': sandboxKey }
  for (const query of ['', `?search_input=${orders[0].id}`, '?patient_name=a']) {
    assert.deepEqual(await list(query, headers), { orders: [], total: 0, page: 1, size: 50 })
  }
})

test('a query outside of the contract is refused', async () => {
  const { status } = await fixture.harness.call('GET', '/v3/orders?size=101&status=found')
  assert.equal(status, 422)
  const nul = await fixture.harness.call('GET', '/v3/orders?patient_name=%00')
  assert.equal(nul.status, 422)
})

test('500 orders can be requested by their ids', async () => {
  const { app, apiKey } = fixture.harness
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const wanted = Array.from({ length: 499 }, () => newId())
  const ask = (ids: string[]) => {
    const query = ids.map((id) => `order_ids=${id}`).join('&')
    return fetch(`${address}/v3/orders?${query}`, { headers: { 'x-service-api-key': apiKey } })
  }
  const answer = await ask([...wanted, orders[0].id])
  assert.equal(answer.status, 200)
  const { total } = (await answer.json()) as { total: number }
  assert.equal(total, 1)
  const tooMany = await ask([...wanted, newId(), orders[0].id])
  assert.equal(tooMany.status, 422)
})
