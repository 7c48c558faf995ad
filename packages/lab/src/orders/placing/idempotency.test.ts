import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { DAY_SECONDS } from '@salus/contracts/time-units'
import { createHarness } from '../../../../server/test/harness.ts'
import { orderBody, startingLabTests } from '../../../../server/test/orders/order-bodies.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

/** Requests with the same key create one order. */

const harness = useFixture(createHarness)
let userId: string
let labTestId: string

before(async () => {
  userId = await harness.makeUser()
  labTestId = (await startingLabTests(harness)).walk_in_test
})

const post = (key: string, changes: object = {}, headers: object = {}, path = '/v3/order') =>
  harness.call('POST', path, orderBody(userId, labTestId, changes), {
    'x-idempotency-key': key,
    ...headers,
  })

async function countOrders(): Promise<number> {
  const { rows } = await harness.database.pool.query('select count(*)::int as count from orders')
  return rows[0].count
}

test('the same request gets the stored response unchanged', async () => {
  const first = await post('the same')
  const second = await post('the same')
  assert.equal(first.status, 200)
  assert.equal(first.headers['x-idempotency-replayed'], undefined)
  assert.equal(second.headers['x-idempotency-replayed'], 'true')
  assert.deepEqual([second.status, second.text], [first.status, first.text])
  assert.equal(await countOrders(), 1)
})

test('100 concurrent requests with one key create one order', async () => {
  const earlier = await countOrders()
  const answers = await Promise.all(Array.from({ length: 100 }, () => post('at once')))
  const successes = answers.filter(({ status }) => status === 200)
  const conflicts = answers.filter(({ status }) => status === 409)
  assert.equal(successes.length + conflicts.length, 100)
  assert.ok(successes.length >= 1)
  assert.equal(new Set(successes.map(({ text }) => text)).size, 1)
  for (const { body } of conflicts) assert.equal(body.detail.error_type, 'idempotency_conflict')
  assert.equal(await countOrders(), earlier + 1)
  const retry = await post('at once')
  assert.equal(retry.text, successes[0]?.text)
})

test('another request under the same key is refused', async () => {
  await post('one body')
  const { status, body } = await post('one body', { passthrough: 'another' })
  assert.deepEqual([status, body.detail.error_type], [409, 'idempotency_conflict'])
})

test('the order of the fields of a body does not matter', async () => {
  const body = orderBody(userId, labTestId)
  const first = await post('sorted')
  const reversed = Object.fromEntries(Object.entries(body).reverse())
  const headers = { 'x-idempotency-key': 'sorted' }
  const second = await harness.call('POST', '/v3/order', reversed, headers)
  assert.equal(second.text, first.text)
})

test('a key applies to one endpoint and one environment', async () => {
  const first = await post('shared')
  const elsewhere = await post('shared', {}, {}, '/v3/order/create')
  assert.notEqual(first.body.order.id, elsewhere.body.order.id)
})

test('a refusal is stored, unless only successes are to be', async () => {
  const wrong = { activate_by: '2020-01-01' }
  const first = await post('refused', wrong)
  const second = await post('refused', wrong)
  assert.equal(first.status, 400)
  assert.deepEqual([second.status, second.text], [400, first.text])
  assert.equal(second.headers['x-idempotency-replayed'], 'true')

  const anew = { 'x-idempotency-error': 'no-cache' }
  await post('tried anew', wrong, anew)
  const third = await post('tried anew', {}, anew)
  assert.equal(third.status, 200)
})

test('a malformed request stores nothing', async () => {
  const { status } = await post('malformed', { billing_type: 'barter' })
  assert.equal(status, 422)
  assert.equal((await post('malformed')).status, 200)
})

test('a key expires after a day', async () => {
  const first = await post('a day')
  harness.clock.advance(DAY_SECONDS - 1)
  assert.equal((await post('a day')).text, first.text)
  harness.clock.advance(2)
  const second = await post('a day')
  assert.equal(second.status, 200)
  assert.notEqual(first.body.order.id, second.body.order.id)
})

test('keys have 1 to 255 characters', async () => {
  assert.equal((await post('x'.repeat(255))).status, 200)
  assert.equal((await post('x'.repeat(256))).status, 422)
  assert.equal((await post('')).status, 422)
})
