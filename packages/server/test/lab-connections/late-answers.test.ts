import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { acknowledge, type Order } from './laboratory.ts'
import { createWiredLaboratory, type WiredLaboratory } from './wired-laboratory.ts'

/** A laboratory that confirms the receipt (CA), and answers in a message of its own. */

let wired: WiredLaboratory

before(async () => {
  wired = await createWiredLaboratory()
  await wired.connect()
})
after(() => wired?.close())
beforeEach(() => {
  wired.laboratory.answer = (order) => acknowledge(order, 'CA')
})

/** Places an order that the laboratory confirms, and returns both sides of it. */
async function placeCommitted(): Promise<{ id: string; order: Order }> {
  const before = wired.laboratory.received.length
  const { id } = await wired.place()
  const until = performance.now() + 30_000
  for (;;) {
    const { rows } = await wired.harness.database.pool.query(
      'select state from lab_outgoing_messages where order_id = $1',
      [id],
    )
    if (rows[0]?.state === 'committed') break
    assert.ok(performance.now() < until, 'the order is not committed')
    await pause(20)
  }
  const order = wired.laboratory.received.slice(before).find(({ control }) => control === 'NW')
  return { id, order: order as Order }
}

/** Sends an answer, which is not answered, and waits until it is stored and processed. */
async function answerLater(order: Order, code: string, error = ''): Promise<void> {
  const { pool } = wired.harness.database
  const done = "select count(*)::int as n from lab_messages where state <> 'waiting'"
  const before = (await pool.query(done)).rows[0].n
  const socket = connect(wired.resultsPort, '127.0.0.1')
  const answer = acknowledge(order, code, error).replace(`|A${order.controlId}|`, `|A${before}|`)
  socket.write(`\x0b${answer}\x1c\r`)
  const until = performance.now() + 30_000
  while ((await pool.query(done)).rows[0].n === before) {
    assert.ok(performance.now() < until, 'the answer was not processed')
    await pause(20)
  }
  socket.destroy()
}

/** Reads a problem of an order as soon as it has one: an answer is recorded after it is stored. */
async function readProblem(id: string, column: 'dispatch' | 'cancel') {
  const until = performance.now() + 30_000
  for (;;) {
    const { rows } = await wired.harness.database.pool.query(
      `select ${column}_problem as problem, ${column}_detail as detail from orders where id = $1`,
      [id],
    )
    if (rows[0].problem !== null) return rows[0]
    assert.ok(performance.now() < until, 'the answer was not recorded')
    await pause(20)
  }
}

const statusOf = async (id: string): Promise<string> =>
  (await wired.call('GET', `/v3/order/${id}`)).body.last_event.status

describe('an answer in a message of its own', () => {
  test('accepts an order that was only received before', async () => {
    const { id, order } = await placeCommitted()
    assert.equal(await statusOf(id), 'received.walk_in_test.ordered')
    await answerLater(order, 'AA')
    await wired.waitForStatus(id, 'received.walk_in_test.requisition_created')
    const { body } = await wired.call('GET', `/v3/order/${id}`)
    assert.equal(body.sample_id, order.placer)
  })

  test('refuses it with the code, and a repetition changes nothing', async () => {
    const { id, order } = await placeCommitted()
    await answerLater(order, 'AE', 'ERR||OBR^1^4|204^^HL70357|E')
    const refused = { problem: 'refused_by_lab', detail: 'AE 204 OBR-4' }
    assert.deepEqual(await readProblem(id, 'dispatch'), refused)
    await answerLater(order, 'AA')
    assert.deepEqual(await readProblem(id, 'dispatch'), refused)
    assert.equal(await statusOf(id), 'received.walk_in_test.ordered')
  })

  test('refuses a cancellation that was only received before', async () => {
    const { id, order } = await placeCommitted()
    await answerLater(order, 'AA')
    await wired.waitForStatus(id, 'received.walk_in_test.requisition_created')
    await wired.call('POST', `/v3/order/${id}/cancel`)
    const isCancellation = ({ control, placer }: Order) =>
      control === 'CA' && placer === order.placer
    while (!wired.laboratory.received.some(isCancellation)) await pause(20)
    await answerLater(wired.laboratory.received.find(isCancellation) as Order, 'AR')
    assert.deepEqual(await readProblem(id, 'cancel'), { problem: 'refused', detail: 'AR' })
  })

  test('to a message that is not ours is left to the operator', async () => {
    const { order } = await placeCommitted()
    await answerLater({ ...order, controlId: 'UNKNOWN-1' }, 'AR')
    const { rows } = await wired.harness.database.pool.query(
      "select problem from lab_messages where state = 'failed'",
    )
    assert.deepEqual(rows, [{ problem: 'wrong_message_type' }])
  })
})
