import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Dispatcher } from '../../src/webhooks/delivery/dispatcher.ts'
import { useFixture } from '../use-fixture.ts'
import { createWebhookHarness } from './webhook-environment.ts'
import {
  type Answering,
  type Endpoint,
  makeEnvironment,
  newUsers,
  openSink,
  verify,
  type WebhookEnvironment,
  waitFor,
} from './webhook-sink.ts'

/** How often and when a message is tried again, and when it is given up. */

const [SECOND, MINUTE, HOUR] = [1, 60, 3600]
const SCHEDULE = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR]
const ATTEMPTS = SCHEDULE.length + 1
const EXHAUSTED = 'message.attempt.exhausted'

const salus = useFixture(createWebhookHarness)
let dispatcher: Dispatcher
before(() => {
  // Time moves by the test alone, so it also says when to look.
  dispatcher = salus.startWebhooks({ timeoutMs: 5_000, pollMs: 600_000 })
})

const fail: Answering = (_arrival, response) => response.writeHead(500).end('broken')
const byPath =
  (answers: Record<string, Answering>): Answering =>
  (arrival, response, request) =>
    (answers[arrival.path] ?? ((_arrival, answer) => answer.end()))(arrival, response, request)

async function pass(seconds: number): Promise<void> {
  salus.clock.advance(seconds)
  await dispatcher.poll()
}

/** Waits until nothing is to be sent to any of the endpoints at this time. */
async function settle(
  environment: WebhookEnvironment,
  endpoints: readonly Endpoint[],
): Promise<void> {
  const { pool } = salus.database
  const waiting = 'select 1 from waiting_events where environment_id = $1'
  await waitFor('endpoints to be quiet', async () => {
    if ((await pool.query(waiting, [environment.scope.id])).rows.length > 0) return false
    const now = salus.clock.now()
    const lists = await Promise.all(endpoints.map((endpoint) => environment.deliveries(endpoint)))
    return lists
      .flat()
      .every(({ status, next_attempt_at: next }) => status !== 'pending' || (next && next > now))
  })
}

/** Lets time pass to each further attempt; the times of all of them. */
async function runThroughSchedule(
  environment: WebhookEnvironment,
  endpoint: Endpoint,
): Promise<Date[]> {
  const times: Date[] = [salus.clock.now()]
  for (const [index, delay] of SCHEDULE.entries()) {
    const delivery = await waitFor(`attempt ${index + 1}`, async () => {
      const [first] = await environment.deliveries(endpoint)
      return first?.attempts === index + 1 && first
    })
    const [last] = times.slice(-1)
    assert.equal(delivery.status, 'pending')
    assert.equal(delivery.next_attempt_at?.getTime(), (last?.getTime() ?? 0) + delay * 1000)
    // A second before it is due nothing may happen; the times of the attempts show it.
    await pass(delay - 1)
    await pass(1)
    times.push(salus.clock.now())
  }
  await waitFor(
    'the end',
    async () => (await environment.deliveries(endpoint))[0]?.status === 'failed',
  )
  return times
}

async function countExhausted(environment: WebhookEnvironment): Promise<number> {
  const { rows } = await salus.database.pool.query(
    'select count(*) as count from events where environment_id = $1 and event_type = $2',
    [environment.scope.id, EXHAUSTED],
  )
  return rows[0].count
}

test('a message is tried 8 times by the schedule, and the others get an event of its end', async (t) => {
  const sink = await openSink(t, byPath({ '/failing': fail }))
  const environment = await makeEnvironment(t, salus)
  const failing = await environment.addEndpoint(`${sink.url}/failing`)
  const healthy = await environment.addEndpoint(`${sink.url}/healthy`)
  const [event] = await environment.write()
  assert.ok(event)
  const times = await runThroughSchedule(environment, failing)

  const attempts = await environment.attempts(event, failing)
  assert.deepEqual(
    attempts.map(({ number, timestamp }) => [number, Date.parse(timestamp)]),
    times.map((time, index) => [index + 1, Math.floor(time.getTime() / 1000) * 1000]),
  )
  assert.ok(attempts.every(({ response_status_code: code }) => code === 500))
  const arrivals = sink.at('/failing')
  assert.equal(arrivals.length, ATTEMPTS)
  for (const [index, arrival] of arrivals.entries()) {
    assert.equal(arrival.id, event.id)
    assert.equal(arrival.body, event.body.toString())
    const seconds = Math.floor((times[index]?.getTime() ?? 0) / 1000)
    assert.equal(arrival.headers['webhook-timestamp'], String(seconds))
    verify(failing.secret, arrival, times[index])
  }

  const notice = await waitFor('the notice', () => sink.at('/healthy')[1])
  assert.deepEqual(JSON.parse(notice.body), {
    event_type: EXHAUSTED,
    data: {
      msg_id: event.id,
      endpoint_id: failing.id,
      event_type: event.event_type,
      last_attempt: { timestamp: attempts.at(-1)?.timestamp, response_status_code: 500 },
    },
    team_id: environment.scope.teamId,
  })
  verify(healthy.secret, notice, times.at(-1))
  await settle(environment, [failing, healthy])
  assert.deepEqual([sink.at('/failing').length, sink.at('/healthy').length], [ATTEMPTS, 2])
})

test('a notice that fails for good has no event', async (t) => {
  const sink = await openSink(t, byPath({ '/failing': fail, '/deaf': fail }))
  const environment = await makeEnvironment(t, salus)
  const failing = await environment.addEndpoint(`${sink.url}/failing`)
  const deaf = await environment.addEndpoint(`${sink.url}/deaf`, { filter_types: ['message.*'] })
  await environment.write()
  await runThroughSchedule(environment, failing)
  await waitFor('the notice', () => sink.at('/deaf').length > 0)
  await runThroughSchedule(environment, deaf)
  await settle(environment, [failing, deaf])
  assert.equal(sink.at('/deaf').length, ATTEMPTS)
  assert.equal(sink.at('/failing').length, ATTEMPTS)
  assert.equal(await countExhausted(environment), 1)
})

test('an endpoint that fails for 5 days is disabled, one that succeeds at times is not', async (t) => {
  const sink = await openSink(t, byPath({ '/failing': fail, '/shaky': fail }))
  const environment = await makeEnvironment(t, salus)
  const failing = await environment.addEndpoint(`${sink.url}/failing`)
  const shaky = await environment.addEndpoint(`${sink.url}/shaky`)
  const both = [failing, shaky]
  const isDisabled = async ({ id }: Endpoint) =>
    (await environment.manage('GET', `/webhook/${id}`)).body.disabled_reason
  // The days count from the first of several failures that is 12 hours after the first one.
  const stepHours = 6
  const lastStep = (12 + 5 * 24) / stepHours
  for (let step = 0; step < lastStep; step++) {
    assert.equal(await isDisabled(failing), null, `after ${step * stepHours} hours`)
    sink.answer = byPath({ '/failing': fail, ...(step === 10 ? {} : { '/shaky': fail }) })
    await environment.write()
    await settle(environment, both)
    await pass(stepHours * HOUR)
    await settle(environment, both)
  }
  assert.deepEqual([await isDisabled(failing), await isDisabled(shaky)], ['failing', null])
  const left = (await environment.deliveries(failing)).map(({ status }) => status)
  assert.deepEqual([...new Set(left)].sort(), ['cancelled', 'failed'])
  const sent = sink.at('/failing').length
  await pass(10 * HOUR)
  await settle(environment, both)
  assert.equal(sink.at('/failing').length, sent)
})

const STOPS: [
  name: string,
  stop: (environment: WebhookEnvironment, id: string) => Promise<unknown>,
][] = [
  [
    'disabled',
    (environment, id) => environment.manage('PATCH', `/webhook/${id}`, { disabled: true }),
  ],
  ['removed', (environment, id) => environment.manage('DELETE', `/webhook/${id}`)],
]

for (const [name, stop] of STOPS) {
  test(`an endpoint that is ${name} gets no retry, and no further event`, async (t) => {
    const sink = await openSink(t, byPath({ '/failing': fail }))
    const environment = await makeEnvironment(t, salus)
    const failing = await environment.addEndpoint(`${sink.url}/failing`)
    const healthy = await environment.addEndpoint(`${sink.url}/healthy`)
    await environment.write()
    await settle(environment, [failing, healthy])
    await stop(environment, failing.id)
    await environment.write()
    await pass(10 * HOUR)
    await settle(environment, [failing, healthy])
    assert.deepEqual([sink.at('/failing').length, sink.at('/healthy').length], [1, 2])
    const [delivery, ...others] = await environment.deliveries(failing)
    assert.deepEqual([delivery?.status, delivery?.next_attempt_at], ['cancelled', null])
    assert.equal(others.length, 0)
  })

  test(`what was on its way to an endpoint as it was ${name} is noted and not repeated`, async (t) => {
    const held = new Map<string, (status: number) => void>()
    const sink = await openSink(t, ({ id }, response) =>
      held.set(id, (status) => response.writeHead(status).end()),
    )
    const environment = await makeEnvironment(t, salus)
    const endpoint = await environment.addEndpoint(sink.url)
    const [first, second] = await environment.write(2, newUsers(2))
    await waitFor('both', () => held.size === 2)
    await stop(environment, endpoint.id)
    held.get(first?.id ?? '')?.(500)
    held.get(second?.id ?? '')?.(200)
    const deliveries = await waitFor('both outcomes', async () => {
      const all = await environment.deliveries(endpoint)
      return all.every(({ attempts }) => attempts === 1) && all
    })
    assert.deepEqual(
      deliveries.map(({ status, next_attempt_at: next }) => [status, next]),
      [
        ['cancelled', null],
        ['delivered', null],
      ],
    )
    await pass(10 * HOUR)
    await settle(environment, [endpoint])
    assert.equal(sink.arrivals.length, 2)
  })
}
