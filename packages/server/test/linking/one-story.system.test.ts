import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import { changeSettings, storedEvents } from '../stored-events.ts'
import { openSink, type WebhookSink, waitFor } from '../webhooks/webhook-sink.ts'
import { createLinking, type Linking } from './linking-fixture.ts'
import {
  assertComplete,
  assertSameRecords,
  expectedRecords,
  isSeries,
  type Records,
  readRecords,
  sampleLine,
  summaryLine,
} from './oura-records.ts'

/**
 * From a sign-in to the events of a team, with equal counts at each step: what the vendor has, what
 * is stored, what is read, what events and webhooks contain.
 */

const DAYS = 35
const HISTORICAL = [
  ...['activity', 'blood_oxygen', 'body_temperature_delta', 'heartrate', 'hrv', 'respiratory_rate'],
  ...['sleep', 'sleep_cycle', 'stress_level', 'vo2_max', 'workouts'],
]

let linking: Linking
let sink: WebhookSink
const ends: (() => Promise<void>)[] = []

before(async () => {
  linking = await createLinking({ webhooksAllowHttp: true, webhooksAllowPrivate: true })
  await linking.wantDays(DAYS)
  // Teams that want it get events of the history sample by sample, too.
  await changeSettings(linking.harness, { push_historical_data: true })
  sink = await openSink({ after: (end) => void ends.push(end) })
  const path = `/team/${linking.harness.teamId}/sandbox/webhook`
  const made = await linking.harness.manage('POST', path, { url: sink.url })
  assert.equal(made.status, 200, made.text)
  linking.harness.startWebhooks({ pollMs: 20 })
})
after(async () => {
  await linking.close()
  for (const end of ends) await end()
})

interface SentEvent {
  event_type: string
  // biome-ignore lint/suspicious/noExplicitAny: payloads of every shape
  data: any
}

const historyStart = (): number => Math.floor(linking.now() / DAY_MS) * DAY_MS - DAYS * DAY_MS

/** The final records by the messages: created ones, with their updates. */
function recordsOf(reported: readonly SentEvent[]): Records {
  const known: Record<string, Map<string, string>> = {}
  for (const { event_type: type, data } of reported) {
    const [, resource = '', change] = /^daily\.data\.(\w+)\.(created|updated)$/.exec(type) ?? []
    if (resource === '' || resource === 'profile') continue
    known[resource] ??= new Map()
    const items = isSeries(resource) ? data.data : [data]
    for (const item of items) {
      const key = isSeries(resource) ? item.start : item.id
      const before = known[resource].get(key)
      assert.equal(before === undefined, change === 'created', `${type} of ${key}`)
      const line = isSeries(resource) ? sampleLine(resource, item) : summaryLine(resource, item)
      assert.notEqual(before, line)
      known[resource].set(key, line)
    }
  }
  return Object.fromEntries(
    Object.entries(known).map(([name, lines]) => [name, [...lines.values()]]),
  )
}

const typesOf = (reported: readonly SentEvent[], pattern: RegExp): string[] =>
  reported.map(({ event_type: type }) => type).filter((type) => pattern.test(type))

/** The messages about a user, each of whose events came once. */
async function waitForMessages(userId: string): Promise<SentEvent[]> {
  const events = await storedEvents(linking.harness, userId)
  const ofUser = () => sink.arrivals.filter(({ body }) => JSON.parse(body).user_id === userId)
  await waitFor(`${events.length} messages`, () => ofUser().length >= events.length, 30)
  assert.deepEqual(
    ofUser()
      .map(({ id }) => id)
      .toSorted(),
    events.map(({ id }) => id).toSorted(),
  )
  return ofUser().map(({ body }) => JSON.parse(body))
}

test('what the vendor has is what is stored, read, and sent, from the sign-in on', async (t) => {
  const from = historyStart()
  const { userId, end } = await linking.connect(
    { account: 'story+travel@example.com' },
    { redirect_url: 'https://app.example.com/back?kept=1' },
  )
  assert.deepEqual(Object.fromEntries(end.searchParams), {
    kept: '1',
    state: 'success',
    provider: 'oura',
  })
  const history = await linking.waitForHistory(userId)
  assert.deepEqual(Object.keys(history).sort(), HISTORICAL)
  for (const [resource, { status, range_start: start }] of Object.entries(history)) {
    assert.equal(status, 'success', resource)
    assert.equal(Date.parse(start), from, resource)
  }
  const counts = await assertComplete(linking, userId, 'story+travel@example.com', from)
  for (const resource of HISTORICAL) assert.ok((counts[resource] ?? 0) > 0, `${resource} has some`)
  t.diagnostic(JSON.stringify(counts))

  const reported = (await storedEvents(linking.harness, userId)).map(
    ({ payload }) => payload as SentEvent,
  )
  assert.equal(reported[0]?.event_type, 'provider.connection.created')
  assertSameRecords(recordsOf(reported), expectedRecords(linking, 'story+travel@example.com', from))
  const historical = typesOf(reported, /^historical/).toSorted()
  assert.deepEqual(
    historical,
    HISTORICAL.map((resource) => `historical.data.${resource}.created`),
  )
  for (const resource of HISTORICAL) {
    // The data of a history are sent before its own event.
    const types = reported.map(({ event_type: type }) => type)
    const done = types.indexOf(`historical.data.${resource}.created`)
    assert.ok(types.lastIndexOf(`daily.data.${resource}.created`) < done, resource)
  }
  const messages = await waitForMessages(userId)
  assertSameRecords(recordsOf(messages), await readRecords(linking, userId, from))
})

test('polls bring what is new and changed, once, and there are no other events', async () => {
  const account = 'polled@example.com'
  const from = historyStart()
  const { userId } = await linking.connect({ account })
  await linking.waitForHistory(userId)
  const before = (await storedEvents(linking.harness, userId)).length
  // A day and a half, in steps that are no multiple of anything.
  for (let step = 0; step < 18; step++) await linking.advance(131)
  await assertComplete(linking, userId, account, from)
  const events = await storedEvents(linking.harness, userId)
  const reported = events.map(({ payload }) => payload as SentEvent)
  assert.ok(events.length > before)
  assert.deepEqual(typesOf(reported.slice(before), /^(historical|provider)/), [])
  assertSameRecords(recordsOf(reported), expectedRecords(linking, account, from))
  const messages = await waitForMessages(userId)
  assertSameRecords(recordsOf(messages), await readRecords(linking, userId, from))
  const { body } = await linking.call('GET', `/v2/introspect/resources?user_id=${userId}`)
  const { heartrate } = body.data[0].provider.oura
  assert.equal(heartrate.last_attempt.status, 'success')

  // Unchanged data have no events.
  await linking.wantNews(userId)
  assert.equal((await storedEvents(linking.harness, userId)).length, events.length)
})
