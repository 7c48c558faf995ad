import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { useFixture } from '../../../test/use-fixture.ts'
import {
  deliveryOf,
  failForGood,
  untilAttempts,
  untilStatus,
} from '../../../test/webhooks/deliver.ts'
import { openMessageSink } from '../../../test/webhooks/message-sink.ts'
import { until } from '../../../test/webhooks/until.ts'
import {
  ANY_URL,
  createWebhookHarness,
  HEARTRATE,
  openNewEnvironment,
  type WebhookEnvironment,
} from '../../../test/webhooks/webhook-environment.ts'
import type { Dispatcher } from '../delivery/dispatcher.ts'
import type { Attempt } from './messages.schema.ts'

const salus = useFixture(createWebhookHarness)
let dispatcher: Dispatcher

const resend = (environment: WebhookEnvironment, webhookId: string, eventId: string) =>
  environment.call('POST', `/webhook/${webhookId}/event/${eventId}/resend`)

const numbersOf = async (environment: WebhookEnvironment, eventId: string): Promise<number[]> => {
  const { data } = await environment.succeed('GET', `/event/${eventId}/attempt`)
  return data.map(({ number }: Attempt) => number)
}

describe('an event is sent once more', () => {
  before(() => {
    dispatcher = salus.startWebhooks()
  })
  after(() => dispatcher.stop())

  test('after it was delivered: the same message, a further attempt', async (context) => {
    const environment = await openNewEnvironment(salus)
    const sink = await openMessageSink(context)
    const { id: webhookId } = await environment.makeWebhook({ url: sink.url })
    const id = await environment.raise({ data: { steps: 5 } })
    await untilStatus(environment, id, 'delivered')
    salus.clock.advance(60)
    const { status, body } = await resend(environment, webhookId, id)
    assert.equal(status, 200)
    assert.deepEqual([body.id, body.is_dispatched, body.deliveries.length], [id, true, 1])
    assert.equal(body.deliveries[0].webhook_id, webhookId)
    await untilAttempts(environment, id, 2)
    assert.equal((await deliveryOf(environment, id))?.status, 'delivered')
    const [first, second, ...others] = sink.messages
    assert.deepEqual(others, [])
    assert.deepEqual([first?.id, first?.text], [second?.id, second?.text])
    const times = [first, second].map((message) => Number(message?.headers['webhook-timestamp']))
    assert.equal(Number(times[1]) - Number(times[0]), 60)
    assert.deepEqual(await numbersOf(environment, id), [1, 2])
  })

  test('after it failed for good, with a whole schedule before it', async (context) => {
    const environment = await openNewEnvironment(salus)
    const sink = await openMessageSink(context)
    sink.answer = () => 500
    const { id: webhookId } = await environment.makeWebhook({ url: sink.url })
    const id = await environment.raise()
    await failForGood(salus, dispatcher, environment, id)
    await resend(environment, webhookId, id)
    await untilAttempts(environment, id, 9, dispatcher)
    assert.equal((await deliveryOf(environment, id))?.status, 'pending')
    sink.answer = () => 200
    salus.clock.advance(5)
    await untilAttempts(environment, id, 10, dispatcher)
    assert.equal((await deliveryOf(environment, id))?.status, 'delivered')
    assert.deepEqual(await numbersOf(environment, id), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  test('after it was cancelled', async (context) => {
    const environment = await openNewEnvironment(salus)
    const sink = await openMessageSink(context)
    sink.answer = () => 500
    const { id: webhookId } = await environment.makeWebhook({ url: sink.url })
    const id = await environment.raise()
    await untilAttempts(environment, id, 1)
    await environment.succeed('PATCH', `/webhook/${webhookId}`, { disabled: true })
    await environment.succeed('PATCH', `/webhook/${webhookId}`, { disabled: false })
    sink.answer = () => 200
    await resend(environment, webhookId, id)
    await untilStatus(environment, id, 'delivered')
    assert.deepEqual(await numbersOf(environment, id), [1, 2])
  })

  test('at once, also while it waits to be tried again', async (context) => {
    const environment = await openNewEnvironment(salus)
    const sink = await openMessageSink(context)
    sink.answer = () => 500
    const { id: webhookId } = await environment.makeWebhook({ url: sink.url })
    const id = await environment.raise()
    await untilAttempts(environment, id, 1)
    sink.answer = () => 200
    await resend(environment, webhookId, id)
    await untilStatus(environment, id, 'delivered')
    salus.clock.advance(3_600)
    await dispatcher.poll()
    assert.deepEqual(await numbersOf(environment, id), [1, 2])
  })

  test('with others, and the answer has the outcome of each', async (context) => {
    const environment = await openNewEnvironment(salus)
    const sink = await openMessageSink(context)
    const { id: webhookId } = await environment.makeWebhook({ url: sink.url })
    const ids = [await environment.raise(), await environment.raise()]
    for (const id of ids) await untilStatus(environment, id, 'delivered')
    const unknown = 'msg_01KAF8Q4ZJ9M3B6T1V5X7Y2W0C'
    const url = `/webhook/${webhookId}/resend`
    const { results, refused } = await environment.succeed('POST', url, {
      event_ids: [...ids, unknown, ids[0]],
    })
    assert.deepEqual(
      results.map((row: { id: string; status: number }) => [row.id, row.status]),
      [...ids.map((id) => [id, 200]), [unknown, 404]],
    )
    assert.equal(refused, 1)
    for (const id of ids) await untilAttempts(environment, id, 2)
    const other = await openNewEnvironment(salus)
    assert.equal((await other.call('POST', url, { event_ids: ids })).status, 404)
  })

  test('to a webhook that never got it, whatever its filter, and to no other', async (context) => {
    const environment = await openNewEnvironment(salus)
    const sink = await openMessageSink(context)
    const other = await environment.makeWebhook({ url: `${sink.url}/other` })
    const id = await environment.raise()
    await untilStatus(environment, id, 'delivered', other.id)
    const url = `${sink.url}/later`
    const { id: webhookId } = await environment.makeWebhook({ url, filter_types: [HEARTRATE] })
    await resend(environment, webhookId, id)
    await untilStatus(environment, id, 'delivered', webhookId)
    assert.deepEqual(
      sink.messages.map(({ path }) => path),
      ['/other', '/later'],
    )
  })

  test('as often as asked for', async (context) => {
    const environment = await openNewEnvironment(salus)
    const sink = await openMessageSink(context)
    const { id: webhookId } = await environment.makeWebhook({ url: sink.url })
    const id = await environment.raise()
    for (const count of [1, 2, 3]) {
      await untilAttempts(environment, id, count)
      await resend(environment, webhookId, id)
    }
    await until('the last one came', () => sink.messages.length === 4)
    assert.deepEqual(new Set(sink.ids()), new Set([id]))
  })
})

describe('an event is not sent once more', () => {
  test('to a webhook that is disabled', async () => {
    const environment = await openNewEnvironment(salus)
    const { id: webhookId } = await environment.makeWebhook({ url: ANY_URL, disabled: true })
    const id = await environment.raise()
    await environment.dispatch()
    const { status, body } = await resend(environment, webhookId, id)
    assert.deepEqual([status, body.detail.error_type], [400, 'webhook_disabled'])
    assert.equal(await deliveryOf(environment, id), undefined)
  })

  test('before it was sent for the first time', async () => {
    const environment = await openNewEnvironment(salus)
    const { id: webhookId } = await environment.makeWebhook()
    const id = await environment.raise()
    const { status, body } = await resend(environment, webhookId, id)
    assert.deepEqual([status, body.detail.error_type], [409, 'not_dispatched'])
    await environment.dispatch()
    assert.equal((await resend(environment, webhookId, id)).status, 200)
  })

  test('when either is unknown', async () => {
    const environment = await openNewEnvironment(salus)
    const { id: webhookId } = await environment.makeWebhook()
    const id = await environment.raise()
    await environment.dispatch()
    const unknownEvent = await resend(environment, webhookId, `msg_${'0'.repeat(26)}`)
    assert.deepEqual([unknownEvent.status, unknownEvent.body.detail], [404, 'Event not found.'])
    const unknownWebhook = await resend(environment, '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d', id)
    assert.deepEqual(
      [unknownWebhook.status, unknownWebhook.body.detail],
      [404, 'Webhook not found.'],
    )
  })
})
