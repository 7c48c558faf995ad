import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { encodeCursor } from '@salus/kernel/http/cursor'
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
  createWebhookHarness,
  HEARTRATE,
  openNewEnvironment,
  STEPS,
  type WebhookEnvironment,
} from '../../../test/webhooks/webhook-environment.ts'
import type { Dispatcher } from '../delivery/dispatcher.ts'
import type { Webhook } from '../webhooks.schema.ts'
import type { Attempt } from './messages.schema.ts'

const salus = useFixture(createWebhookHarness)
let dispatcher: Dispatcher
before(() => {
  dispatcher = salus.startWebhooks({ timeoutMs: 1_000 })
})

const attemptsOf = async (environment: WebhookEnvironment, eventId: string): Promise<Attempt[]> =>
  (await environment.succeed('GET', `/event/${eventId}/attempt`)).data

describe('the attempts of an event', () => {
  test('list the attempts with their times and answers', async (context) => {
    const environment = await openNewEnvironment(salus)
    const sink = await openMessageSink(context)
    sink.answer = () => 503
    const { id: webhookId } = await environment.makeWebhook({ url: sink.url })
    const id = await environment.raise()
    await untilAttempts(environment, id, 1, dispatcher)
    sink.answer = () => 201
    salus.clock.advance(5)
    await untilAttempts(environment, id, 2, dispatcher)
    const [first, second, ...others] = await attemptsOf(environment, id)
    assert.deepEqual(others, [])
    const { timestamp, duration_ms: duration, ...rest } = first as Attempt
    assert.deepEqual(rest, {
      event_id: id,
      event_type: STEPS,
      webhook_id: webhookId,
      number: 1,
      status: 'failed',
      response_status_code: 503,
      error: null,
      response_body: `answer to ${id}`,
    })
    assert.ok(Number.isInteger(duration) && duration >= 0)
    assert.equal(Date.parse(second?.timestamp ?? '') - Date.parse(timestamp), 5_000)
    assert.deepEqual(
      [second?.number, second?.status, second?.response_status_code],
      [2, 'succeeded', 201],
    )
  })

  test('say why there was no answer', async (context) => {
    const environment = await openNewEnvironment(salus)
    const sink = await openMessageSink(context)
    sink.answer = () => new Promise(() => {})
    const slow = await environment.makeWebhook({ url: sink.url })
    const closed = await environment.makeWebhook({ url: 'http://127.0.0.1:1/' })
    const id = await environment.raise()
    const attempts = await until('both were tried', async () => {
      const found = await attemptsOf(environment, id)
      return found.length === 2 && found
    })
    const errors = attempts.map(({ webhook_id: of, status, response_status_code: code, error }) => [
      of,
      [status, code, error],
    ])
    assert.deepEqual(Object.fromEntries(errors), {
      [slow.id]: ['failed', null, 'timeout'],
      [closed.id]: ['failed', null, 'connection'],
    })
  })

  test('follow the schedule to the end, which the other webhooks get an event about', async (context) => {
    const environment = await openNewEnvironment(salus)
    const sink = await openMessageSink(context)
    sink.answer = ({ path }) => (path === '/dead' ? 500 : 200)
    const dead = await environment.makeWebhook({ url: `${sink.url}/dead` })
    const other = await environment.makeWebhook({
      url: `${sink.url}/other`,
      filter_types: ['message.*'],
    })
    const id = await environment.raise()
    await failForGood(salus, dispatcher, environment, id)
    assert.equal((await deliveryOf(environment, id))?.next_attempt_at, null)
    const attempts = await attemptsOf(environment, id)
    assert.deepEqual(
      attempts.map(({ number }) => number),
      [1, 2, 3, 4, 5, 6, 7, 8],
    )
    const notice = await until('the notice came', () =>
      sink.messages.find(({ path }) => path === '/other'),
    )
    const last = attempts.at(-1)
    assert.deepEqual(notice.payload.data, {
      msg_id: id,
      endpoint_id: dead.id,
      event_type: STEPS,
      last_attempt: { timestamp: last?.timestamp, response_status_code: 500 },
    })
    const { deliveries } = await environment.succeed('GET', `/event/${notice.id}`)
    const toldTo = deliveries.map((delivery: { webhook_id: string }) => delivery.webhook_id)
    assert.deepEqual(toldTo, [other.id])
  })

  test('stay when their webhook is removed', async (context) => {
    const environment = await openNewEnvironment(salus)
    const sink = await openMessageSink(context)
    const { id: webhookId } = await environment.makeWebhook({ url: sink.url })
    const id = await environment.raise()
    await untilStatus(environment, id, 'delivered')
    await environment.succeed('DELETE', `/webhook/${webhookId}`)
    const [attempt] = await attemptsOf(environment, id)
    assert.deepEqual([attempt?.webhook_id, attempt?.status], [webhookId, 'succeeded'])
    assert.equal((await deliveryOf(environment, id))?.status, 'delivered')
    assert.equal((await environment.call('GET', `/webhook/${webhookId}/attempt`)).status, 404)
  })

  test('are none while nothing was tried', async () => {
    const environment = await openNewEnvironment(salus)
    const id = await environment.raise()
    const found = await environment.succeed('GET', `/event/${id}/attempt`)
    assert.deepEqual(found, { data: [], next_cursor: null })
  })
})

describe('the attempts at a webhook', () => {
  let environment: WebhookEnvironment
  let webhook: Webhook
  const ids: string[] = []

  before(async () => {
    environment = await openNewEnvironment(salus)
    // Ends with this hook; by then everything has come.
    const sink = await openMessageSink({ after })
    webhook = await environment.makeWebhook({ url: sink.url })
    const other = await environment.makeWebhook({ url: `${sink.url}/other` })
    const types = [STEPS, HEARTRATE, 'historical.data.steps.created', HEARTRATE, STEPS]
    const statuses = [200, 500, 302, 204, 404]
    for (const [index, type] of types.entries()) {
      sink.answer = () => statuses[index] ?? 200
      const id = await environment.raise({ type })
      await untilAttempts(environment, id, 1)
      ids.push(id)
      // Two of them at the same time.
      if (index !== 2) salus.clock.advance(1)
    }
    await environment.succeed('DELETE', `/webhook/${other.id}`)
  })

  /** Numbers of the events whose attempts a query leaves. */
  const left = async (query: string): Promise<number[]> => {
    const { data } = await environment.succeed('GET', `/webhook/${webhook.id}/attempt?${query}`)
    return data.map(({ event_id: id }: Attempt) => ids.indexOf(id))
  }

  test('are listed newest first, without those at others', async () => {
    assert.deepEqual(await left(''), [4, 3, 2, 1, 0])
  })

  test('are filtered by what came of them', async () => {
    assert.deepEqual(await left('status=succeeded'), [3, 0])
    assert.deepEqual(await left('status=failed'), [4, 2, 1])
  })

  test('are filtered by type, exactly or by how it begins', async () => {
    assert.deepEqual(await left(`event_type=${STEPS}`), [4, 0])
    assert.deepEqual(await left('event_type=daily.*'), [4, 3, 1, 0])
    assert.deepEqual(await left('event_type=daily.*&status=failed'), [4, 1])
  })

  test('come on pages, without repetition', async () => {
    for (const [query, expected] of [
      ['limit=2', [4, 3, 2, 1, 0]],
      ['limit=1&status=failed', [4, 2, 1]],
      ['limit=3&event_type=daily.*', [4, 3, 1, 0]],
    ] as const) {
      const listed: number[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const path: string = `/webhook/${webhook.id}/attempt?${query}&next_cursor=${cursor}`
        const page: { data: Attempt[]; next_cursor: string | null } = await environment.succeed(
          'GET',
          path,
        )
        listed.push(...page.data.map(({ event_id: id }) => ids.indexOf(id)))
        cursor = page.next_cursor
      }
      assert.deepEqual(listed, expected)
    }
  })

  test('refuse cursors of other filters or webhooks, and malformed ones', async () => {
    const path = `/webhook/${webhook.id}/attempt`
    const { next_cursor: cursor } = await environment.succeed('GET', `${path}?limit=1`)
    const { id: other } = await environment.makeWebhook()
    const forged = encodeCursor(['attempts', webhook.id, undefined, undefined], ['then', ids[0], 1])
    for (const wrong of [
      `${path}?next_cursor=${cursor}&status=failed`,
      `${path}?next_cursor=${cursor}&event_type=*`,
      `${path}?next_cursor=${cursor}x.y`,
      `${path}?next_cursor=${forged}`,
      `/webhook/${other}/attempt?next_cursor=${cursor}`,
      `/event?next_cursor=${cursor}`,
    ]) {
      const { status, body } = await environment.call('GET', wrong)
      assert.deepEqual([status, body.detail.error_type], [400, 'invalid_cursor'], wrong)
    }
  })

  test('refuse filters that are none', async () => {
    for (const query of ['status=delivered', 'limit=0', 'limit=251']) {
      const answer = await environment.call('GET', `/webhook/${webhook.id}/attempt?${query}`)
      const where = [answer.status, answer.body.detail[0].loc]
      assert.deepEqual(where, [422, ['query', query.split('=')[0]]])
    }
  })
})
