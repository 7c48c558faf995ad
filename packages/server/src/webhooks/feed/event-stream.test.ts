import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createHarness, type Harness } from '../../../test/harness.ts'
import { changeSettings } from '../../../test/stored-events.ts'
import { newId } from '../../platform/ids.ts'
import { listen, openStream, type StreamReader, untilReadable } from '../testing/stream-reader.ts'
import {
  HEARTRATE,
  openNewPlace,
  openPlace,
  STEPS,
  type WebhookPlace,
} from '../testing/webhook-place.ts'

let salus: Harness
let server: string
before(async () => {
  salus = await createHarness()
  server = await listen(salus)
})
after(() => salus?.close())

const open = (place: WebhookPlace, options: { query?: string; lastEventId?: string } = {}) =>
  openStream(server, place, salus.managementKey, options)

async function raise(place: WebhookPlace, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let raised = 0; raised < count; raised += 1) ids.push(await place.raise())
  return ids
}

/** Everything that there is after a position. */
async function readAll(place: WebhookPlace, query = 'after=0-0'): Promise<StreamReader> {
  await untilReadable(salus, place)
  const reader = await open(place, { query: `${query}&follow=false` })
  assert.equal(await reader.ended, true)
  return reader
}

describe('the stream', () => {
  test('begins by saying that it is ready, and where', async () => {
    const place = await openNewPlace(salus)
    const { response, items } = await readAll(place, '')
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(response.headers.get('x-accel-buffering'), 'no')
    assert.equal(items.length, 1)
    assert.deepEqual([items[0]?.name, items[0]?.data], ['ready', {}])
    assert.match(items[0]?.position ?? '', /^\d+-0$/)
  })

  test('brings each event with the very text that is signed', async () => {
    const place = await openNewPlace(salus)
    const userId = newId()
    const data = { note: 'a "quoted"\nä € 🏃', zero: 1.0 }
    const id = await place.raise({ userId, data })
    const { items } = await readAll(place)
    const { payload, created_at: createdAt } = await place.succeed('GET', `/event/${id}`)
    const { body, ...rest } = items[1]?.data ?? {}
    assert.deepEqual(rest, { id, event_type: STEPS, created_at: createdAt })
    assert.equal(typeof body, 'string')
    assert.equal(body, JSON.stringify(payload))
  })

  test('brings an event whole that is stored compressed', async () => {
    const place = await openNewPlace(salus)
    const data = { values: Array.from({ length: 20_000 }, (_, index) => index) }
    await place.raise({ data })
    const { items } = await readAll(place)
    assert.deepEqual(JSON.parse(items[1]?.data.body).data, data)
  })

  test('begins now, unless it is told where', async () => {
    const place = await openNewPlace(salus)
    const before = await raise(place, 3)
    assert.deepEqual((await readAll(place)).ids(), before)
    const reader = await open(place)
    const afterwards = await raise(place, 2)
    assert.deepEqual(await reader.untilCount(2), afterwards)
    reader.close()
  })

  test('brings events in order of writing, dispatched or not', async () => {
    const place = await openNewPlace(salus)
    const ids = await raise(place, 5)
    await place.dispatch()
    ids.push(...(await raise(place, 250)))
    assert.deepEqual((await readAll(place)).ids(), ids)
  })

  test('brings news at once', async () => {
    const place = await openNewPlace(salus)
    const reader = await open(place)
    const delays: number[] = []
    for (let count = 1; count <= 10; count += 1) {
      const raisedAt = performance.now()
      await place.raise()
      await reader.untilCount(count)
      delays.push(performance.now() - raisedAt)
    }
    reader.close()
    assert.ok(Math.min(...delays) < 500, `${delays}`)
  })

  test('ends with the newest event when it is not to be followed', async () => {
    const place = await openNewPlace(salus)
    const ids = await raise(place, 2)
    const reader = await readAll(place)
    await raise(place, 1)
    assert.deepEqual(reader.ids(), ids)
  })
})

describe('a reader that comes back', () => {
  test('goes on after any event, by the header or the parameter', async () => {
    const place = await openNewPlace(salus)
    const ids = await raise(place, 5)
    const { items } = await readAll(place)
    for (const [index, { position }] of items.entries()) {
      const byHeader = await open(place, { query: 'follow=false', lastEventId: position })
      await byHeader.ended
      assert.deepEqual(byHeader.ids(), ids.slice(index))
      assert.equal(byHeader.items[0]?.position, position)
      const byParameter = await readAll(place, `after=${position}`)
      assert.deepEqual(byParameter.ids(), ids.slice(index))
    }
  })

  test('misses nothing when it was cut off before the first event', async () => {
    const place = await openNewPlace(salus)
    const { items } = await readAll(place, '')
    const ids = await raise(place, 2)
    const [ready] = items
    assert.deepEqual((await readAll(place, `after=${ready?.position}`)).ids(), ids)
  })

  test('is refused with a position that is none', async () => {
    const place = await openNewPlace(salus)
    for (const lastEventId of ['1', 'a-1', '-1-1', '1-', 'msg_1', '1-1,2-2']) {
      const headers = { 'x-management-key': salus.managementKey, 'last-event-id': lastEventId }
      const url = `${place.base}/event_stream?follow=false`
      const { status, body } = await salus.call('GET', url, undefined, headers)
      assert.deepEqual([status, body.detail.error_type], [400, 'invalid_last_event_id'])
    }
    for (const query of ['after=', 'after=1', 'after=a-1', `after=1-${'1'.repeat(40)}`]) {
      const { status, body } = await place.call('GET', `/event_stream?follow=false&${query}`)
      assert.deepEqual([status, body.detail[0].loc], [422, ['query', 'after']], query)
    }
  })

  test('is refused with a position that lies ahead, as of another database', async () => {
    const place = await openNewPlace(salus)
    for (const position of ['999999999999-1', '99999999999999999999-0']) {
      const answer = await place.call('GET', `/event_stream?follow=false&after=${position}`)
      const found = [answer.status, answer.body.detail.error_type]
      assert.deepEqual(found, [400, 'unknown_position'])
    }
  })
})

describe('the stream brings only', () => {
  test('the types asked for, exactly or by how they begin', async () => {
    const place = await openNewPlace(salus)
    const types = [STEPS, HEARTRATE, 'historical.data.steps.created', 'daily.data.steps.updated']
    const ids: string[] = []
    for (const type of types) ids.push(await place.raise({ type }))
    const left = async (...wanted: string[]): Promise<number[]> => {
      const query = wanted.map((type) => `&event_type=${type}`).join('')
      return (await readAll(place, `after=0-0${query}`)).ids().map((id) => ids.indexOf(id))
    }
    assert.deepEqual(await left(), [0, 1, 2, 3])
    assert.deepEqual(await left(STEPS), [0])
    assert.deepEqual(await left('daily.data.steps.*'), [0, 3])
    assert.deepEqual(await left('historical.*', HEARTRATE), [1, 2])
    assert.deepEqual(await left('*'), [0, 1, 2, 3])
  })

  test('types that there are', async () => {
    const place = await openNewPlace(salus)
    const query = `event_type=${STEPS}&event_type=daily.data.step.created`
    const { status, body } = await place.call('GET', `/event_stream?${query}`)
    assert.equal(status, 422)
    assert.deepEqual(body.detail[0].loc, ['query', 'event_type', 1])
    assert.equal(body.detail[0].type, 'unknown_event_type')
  })

  test('what is of the same environment', async () => {
    const { id: teamId } = await salus.makeTeam()
    const places = [
      await openPlace(salus, { teamId }),
      await openPlace(salus, { teamId, env: 'production' }),
      await openNewPlace(salus),
    ]
    const readers = await Promise.all(places.map((place) => open(place)))
    const raised: string[][] = places.map(() => [])
    for (let round = 0; round < 5; round += 1) {
      for (const [index, place] of places.entries()) raised[index]?.push(await place.raise())
    }
    for (const [index, reader] of readers.entries()) {
      assert.deepEqual(await reader.untilCount(5), raised[index])
      reader.close()
    }
    const [sandbox, production] = await Promise.all(places.map((place) => readAll(place)))
    const elsewhere = await readAll(places[1] as WebhookPlace, `after=${sandbox?.lastPosition()}`)
    assert.ok(elsewhere.ids().every((id) => production?.ids().includes(id)))
  })

  test('what the team wants: prefixes count, filters of webhooks do not', async () => {
    const place = await openPlace(salus)
    await place.makeWebhook({ filter_types: ['historical.*'] })
    await changeSettings(salus, { event_type_prefixes: ['daily.data.heartrate'] })
    await place.raise({ type: STEPS })
    const wanted = await place.raise({ type: HEARTRATE })
    await changeSettings(salus, { event_type_prefixes: null })
    const afterwards = await place.raise({ type: STEPS })
    await place.dispatch()
    assert.deepEqual((await readAll(place)).ids(), [wanted, afterwards])
  })
})
