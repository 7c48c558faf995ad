import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OrderReference, OrderUpdate } from '@salus/contracts/lab-gateway'
import { newId } from '@salus/kernel/ids'
import { writeMessage } from '@salus/sandbox/lab'
import { createOrdersFixture, statusesOf } from '../../../server/test/orders/orders-fixture.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { findOrderByNumber, type LabNumber, recordNumbers } from '../orders/index.ts'
import { insertLabMessages } from './lab-messages.global.repository.ts'
import { PROCESS_LAB_MESSAGE } from './message-writer.ts'
import { processMessage } from './process-message.service.ts'

/** The numbers by which messages of a connected laboratory name an order. */

const fixture = useFixture(createOrdersFixture)

/** Stores and processes a message of a connection, and returns its state and problem. */
async function send(gateway: string, ...updates: OrderUpdate[]) {
  const { context, harness } = fixture
  const { simulator } = harness.dependencies.gateways
  const { contentType: content_type, content } = writeMessage(updates)
  const id = newId()
  const message = {
    id,
    environment_id: context.environment.id,
    gateway,
    control_id: id,
    content_type,
    content,
    content_hash: id,
    received_at: context.clock.now(),
    state: 'waiting' as const,
    problem_class: null,
    problem: null,
    processed_at: null,
    job: null,
  }
  await insertLabMessages(context.db, PROCESS_LAB_MESSAGE, [message])
  const gateways = { ...harness.dependencies.gateways, byName: async () => simulator }
  await processMessage(context, { files: harness.dependencies.files, gateways }, id)
  const { rows } = await harness.database.pool.query(
    'select state, problem from lab_messages where id = $1',
    [id],
  )
  return [rows[0].state, rows[0].problem]
}

const accept = (order: Omit<OrderReference, 'labSlug'>, sampleId: string | null): OrderUpdate => ({
  kind: 'requisition_accepted',
  order: { ...order, labSlug: 'quest' },
  sampleId,
})

const record = (orderId: string, numbers: LabNumber[], gateway = 'hl7:1') =>
  fixture.context.transaction((tx) => recordNumbers(tx, gateway, orderId, numbers))

describe('an update names its order', () => {
  test('by a placer number of the connection', async () => {
    const { id } = await fixture.place()
    const numbers = ['PL-1', 'PL-1', 'PL-2'].map(
      (number, index) => ({ kind: 'placer', number, markerId: index }) as const,
    )
    await record(id, numbers)
    assert.deepEqual(await send('hl7:2', accept({ placerNumbers: ['PL-2'] }, 'A-1')), [
      'failed',
      'unknown_order',
    ])
    assert.deepEqual(await send('hl7:1', accept({ placerNumbers: ['PL-2', 'PL-1'] }, 'A-1')), [
      'processed',
      null,
    ])
    assert.equal((await fixture.read(id)).sample_id, 'A-1')
  })

  test('by a filler number that an earlier message gave it', async () => {
    const { id } = await fixture.place()
    await send('hl7:1', accept({ orderId: id, fillerNumbers: ['F-1', 'F-2'] }, 'A-2'))
    const cancelled: OrderUpdate = {
      kind: 'cancelled_by_lab',
      order: { placerNumbers: ['NOT-OURS'], fillerNumbers: ['F-2'], labSlug: 'quest' },
    }
    assert.deepEqual(await send('hl7:1', cancelled), ['processed', null])
    assert.equal(statusesOf(await fixture.read(id)).at(-1), 'cancelled')
  })

  test('by a number of the paper requisition', async () => {
    const { id } = await fixture.place()
    await record(id, [{ kind: 'requisition', number: 'REQ-1' }])
    assert.equal((await findOrderByNumber(fixture.context, 'hl7:1', 'REQ-1'))?.id, id)
    const update = accept({ sampleId: 'REQ-1' }, null)
    assert.deepEqual(await send('hl7:1', update), ['processed', null])
  })

  test('and one that no order has is refused at once, also when it is no UUID', async () => {
    const update = accept({ orderId: '4711', placerNumbers: ['0815'] }, null)
    assert.deepEqual(await send('hl7:1', update), ['failed', 'unknown_order'])
  })

  test('and numbers of several orders are refused', async () => {
    const [one, other] = [await fixture.place(), await fixture.place()]
    await record(one.id, [{ kind: 'placer', number: 'MIX-1' }])
    await record(other.id, [{ kind: 'placer', number: 'MIX-2' }])
    const update = accept({ placerNumbers: ['MIX-1', 'MIX-2'] }, null)
    assert.deepEqual(await send('hl7:1', update), ['failed', 'several_orders'])
  })
})

test('a number of ours never moves to another order, and one of the laboratory does', async () => {
  const [one, other] = [await fixture.place(), await fixture.place()]
  await record(one.id, [
    { kind: 'placer', number: 'OWN' },
    { kind: 'filler', number: 'ACC' },
  ])
  await assert.rejects(record(other.id, [{ kind: 'placer', number: 'OWN' }]), /another order/)
  await record(other.id, [{ kind: 'filler', number: 'ACC' }])
  assert.equal((await findOrderByNumber(fixture.context, 'hl7:1', 'OWN'))?.id, one.id)
  assert.equal((await findOrderByNumber(fixture.context, 'hl7:1', 'ACC'))?.id, other.id)
})
