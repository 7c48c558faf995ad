import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createHarness, type Harness } from '../../../test/harness.ts'
import { changeSettings } from '../../../test/stored-events.ts'
import { newId } from '../../platform/ids.ts'
import { failForGood, untilStatus } from '../testing/deliver.ts'
import { openMessageSink } from '../testing/message-sink.ts'
import {
  type EventFields,
  HEARTRATE,
  openNewPlace,
  openPlace,
  STEPS,
  type WebhookPlace,
} from '../testing/webhook-place.ts'
import type { EventSummary } from './messages.schema.ts'

let salus: Harness
before(async () => {
  salus = await createHarness({ webhooksAllowHttp: true, webhooksAllowPrivate: true })
})
after(() => salus?.close())

async function idsOf(place: WebhookPlace, query = ''): Promise<string[]> {
  const { data } = await place.succeed('GET', `/event?${query}`)
  return data.map(({ id }: EventSummary) => id)
}

/** Raises events one second apart. */
async function raise(place: WebhookPlace, ...events: EventFields[]): Promise<string[]> {
  const ids: string[] = []
  for (const fields of events) {
    ids.push(await place.raise(fields))
    salus.clock.advance(1)
  }
  return ids
}

describe('the list of events', () => {
  test('shows each one with what became of it, newest first', async () => {
    const place = await openNewPlace(salus)
    const userId = newId()
    const [unwanted] = await raise(place, { userId })
    await place.dispatch()
    const { id: webhookId } = await place.makeWebhook()
    const [sent] = await raise(place, { type: HEARTRATE })
    await place.dispatch()
    const [waiting] = await raise(place, {})
    const { data, next_cursor: next } = await place.succeed('GET', '/event')
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
    const place = await openNewPlace(salus)
    assert.deepEqual(await place.succeed('GET', '/event'), { data: [], next_cursor: null })
  })
})

describe('an event that no endpoint got says why:', () => {
  const reasonOf = async (place: WebhookPlace): Promise<string | null> => {
    const id = await place.raise()
    await place.dispatch()
    const { unsent_reason: reason, unsent_explanation: words } = await place.succeed(
      'GET',
      `/event/${id}`,
    )
    assert.equal(typeof words, reason === null ? 'object' : 'string')
    return reason
  }

  test('there was none, or none that was enabled, or none that wanted it', async () => {
    const place = await openNewPlace(salus)
    assert.equal(await reasonOf(place), 'no_endpoint')
    const { id } = await place.makeWebhook({ disabled: true, filter_types: [HEARTRATE] })
    assert.equal(await reasonOf(place), 'endpoints_disabled')
    await place.succeed('PATCH', `/webhook/${id}`, { disabled: false })
    assert.equal(await reasonOf(place), 'not_subscribed')
    await place.succeed('PATCH', `/webhook/${id}`, { filter_types: null })
    assert.equal(await reasonOf(place), null)
    await place.succeed('DELETE', `/webhook/${id}`)
    assert.equal(await reasonOf(place), 'no_endpoint')
  })

  test('the prefixes of the team leave it out, whatever the endpoints want', async () => {
    const place = await openPlace(salus)
    await place.makeWebhook()
    await changeSettings(salus, { event_type_prefixes: ['daily.data.heartrate'] })
    assert.equal(await reasonOf(place), 'event_type_prefixes')
    await changeSettings(salus, { event_type_prefixes: null })
    assert.equal(await reasonOf(place), null)
  })
})

describe('events are filtered', () => {
  let place: WebhookPlace
  let startedAt: number
  const ada = newId()
  let ids: string[]
  before(async () => {
    place = await openNewPlace(salus)
    startedAt = salus.clock.now().getTime()
    ids = await raise(
      place,
      { userId: ada },
      { userId: newId(), type: HEARTRATE },
      { userId: ada, type: 'daily.data.steps.updated' },
      { type: 'message.attempt.exhausted' },
      { userId: ada, type: 'historical.data.steps.created' },
    )
  })
  /** Numbers of the events that a query leaves, in order of writing. */
  const left = async (query: string): Promise<number[]> =>
    (await idsOf(place, query)).map((id) => ids.indexOf(id)).toReversed()

  test('by type, exactly or by how it begins', async () => {
    assert.deepEqual(await left(''), [0, 1, 2, 3, 4])
    assert.deepEqual(await left(`event_type=${STEPS}`), [0])
    assert.deepEqual(await left('event_type=daily.data.steps.*'), [0, 2])
    assert.deepEqual(await left('event_type=daily.*'), [0, 1, 2])
    assert.deepEqual(await left('event_type=*'), [0, 1, 2, 3, 4])
    for (const none of ['daily.data.steps', 'daily', 'daily_data%25', '%25', 'daily.*.created']) {
      const { status, body } = await place.call('GET', `/event?event_type=${none}`)
      assert.deepEqual([status, body.detail[0].type], [422, 'unknown_event_type'], none)
    }
  })

  test('by person', async () => {
    assert.deepEqual(await left(`user_id=${ada}`), [0, 2, 4])
    assert.deepEqual(await left(`user_id=${ada.toUpperCase()}`), [0, 2, 4])
    assert.deepEqual(await left(`user_id=${newId()}`), [])
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
      const page: { data: EventSummary[]; next_cursor: string | null } = await place.succeed(
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
    const many = await openNewPlace(salus)
    for (let count = 0; count < 51; count += 1) await many.raise()
    const first = await many.succeed('GET', '/event')
    assert.equal(first.data.length, 50)
    const second = await many.succeed('GET', `/event?next_cursor=${first.next_cursor}`)
    assert.deepEqual([second.data.length, second.next_cursor], [1, null])
  })

  test('with a cursor only as it was given, for the same filters and environment', async () => {
    const { next_cursor: cursor } = await place.succeed('GET', '/event?limit=1')
    const other = await openNewPlace(salus)
    const refused = [
      await place.call('GET', `/event?limit=1&next_cursor=${cursor}&event_type=*`),
      await place.call('GET', `/event?next_cursor=${cursor}&user_id=${ada}`),
      await place.call('GET', `/event?next_cursor=${cursor}&status=unsent`),
      await place.call('GET', `/event?next_cursor=${cursor}&since=2026-01-01`),
      await place.call('GET', `/event?next_cursor=${cursor}&until=2027-01-01`),
      await place.call('GET', '/event?next_cursor=nonsense'),
      await place.call('GET', `/event?next_cursor=${cursor.slice(2)}`),
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
      const { status, body } = await place.call('GET', `/event?${query}`)
      assert.deepEqual([status, body.detail[0].loc], [422, ['query', query.split('=')[0]]])
    }
    const { status, body } = await place.call('GET', '/event?since=2026-03-02&until=2026-03-01')
    assert.deepEqual([status, body.detail.error_type], [400, 'invalid_date_range'])
  })
})

test('events are filtered by what became of them', async (context) => {
  const place = await openNewPlace(salus)
  const sink = await openMessageSink(context)
  const dispatcher = salus.startWebhooks()
  const unsent = await place.raise()
  await dispatcher.poll()
  const url = sink.url
  const { id: webhookId } = await place.makeWebhook({ url })
  sink.answer = () => 500
  const failed = await place.raise()
  await failForGood(salus, dispatcher, place, failed)
  const cancelled = await place.raise()
  await untilStatus(place, cancelled, 'pending')
  await place.succeed('PATCH', `/webhook/${webhookId}`, { disabled: true })
  await place.succeed('PATCH', `/webhook/${webhookId}`, { disabled: false })
  sink.answer = () => 200
  const delivered = await place.raise()
  await untilStatus(place, delivered, 'delivered')
  await dispatcher.stop()
  const pending = await place.raise()
  await place.dispatch()
  const waiting = await place.raise()
  const byStatus = { unsent, failed, cancelled, delivered, pending, waiting }
  for (const [status, id] of Object.entries(byStatus)) {
    const found = await idsOf(place, `status=${status}&event_type=${STEPS}`)
    assert.deepEqual(found, [id], status)
  }
})
