import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { newId } from '@salus/kernel/ids'
import { changeSettings } from '../../../test/stored-events.ts'
import { useFixture } from '../../../test/use-fixture.ts'
import { failForGood, untilStatus } from '../../../test/webhooks/deliver.ts'
import { openMessageSink } from '../../../test/webhooks/message-sink.ts'
import {
  createWebhookHarness,
  type EventFields,
  HEARTRATE,
  openEnvironment,
  openNewEnvironment,
  STEPS,
  type WebhookEnvironment,
} from '../../../test/webhooks/webhook-environment.ts'
import type { EventSummary } from './messages.schema.ts'

const salus = useFixture(createWebhookHarness)

async function idsOf(environment: WebhookEnvironment, query = ''): Promise<string[]> {
  const { data } = await environment.succeed('GET', `/event?${query}`)
  return data.map(({ id }: EventSummary) => id)
}

/** Raises events one second apart. */
async function raise(environment: WebhookEnvironment, ...events: EventFields[]): Promise<string[]> {
  const ids: string[] = []
  for (const fields of events) {
    ids.push(await environment.raise(fields))
    salus.clock.advance(1)
  }
  return ids
}

describe('the list of events', () => {
  test('shows each one with what became of it, newest first', async () => {
    const environment = await openNewEnvironment(salus)
    const userId = newId()
    const [unwanted] = await raise(environment, { userId })
    await environment.dispatch()
    const { id: webhookId } = await environment.makeWebhook()
    const [sent] = await raise(environment, { type: HEARTRATE })
    await environment.dispatch()
    const [waiting] = await raise(environment, {})
    const { data, next_cursor: next } = await environment.succeed('GET', '/event')
    assert.equal(next, null)
    const seen = data.map(({ created_at: at, ...rest }: EventSummary) => rest)
    const nothing = { user_id: null, unsent_reason: null, deliveries: [] }
    const delivery = { webhook_id: webhookId, attempts: 0, next_attempt_at: null }
    assert.deepEqual(seen, [
      { ...nothing, id: waiting, event_type: STEPS, is_dispatched: false },
      {
        ...nothing,
        id: sent,
        event_type: HEARTRATE,
        is_dispatched: true,
        deliveries: [{ ...delivery, status: 'pending' }],
      },
      {
        ...nothing,
        id: unwanted,
        event_type: STEPS,
        user_id: userId,
        is_dispatched: true,
        unsent_reason: 'no_endpoint',
      },
    ])
    const ages = data.map(({ created_at: at }: EventSummary) => Date.parse(at))
    assert.deepEqual([ages[0] - ages[1], ages[1] - ages[2]], [1_000, 1_000])
  })

  test('is empty at first', async () => {
    const environment = await openNewEnvironment(salus)
    assert.deepEqual(await environment.succeed('GET', '/event'), { data: [], next_cursor: null })
  })
})

describe('an event that no endpoint got says why:', () => {
  const reasonOf = async (environment: WebhookEnvironment): Promise<string | null> => {
    const id = await environment.raise()
    await environment.dispatch()
    const { unsent_reason: reason, unsent_explanation: words } = await environment.succeed(
      'GET',
      `/event/${id}`,
    )
    assert.equal(typeof words, reason === null ? 'object' : 'string')
    return reason
  }

  test('there was none, or none that was enabled, or none that wanted it', async () => {
    const environment = await openNewEnvironment(salus)
    assert.equal(await reasonOf(environment), 'no_endpoint')
    const { id } = await environment.makeWebhook({ disabled: true, filter_types: [HEARTRATE] })
    assert.equal(await reasonOf(environment), 'endpoints_disabled')
    await environment.succeed('PATCH', `/webhook/${id}`, { disabled: false })
    assert.equal(await reasonOf(environment), 'not_subscribed')
    await environment.succeed('PATCH', `/webhook/${id}`, { filter_types: null })
    assert.equal(await reasonOf(environment), null)
    await environment.succeed('DELETE', `/webhook/${id}`)
    assert.equal(await reasonOf(environment), 'no_endpoint')
  })

  test('the prefixes of the team leave it out, whatever the endpoints want', async () => {
    const environment = await openEnvironment(salus)
    await environment.makeWebhook()
    await changeSettings(salus, { event_type_prefixes: ['daily.data.heartrate'] })
    assert.equal(await reasonOf(environment), 'event_type_prefixes')
    await changeSettings(salus, { event_type_prefixes: null })
    assert.equal(await reasonOf(environment), null)
  })
})

describe('events are filtered', () => {
  let environment: WebhookEnvironment
  let startedAt: number
  const ada = newId()
  let ids: string[]
  before(async () => {
    environment = await openNewEnvironment(salus)
    startedAt = salus.clock.now().getTime()
    ids = await raise(
      environment,
      { userId: ada },
      { userId: newId(), type: HEARTRATE },
      { userId: ada, type: 'daily.data.steps.updated' },
      { type: 'message.attempt.exhausted' },
      { userId: ada, type: 'historical.data.steps.created' },
    )
  })
  /** Numbers of the events that a query leaves, in order of writing. */
  const left = async (query: string): Promise<number[]> =>
    (await idsOf(environment, query)).map((id) => ids.indexOf(id)).toReversed()

  test('by type, exactly or by how it begins', async () => {
    assert.deepEqual(await left(''), [0, 1, 2, 3, 4])
    assert.deepEqual(await left(`event_type=${STEPS}`), [0])
    assert.deepEqual(await left('event_type=daily.data.steps.*'), [0, 2])
    assert.deepEqual(await left('event_type=daily.*'), [0, 1, 2])
    assert.deepEqual(await left('event_type=*'), [0, 1, 2, 3, 4])
    for (const none of ['daily.data.steps', 'daily', 'daily_data%25', '%25', 'daily.*.created']) {
      const { status, body } = await environment.call('GET', `/event?event_type=${none}`)
      assert.deepEqual([status, body.detail[0].type], [422, 'unknown_event_type'], none)
    }
  })

  test('by person', async () => {
    assert.deepEqual(await left(`user_id=${ada}`), [0, 2, 4])
    assert.deepEqual(await left(`user_id=${ada.toUpperCase()}`), [0, 2, 4])
    assert.deepEqual(await left(`user_id=${newId()}`), [])
  })

  test('by order, whatever of it they are about, and however long they are', async () => {
    const [order, other] = [newId(), newId()]
    const type = 'labtest.order.updated'
    const raised = await raise(
      environment,
      { type, data: { id: order, notes: 'n'.repeat(5_000) } },
      // Another order names this one among those of the same need.
      { type, data: { id: other, order_transaction: { orders: [{ id: order }] } } },
      { type: 'labtest.appointment.created', data: { id: newId(), order_id: order } },
      { type: 'labtest.result.critical', data: { order_id: other } },
    )
    const found = async (query: string) =>
      (await idsOf(environment, query)).map((id) => raised.indexOf(id)).toReversed()
    assert.deepEqual(await found(`order_id=${order}`), [0, 2])
    assert.deepEqual(await found(`order_id=${order.toUpperCase()}&event_type=labtest.order.*`), [0])
    assert.deepEqual(await found(`order_id=${newId()}`), [])
    const { data, next_cursor: next } = await environment.succeed(
      'GET',
      `/event?order_id=${order}&limit=1`,
    )
    assert.equal(data[0].id, raised[2])
    assert.deepEqual(await found(`order_id=${order}&limit=1&next_cursor=${next}`), [0])
    await salus.database.pool.query('delete from events where id = any($1)', [raised])
  })

  test('by time, both ends included, in whole seconds at the later one', async () => {
    const at = (seconds: number): string => new Date(startedAt + seconds * 1_000).toISOString()
    const wholeSecond = (seconds: number): string => at(seconds).replace(/\.\d+/, '')
    assert.deepEqual(await left(`since=${at(2)}`), [2, 3, 4])
    assert.deepEqual(await left(`since=${at(2.001)}`), [3, 4])
    assert.deepEqual(await left(`until=${wholeSecond(2)}`), [0, 1, 2])
    assert.deepEqual(await left(`since=${at(1)}&until=${at(3)}`), [1, 2, 3])
    const offset = encodeURIComponent(wholeSecond(2).replace('Z', '+00:00'))
    assert.deepEqual(await left(`until=${offset}`), [0, 1, 2])
    const day = wholeSecond(0).slice(0, 10)
    assert.deepEqual(await left(`since=${day}&until=${day}`), [0, 1, 2, 3, 4])
    assert.deepEqual(await left('until=2026-02-28'), [])
    assert.deepEqual(await left('since=2027-01-01'), [])
  })

  test('by several at once', async () => {
    const until = new Date(startedAt + 3_000).toISOString()
    assert.deepEqual(await left(`user_id=${ada}&event_type=daily.*&until=${until}`), [0, 2])
  })

  test('on pages of any size, without repetition', async () => {
    const listed: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const path: string = `/event?event_type=*&limit=2&next_cursor=${cursor}`
      const page: { data: EventSummary[]; next_cursor: string | null } = await environment.succeed(
        'GET',
        path,
      )
      assert.ok(page.data.length === 2 || page.next_cursor === null)
      listed.push(...page.data.map(({ id }) => id))
      cursor = page.next_cursor
    }
    assert.deepEqual(listed, ids.toReversed())
  })

  test('fifty at a time', async () => {
    const many = await openNewEnvironment(salus)
    for (let count = 0; count < 51; count += 1) await many.raise()
    const first = await many.succeed('GET', '/event')
    assert.equal(first.data.length, 50)
    const second = await many.succeed('GET', `/event?next_cursor=${first.next_cursor}`)
    assert.deepEqual([second.data.length, second.next_cursor], [1, null])
  })

  test('with a cursor only as it was given, for the same filters and environment', async () => {
    const { next_cursor: cursor } = await environment.succeed('GET', '/event?limit=1')
    const other = await openNewEnvironment(salus)
    const refused = [
      await environment.call('GET', `/event?limit=1&next_cursor=${cursor}&event_type=*`),
      await environment.call('GET', `/event?next_cursor=${cursor}&user_id=${ada}`),
      await environment.call('GET', `/event?next_cursor=${cursor}&status=unsent`),
      await environment.call('GET', `/event?next_cursor=${cursor}&since=2026-01-01`),
      await environment.call('GET', `/event?next_cursor=${cursor}&until=2027-01-01`),
      await environment.call('GET', '/event?next_cursor=nonsense'),
      await environment.call('GET', `/event?next_cursor=${cursor.slice(2)}`),
      await other.call('GET', `/event?next_cursor=${cursor}`),
    ]
    for (const { status, body } of refused) {
      assert.deepEqual([status, body.detail.error_type], [400, 'invalid_cursor'])
    }
  })

  test('and not by what is no filter', async () => {
    const wrong = [
      'user_id=ada',
      'event_type=daily.data.step.created',
      'status=lost',
      'since=yesterday',
      'until=2026-02-30',
      'limit=0',
    ]
    for (const query of wrong) {
      const { status, body } = await environment.call('GET', `/event?${query}`)
      assert.deepEqual([status, body.detail[0].loc], [422, ['query', query.split('=')[0]]])
    }
    const { status, body } = await environment.call(
      'GET',
      '/event?since=2026-03-02&until=2026-03-01',
    )
    assert.deepEqual([status, body.detail.error_type], [400, 'invalid_date_range'])
  })
})

test('events are filtered by what became of them', async (context) => {
  const environment = await openNewEnvironment(salus)
  const sink = await openMessageSink(context)
  const dispatcher = salus.startWebhooks()
  const unsent = await environment.raise()
  await dispatcher.poll()
  const url = sink.url
  const { id: webhookId } = await environment.makeWebhook({ url })
  sink.answer = () => 500
  const failed = await environment.raise()
  await failForGood(salus, dispatcher, environment, failed)
  const cancelled = await environment.raise()
  await untilStatus(environment, cancelled, 'pending')
  await environment.succeed('PATCH', `/webhook/${webhookId}`, { disabled: true })
  await environment.succeed('PATCH', `/webhook/${webhookId}`, { disabled: false })
  sink.answer = () => 200
  const delivered = await environment.raise()
  await untilStatus(environment, delivered, 'delivered')
  await dispatcher.stop()
  const pending = await environment.raise()
  await environment.dispatch()
  const waiting = await environment.raise()
  const byStatus = { unsent, failed, cancelled, delivered, pending, waiting }
  for (const [status, id] of Object.entries(byStatus)) {
    const found = await idsOf(environment, `status=${status}&event_type=${STEPS}`)
    assert.deepEqual(found, [id], status)
  }
})
