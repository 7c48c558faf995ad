import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { InboundMessage, Receipt } from '@salus/contracts/lab-gateway'
import { newId } from '@salus/kernel/ids'
import { createOrdersFixture } from '../../../server/test/orders/orders-fixture.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { MessageWriter } from './message-writer.ts'

/** Messages that arrive at the same time over several connections. */

const fixture = useFixture(createOrdersFixture)
let writer: MessageWriter
before(() => {
  writer = new MessageWriter(fixture.harness.dependencies)
})

const message = (content: string, changes: Partial<InboundMessage> = {}): InboundMessage => ({
  environmentId: fixture.context.environment.id,
  controlId: newId(),
  contentType: 'text/plain',
  content: Buffer.from(content),
  at: fixture.context.clock.now(),
  ...changes,
})

const storeAll = (messages: InboundMessage[]): Promise<PromiseSettledResult<Receipt>[]> =>
  Promise.allSettled(messages.map((each) => writer.store('hl7:1', each)))
const stored = (receipts: PromiseSettledResult<Receipt>[]): Receipt[] =>
  receipts.map((receipt) => {
    assert.equal(receipt.status, 'fulfilled')
    return receipt.value
  })

/** What PostgreSQL has of messages: content, transaction, and the number of jobs of each. */
async function read(receipts: Receipt[]) {
  const { rows } = await fixture.harness.database.pool.query<{
    id: string
    content: Buffer
    transaction: string
    jobs: number
  }>(
    `select message.id, content, message.xmin::text as transaction, count(job.id)::int as jobs
    from lab_messages as message left join graphile_worker._private_jobs as job
      on job.payload ->> 'messageId' = message.id::text
    where message.id = any($1) group by message.id`,
    [receipts.map(({ messageId }) => messageId)],
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return receipts.map(({ messageId }) => byId.get(messageId))
}

describe('messages that arrive at once', () => {
  test('share a commit, and each has its receipt, its content and its job', async () => {
    const messages = ['one', 'two', 'three'].map((content) => message(content))
    const receipts = stored(await storeAll(messages))
    const rows = await read(receipts)
    assert.deepEqual(
      rows.map((row) => [row?.content.toString(), row?.jobs]),
      ['one', 'two', 'three'].map((content) => [content, 1]),
    )
    assert.equal(new Set(rows.map((row) => row?.transaction)).size, 1)
    assert.ok(receipts.every(({ isNew }) => isNew))
  })

  test('are stored once when they are the same, with the receipt of the stored one', async () => {
    const same = message('again')
    const receipts = stored(await storeAll([same, message('between'), same]))
    assert.deepEqual(
      receipts.map(({ isNew }) => isNew),
      [true, true, false],
    )
    assert.equal(receipts[2]?.messageId, receipts[0]?.messageId)
    const [later] = stored(await storeAll([same]))
    assert.deepEqual(later, { messageId: receipts[0]?.messageId, isNew: false })
    const [row] = await read(receipts)
    assert.equal(row?.jobs, 1)
  })

  test('do not fail because of one whose environment does not exist', async () => {
    const lost = message('lost', { environmentId: newId() })
    const receipts = await storeAll([message('before'), lost, message('after')])
    assert.deepEqual(
      receipts.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    const kept = receipts.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    assert.deepEqual(
      (await read(kept)).map((row) => row?.content.toString()),
      ['before', 'after'],
    )
  })

  test('do not fail because of an id that PostgreSQL cannot store', async () => {
    const receipts = stored(
      await storeAll([message('first'), message('nul', { controlId: 'A\0B' }), message('other')]),
    )
    assert.ok(receipts.every(({ isNew }) => isNew))
    const { rows } = await fixture.harness.database.pool.query(
      'select control_id from lab_messages where id = $1',
      [receipts[1]?.messageId],
    )
    assert.equal(rows[0].control_id, 'AB')
  })

  test('are all stored beside a large document', async () => {
    const large = message('x'.repeat(5 * 1024 ** 2))
    const receipts = stored(await storeAll([message('small'), large, message('last')]))
    assert.deepEqual(
      (await read(receipts)).map((row) => row?.content.length),
      [5, 5 * 1024 ** 2, 4],
    )
  })

  test('have no job when they cannot be read, and wait for the operator', async () => {
    const receipts = stored(await storeAll([message('bad', { problem: 'not_hl7' }), message('ok')]))
    assert.deepEqual(
      (await read(receipts)).map((row) => row?.jobs),
      [0, 1],
    )
    const { rows } = await fixture.harness.database.pool.query(
      'select state, problem_class, problem from lab_messages where id = $1',
      [receipts[0]?.messageId],
    )
    assert.deepEqual(rows, [{ state: 'failed', problem_class: 'unreadable', problem: 'not_hl7' }])
  })
})
