import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  type Deliver,
  type InboundMessage,
  type LabGateway,
  type OrderUpdate,
  UnreadableMessage,
} from '@salus/contracts/lab-gateway'
import { newId } from '@salus/kernel/ids'
import { writeMessage } from '@salus/sandbox/lab'
import { createOrdersFixture, statusesOf } from '../../../server/test/orders/orders-fixture.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { findLab } from '../catalog/index.ts'
import type { LabGateways } from '../gateways/index.ts'
import { type Inbox, openInbox } from './inbox.service.ts'
import { PROCESS_LAB_MESSAGE } from './message-writer.ts'
import { processMessage } from './process-message.service.ts'

/** Laboratory messages: stored, acknowledged and applied, or kept with their problem. */

const fixture = useFixture(createOrdersFixture)
let inbox: Inbox
/** The inbound side of this test's gateway. */
let deliver: Deliver
/** The inbound side of a connected laboratory, which uses ids again. */
let deliverConnected: Deliver
let environmentId: string
/** The gateway throws this for the next messages instead of reading them. */
let fault: Error | undefined

before(() => {
  const { dependencies } = fixture.harness
  const { simulator } = dependencies.gateways
  const gateway: LabGateway = {
    name: simulator.name,
    place: async () => ({ state: 'waiting' }),
    cancel: async () => ({ state: 'cancelled' }),
    close: async () => {},
    open(given) {
      deliver = given
    },
    read(message) {
      if (fault !== undefined) throw fault
      return simulator.read(message)
    },
  }
  const gateways: LabGateways = {
    ...dependencies.gateways,
    simulator: { ...simulator, ...gateway },
    byName: async () => gateway,
    connected: {
      ...dependencies.gateways.connected,
      open: (given) => {
        deliverConnected = (message) => given('hl7:1', message)
      },
    },
  }
  inbox = { files: dependencies.files, gateways }
  openInbox(dependencies, gateways)
  environmentId = fixture.context.environment.id
})

const messageOf = (updates: OrderUpdate[], controlId: string = newId()): InboundMessage => ({
  ...writeMessage(updates),
  environmentId,
  controlId,
  at: fixture.context.clock.now(),
})

const accepted = (orderId: string, sampleId: string): OrderUpdate => ({
  kind: 'requisition_accepted',
  order: { orderId, labSlug: 'quest' },
  sampleId,
})

async function stored(messageId: string) {
  const { rows } = await fixture.harness.database.pool.query(
    'select * from lab_messages where id = $1',
    [messageId],
  )
  return rows[0]
}

/** Returns the state of a message and its problem. */
async function outcomeOf(messageId: string) {
  const { state, problem_class, problem } = await stored(messageId)
  return [state, ...(problem === null ? [] : [problem_class, problem])]
}

const process = (messageId: string, isLast = false) =>
  processMessage(fixture.context, inbox, messageId, { isLast })

/** Delivers updates and processes them as the job does. */
async function send(...updates: OrderUpdate[]) {
  const { messageId } = await deliver(messageOf(updates))
  await process(messageId)
  return messageId
}

async function jobsOf(messageId: string): Promise<number> {
  const { rowCount } = await fixture.harness.database.pool.query(
    `select from graphile_worker._private_jobs job
    join graphile_worker._private_tasks task on task.id = job.task_id
    where identifier = $1 and payload ->> 'messageId' = $2`,
    [PROCESS_LAB_MESSAGE.name, messageId],
  )
  return rowCount ?? 0
}

async function manage(method: string, path: string) {
  const { harness } = fixture
  const url = `/v1/org/${harness.organizationId}/team/${harness.teamId}/sandbox/lab_message${path}`
  return harness.call(method, url, undefined, { 'x-management-key': harness.managementKey })
}

describe('a message', () => {
  test('is stored with a job before it is acknowledged, and applied after that, once', async () => {
    const { id } = await fixture.place()
    const { messageId } = await deliver(messageOf([accepted(id, 'FIRST')]))
    assert.deepEqual(await outcomeOf(messageId), ['waiting'])
    assert.equal(await jobsOf(messageId), 1)
    assert.deepEqual(statusesOf(await fixture.read(id)), ['ordered'])
    await Promise.all([process(messageId), process(messageId), process(messageId)])
    await process(messageId)
    assert.deepEqual(await outcomeOf(messageId), ['processed'])
    assert.deepEqual(statusesOf(await fixture.read(id)), ['ordered', 'requisition_created'])
  })

  test('that is sent again is acknowledged again, and stored once', async () => {
    const { id } = await fixture.place('at_home_phlebotomy')
    const message = messageOf([accepted(id, 'AGAIN')], 'MSG-1')
    const receipts = await Promise.all([deliver(message), deliver(message), deliver(message)])
    assert.equal(new Set(receipts.map(({ messageId }) => messageId)).size, 1)
    assert.equal(await jobsOf(receipts[0].messageId), 1)
    const other = await deliver({ ...message, controlId: 'MSG-2' })
    assert.notEqual(other.messageId, receipts[0].messageId)
  })

  test('is not acknowledged when it cannot be stored', async () => {
    await assert.rejects(deliver({ ...messageOf([]), environmentId: newId() }), /does not exist/)
  })

  test('that names its order by the sample id only is applied to it', async () => {
    const { id } = await fixture.place('on_site_collection')
    const lab = await findLab(fixture.context.db, (await fixture.row(id)).lab_id)
    assert.ok(lab)
    await send(accepted(id, 'BY-NUMBER'))
    const order = { sampleId: 'BY-NUMBER', labSlug: lab.slug }
    await send({ kind: 'draw_completed', order })
    assert.equal(statusesOf(await fixture.read(id)).at(-1), 'draw_completed')
  })

  test('of a deleted person is kept in case the deletion is undone, and emits no event', async () => {
    const user_id = await fixture.harness.makeUser()
    const { id } = await fixture.place('walk_in_test', { user_id })
    const emitted = (await fixture.messages(id)).length
    await fixture.harness.call('DELETE', `/v2/user/${user_id}`)
    assert.deepEqual(await outcomeOf(await send(accepted(id, 'HIDDEN'))), ['processed'])
    assert.equal((await fixture.messages(id)).length, emitted)
    assert.deepEqual(await fixture.read(id), { detail: 'order_not_found' })
    await fixture.harness.call('POST', `/v2/user/undo_delete?user_id=${user_id}`)
    assert.deepEqual(statusesOf(await fixture.read(id)), ['ordered', 'requisition_created'])
  })
})

describe('a message that cannot be applied fails with the reason', () => {
  test('when it uses the id of another sample', async () => {
    const [one, other] = [await fixture.place(), await fixture.place()]
    assert.deepEqual(await outcomeOf(await send(accepted(one.id, 'TWICE'))), ['processed'])
    const messageId = await send(accepted(other.id, 'TWICE'))
    assert.deepEqual(await outcomeOf(messageId), ['failed', 'refused', 'sample_id_taken'])
    assert.equal((await stored(messageId)).order_id, other.id)
    const order = await fixture.read(other.id)
    assert.deepEqual([statusesOf(order), order.sample_id], [['ordered'], null])
    assert.deepEqual(await outcomeOf(await send(accepted(other.id, 'ONCE'))), ['processed'])
  })

  test('when it names an unknown order or laboratory, and changes nothing', async () => {
    const { id } = await fixture.place()
    const strange = await send(accepted(id, 'HALF'), accepted(newId(), 'UNKNOWN'))
    assert.deepEqual(await outcomeOf(strange), ['failed', 'refused', 'unknown_order'])
    assert.deepEqual(statusesOf(await fixture.read(id)), ['ordered'])
    const order = { orderId: id, labSlug: 'no_such_laboratory' }
    const elsewhere = await send({ kind: 'draw_completed', order })
    assert.deepEqual(await outcomeOf(elsewhere), ['failed', 'refused', 'unknown_laboratory'])
  })

  test('when it cannot be read', async () => {
    const { messageId } = await deliver({ ...messageOf([]), content: Buffer.from('{Sam Example') })
    await process(messageId)
    assert.deepEqual(await outcomeOf(messageId), ['failed', 'unreadable', 'not_json'])
    fault = new UnreadableMessage('wrong_shape')
    assert.deepEqual(await outcomeOf(await send()), ['failed', 'unreadable', 'wrong_shape'])
    fault = undefined
  })

  test('at once when its transport knows the problem, and a retry reads it', async () => {
    const { id } = await fixture.place()
    const message = messageOf([accepted(id, 'MISDIRECTED')])
    const { messageId } = await deliverConnected({ ...message, problem: 'wrong_receiver' })
    assert.deepEqual(await outcomeOf(messageId), ['failed', 'unreadable', 'wrong_receiver'])
    assert.equal(await jobsOf(messageId), 0)
    const { body } = await manage('GET', `/${messageId}`)
    assert.equal(body.message, 'The message is addressed to another receiver.')
    assert.equal((await manage('POST', `/${messageId}/retry`)).status, 200)
    await process(messageId)
    assert.deepEqual(await outcomeOf(messageId), ['processed'])
    assert.equal((await fixture.read(id)).sample_id, 'MISDIRECTED')
  })

  test('after an internal error only with the last attempt', async () => {
    const { messageId } = await deliver(messageOf([]))
    fault = new TypeError('words of Sam Example')
    for (let attempt = 1; attempt < PROCESS_LAB_MESSAGE.maxAttempts; attempt++) {
      await assert.rejects(process(messageId), TypeError)
      assert.deepEqual(await outcomeOf(messageId), ['waiting', 'fault', 'TypeError'])
    }
    await process(messageId)
    assert.deepEqual(await outcomeOf(messageId), ['failed', 'fault', 'TypeError'])
    assert.equal((await stored(messageId)).attempts, PROCESS_LAB_MESSAGE.maxAttempts)
    fault = undefined
    await process(messageId)
    assert.equal((await stored(messageId)).state, 'failed')
  })

  test('when the queue stops before the last counted attempt', async () => {
    const { messageId } = await deliver(messageOf([]))
    fault = new RangeError('too much')
    await process(messageId, true)
    assert.deepEqual(await outcomeOf(messageId), ['failed', 'fault', 'RangeError'])
    fault = undefined
  })
})

const metrics = () => fixture.harness.dependencies.registry.metrics()

describe('the operator', () => {
  test('sees failed messages without their content, and retries them', async () => {
    const { id } = await fixture.place()
    fault = new TypeError('words of Sam Example')
    const { messageId } = await deliver(messageOf([accepted(id, 'RETRIED')]))
    await process(messageId, true)
    fault = undefined
    const { body: list } = await manage('GET', '?limit=200')
    const listed = list.data.find((message: { id: string }) => message.id === messageId)
    assert.deepEqual(
      [listed.problem_class, listed.problem, listed.failed_attempts],
      ['fault', 'TypeError', 1],
    )
    const { body: detail, text } = await manage('GET', `/${messageId}`)
    assert.deepEqual(detail.updates, ['requisition_accepted'])
    assert.ok(!text.includes('RETRIED') && !text.includes('Sam'))
    const { body: retried } = await manage('POST', `/${messageId}/retry`)
    assert.deepEqual([retried.state, retried.failed_attempts], ['waiting', 0])
    assert.equal(await jobsOf(messageId), 2)
    const { body: waiting } = await manage('GET', '?state=waiting&limit=200')
    assert.ok(waiting.data.some((message: { id: string }) => message.id === messageId))
    await process(messageId)
    assert.deepEqual(await outcomeOf(messageId), ['processed'])
    assert.equal(statusesOf(await fixture.read(id)).at(-1), 'requisition_created')
    const again = await manage('POST', `/${messageId}/retry`)
    assert.deepEqual([again.status, again.body.detail.error_type], [400, 'lab_message_not_failed'])
  })

  test('discards a useless message, and its content is deleted', async () => {
    const unknownId = newId()
    const messageId = await send(accepted(unknownId, 'USELESS'))
    const { body: detail } = await manage('GET', `/${messageId}`)
    assert.deepEqual(detail.names, [
      {
        lab: 'quest',
        order_id: unknownId,
        placer_numbers: [],
        filler_numbers: [],
        sample_id: null,
      },
    ])
    const failed = async () =>
      Number(/^salus_failed_lab_messages (\d+)$/m.exec(await metrics())?.[1])
    const before = await failed()
    const { body } = await manage('POST', `/${messageId}/discard`)
    assert.deepEqual([body.state, body.problem], ['discarded', 'unknown_order'])
    assert.equal((await stored(messageId)).content.length, 0)
    assert.equal(await failed(), before - 1)
    assert.equal((await manage('GET', `/${messageId}`)).body.names, null)
    assert.equal((await manage('POST', `/${messageId}/discard`)).status, 400)
    assert.equal((await manage('POST', `/${newId()}/discard`)).status, 404)
  })

  test('lists them in pages', async () => {
    const ids: string[] = []
    let cursor = ''
    do {
      const { body } = await manage('GET', `?limit=2${cursor && `&next_cursor=${cursor}`}`)
      ids.push(...body.data.map(({ id }: { id: string }) => id))
      cursor = body.next_cursor ?? ''
    } while (cursor !== '')
    const { body } = await manage('GET', '?limit=200')
    assert.ok(ids.length > 2)
    assert.deepEqual(
      ids,
      body.data.map(({ id }: { id: string }) => id),
    )
  })
})
