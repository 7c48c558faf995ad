import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, test } from 'node:test'
import { DAY_SECONDS } from '@salus/contracts/time-units'
import { useFixture } from '../use-fixture.ts'
import { createWebhookHarness } from './webhook-environment.ts'
import { type Arrival, makeEnvironment, openSink, verify, waitFor } from './webhook-sink.ts'

/** Receivers can verify our messages, with the library of Standard Webhooks. */

const TOLERANCE = 5 * 60

const salus = useFixture(createWebhookHarness)
before(() => {
  salus.startWebhooks()
})

const newSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`

/** An endpoint with a sink, and the next message that comes to it. */
async function openEndpoint(t: { after: (end: () => Promise<void>) => void }, secret: string) {
  const sink = await openSink(t)
  const environment = await makeEnvironment(t, salus)
  const endpoint = await environment.addEndpoint(sink.url, { secret })
  const receive = async (): Promise<Arrival> => {
    const [event] = await environment.write()
    return waitFor('the message', () => sink.arrivals.find(({ id }) => id === event?.id))
  }
  const rotate = async (key: string): Promise<void> => {
    await environment.manage('POST', `/webhook/${endpoint.id}/secret/rotate`, { key })
    const shown = await environment.manage('GET', `/webhook/${endpoint.id}/secret`)
    assert.equal(shown.body.key, key)
  }
  return { endpoint, receive, rotate }
}

const isGenuine = (secret: string, arrival: Pick<Arrival, 'headers' | 'body'>): boolean => {
  try {
    verify(secret, arrival, salus.clock.now())
    return true
  } catch (error) {
    assert.match(String(error), /WebhookVerificationError/)
    return false
  }
}

test('both sets of headers say the same, and a receiver of either verifies them', async (t) => {
  const secret = newSecret()
  const { endpoint, receive } = await openEndpoint(t, secret)
  assert.equal(endpoint.secret, secret)
  const arrival = await receive()
  const { headers, body, id } = arrival
  for (const name of ['id', 'timestamp', 'signature']) {
    assert.ok(headers[`webhook-${name}`])
    assert.equal(headers[`svix-${name}`], headers[`webhook-${name}`])
  }
  assert.match(id, /^msg_[0-9A-Z]{26}$/)
  assert.equal(headers['content-type'], 'application/json')
  assert.match(headers['user-agent'] ?? '', /^Salus-Webhooks\//)
  assert.deepEqual(verify(secret, arrival, salus.clock.now()), JSON.parse(body))
})

test('a wrong secret, another body, id or time, and an old message are refused', async (t) => {
  const secret = newSecret()
  const { receive } = await openEndpoint(t, secret)
  const { headers, body } = await receive()
  const changed = (name: string, value: string) => ({
    body,
    headers: { ...headers, [name]: value },
  })
  assert.ok(isGenuine(secret, { headers, body }))
  assert.ok(!isGenuine(newSecret(), { headers, body }))
  assert.ok(!isGenuine(secret, { headers, body: body.replace('"number":0', '"number":1') }))
  assert.ok(!isGenuine(secret, { headers, body: `${body} ` }))
  assert.ok(!isGenuine(secret, changed('webhook-id', 'msg_01KJMZ2V7QH8B8W0T3C5D9E4FG')))
  const second = Number(headers['webhook-timestamp']) + 1
  assert.ok(!isGenuine(secret, changed('webhook-timestamp', String(second))))
  assert.ok(!isGenuine(secret, changed('webhook-signature', '')))

  const sentAt = salus.clock.now().getTime()
  const readAfter = (seconds: number) => () =>
    verify(secret, { headers, body }, new Date(sentAt + seconds * 1000))
  readAfter(TOLERANCE - 1)()
  assert.throws(readAfter(TOLERANCE + 1), /too old/)
  assert.throws(readAfter(-TOLERANCE - 2), /too new/)
})

test('for 24 hours after a rotation both secrets verify, then the new one alone', async (t) => {
  const [first, second] = [newSecret(), newSecret()]
  const { receive, rotate } = await openEndpoint(t, first)
  const verifying = async () => {
    const arrival = await receive()
    return [first, second].map((secret) => isGenuine(secret, arrival))
  }
  assert.deepEqual(await verifying(), [true, false])
  await rotate(second)
  assert.deepEqual(await verifying(), [true, true])
  salus.clock.advance(DAY_SECONDS - 1)
  assert.deepEqual(await verifying(), [true, true])
  salus.clock.advance(1)
  assert.deepEqual(await verifying(), [false, true])
})

test('each of several rotations has its own 24 hours', async (t) => {
  const secrets = [newSecret(), newSecret(), newSecret()]
  const [first = '', second = '', third = ''] = secrets
  const { receive, rotate } = await openEndpoint(t, first)
  const verifying = async () => {
    const arrival = await receive()
    const { length } = arrival.headers['webhook-signature']?.split(' ') ?? []
    return [length, ...secrets.map((secret) => isGenuine(secret, arrival))]
  }
  await rotate(second)
  salus.clock.advance(DAY_SECONDS / 2)
  await rotate(third)
  assert.deepEqual(await verifying(), [3, true, true, true])
  salus.clock.advance(DAY_SECONDS / 2)
  assert.deepEqual(await verifying(), [2, false, true, true])
  salus.clock.advance(DAY_SECONDS / 2)
  assert.deepEqual(await verifying(), [1, false, false, true])
})

test('a retry is signed anew, by the secret of its time', async (t) => {
  const [first, second] = [newSecret(), newSecret()]
  const sink = await openSink(t, (_arrival, response) =>
    response.writeHead(sink.arrivals.length === 1 ? 500 : 200).end(),
  )
  const environment = await makeEnvironment(t, salus)
  const endpoint = await environment.addEndpoint(sink.url, { secret: first })
  await environment.write()
  await waitFor(
    'the first outcome',
    // None yet is 0 attempts.
    async () => (await environment.deliveries(endpoint))[0]?.attempts || undefined,
  )
  await environment.manage('POST', `/webhook/${endpoint.id}/secret/rotate`, { key: second })
  salus.clock.advance(DAY_SECONDS)
  const [original, retry] = await waitFor(
    'the retry',
    () => sink.arrivals.length === 2 && sink.arrivals,
  )
  assert.ok(original && retry)
  assert.deepEqual([retry.id, retry.body], [original.id, original.body])
  assert.ok(isGenuine(second, retry))
  assert.ok(!isGenuine(first, retry))
  assert.ok(!isGenuine(first, original), 'the first attempt is too old by now')
})
