import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, beforeEach, describe, test } from 'node:test'
import { DAY_SECONDS, HOUR_MS } from '@salus/contracts/time-units'
import { createPullingFixture, PROVIDER } from '../../../../server/test/pulling/pulling-fixture.ts'
import { storedEvents } from '../../../../server/test/stored-events.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { sandboxAppOf } from '../../connectors/index.ts'
import { putPullPreferences } from '../index.ts'
import type { PullingContext } from '../pulling-context.ts'
import { applyMessage } from './apply-message.service.ts'
import { renewSubscriptions, subscribeToMessages } from './push-subscriptions.service.ts'

const PATH = `/v2/provider/${PROVIDER}/push`

const pulling = useFixture(() => createPullingFixture({ baseUrl: 'https://salus.example.com' }))
let context: PullingContext
before(async () => {
  context = pulling.harness.dependencies
  await putPullPreferences(pulling.scope, { provider: PROVIDER, days: 2, resourceOverrides: {} })
  await subscribeToMessages(context, pulling.scope, PROVIDER)
})
beforeEach(() => {
  pulling.vendor.asked = []
})

const now = () => pulling.harness.clock.now().getTime()

/** Sends a message like the vendor. */
function push(notices: object[], signature?: string, id: string = randomUUID()) {
  const body = JSON.stringify({ notices, id })
  const headers = {
    'x-service-api-key': '',
    'content-type': 'application/json',
    'x-signature': signature ?? pulling.vendor.sign(body),
  }
  return pulling.harness.call('POST', PATH, body, headers)
}

async function applyAll(isReversed = false) {
  const { rows } = await pulling.harness.database.pool.query(
    'select id from vendor_messages order by received_at',
  )
  for (const { id } of isReversed ? rows.reverse() : rows) {
    await Promise.all([applyMessage(context, id), applyMessage(context, id)])
  }
  await pulling.puller.poll()
  return rows.length
}

async function connect() {
  const accountId = `pushed-${Math.random()}`
  const userId = await pulling.connect({ accountId })
  await pulling.puller.poll()
  pulling.vendor.asked = []
  pulling.harness.clock.advance(60)
  return { userId, accountId }
}

describe('a message of a vendor', () => {
  test('is stored with a job before it is acknowledged, and has what is new pulled at once', async () => {
    const { userId, accountId } = await connect()
    const { status, body } = await push([{ accountId, collection: 'heart', range: null }])
    assert.deepEqual([status, body], [200, { success: true }])
    const jobs = await pulling.harness.database.pool.query(
      `select from graphile_worker._private_jobs job
      join graphile_worker._private_tasks task on task.id = job.task_id
      where identifier = 'apply_vendor_message'`,
    )
    assert.equal(jobs.rowCount, 1)
    assert.equal(pulling.vendor.asked.length, 0)
    assert.equal(await applyAll(), 1)
    assert.deepEqual(
      pulling.vendor.asked.map(({ collection, range }) => [collection, range.to]),
      [['heart', now()]],
    )
    const { rowCount } = await pulling.harness.database.pool.query('select from vendor_messages')
    assert.equal(rowCount, 0)
    const [last] = (await storedEvents(pulling.harness, userId)).slice(-1)
    assert.match(last?.event_type ?? '', /^daily\.data\.heartrate/)
  })

  test('has a range of the past pulled again; twice and out of order it changes nothing', async () => {
    const { userId, accountId } = await connect()
    const before = await pulling.countSamples(userId, 'heartrate')
    const notice = (hours: number) => ({
      accountId,
      collection: 'heart',
      range: { from: now() - (hours + 1) * HOUR_MS, to: now() - hours * HOUR_MS },
    })
    for (const hours of [20, 30, 20]) await push([notice(hours)])
    await applyAll(true)
    const past = pulling.vendor.asked.filter(({ range }) => range.to < now())
    // A range that was pulled before its second message came is pulled once more.
    const hours = new Set(past.map(({ range }) => Math.round((now() - range.to) / HOUR_MS)))
    assert.deepEqual([...hours].sort(), [20, 30])
    const after = await pulling.countSamples(userId, 'heartrate')
    assert.deepEqual(after, { rows: before.rows + 1, instants: before.instants + 1 })
    const { heart } = await pulling.tasksOf(userId)
    assert.deepEqual(
      heart?.coverage.map(({ state }) => state),
      ['held'],
    )
  })

  test('that is not signed by it is refused and not stored', async () => {
    const { accountId } = await connect()
    const notice = { accountId, collection: 'heart', range: null }
    for (const signature of ['', 'x'.repeat(64), pulling.vendor.sign('something else')]) {
      const { status, body } = await push([notice], signature)
      assert.deepEqual([status, body.detail.error_type], [401, 'invalid_signature'])
    }
    assert.equal(await applyAll(), 0)
    assert.equal((await pulling.harness.call('POST', '/v2/provider/fitbit/push', {})).status, 404)
    assert.equal((await pulling.harness.call('POST', '/v2/provider/unknown/push', {})).status, 422)
  })

  test('that comes again is taken, and stored once', async () => {
    const { accountId } = await connect()
    const notice = { accountId, collection: 'heart', range: null }
    const send = () => push([notice], undefined, 'one')
    const answers = await Promise.all([send(), send(), send()])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    )
    assert.equal(await applyAll(), 1)
    assert.equal((await send()).status, 200)
    assert.equal(await applyAll(), 0)
  })

  test('without a connected user, or without content, is accepted and not stored', async () => {
    assert.equal((await push([{ accountId: 'x', collection: 'heart', range: null }])).status, 200)
    const body = '{"another": 1}'
    const headers = { 'content-type': 'text/plain', 'x-signature': pulling.vendor.sign(body) }
    assert.equal((await pulling.harness.call('POST', PATH, body, headers)).status, 200)
    assert.equal(await applyAll(), 0)
    assert.equal(pulling.vendor.asked.length, 0)
  })

  test('that the person ended the access ends the connection', async () => {
    const { userId, accountId } = await connect()
    await push([{ accountId, collection: null, range: null }])
    await push([{ accountId, collection: 'heart', range: null }])
    await applyAll()
    const { body } = await pulling.harness.call('GET', `/v2/user/providers/${userId}`)
    assert.equal(body.providers[0].status, 'error')
    assert.equal(body.providers[0].error_details.error_type, 'deregistered_per_provider')
    assert.equal(pulling.vendor.asked.length, 0)
  })
})

test('a vendor asks whether this address is ours', async () => {
  const challenge = (query: string) => pulling.harness.call('GET', `${PATH}?${query}`)
  const { status, text } = await challenge(
    `challenge=%7B%22challenge%22%3A1%7D&token=${sandboxAppOf(pulling.harness.secrets).clientSecret}`,
  )
  assert.deepEqual([status, text], [200, '{"challenge":1}'])
  assert.equal((await challenge('challenge=1&token=guessed')).status, 404)
  assert.equal((await challenge('challenge=1&token=sandbox')).status, 404)
})

test('messages are subscribed to once for an app, and again when that may have ended', async () => {
  const url = `https://salus.example.com${PATH}`
  assert.deepEqual(pulling.vendor.subscriptions, [url])
  await subscribeToMessages(context, pulling.scope, PROVIDER)
  await renewSubscriptions(context)
  assert.equal(pulling.vendor.subscriptions.length, 1)
  pulling.harness.clock.advance(2 * DAY_SECONDS)
  await renewSubscriptions(context)
  assert.deepEqual(pulling.vendor.subscriptions, [url, url])
})
