import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { newId } from '@salus/kernel/ids'
import { createHarness } from '../../../test/harness.ts'
import { changeSettings } from '../../../test/stored-events.ts'
import { useFixture } from '../../../test/use-fixture.ts'
import {
  listen,
  openStream,
  type StreamReader,
  untilReadable,
} from '../../../test/webhooks/stream-reader.ts'
import {
  HEARTRATE,
  openEnvironment,
  openNewEnvironment,
  STEPS,
  type WebhookEnvironment,
} from '../../../test/webhooks/webhook-environment.ts'

const salus = useFixture(createHarness)
let server: string
before(async () => {
  server = await listen(salus)
})

const open = (
  environment: WebhookEnvironment,
  options: { query?: string; lastEventId?: string } = {},
) => openStream(server, environment, salus.managementKey, options)

async function raise(environment: WebhookEnvironment, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let raised = 0; raised < count; raised += 1) ids.push(await environment.raise())
  return ids
}

/** Everything that there is after a position. */
async function readAll(
  environment: WebhookEnvironment,
  query = 'after=0-0',
): Promise<StreamReader> {
  await untilReadable(salus, environment)
  const reader = await open(environment, { query: `${query}&follow=false` })
  assert.equal(await reader.ended, true)
  return reader
}

describe('the stream', () => {
  test('begins by saying that it is ready, and where', async () => {
    const environment = await openNewEnvironment(salus)
    const { response, items } = await readAll(environment, '')
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(response.headers.get('x-accel-buffering'), 'no')
    assert.equal(items.length, 1)
    assert.deepEqual([items[0]?.name, items[0]?.data], ['ready', {}])
    assert.match(items[0]?.position ?? '', /^\d+-0$/)
  })

  test('brings each event with the very text that is signed', async () => {
    const environment = await openNewEnvironment(salus)
    const userId = newId()
    const data = { note: 'a "quoted"\nä € 🏃', zero: 1.0 }
    const id = await environment.raise({ userId, data })
    const { items } = await readAll(environment)
    const { payload, created_at: createdAt } = await environment.succeed('GET', `/event/${id}`)
    const { body, ...rest } = items[1]?.data ?? {}
    assert.deepEqual(rest, { id, event_type: STEPS, created_at: createdAt })
    assert.equal(typeof body, 'string')
    assert.equal(body, JSON.stringify(payload))
  })

  test('brings an event whole that is stored compressed', async () => {
    const environment = await openNewEnvironment(salus)
    const data = { values: Array.from({ length: 20_000 }, (_, index) => index) }
    await environment.raise({ data })
    const { items } = await readAll(environment)
    assert.deepEqual(JSON.parse(items[1]?.data.body).data, data)
  })

  test('begins now, unless a position is given', async () => {
    const environment = await openNewEnvironment(salus)
    const before = await raise(environment, 3)
    assert.deepEqual((await readAll(environment)).ids(), before)
    const reader = await open(environment)
    const afterwards = await raise(environment, 2)
    assert.deepEqual(await reader.untilCount(2), afterwards)
    reader.close()
  })

  test('brings events in order of writing, dispatched or not', async () => {
    const environment = await openNewEnvironment(salus)
    const ids = await raise(environment, 5)
    await environment.dispatch()
    ids.push(...(await raise(environment, 250)))
    assert.deepEqual((await readAll(environment)).ids(), ids)
  })

  test('brings news at once', async () => {
    const environment = await openNewEnvironment(salus)
    const reader = await open(environment)
    const delays: number[] = []
    for (let count = 1; count <= 10; count += 1) {
      const raisedAt = performance.now()
      await environment.raise()
      await reader.untilCount(count)
      delays.push(performance.now() - raisedAt)
    }
    reader.close()
    assert.ok(Math.min(...delays) < 500, `${delays}`)
  })

  test('ends with the newest event when it is not to be followed', async () => {
    const environment = await openNewEnvironment(salus)
    const ids = await raise(environment, 2)
    const reader = await readAll(environment)
    await raise(environment, 1)
    assert.deepEqual(reader.ids(), ids)
  })
})

describe('a reader that comes back', () => {
  test('goes on after any event, by the header or the parameter', async () => {
    const environment = await openNewEnvironment(salus)
    const ids = await raise(environment, 5)
    const { items } = await readAll(environment)
    for (const [index, { position }] of items.entries()) {
      const byHeader = await open(environment, { query: 'follow=false', lastEventId: position })
      await byHeader.ended
      assert.deepEqual(byHeader.ids(), ids.slice(index))
      assert.equal(byHeader.items[0]?.position, position)
      const byParameter = await readAll(environment, `after=${position}`)
      assert.deepEqual(byParameter.ids(), ids.slice(index))
    }
  })

  test('misses nothing when it was cut off before the first event', async () => {
    const environment = await openNewEnvironment(salus)
    const { items } = await readAll(environment, '')
    const ids = await raise(environment, 2)
    const [ready] = items
    assert.deepEqual((await readAll(environment, `after=${ready?.position}`)).ids(), ids)
  })

  test('is refused with a position that is none', async () => {
    const environment = await openNewEnvironment(salus)
    for (const lastEventId of ['1', 'a-1', '-1-1', '1-', 'msg_1', '1-1,2-2']) {
      const headers = { 'x-management-key': salus.managementKey, 'last-event-id': lastEventId }
      const url = `${environment.base}/event_stream?follow=false`
      const { status, body } = await salus.call('GET', url, undefined, headers)
      assert.deepEqual([status, body.detail.error_type], [400, 'invalid_last_event_id'])
    }
    for (const query of ['after=', 'after=1', 'after=a-1', `after=1-${'1'.repeat(40)}`]) {
      const { status, body } = await environment.call('GET', `/event_stream?follow=false&${query}`)
      assert.deepEqual([status, body.detail[0].loc], [422, ['query', 'after']], query)
    }
  })

  test('is refused with a position that lies ahead, as of another database', async () => {
    const environment = await openNewEnvironment(salus)
    for (const position of ['999999999999-1', '99999999999999999999-0']) {
      const answer = await environment.call('GET', `/event_stream?follow=false&after=${position}`)
      const found = [answer.status, answer.body.detail.error_type]
      assert.deepEqual(found, [400, 'unknown_position'])
    }
  })
})

describe('the stream brings only', () => {
  test('the types asked for, exactly or by how they begin', async () => {
    const environment = await openNewEnvironment(salus)
    const types = [STEPS, HEARTRATE, 'historical.data.steps.created', 'daily.data.steps.updated']
    const ids: string[] = []
    for (const type of types) ids.push(await environment.raise({ type }))
    const left = async (...wanted: string[]): Promise<number[]> => {
      const query = wanted.map((type) => `&event_type=${type}`).join('')
      return (await readAll(environment, `after=0-0${query}`)).ids().map((id) => ids.indexOf(id))
    }
    assert.deepEqual(await left(), [0, 1, 2, 3])
    assert.deepEqual(await left(STEPS), [0])
    assert.deepEqual(await left('daily.data.steps.*'), [0, 3])
    assert.deepEqual(await left('historical.*', HEARTRATE), [1, 2])
    assert.deepEqual(await left('*'), [0, 1, 2, 3])
  })

  test('types that there are', async () => {
    const environment = await openNewEnvironment(salus)
    const query = `event_type=${STEPS}&event_type=daily.data.step.created`
    const { status, body } = await environment.call('GET', `/event_stream?${query}`)
    assert.equal(status, 422)
    assert.deepEqual(body.detail[0].loc, ['query', 'event_type', 1])
    assert.equal(body.detail[0].type, 'unknown_event_type')
  })

  test('what is of the same environment', async () => {
    const { id: teamId } = await salus.makeTeam()
    const environments = [
      await openEnvironment(salus, { teamId }),
      await openEnvironment(salus, { teamId, env: 'production' }),
      await openNewEnvironment(salus),
    ]
    const readers = await Promise.all(environments.map((environment) => open(environment)))
    const raised: string[][] = environments.map(() => [])
    for (let round = 0; round < 5; round += 1) {
      for (const [index, environment] of environments.entries())
        raised[index]?.push(await environment.raise())
    }
    for (const [index, reader] of readers.entries()) {
      assert.deepEqual(await reader.untilCount(5), raised[index])
      reader.close()
    }
    const [sandbox, production] = await Promise.all(
      environments.map((environment) => readAll(environment)),
    )
    const elsewhere = await readAll(
      environments[1] as WebhookEnvironment,
      `after=${sandbox?.lastPosition()}`,
    )
    assert.ok(elsewhere.ids().every((id) => production?.ids().includes(id)))
  })

  test('what the team wants: prefixes count, filters of webhooks do not', async () => {
    const environment = await openEnvironment(salus)
    await environment.makeWebhook({ filter_types: ['historical.*'] })
    await changeSettings(salus, { event_type_prefixes: ['daily.data.heartrate'] })
    await environment.raise({ type: STEPS })
    const wanted = await environment.raise({ type: HEARTRATE })
    await changeSettings(salus, { event_type_prefixes: null })
    const afterwards = await environment.raise({ type: STEPS })
    await environment.dispatch()
    assert.deepEqual((await readAll(environment)).ids(), [wanted, afterwards])
  })
})
