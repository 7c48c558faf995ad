import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Order } from './laboratory.ts'
import { type SentTest, writeResult } from './result-messages.ts'
import { createWiredLaboratory, type WiredLaboratory } from './wired-laboratory.ts'

const MEBIBYTE = 1024 ** 2
const MESSAGES = 10_000

let wired: WiredLaboratory
let order: Order
let orderId: string

before(async () => {
  wired = await createWiredLaboratory()
  await wired.connect({
    results: {
      kind: 'mllp-listen',
      bind: '127.0.0.1',
      port: wired.resultsPort,
      peers: ['127.0.0.1'],
      max_message_megabytes: 100,
    },
  })
  const placed = await wired.place()
  orderId = placed.id
  await wired.waitForStatus(orderId, 'received.walk_in_test.requisition_created')
  order = wired.laboratory.received[0] as Order
})
after(() => wired?.close())

const resultsOf = (value: string, pdf?: Buffer): SentTest[] =>
  order.tests.map((code, index) => ({
    code,
    name: 'Test',
    filler: `Q${index}`,
    values: [
      { code: `X${code}`, name: 'First', value, unit: 'mg/dL', range: '70-99', flag: 'H' },
      ...(pdf === undefined || index > 0
        ? []
        : [
            {
              code: 'PDF',
              name: 'Report',
              type: 'ED' as const,
              value: `^application^pdf^Base64^${pdf.toString('base64')}`,
            },
          ]),
    ],
  }))

test('a document of 50 MB arrives byte for byte', async () => {
  const pdf = Buffer.alloc(50 * MEBIBYTE, 'Salus ')
  pdf.write('%PDF-1.4\n')
  pdf.write('\n%%EOF\n', pdf.length - 7)
  const message = writeResult(order, { controlId: 'L1' }, resultsOf('101', pdf))
  const answer = await wired.laboratory.send(wired.resultsPort, message)
  assert.deepEqual(answer.MSA?.[0]?.slice(1, 3), ['AA', 'L1'])
  await wired.waitForStatus(orderId, 'completed.walk_in_test.completed')
  const { status, bytes } = await wired.call('GET', `/v3/order/${orderId}/result/pdf`)
  assert.equal(status, 200)
  assert.ok(bytes.equals(pdf), 'the document is another one')
})

const frameOf = (messages: string[]) =>
  `\x0b${['BHS|^~\\&|LAB|QUEST|SALUS', ...messages, `BTS|${messages.length}`].join('\r')}\x1c\r`

/** Sends a batch in one frame, and returns the ids that are accepted. */
async function sendBatch(messages: string[]): Promise<string[]> {
  const socket = connect(wired.resultsPort, '127.0.0.1')
  const chunks: Buffer[] = []
  let frames = 0
  socket.on('data', (chunk) => {
    chunks.push(chunk)
    for (const byte of chunk) if (byte === 0x1c) frames += 1
  })
  socket.write(frameOf(messages))
  while (frames < messages.length) await pause(50)
  socket.destroy()
  const text = Buffer.concat(chunks).toString('latin1')
  return [...text.matchAll(/MSA\|AA\|(\w+)/g)].map(([, id]) => id as string)
}

const countStored = async () => {
  const { rows } = await wired.harness.database.pool.query(
    `select count(*)::int as count, count(distinct control_id)::int as ids
    from lab_messages where control_id like 'B%'`,
  )
  return rows[0]
}

/** Sends a batch, and loses the connection when some of it is stored. */
async function loseBatch(messages: string[]): Promise<void> {
  const socket = connect(wired.resultsPort, '127.0.0.1')
  socket.write(frameOf(messages))
  while ((await countStored()).count < messages.length / 20) await pause(10)
  socket.destroy()
}

test('a batch of 10,000 messages is stored before any is accepted, and each once, also when it comes again after its connection was lost', async () => {
  const messages = Array.from({ length: MESSAGES }, (_, index) =>
    writeResult(order, { controlId: `B${index}`, at: '20260228120000' }, resultsOf(`${index}`)),
  )
  // Only receiving counts here: 10,000 versions of one order are no life of an order.
  await wired.worker?.stop()
  await loseBatch(messages)
  const accepted = await sendBatch(messages)
  assert.deepEqual(
    accepted,
    messages.map((_, index) => `B${index}`),
  )
  assert.deepEqual(await countStored(), { count: MESSAGES, ids: MESSAGES })
})
