import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  createOrdersFixture,
  type OrdersFixture,
  statusesOf,
} from '../../../test/orders/orders-fixture.ts'
import { type LabNews, writeSandboxMessage } from '../gateways/index.ts'
import { processMessage } from './process-message.service.ts'
import { storeMessage } from './store-message.service.ts'

let fixture: OrdersFixture

before(async () => {
  fixture = await createOrdersFixture()
})
after(() => fixture?.close())

/** Stores what a laboratory says and has it processed, as the job does. Tells what became of it. */
async function tell(...news: LabNews[]) {
  const { db, environment, clock } = fixture.context
  const message = { ...writeSandboxMessage(news), gateway: 'sandbox', at: clock.now() }
  const messageId = await storeMessage(db, environment.id, message)
  await processMessage(fixture.harness.dependencies, {
    environmentId: environment.id,
    messageId,
  })
  const { rows } = await fixture.harness.database.pool.query(
    'select state, problem from lab_messages where id = $1',
    [messageId],
  )
  return rows[0]
}

const accepted = (orderId: string, sampleId: string): LabNews => ({
  kind: 'requisition_accepted',
  order: { orderId, labSlug: 'quest' },
  sampleId,
})

test('a message that uses the number of another sample again fails with the reason', async () => {
  const [one, other] = [await fixture.place(), await fixture.place()]
  assert.deepEqual(await tell(accepted(one.id, 'TWICE')), { state: 'processed', problem: null })
  const failed = { state: 'failed', problem: 'sample_id_taken' }
  assert.deepEqual(await tell(accepted(other.id, 'TWICE')), failed)
  const order = await fixture.read(other.id)
  assert.deepEqual([statusesOf(order), order.sample_id], [['ordered'], null])
  assert.deepEqual(await tell(accepted(other.id, 'ONCE')), { state: 'processed', problem: null })
})

test('news of a deleted person are kept in case that is undone, and told to nobody', async () => {
  const user_id = await fixture.harness.makeUser()
  const { id } = await fixture.place('walk_in_test', { user_id })
  const told = (await fixture.messages(id)).length
  await fixture.harness.call('DELETE', `/v2/user/${user_id}`)
  assert.equal((await tell(accepted(id, 'HIDDEN'))).state, 'processed')
  assert.equal((await fixture.messages(id)).length, told)
  assert.deepEqual(await fixture.read(id), { detail: 'order_not_found' })
  await fixture.harness.call('POST', `/v2/user/undo_delete?user_id=${user_id}`)
  assert.deepEqual(statusesOf(await fixture.read(id)), ['ordered', 'requisition_created'])
})
