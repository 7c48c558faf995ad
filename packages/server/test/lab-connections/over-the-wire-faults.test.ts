import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { acknowledge, type Order } from './laboratory.ts'
import { type SentTest, writeResult } from './result-messages.ts'
import { createWiredLaboratory, type WiredLaboratory } from './wired-laboratory.ts'

const START = '\x0b'
const END = '\x1c\r'
/** Of the connection; an answer that comes later is not waited for. */
const PATIENCE_MS = 1000

let wired: WiredLaboratory
/** What the laboratory does with the first reception of a message, and with every other one. */
let firstTime: (socket: Socket, order: Order) => void = accept
let nextTimes = accept
let order: Order
let orderId: string

before(async () => {
  wired = await createWiredLaboratory()
  // The queue says so of an order that it sends again.
  wired.harness.errors.expect('Failed task')
  const { laboratory } = wired
  const seen = new Set<string>()
  laboratory.trouble = (socket, received) => {
    const isFirst = !seen.has(received.controlId)
    seen.add(received.controlId)
    if (isFirst) firstTime(socket, received)
    else nextTimes(socket, received)
  }
  await wired.connect({
    orders: {
      kind: 'mllp',
      host: '127.0.0.1',
      port: laboratory.port,
      ack_timeout_seconds: PATIENCE_MS / 1000,
    },
  })
})
after(() => wired?.close())

const write = (socket: Socket, ...answers: string[]) =>
  socket.write(answers.map((answer) => START + answer + END).join(''), 'latin1')
function accept(socket: Socket, received: Order): void {
  write(socket, acknowledge(received, 'AA'))
}

/** Places an order, and returns what the laboratory received of it when it was accepted. */
async function placeUnder(trouble: typeof firstTime): Promise<Order[]> {
  firstTime = trouble
  const before = wired.laboratory.received.length
  const placed = await wired.place()
  orderId = placed.id
  await wired.waitForStatus(placed.id, 'received.walk_in_test.requisition_created')
  firstTime = accept
  return wired.laboratory.received.slice(before)
}

/** The message of an order as the operator sees it. */
async function messageOf(id: string) {
  const { harness, path } = wired
  const headers = { 'x-management-key': harness.managementKey }
  const { body } = await harness.call('GET', `${path}/message`, undefined, headers)
  return body.data.find(({ order_id: of }: { order_id: string }) => of === id)
}

/** The message came twice, with the same bytes and so with the same id. */
function assertSentTwice(received: Order[]): void {
  const [first, second] = received
  assert.equal(received.length, 2)
  assert.ok(first && first.controlId !== '')
  assert.equal(second?.raw, first.raw)
}

describe('an order', () => {
  test('is sent once when the answer comes late but in time', async () => {
    const received = await placeUnder((socket, each) => {
      setTimeout(() => accept(socket, each), PATIENCE_MS / 2)
    })
    assert.equal(received.length, 1)
  })

  test('is sent again as it was when no answer comes in time', async () => {
    assertSentTwice(await placeUnder(() => {}))
  })

  test('is sent again as it was when the connection is lost after it was received', async () => {
    assertSentTwice(await placeUnder((socket) => socket.destroy()))
  })

  test('is sent again as it was after an internal error of the laboratory', async () => {
    const error = 'ERR|||207^Application internal error^HL70357|E'
    assertSentTwice(
      await placeUnder((socket, each) => void write(socket, acknowledge(each, 'AE', error))),
    )
  })

  test('is accepted when the laboratory has it and refuses its repetition as one', async () => {
    const error = 'ERR||ORC^1^2|205^Duplicate key identifier^HL70357|E'
    nextTimes = (socket, each) => void write(socket, acknowledge(each, 'AR', error))
    assertSentTwice(await placeUnder((socket) => socket.destroy()))
    nextTimes = accept
    // Without an attempt before, the number is that of another order.
    firstTime = (socket, each) => void write(socket, acknowledge(each, 'AR', error))
    const { id } = await wired.place()
    while ((await messageOf(id))?.state !== 'refused') await pause(20)
    firstTime = accept
  })

  test('is sent again when the answer ends in the middle', async () => {
    assertSentTwice(
      await placeUnder((socket, each) => {
        socket.end(START + acknowledge(each, 'AA').slice(0, -4), 'latin1')
      }),
    )
  })

  test('is not accepted by the answer to another message', async () => {
    const other = { controlId: 'OTHER1' }
    assertSentTwice(
      await placeUnder((socket, each) => {
        write(socket, acknowledge({ ...each, ...other }, 'AA'))
      }),
    )
  })

  test('that is cancelled while its answer is lost is cancelled there, and not sent again', async () => {
    const before = wired.laboratory.received.length
    const id = Promise.withResolvers<string>()
    firstTime = async (socket) => {
      firstTime = accept
      const cancelled = await wired.call('POST', `/v3/order/${await id.promise}/cancel`)
      assert.equal(cancelled.status, 200, cancelled.text)
      socket.destroy()
    }
    id.resolve((await wired.place()).id)
    const states = async () => {
      const { rows } = await wired.harness.database.pool.query(
        'select state from lab_outgoing_messages where order_id = $1 order by purpose',
        [await id.promise],
      )
      return rows.map(({ state }) => state)
    }
    while ((await states()).join() !== 'accepted,accepted') await pause(20)
    const received = wired.laboratory.received.slice(before)
    assert.deepEqual(
      received.map(({ control }) => control),
      ['NW', 'CA'],
    )
  })

  test('that is accepted twice is sent once, and the second answer is not that of the next order', async () => {
    const received = await placeUnder((socket, each) => {
      write(socket, acknowledge(each, 'AA'), acknowledge(each, 'AA'))
    })
    assert.equal(received.length, 1)
    for (const code of ['AE', 'AR']) {
      firstTime = (socket, each) =>
        void write(socket, acknowledge(each, code, 'ERR||OBR^1^4|204|E'))
      const { id } = await wired.place()
      while (((await messageOf(id))?.state ?? 'waiting') === 'waiting') await pause(20)
      const { state, answer_code: answer, control_id: controlId } = await messageOf(id)
      assert.deepEqual([state, answer], ['refused', `${code} 204`])
      const same = wired.laboratory.received.filter((each) => each.controlId === controlId)
      assert.equal(same.length, 1)
      const shown = await wired.call('GET', `/v3/order/${id}`)
      assert.equal(shown.body.last_event.status, 'received.walk_in_test.ordered')
    }
    firstTime = accept
  })
})

const glucose = (value: string, of: Order = order): SentTest[] =>
  of.tests.map((code, index) => ({
    code,
    name: 'Test',
    filler: `Q${index}`,
    values: [{ code: `X${code}`, name: 'First', value, unit: 'mg/dL', range: '70-99', flag: 'H' }],
  }))
const send = async (message: string) => {
  const { MSA, ERR } = await wired.laboratory.send(wired.resultsPort, message)
  return [MSA?.[0]?.[1], MSA?.[0]?.[2], ERR?.[0]?.join('|')]
}

const versionsOf = async (id: string) =>
  (await wired.call('GET', `/v3/order/${id}/result/version`)).body.data ?? []

/** Waits until no message waits, and counts the messages by state. */
async function countMessages(): Promise<Record<string, number>> {
  for (;;) {
    const { rows } = await wired.harness.database.pool.query(
      'select state, count(*)::int as count from lab_messages group by state',
    )
    const counts = Object.fromEntries(rows.map(({ state, count }) => [state, count]))
    if (counts.waiting === undefined) return counts
    await pause(20)
  }
}

describe('a result', () => {
  before(async () => {
    const [received] = await placeUnder(accept)
    assert.ok(received)
    order = received
  })

  test('of which the laboratory sends half is not stored, and is when it comes whole', async () => {
    const message = writeResult(order, { controlId: 'H1' }, glucose('101'))
    const half = START + message.slice(0, message.length / 2)
    const socket = connect(wired.resultsPort, '127.0.0.1')
    socket.on('error', () => {})
    socket.end(half)
    await new Promise((resolve) => socket.on('close', resolve))
    assert.deepEqual(await countMessages(), {})
    assert.deepEqual((await send(message)).slice(0, 2), ['AA', 'H1'])
    assert.deepEqual(await countMessages(), { processed: 1 })
    assert.equal((await versionsOf(orderId)).length, 1)
  })

  test('whose bytes come one by one is read as one message', async () => {
    const at = '20260301120100'
    const message = writeResult(order, { controlId: 'H2', at }, glucose('102'))
    const socket = connect(wired.resultsPort, '127.0.0.1')
    let text = ''
    socket.setNoDelay(true).on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    for (const byte of START + message + END) {
      socket.write(byte)
      await new Promise(setImmediate)
    }
    while (!text.endsWith(END)) await pause(5)
    socket.destroy()
    assert.ok(text.includes('MSA|AA|H2'))
    assert.deepEqual(await countMessages(), { processed: 2 })
  })

  test('that comes a hundred times is applied once and accepted each time', async () => {
    const at = '20260301120200'
    const message = writeResult(order, { controlId: 'H3', at }, glucose('103'))
    const before = (await versionsOf(orderId)).length
    const answers = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const codes = new Set<string | undefined>()
        for (let time = 0; time < 10; time += 1) codes.add((await send(message))[0])
        return [...codes]
      }),
    )
    assert.deepEqual(new Set(answers.flat()), new Set(['AA']))
    assert.deepEqual(await countMessages(), { processed: 3 })
    assert.equal((await versionsOf(orderId)).length, before + 1)
  })

  test('with the id of another message is a message of its own', async () => {
    const at = '20260301120300'
    const message = writeResult(order, { controlId: 'H3', at }, glucose('104'))
    assert.deepEqual((await send(message)).slice(0, 2), ['AA', 'H3'])
    assert.deepEqual(await countMessages(), { processed: 4 })
    const { results } = (await wired.call('GET', `/v3/order/${orderId}/result`)).body
    assert.deepEqual(
      results.map(({ result }: { result: string }) => result),
      order.tests.map(() => '104'),
    )
  })

  test('of production is rejected in a sandbox, and changes nothing', async () => {
    const before = (await versionsOf(orderId)).length
    const about = { controlId: 'H5', processingId: 'P', at: '20260301120400' }
    const [code, id, error] = await send(writeResult(order, about, glucose('105')))
    assert.deepEqual([code, id], ['AR', 'H5'])
    assert.match(error ?? '', /MSH\^1\^11.*202/)
    assert.deepEqual(await countMessages(), { processed: 4, failed: 1 })
    assert.equal((await versionsOf(orderId)).length, before)
  })

  test('of an unknown order is kept for review', async () => {
    const about = { controlId: 'H6', placer: 'SA99999999', at: '20260301120500' }
    const stranger = {
      ...order,
      segments: [['PID', '1', '9', '9', '', 'DOE^ROBIN', '', '19700101', 'F']],
    }
    const answer = await send(writeResult(stranger, about, glucose('106')))
    assert.deepEqual(answer.slice(0, 2), ['AA', 'H6'])
    assert.deepEqual(await countMessages(), { processed: 4, failed: 1, held: 1 })
  })

  test('that comes before the acceptance of its order was recorded is stored afterwards', async () => {
    let answered: Promise<unknown> | undefined
    firstTime = (_socket, received) => {
      const message = writeResult(received, { controlId: 'EARLY' }, glucose('105', received))
      // The acknowledgement of the order is lost, and the order is sent again.
      answered = send(message)
    }
    const placed = await wired.place()
    await wired.waitForStatus(placed.id, 'completed.walk_in_test.completed')
    firstTime = accept
    assert.deepEqual(await answered, ['AA', 'EARLY', undefined])
    const { harness } = wired
    const { body } = await harness.call('GET', `/v3/order/${placed.id}/result`)
    assert.ok(body.results.every(({ result }: { result: string }) => result === '105'))
    const review = await harness.database.pool.query(
      'select status, decision_code from unmatched_results where resolved_order_id = $1',
      [placed.id],
    )
    assert.deepEqual(review.rows, [{ status: 'matched', decision_code: 'wrong_collection' }])
  })
})
