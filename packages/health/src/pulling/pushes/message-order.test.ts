import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import fc from 'fast-check'
import {
  type MessageLog,
  messageConnector,
} from '../../../../server/test/pulling/message-vendor.ts'
import { createPullingFixture, PROVIDER } from '../../../../server/test/pulling/pulling-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { putPullPreferences } from '../index.ts'
import type { PullingContext } from '../pulling-context.ts'
import { applyMessage } from './apply-message.service.ts'
import { subscribeToMessages } from './push-subscriptions.service.ts'

/** Whatever the order of history, polls and messages, the vendor's records are what is stored. */

const DAYS = 6

const log: MessageLog = { deleted: new Set(), userSubscriptions: [], subscribedWith: [] }
const pulling = useFixture(() =>
  createPullingFixture({ baseUrl: 'https://salus.example.com' }, messageConnector(log)),
)
let context: PullingContext
let path: string
before(async () => {
  context = pulling.harness.dependencies
  await putPullPreferences(pulling.scope, { provider: PROVIDER, days: DAYS, resourceOverrides: {} })
  await subscribeToMessages(context, pulling.scope, PROVIDER)
  path = new URL(pulling.vendor.subscriptions[0] ?? '').pathname
})

const today = () => Math.floor(pulling.harness.clock.now().getTime() / DAY_MS) * DAY_MS

/** Days before today. */
const day = fc.integer({ min: 0, max: DAYS })
const message = fc.oneof(
  fc.record({ kind: fc.constant('deleted' as const), day }),
  fc.record({ kind: fc.constant('record' as const), day }),
  fc.record({ kind: fc.constant('range' as const), day, length: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant('news' as const), day }),
)
type Message = typeof message extends fc.Arbitrary<infer M> ? M : never

function noticeOf(accountId: string, { kind, ...about }: Message) {
  const at = today() - about.day * DAY_MS
  const base = { accountId, collection: 'bodies', range: null }
  if (kind === 'news') return base
  if (kind === 'range') {
    const { length } = about as { length: number }
    return { ...base, range: { from: at, to: at + length * DAY_MS } }
  }
  return { ...base, record: { id: String(at), isDeleted: kind === 'deleted' } }
}

async function send(accountId: string, one: Message, id: number): Promise<void> {
  const form = new URLSearchParams({
    json: JSON.stringify([noticeOf(accountId, one)]),
    id: `${id}`,
  })
  const headers = {
    'x-service-api-key': '',
    'content-type': 'application/x-www-form-urlencoded',
  }
  const { status, text } = await pulling.harness.call('POST', path, form.toString(), headers)
  assert.equal(status, 204, text)
}

async function applyAll(): Promise<void> {
  const { rows } = await pulling.harness.database.pool.query('select id from vendor_messages')
  await Promise.all([
    pulling.puller.poll(),
    ...rows.flatMap(({ id }) => [applyMessage(context, id), applyMessage(context, id)]),
  ])
}

async function storedDays(userId: string, table: string, condition = ''): Promise<number[]> {
  const rows = await pulling.harness.clickhouse.queryRows<{ at: number }>(
    `select toUnixTimestamp64Milli(started_at) as at from ${table} final
    where user_id = {userId:UUID} ${condition} order by at`,
    { userId },
  )
  return rows.map(({ at }) => Number(at))
}

test('messages in any order, twice, between windows of history and polls, end in the same state', async () => {
  const plan = fc.record({
    messages: fc.array(message, { minLength: 1, maxLength: 8 }),
    order: fc.array(fc.nat(), { minLength: 16, maxLength: 16 }),
    /** Messages after which the work that is due is done. */
    pauses: fc.array(fc.boolean(), { minLength: 16, maxLength: 16 }),
    isPulledFirst: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(plan, async ({ messages, order, pauses, isPulledFirst }) => {
      log.deleted.clear()
      const accountId = `any-order-${Math.random()}`
      const userId = await pulling.connect({ accountId })
      if (isPulledFirst) await pulling.puller.poll()
      // What happened at the vendor is over before the messages come.
      for (const one of messages) {
        if (one.kind === 'deleted') log.deleted.add(today() - one.day * DAY_MS)
      }
      const all = [...messages, ...messages]
        .map((one, index) => ({ one, id: index % messages.length, rank: order[index] ?? 0 }))
        .sort((a, b) => a.rank - b.rank)
      for (const [index, { one, id }] of all.entries()) {
        await send(accountId, one, id)
        if (pauses[index]) await applyAll()
      }
      await applyAll()
      // A newer poll completes the overlap.
      pulling.harness.clock.advance(20 * 60)
      await applyAll()
      await applyAll()
      const first = today() - (DAYS + 2) * DAY_MS
      const stored = (await storedDays(userId, 'body_summaries')).filter((at) => at >= first)
      const gone = stored.filter((at) => log.deleted.has(at))
      assert.deepEqual(gone, [], 'no deleted record is left')
      const expected = [...Array(DAYS).keys()]
        .map((before) => today() - before * DAY_MS)
        .filter((at) => !log.deleted.has(at))
      for (const at of expected) assert.ok(stored.includes(at), new Date(at).toISOString())
      assert.equal(new Set(stored).size, stored.length, 'nothing is there twice')
      const { rows } = await pulling.harness.database.pool.query('select from vendor_messages')
      assert.equal(rows.length, 0)
    }),
    { seed: 26, numRuns: 8 },
  )
})
