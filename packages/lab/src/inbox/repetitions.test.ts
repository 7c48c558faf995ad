import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Deliver, InboundMessage, OrderUpdate } from '@salus/contracts/lab-gateway'
import { newId } from '@salus/kernel/ids'
import { writeMessage } from '@salus/sandbox/lab'
import { createOrdersFixture } from '../../../server/test/orders/orders-fixture.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import type { LabGateways } from '../gateways/index.ts'
import { openInbox } from './inbox.service.ts'
import { processMessage } from './process-message.service.ts'

/** Messages of connected laboratories, which use one id for several messages, or none. */

const fixture = useFixture(createOrdersFixture)
let gateways: LabGateways
/** The inbound sides of the sandbox and of two connections. */
let deliver: Deliver
let deliverConnected: Deliver
let deliverOther: Deliver

before(() => {
  const { dependencies } = fixture.harness
  const { simulator } = dependencies.gateways
  gateways = {
    ...dependencies.gateways,
    simulator: {
      ...simulator,
      open(given) {
        deliver = given
      },
    },
    byName: async () => simulator,
    connected: {
      ...dependencies.gateways.connected,
      open(given) {
        deliverConnected = (message) => given('hl7:1', message)
        deliverOther = (message) => given('hl7:2', message)
      },
    },
  }
  openInbox(dependencies, gateways)
})

const messageOf = (updates: OrderUpdate[], controlId: string = newId()): InboundMessage => ({
  ...writeMessage(updates),
  environmentId: fixture.context.environment.id,
  controlId,
  at: fixture.context.clock.now(),
})

const accepted = (orderId: string, sampleId: string): OrderUpdate => ({
  kind: 'requisition_accepted',
  order: { orderId, labSlug: 'quest' },
  sampleId,
})

const process = (messageId: string) =>
  processMessage(
    fixture.context,
    { files: fixture.harness.dependencies.files, gateways },
    messageId,
  )

test('other content under the same id is another message', async () => {
  const [one, other] = [await fixture.place(), await fixture.place()]
  const first = messageOf([accepted(one.id, 'REUSED-1')], 'MSG-9')
  const second = messageOf([accepted(other.id, 'REUSED-2')], 'MSG-9')
  const receipts = []
  for (const message of [first, second, first, second]) {
    receipts.push(await deliverConnected(message))
  }
  assert.deepEqual(
    receipts.map(({ isNew }) => isNew),
    [true, true, false, false],
  )
  assert.equal(new Set(receipts.map(({ messageId }) => messageId)).size, 2)
  for (const { messageId } of receipts.slice(0, 2)) await process(messageId)
  assert.equal((await fixture.read(one.id)).sample_id, 'REUSED-1')
  assert.equal((await fixture.read(other.id)).sample_id, 'REUSED-2')
})

test('a message without an id repeats one with the same content of the same connection', async () => {
  const { id } = await fixture.place()
  const message = { ...messageOf([accepted(id, 'NO-ID')]), controlId: null }
  const first = await deliverConnected(message)
  assert.deepEqual(await deliverConnected(message), { ...first, isNew: false })
  assert.equal((await deliverOther(message)).isNew, true)
  const other = { ...messageOf([accepted(id, 'NO-ID-2')]), controlId: null }
  assert.equal((await deliverConnected(other)).isNew, true)
})

test('a step of a sandbox counts once by its id, whatever its message says', async () => {
  const { id } = await fixture.place()
  const first = await deliver(messageOf([accepted(id, 'STEP-1')], 'STEP'))
  assert.deepEqual(await deliver(messageOf([accepted(id, 'STEP-2')], 'STEP')), {
    ...first,
    isNew: false,
  })
})
