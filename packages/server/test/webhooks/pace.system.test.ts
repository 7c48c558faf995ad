import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Dispatcher } from '../../src/webhooks/delivery/dispatcher.ts'
import { useFixture } from '../use-fixture.ts'
import { createWebhookHarness } from './webhook-environment.ts'
import {
  type Answering,
  type Arrival,
  assertOrderByPerson,
  firstArrivals,
  makeEnvironment,
  newUsers,
  openSink,
  seededRandom,
  waitFor,
} from './webhook-sink.ts'

/** How fast messages go, in which order, and what may hold them up. */

const salus = useFixture(createWebhookHarness)
let dispatcher: Dispatcher
before(() => {
  dispatcher = salus.startWebhooks()
})

const never: Answering = () => undefined
const slowly: Answering = (_arrival, response) => setTimeout(() => response.end(), 2000).unref()
const fail: Answering = (_arrival, response) => response.writeHead(500).end()
const accept: Answering = (_arrival, response) => response.end('ok')

const secondsBetween = (arrivals: readonly Arrival[]): number =>
  ((arrivals.at(-1)?.at ?? 0) - (arrivals[0]?.at ?? 0)) / 1000

describe('an endpoint gets 500 messages at once, beside one that', () => {
  const OTHERS: [name: string, answer: Answering, isSameAddress: boolean][] = [
    ['never answers', never, false],
    ['never answers, at the same address', never, true],
    ['answers after 2 seconds, at the same address', slowly, true],
    ['always fails, at the same address', fail, true],
  ]
  for (const [name, answer, isSameAddress] of OTHERS) {
    test(name, async (t) => {
      const sink = await openSink(t, (arrival, response, request) =>
        (arrival.path === '/bad' ? answer : accept)(arrival, response, request),
      )
      const { url: badUrl } = isSameAddress ? sink : await openSink(t, answer)
      const environment = await makeEnvironment(t, salus)
      await environment.addEndpoint(`${badUrl}/bad`)
      await environment.addEndpoint(`${sink.url}/good`)
      const startedAt = performance.now()
      const events = await environment.write(500, newUsers(50))
      await waitFor('all at the healthy endpoint', () => sink.at('/good').length === 500)
      const seconds = (performance.now() - startedAt) / 1000
      t.diagnostic(`all after ${seconds.toFixed(2)} s`)
      // One or two seconds, and more on a busy machine; held up by the other it would be 15 at
      // least.
      assert.ok(seconds < 10, `it took ${seconds} s`)
      assert.equal(firstArrivals(sink.at('/good')).size, 500)
      assertOrderByPerson(events, sink.at('/good'))
    })
  }
})

test('rate_limit holds an endpoint to so many messages a second, and no other', async (t) => {
  const LIMIT = 10
  const sink = await openSink(t)
  const environment = await makeEnvironment(t, salus)
  await environment.addEndpoint(`${sink.url}/limited`, { rate_limit: LIMIT })
  await environment.addEndpoint(`${sink.url}/free`)
  const startedAt = performance.now()
  await environment.write(60, newUsers(60))
  await waitFor('all at the free endpoint', () => sink.at('/free').length === 60)
  const early = sink.at('/limited').length
  await waitFor('all at the limited endpoint', () => sink.at('/limited').length === 60)
  const limited = sink.at('/limited')
  const [free, all] = [secondsBetween(sink.at('/free')), secondsBetween(limited)]
  t.diagnostic(`free: ${free.toFixed(2)} s, limited: ${all.toFixed(2)} s`)
  // A second's worth at once, and the others one by one: at no time more, however slow the machine
  // is.
  for (const [index, { at }] of limited.entries()) {
    const allowed = LIMIT + (LIMIT * (at - startedAt)) / 1000
    assert.ok(index < allowed + 1, `message ${index + 1} after ${at - startedAt} ms`)
  }
  assert.ok(early < 60 && free < all / 2, `${early} messages early, ${free} s of ${all} s`)
})

test('first attempts of one person go one by one in order, whatever the answers', async (t) => {
  const random = seededRandom(21)
  const busy = new Set<string>()
  const overlaps: string[] = []
  let failures = 0
  const sink = await openSink(t, ({ body }, response) => {
    const { user_id: userId } = JSON.parse(body)
    if (busy.has(userId)) overlaps.push(userId)
    busy.add(userId)
    const status = random() < 0.1 ? 500 : 200
    if (status === 500) failures += 1
    setTimeout(() => {
      busy.delete(userId)
      response.writeHead(status).end()
    }, random() * 40)
  })
  const environment = await makeEnvironment(t, salus)
  const endpoint = await environment.addEndpoint(sink.url)
  const events = await environment.write(400, newUsers(20))
  // The clock stands, so that nothing is tried again.
  const deliveries = await waitFor('all outcomes', async () => {
    const all = await environment.deliveries(endpoint)
    return all.length === 400 && all.every(({ attempts }) => attempts === 1) && all
  })
  t.diagnostic(`${failures} of 400 failed, ${secondsBetween(sink.arrivals).toFixed(2)} s`)
  assert.deepEqual(overlaps, [])
  assert.equal(sink.arrivals.length, 400)
  assertOrderByPerson(events, sink.arrivals)
  const pending = deliveries.filter(({ status }) => status === 'pending')
  assert.ok(failures > 10)
  assert.equal(pending.length, failures)
})

test('an attempt that lasts holds up its person alone', async (t) => {
  const [slow = '', ...others] = newUsers(5)
  const sink = await openSink(t, (arrival, response, request) =>
    (arrival.body.includes(slow) ? never : accept)(arrival, response, request),
  )
  const environment = await makeEnvironment(t, salus)
  await environment.addEndpoint(sink.url)
  await environment.write(100, [slow, ...others])
  await waitFor('those of the others', () => sink.arrivals.length === 81)
  assert.equal(sink.arrivals.filter(({ body }) => body.includes(slow)).length, 1)
})

test('of several processes one sends at a time, and another goes on when it stops', async (t) => {
  const sink = await openSink(t, (_arrival, response) => setTimeout(() => response.end(), 5))
  const environment = await makeEnvironment(t, salus)
  const endpoint = await environment.addEndpoint(sink.url)
  const dispatchers = [dispatcher, salus.startWebhooks(), salus.startWebhooks()]
  const users = newUsers(10)
  const events = await environment.write(300, users)
  for (const [index, stopping] of dispatchers.slice(0, 2).entries()) {
    await waitFor('some messages', () => sink.arrivals.length > 50 + index * 100)
    const [more] = await Promise.all([environment.write(50, users), stopping.stop()])
    events.push(...more)
  }
  await waitFor('all outcomes', async () => {
    const all = await environment.deliveries(endpoint)
    return all.length === 400 && all.every(({ status }) => status === 'delivered')
  })
  assert.equal(sink.arrivals.length, 400)
  assertOrderByPerson(events, sink.arrivals)
})
