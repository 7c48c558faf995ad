import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { DAY_SECONDS } from '@salus/contracts/time-units'
import { createHarness } from '../../../server/test/harness.ts'
import {
  type Method,
  orderBody,
  startingLabTests,
} from '../../../server/test/orders/order-bodies.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

/** The clock of a sandbox, and automatic progress of its orders. */

/** A connection on which nothing listens. */
const CONNECTION = {
  connection: 'own',
  lab: 'quest',
  profile: 'hl7-2.3-legacy',
  time_zone: 'America/New_York',
  orders: { kind: 'mllp', host: '127.0.0.1', port: 9 },
  results: { kind: 'mllp-listen', bind: '127.0.0.1', port: 9, peers: ['127.0.0.1'] },
}

const harness = useFixture(() => createHarness({ sandboxAutoProgress: true }))
let userId: string
let tests: Record<Method, string>

before(async () => {
  userId = await harness.makeUser()
  tests = await startingLabTests(harness)
})

async function call(method: string, url: string, body?: unknown) {
  const answer = await harness.call(method, url, body)
  assert.equal(answer.status, 200, `${method} ${url}: ${answer.text}`)
  return answer.body
}

const place = async (method: Method, changes: object = {}) =>
  (await call('POST', '/v3/order', orderBody(userId, tests[method], changes))).order

const advance = (seconds: number) => call('POST', '/v3/sandbox/advance', { seconds })
const statusOf = async (id: string) =>
  (await call('GET', `/v3/order/${id}`)).last_event.status.split('.')[2]

describe('the clock', () => {
  test('starts with the real time and only advances, by the given seconds', async () => {
    const { now, offset_seconds } = await call('GET', '/v3/sandbox/clock')
    assert.equal(offset_seconds, 0)
    const moved = await advance(3 * DAY_SECONDS)
    assert.equal(moved.offset_seconds, 3 * DAY_SECONDS)
    assert.equal(Date.parse(moved.now) - Date.parse(now), 3 * DAY_SECONDS * 1000)
    for (const seconds of [0, -1, 1.5, 367 * DAY_SECONDS]) {
      const { status } = await harness.call('POST', '/v3/sandbox/advance', { seconds })
      assert.equal(status, 422)
    }
  })

  test('dates new orders', async () => {
    const { now } = await call('GET', '/v3/sandbox/clock')
    assert.equal((await place('walk_in_test')).created_at, now)
  })

  test('is separate for each team', async () => {
    const { sandboxKey } = await harness.makeTeam()
    const headers = { 'x-service-api-key': sandboxKey }
    const theirs = await harness.call('GET', '/v3/sandbox/clock', undefined, headers)
    assert.equal(theirs.body.offset_seconds, 0)
  })
})

describe('orders with automatic progress', () => {
  test('are completed, with each event at its own time', async () => {
    const orders = await Promise.all(
      (Object.keys(tests) as Method[]).map((method) => place(method)),
    )
    await advance(DAY_SECONDS)
    const early = await Promise.all(orders.map(({ id }) => statusOf(id)))
    assert.ok(
      early.some((status) => status !== 'completed'),
      early.join(),
    )
    const { now } = await advance(40 * DAY_SECONDS)
    for (const { id, created_at } of orders) {
      const order = await call('GET', `/v3/order/${id}`)
      assert.equal(order.status, 'completed')
      const times: string[] = order.events.map((event: { created_at: string }) => event.created_at)
      assert.equal(times[0], created_at)
      assert.equal(new Set(times).size, times.length)
      assert.deepEqual(times, times.toSorted())
      assert.ok((times.at(-1) ?? '') < now)
      const { metadata } = await call('GET', `/v3/order/${id}/result`)
      assert.equal(metadata.status, 'final')
    }
  })

  test('wait for the day for which they are scheduled', async () => {
    const { now } = await call('GET', '/v3/sandbox/clock')
    const day = new Date(Date.parse(now) + 10 * DAY_SECONDS * 1000).toISOString().slice(0, 10)
    const { id } = await place('walk_in_test', { activate_by: day })
    await advance(8 * DAY_SECONDS)
    assert.equal(await statusOf(id), 'ordered')
    await advance(20 * DAY_SECONDS)
    assert.equal(await statusOf(id), 'completed')
  })

  test('follow a simulation instead', async () => {
    const { id } = await place('testkit')
    await advance(60)
    await call('POST', `/v3/order/${id}/test?final_status=failed.testkit.lost`)
    await advance(40 * DAY_SECONDS)
    assert.equal(await statusOf(id), 'lost')
  })

  test('wait for a laboratory with an enabled connection, which reports itself', async () => {
    const { id } = await place('walk_in_test')
    const path = `/v1/org/${harness.organizationId}/team/${harness.teamId}/sandbox/lab_connection/own`
    const headers = { 'x-management-key': harness.managementKey }
    const connect = async (enabled: boolean) => {
      const config = { ...CONNECTION, enabled }
      const { status, text } = await harness.call('PUT', path, { config }, headers)
      assert.equal(status, 200, text)
    }
    await connect(true)
    await advance(40 * DAY_SECONDS)
    assert.equal(await statusOf(id), 'ordered')
    await connect(false)
    await advance(40 * DAY_SECONDS)
    assert.equal(await statusOf(id), 'completed')
  })

  test('stop after a cancellation', async () => {
    const { id } = await place('on_site_collection')
    await call('POST', `/v3/order/${id}/cancel`)
    await advance(40 * DAY_SECONDS)
    assert.equal(await statusOf(id), 'cancelled')
  })
})

test('steps of a simulation have the requested delay', async () => {
  const { id } = await place('on_site_collection')
  await call('POST', `/v3/order/${id}/test?delay=3600`)
  const seen = [await statusOf(id)]
  for (let step = 0; step < 3; step++) {
    await advance(3600)
    seen.push(await statusOf(id))
  }
  assert.deepEqual(seen, ['requisition_created', 'draw_completed', 'completed', 'completed'])
})
