import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { useFixture } from '../use-fixture.ts'
import { createWebhookHarness } from './webhook-environment.ts'
import {
  type Answering,
  type AttemptAnswer,
  type Endpoint,
  makeEnvironment,
  newUsers,
  openSink,
  type WebhookEnvironment,
  waitFor,
} from './webhook-sink.ts'

/** What becomes of a message by what its receiver does. */

const TIMEOUT_MS = 1000
const KEPT_BYTES = 4096

const salus = useFixture(createWebhookHarness)
before(() => {
  salus.startWebhooks({ timeoutMs: TIMEOUT_MS, pollMs: 100 })
})

async function firstAttempt(
  environment: WebhookEnvironment,
  endpoint: Endpoint,
): Promise<AttemptAnswer> {
  const [event] = await environment.write()
  assert.ok(event)
  return waitFor('the first attempt', async () => (await environment.attempts(event, endpoint))[0])
}

const answerAfter =
  (milliseconds: number): Answering =>
  (_arrival, response) =>
    // The test may be over by then.
    setTimeout(() => response.end('at last'), milliseconds).unref()

const answerWith =
  (status: number, body: string | Buffer = ''): Answering =>
  (_arrival, response) =>
    response.writeHead(status).end(body)

/** Writes to the socket itself and cuts it off. */
const answerRaw =
  (text: string): Answering =>
  (_arrival, _response, { socket }) =>
    socket.write(text, () => socket.resetAndDestroy())

type Outcome = Pick<AttemptAnswer, 'response_status_code' | 'error' | 'response_body'>
const answered = (code: number, body = ''): Outcome => ({
  response_status_code: code,
  error: null,
  response_body: body,
})
const unanswered = (error: string): Outcome => ({
  response_status_code: null,
  error,
  response_body: '',
})

/** Milliseconds that an attempt took, from and to. */
type Duration = [least: number, most: number]
const QUICK: Duration = [0, TIMEOUT_MS]
const ALL_THE_TIME: Duration = [TIMEOUT_MS - 5, TIMEOUT_MS + 1500]

const cutOff = 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nthe beginning'

const DELIVERED: [name: string, answer: Answering, outcome: Outcome, duration: Duration][] = [
  ['an answer of 200', answerWith(200, 'thanks'), answered(200, 'thanks'), QUICK],
  ['an answer of 204', answerWith(204), answered(204), QUICK],
  ['an answer after a while', answerAfter(200), answered(200, 'at last'), [195, TIMEOUT_MS]],
  [
    'a body of 10 MB',
    answerWith(200, Buffer.alloc(10 * 1024 * 1024, 'x')),
    answered(200, 'x'.repeat(KEPT_BYTES)),
    QUICK,
  ],
  [
    'a body that is no text',
    answerWith(200, Buffer.from('a\0b\xff\xfe', 'latin1')),
    answered(200, 'ab\ufffd\ufffd'),
    QUICK,
  ],
  ['a reset in the body', answerRaw(cutOff), answered(200, 'the beginning'), QUICK],
  [
    'a body that does not end',
    (_arrival, response) => response.writeHead(200).write('so far'),
    answered(200, 'so far'),
    ALL_THE_TIME,
  ],
]

const FAILED: typeof DELIVERED = [
  ['an answer of 500', answerWith(500, 'broken'), answered(500, 'broken'), QUICK],
  ['an answer of 429', answerWith(429, 'slower'), answered(429, 'slower'), QUICK],
  ['an answer of 503', answerWith(503), answered(503), QUICK],
  ['an answer of 404', answerWith(404, 'x'.repeat(5000)), answered(404, 'x'.repeat(4096)), QUICK],
  ['an answer after 3 seconds', answerAfter(3000), unanswered('timeout'), ALL_THE_TIME],
  ['no answer', () => undefined, unanswered('timeout'), ALL_THE_TIME],
  ['a reset instead of an answer', answerRaw(''), unanswered('connection'), QUICK],
  ['a reset in the first line', answerRaw('HTTP/1.1 20'), unanswered('connection'), QUICK],
  ['an answer that is not HTTP', answerRaw('hello\r\n\r\n'), unanswered('invalid_response'), QUICK],
]

async function sendTo(t: { after: (end: () => Promise<void>) => void }, answer: Answering) {
  const sink = await openSink(t, answer)
  const environment = await makeEnvironment(t, salus)
  const endpoint = await environment.addEndpoint(`${sink.url}/hook`)
  const attempt = await firstAttempt(environment, endpoint)
  const [delivery] = await environment.deliveries(endpoint)
  assert.ok(delivery)
  return { sink, environment, endpoint, attempt, delivery }
}

function assertAttempt(attempt: AttemptAnswer, outcome: Outcome, [least, most]: Duration): void {
  const { response_status_code, error, response_body, duration_ms: duration } = attempt
  assert.deepEqual({ response_status_code, error, response_body }, outcome)
  assert.equal(attempt.number, 1)
  assert.equal(Date.parse(attempt.timestamp), Math.floor(salus.clock.now().getTime() / 1000) * 1000)
  assert.ok(duration >= least && duration <= most, `it took ${duration} ms`)
}

describe('delivered, and never sent again, is a message with', () => {
  for (const [name, answer, outcome, duration] of DELIVERED) {
    test(name, async (t) => {
      const { attempt, delivery } = await sendTo(t, answer)
      assertAttempt(attempt, outcome, duration)
      assert.equal(attempt.status, 'succeeded')
      const { status, attempts, failures, next_attempt_at: next } = delivery
      assert.deepEqual([status, attempts, failures, next], ['delivered', 1, 0, null])
    })
  }
})

describe('tried again after 5 seconds is a message with', () => {
  for (const [name, answer, outcome, duration] of FAILED) {
    test(name, async (t) => {
      const { sink, endpoint, environment, attempt, delivery } = await sendTo(t, answer)
      assertAttempt(attempt, outcome, duration)
      assert.equal(attempt.status, 'failed')
      const { status, attempts, failures, next_attempt_at: next } = delivery
      assert.deepEqual([status, attempts, failures], ['pending', 1, 1])
      assert.equal(next?.getTime(), salus.clock.now().getTime() + 5000)

      sink.answer = answerWith(200)
      salus.clock.advance(5)
      await waitFor('the second attempt', async () => {
        const [again] = await environment.deliveries(endpoint)
        return again?.status === 'delivered' && again.attempts === 2
      })
      assert.equal(sink.arrivals.length, 2)
    })
  }

  test('a port where no server listens', async (t) => {
    const { url } = await openSink({ after: (end) => end() })
    const environment = await makeEnvironment(t, salus)
    const endpoint = await environment.addEndpoint(url)
    assertAttempt(await firstAttempt(environment, endpoint), unanswered('connection'), QUICK)
  })
})

for (const status of [301, 302, 307, 308]) {
  test(`a redirect by ${status} is a failure, and is not followed`, async (t) => {
    const other = await openSink(t)
    const location = `${other.url}/elsewhere`
    const { attempt, delivery } = await sendTo(t, (_arrival, response) =>
      response.writeHead(status, { location }).end('moved'),
    )
    assertAttempt(attempt, answered(status, 'moved'), QUICK)
    assert.deepEqual([delivery.status, delivery.failures], ['pending', 1])
    assert.equal(other.arrivals.length, 0)
  })
}

test('an answer of 410 disables the endpoint at once, and what waited is not sent', async (t) => {
  const sink = await openSink(t, (_arrival, response) =>
    setTimeout(() => response.writeHead(410).end(), 20),
  )
  const environment = await makeEnvironment(t, salus)
  const endpoint = await environment.addEndpoint(`${sink.url}/hook`)
  await environment.write(500, newUsers(500))
  const deliveries = await waitFor('all to be cancelled', async () => {
    const all = await environment.deliveries(endpoint)
    return all.length === 500 && all.every(({ status }) => status === 'cancelled') && all
  })
  const { body } = await environment.manage('GET', `/webhook/${endpoint.id}`)
  assert.deepEqual([body.disabled, body.disabled_reason], [true, 'gone'])
  // Those that were on their way together, and what left before the first outcome was stored.
  t.diagnostic(`${sink.arrivals.length} of 500 were sent`)
  assert.ok(sink.arrivals.length < 50)
  assert.ok(deliveries.some(({ attempts }) => attempts === 1))

  const sent = sink.arrivals.length
  const [later] = await environment.write()
  const reported = await waitFor('the next event', async () => {
    const answer = await environment.manage('GET', `/event/${later?.id}`)
    return answer.body.is_dispatched && answer.body
  })
  assert.equal(reported.unsent_reason, 'endpoints_disabled')
  assert.equal(sink.arrivals.length, sent)
})
