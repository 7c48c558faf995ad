import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import {
  type MessageLog,
  messageConnector,
} from '../../../../server/test/pulling/message-vendor.ts'
import { createPullingFixture, PROVIDER } from '../../../../server/test/pulling/pulling-fixture.ts'
import { storedEvents } from '../../../../server/test/stored-events.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { putPullPreferences } from '../index.ts'
import type { PullingContext } from '../pulling-context.ts'
import { applyMessage } from './apply-message.service.ts'
import { subscribeToMessages, subscribeUser } from './push-subscriptions.service.ts'

/** Messages that carry data or name records, of a vendor that does not sign them. */

const log: MessageLog = { deleted: new Set(), userSubscriptions: [], subscribedWith: [] }
const pulling = useFixture(() =>
  createPullingFixture({ baseUrl: 'https://salus.example.com' }, messageConnector(log)),
)
let context: PullingContext
/** The address that only the vendor knows. */
let path: string
before(async () => {
  context = pulling.harness.dependencies
  await putPullPreferences(pulling.scope, { provider: PROVIDER, days: 4, resourceOverrides: {} })
  await subscribeToMessages(context, pulling.scope, PROVIDER)
  path = new URL(pulling.vendor.subscriptions[0] ?? '').pathname
})
beforeEach(() => {
  log.deleted.clear()
  pulling.vendor.asked = []
})

const now = () => pulling.harness.clock.now().getTime()
const call = (method: 'GET' | 'HEAD' | 'POST', at: string, body = '', headers = {}) =>
  pulling.harness.call(method, at, body, {
    'x-service-api-key': '',
    'content-type': 'application/x-www-form-urlencoded',
    ...headers,
  })
const push = (notices: unknown, at = path) =>
  call('POST', at, new URLSearchParams({ json: JSON.stringify(notices) }).toString())

async function applyAll() {
  const { rows } = await pulling.harness.database.pool.query(
    'select id from vendor_messages order by received_at',
  )
  for (const { id } of rows) await applyMessage(context, id)
  await pulling.puller.poll()
  return rows.length
}

async function connect() {
  const accountId = `pushed-${Math.random()}`
  const userId = await pulling.connect({ accountId })
  await pulling.puller.poll()
  pulling.vendor.asked = []
  return { userId, accountId }
}

async function bodyDays(userId: string): Promise<number[]> {
  const rows = await pulling.harness.clickhouse.queryRows<{ at: number }>(
    `select toUnixTimestamp64Milli(started_at) as at from body_summaries final
    where user_id = {userId:UUID} order by at`,
    { userId },
  )
  return rows.map(({ at }) => Number(at))
}

const historyEvents = async (userId: string) =>
  (await storedEvents(pulling.harness, userId))
    .map(({ event_type }) => event_type)
    .filter((type) => type.startsWith('historical.data.heartrate'))

test('the address has a part that only the vendor knows, and no other is answered', async () => {
  assert.match(path, /^\/v2\/provider\/oura\/push\/[\w-]{43}$/)
  const { accountId } = await connect()
  const notices = [{ accountId, collection: 'bodies', range: null }]
  for (const wrong of ['/v2/provider/oura/push', `${path}x`, path.replace(/.{3}$/, 'AAA')]) {
    const { status, body } = await push(notices, wrong)
    assert.deepEqual([status, body.detail.error_type], [401, 'invalid_signature'])
    assert.equal((await call('GET', `${wrong}?verify=1`)).status, 404)
  }
  assert.equal(await applyAll(), 0)
  const { status, text } = await push(notices)
  assert.deepEqual([status, text], [204, ''])
  assert.equal(await applyAll(), 1)
})

test('handshakes by GET, HEAD and POST are answered as the vendor wants', async () => {
  const answerTo = async (...request: Parameters<typeof call>) => {
    const { status, text } = await call(...request)
    return [status, text]
  }
  assert.deepEqual(await answerTo('HEAD', path), [200, ''])
  assert.deepEqual(await answerTo('POST', path, '{}', { 'x-event': 'PING' }), [200, 'pong'])
  assert.deepEqual(await answerTo('POST', path), [200, ''])
  assert.deepEqual(await answerTo('GET', `${path}?verify=1&token=guess`), [401, 'no'])
  // The subscription returned this secret, which is stored sealed.
  const secret = encodeURIComponent('of the subscription')
  assert.deepEqual(await answerTo('GET', `${path}?verify=1&token=${secret}`), [204, ''])
  const { rows } = await pulling.harness.database.pool.query(
    "select sealed from credentials where name = 'push:oura'",
  )
  assert.ok(!rows[0].sealed.toString('latin1').includes('subscription'))
})

test('a subscription sees what an earlier one returned, and users have their own', async () => {
  pulling.harness.clock.advance(2 * 86_400)
  await subscribeToMessages(context, pulling.scope, PROVIDER)
  assert.deepEqual(log.subscribedWith, [{}, { token: 'of the subscription' }])
  const { userId } = await connect()
  await subscribeUser(context, pulling.scope, { userId, provider: PROVIDER })
  assert.deepEqual(log.userSubscriptions, [`true https://salus.example.com${path}`])
})

test('records of the past arrive in messages, and the history is complete when none follows', async () => {
  const { userId, accountId } = await connect()
  const windows = pulling.vendor.counts.get('backfill') ?? 0
  assert.ok(windows >= 2, 'each window is requested')
  assert.equal((await pulling.historyOf(userId)).pulled.heartrate.status, 'in_progress')
  const page = { data: [[now() - DAY_MS, 61]], next: null }
  await push([{ accountId, collection: 'pushed', range: null, page }])
  await applyAll()
  assert.deepEqual(await pulling.countSamples(userId, 'heartrate'), { rows: 1, instants: 1 })
  const daily = async () =>
    (await storedEvents(pulling.harness, userId)).filter(
      ({ event_type }) => event_type === 'daily.data.heartrate.created',
    ).length
  assert.equal(await daily(), 0, 'history raises no daily events')
  await push([
    { accountId, collection: 'pushed', range: null, page: { data: [[now() + MINUTE_MS, 62]] } },
  ])
  await applyAll()
  assert.equal(await daily(), 1)
  assert.deepEqual(await historyEvents(userId), [])
  pulling.harness.clock.advance((7 * HOUR_MS) / 1000)
  await pulling.puller.poll()
  assert.deepEqual(await historyEvents(userId), ['historical.data.heartrate.created'])
  assert.equal(pulling.vendor.counts.get('backfill'), windows, 'nothing is requested twice')
})

test('a message that cannot be read is kept in quarantine', async () => {
  const { userId, accountId } = await connect()
  await push([{ accountId, collection: 'pushed', range: null, page: { what: 'ever' } }])
  await applyAll()
  const { body } = await pulling.harness.call('GET', `/v2/user/${userId}/put_aside`)
  assert.match(JSON.stringify(body), /what/)
})

test('a record that a message names is pulled by its id, and a deleted one is removed', async () => {
  const { userId, accountId } = await connect()
  const days = await bodyDays(userId)
  const [oldest = assert.fail()] = days
  assert.ok(days.length >= 3)
  const notice = (id: number, isDeleted: boolean) => ({
    ...{ accountId, collection: 'bodies', range: null },
    record: { id: String(id), isDeleted },
  })
  const earlier = oldest - 100 * DAY_MS
  await push([notice(earlier, false), notice(oldest, true)])
  await applyAll()
  assert.deepEqual(await bodyDays(userId), [earlier, ...days.slice(1)])
  assert.deepEqual(
    pulling.vendor.asked.map(({ range }) => range.from),
    [earlier],
  )
  // Deleted at the vendor before it is pulled.
  log.deleted.add(earlier)
  await push([notice(earlier, false)])
  await applyAll()
  assert.deepEqual(await bodyDays(userId), days.slice(1))
  const { bodies } = await pulling.tasksOf(userId)
  assert.deepEqual(bodies?.records, [])
})

test('what an answer for a range no longer has is removed', async () => {
  const { userId } = await connect()
  const days = await bodyDays(userId)
  const [gone = assert.fail()] = days.slice(-1)
  const samples = await pulling.countSamples(userId, 'body_weight')
  log.deleted.add(gone)
  pulling.harness.clock.advance((20 * MINUTE_MS) / 1000)
  await pulling.puller.poll()
  assert.deepEqual(await bodyDays(userId), days.slice(0, -1))
  assert.deepEqual(await pulling.countSamples(userId, 'body_weight'), {
    rows: samples.rows - 1,
    instants: samples.instants - 1,
  })
  log.deleted.clear()
  pulling.harness.clock.advance((20 * MINUTE_MS) / 1000)
  await pulling.puller.poll()
  assert.deepEqual(await bodyDays(userId), days)
})
