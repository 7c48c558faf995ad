import assert from 'node:assert/strict'
import { before, describe, type TestContext, test } from 'node:test'
import { newId } from '@salus/kernel/ids'
import { Webhook as Verifier } from 'standardwebhooks'
import { useFixture } from '../../../test/use-fixture.ts'
import {
  type Message,
  type MessageSink,
  openMessageSink,
} from '../../../test/webhooks/message-sink.ts'
import { until } from '../../../test/webhooks/until.ts'
import {
  createWebhookHarness,
  HEARTRATE,
  openNewEnvironment,
  STEPS,
  type WebhookEnvironment,
} from '../../../test/webhooks/webhook-environment.ts'
import type { Webhook } from '../webhooks.schema.ts'

const salus = useFixture(createWebhookHarness)
let poll: () => Promise<void>
before(() => {
  poll = salus.startWebhooks().poll
})

interface Receiver {
  environment: WebhookEnvironment
  sink: MessageSink
  webhook: Webhook
  /** Raises an event and returns its message when it has come. */
  send(fields?: object): Promise<Message>
  change(fields: object): Promise<Webhook>
}

async function openReceiver(context: TestContext, fields: object = {}): Promise<Receiver> {
  const environment = await openNewEnvironment(salus)
  const sink = await openMessageSink(context)
  const webhook = await environment.makeWebhook({ url: `${sink.url}/first`, ...fields })
  return {
    environment,
    sink,
    webhook,
    async send(event = {}) {
      const id = await environment.raise(event)
      return until('the message came', () => sink.messages.find((message) => message.id === id))
    },
    change: (change) => environment.succeed('PATCH', `/webhook/${webhook.id}`, change),
  }
}

describe('a message is sent', () => {
  test('with the event as it is read, and headers that say what it is', async (context) => {
    const { environment, send } = await openReceiver(context)
    const userId = newId()
    const message = await send({ userId, data: { steps: 5 } })
    const { payload } = await environment.succeed('GET', `/event/${message.id}`)
    assert.deepEqual(message.payload, payload)
    assert.deepEqual(payload.data, { steps: 5 })
    assert.equal(payload.user_id, userId)
    assert.match(message.headers['user-agent'] ?? '', /^Salus-Webhooks\/\d/)
    assert.equal(message.headers['content-type'], 'application/json')
  })

  test('to the URL of the moment', async (context) => {
    const { sink, send, change } = await openReceiver(context)
    assert.equal((await send()).path, '/first')
    await change({ url: `${sink.url}/second?of=two` })
    assert.equal((await send()).path, '/second?of=two')
  })

  test('with the custom headers of the moment, secret ones included', async (context) => {
    const { environment, webhook, send } = await openReceiver(context)
    const put = (headers: object) =>
      environment.succeed('PUT', `/webhook/${webhook.id}/headers`, { headers })
    await put({ Authorization: 'Bearer abc', 'x-latin': 'é', 'user-agent': 'mine' })
    const { authorization, 'x-latin': latin, 'user-agent': agent } = (await send()).headers
    assert.deepEqual([authorization, latin, agent], ['Bearer abc', 'é', 'mine'])
    await put({})
    assert.equal((await send()).headers.authorization, undefined)
  })

  test('only if the filter of the moment holds its type', async (context) => {
    const { environment, sink, send, change } = await openReceiver(context, {
      filter_types: [STEPS],
    })
    const types = async (): Promise<string[]> => {
      const from = sink.messages.length
      await environment.raise({ type: HEARTRATE })
      await environment.raise({ type: 'historical.data.steps.created' })
      await send({ type: STEPS })
      return sink.messages.slice(from).map(({ payload }) => payload.event_type)
    }
    assert.deepEqual(await types(), [STEPS])
    await change({ filter_types: ['daily.*'] })
    assert.deepEqual(await types(), [HEARTRATE, STEPS])
    for (const everything of [['*'], [], null]) {
      await change({ filter_types: everything })
      assert.deepEqual(await types(), [HEARTRATE, 'historical.data.steps.created', STEPS])
    }
  })

  test('no faster than the rate limit', async (context) => {
    const { environment, sink, change } = await openReceiver(context, { rate_limit: 4 })
    const timeOf = async (count: number): Promise<number> => {
      const wanted = sink.messages.length + count
      const startedAt = performance.now()
      for (let raised = 0; raised < count; raised += 1) await environment.raise({ userId: newId() })
      await until('all came', () => sink.messages.length === wanted)
      return performance.now() - startedAt
    }
    assert.ok((await timeOf(8)) > 900, 'four at once, and four in the second after')
    await change({ rate_limit: null })
    assert.ok((await timeOf(8)) < 900)
  })
})

describe('a message is signed', () => {
  const signersOf = ({ id, headers, text }: Message, keys: string[]): number[] => {
    const at = new Date(Number(headers['webhook-timestamp']) * 1_000)
    const signatures = String(headers['webhook-signature']).split(' ')
    assert.deepEqual(signatures, String(headers['svix-signature']).split(' '))
    return signatures.map((signature) =>
      keys.findIndex((key) => new Verifier(key).sign(id, at, text) === signature),
    )
  }

  test('by the secret, and for a day by those that it replaced', async (context) => {
    const { environment, webhook, send } = await openReceiver(context)
    const path = `/webhook/${webhook.id}/secret`
    const keys: string[] = []
    const addKey = async () => keys.push((await environment.succeed('GET', path)).key)
    const rotate = async () => {
      await environment.succeed('POST', `${path}/rotate`, {})
      await addKey()
    }
    await addKey()
    assert.deepEqual(signersOf(await send(), keys), [0])
    await rotate()
    assert.deepEqual(signersOf(await send(), keys), [1, 0])
    salus.clock.advance(12 * 3_600)
    await rotate()
    assert.deepEqual(signersOf(await send(), keys), [2, 1, 0])
    salus.clock.advance(12 * 3_600)
    assert.deepEqual(signersOf(await send(), keys), [2, 1])
    salus.clock.advance(12 * 3_600)
    assert.deepEqual(signersOf(await send(), keys), [2])
  })
})

describe('an endpoint is disabled', () => {
  const stateOf = async ({ environment, webhook }: Receiver): Promise<[boolean, string | null]> => {
    const found = await environment.succeed('GET', `/webhook/${webhook.id}`)
    return [found.disabled, found.disabled_reason]
  }
  const untilDisabled = (receiver: Receiver) =>
    until('it was disabled', async () => (await stateOf(receiver))[0])

  test('at once when it says that it is gone', async (context) => {
    const receiver = await openReceiver(context)
    const { environment, sink, send, change } = receiver
    sink.answer = () => 410
    const { id } = await send()
    await untilDisabled(receiver)
    assert.deepEqual(await stateOf(receiver), [true, 'gone'])
    const { deliveries } = await environment.succeed('GET', `/event/${id}`)
    assert.deepEqual(
      [deliveries[0].status, deliveries[0].attempts, deliveries[0].next_attempt_at],
      ['cancelled', 1, null],
    )
    sink.answer = () => 200
    await change({ disabled: false })
    assert.deepEqual(await stateOf(receiver), [false, null])
    await send()
  })

  /** Every twelve hours something new is sent, and all that is due again. */
  async function go(receiver: Receiver, days: number): Promise<void> {
    const { environment, webhook, send } = receiver
    for (let half = 0; half < days * 2; half += 1) {
      salus.clock.advance(12 * 3_600)
      await poll()
      const { id } = await send()
      await until('the outcome was stored', async () => {
        const { data } = await environment.succeed(
          'GET',
          `/webhook/${webhook.id}/attempt?limit=250`,
        )
        return data.some((attempt: { event_id: string }) => attempt.event_id === id)
      })
    }
  }

  test('when nothing has come through for five days', async (context) => {
    const receiver = await openReceiver(context)
    receiver.sink.answer = () => 500
    await go(receiver, 5.5)
    assert.deepEqual(await stateOf(receiver), [false, null])
    salus.clock.advance(12 * 3_600)
    await receiver.environment.raise()
    await untilDisabled(receiver)
    assert.deepEqual(await stateOf(receiver), [true, 'failing'])
    await receiver.change({ disabled: false })
    await go(receiver, 1)
    assert.deepEqual(await stateOf(receiver), [false, null], 'enabling forgets the failures')
  })

  test('not when a single message came through in between', async (context) => {
    const receiver = await openReceiver(context)
    receiver.sink.answer = () => 500
    await go(receiver, 5)
    receiver.sink.answer = () => 204
    await go(receiver, 0.5)
    receiver.sink.answer = () => 500
    await go(receiver, 5)
    assert.deepEqual(await stateOf(receiver), [false, null])
  })
})
