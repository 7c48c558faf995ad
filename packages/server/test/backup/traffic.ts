import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR_MS } from '@salus/contracts/time-units'
import { unpackBody } from '@salus/kernel/events/event-body'
import type { RestoreTarget } from '@salus/ops/backup'
import { type BackupManifest, restoreBackup } from '@salus/ops/backup'
import { dispatchEvents } from '../../src/webhooks/delivery/delivery.global.repository.ts'
import type { Harness } from '../harness.ts'
import { orderBody, startingLabTests } from '../orders/order-bodies.ts'
import { allowMoves, moveEvents } from '../webhooks/moved-events.ts'
import { type BackupFixture, silent } from './backup-fixture.ts'

const EPOCH = Date.parse('2026-01-01T00:00:00Z')

export interface Traffic {
  /** Number of an upload, or id of an order, and when it was acknowledged. */
  uploads: Map<number, number>
  orders: Map<string, number>
  stop(): Promise<void>
}

const SAMPLES = 20

/**
 * Two clients that upload and one that orders, one request after the other, and a job that moves
 * their events to ClickHouse, until they have to stop.
 */
export async function startTraffic(harness: Harness): Promise<Traffic> {
  const userId = await harness.makeUser('manual')
  const { walk_in_test: labTest } = await startingLabTests(harness)
  const uploads = new Map<number, number>()
  const orders = new Map<string, number>()
  let [isStopped, next] = [false, 0]
  const upload = async (): Promise<void> => {
    while (!isStopped) {
      const first = next
      next += SAMPLES
      const data = Array.from({ length: SAMPLES }, (_, index) => ({
        ...{ value: first + index + 1, unit: 'count' },
        start_date: new Date(EPOCH + (first + index) * 1000).toISOString(),
      }))
      const body = { stage: 'daily', provider: 'manual', data }
      const answer = await harness.call('POST', `/v2/timeseries/${userId}/steps`, body)
      assert.equal(answer.status, 200, answer.text)
      uploads.set(first, Date.now())
    }
  }
  const order = async (): Promise<void> => {
    while (!isStopped) {
      const answer = await harness.call('POST', '/v3/order', orderBody(userId, labTest))
      assert.equal(answer.status, 200, answer.text)
      orders.set(answer.body.order.id, Date.now())
    }
  }
  await allowMoves(harness)
  let moved = 0
  const move = async (): Promise<void> => {
    while (!isStopped) {
      await dispatchEvents(harness.database.db, harness.clock.now(), 1_000)
      const later = new Date(harness.clock.now().getTime() + 2 * HOUR_MS)
      moved += await moveEvents(harness, later)
      await sleep(20)
    }
  }
  const running = Promise.all([upload(), upload(), order(), move()])
  const stop = async () => {
    isStopped = true
    await running
  }
  while (uploads.size < 10 || orders.size < 2 || moved < 10) await sleep(5)
  return { uploads, orders, stop }
}

/** Values of samples in events, and in pending publications. */
async function listValuesOfEvents({ pool, clickhouse }: RestoreTarget): Promise<Set<number>> {
  const sent = new Set<number>()
  const { rows: states } = await pool.query('select moves from event_history_state')
  const moved = await clickhouse.queryRows<{ body: string }>(
    `select body from event_history
    where event_type like 'daily.data.steps.%' and move <= {moves:UInt64}`,
    { moves: states[0].moves },
  )
  assert.ok(moved.length > 0)
  for (const { body } of moved) {
    for (const { value } of JSON.parse(body).data.data) sent.add(value)
  }
  const { rows: events } = await pool.query(
    "select body from events where event_type like 'daily.data.steps.%'",
  )
  for (const { body } of events) {
    const { data } = JSON.parse(unpackBody(body).toString())
    for (const { value } of data.data) sent.add(value)
  }
  const { rows: pending } = await pool.query(
    "select range_start, range_end from pending_publications where resource = 'steps'",
  )
  for (const { range_start, range_end } of pending) {
    for (let at = range_start.getTime(); at <= range_end.getTime(); at += 1000) {
      sent.add((at - EPOCH) / 1000 + 1)
    }
  }
  return sent
}

/**
 * Takes so many backups while clients upload and order, and goes on for a moment after the last.
 */
export async function takeUnderLoad({ harness, take }: BackupFixture, count: number) {
  const traffic = await startTraffic(harness)
  const manifests: BackupManifest[] = []
  for (let n = 0; n < count; n += 1) manifests.push((await take()).manifest)
  const after = Date.now()
  const isLater = (times: Iterable<number>): boolean => Math.max(...times) > after
  while (!isLater(traffic.uploads.values()) || !isLater(traffic.orders.values())) await sleep(5)
  await traffic.stop()
  return { traffic, manifests }
}

/**
 * Restores a backup and asserts that it is of its instant: nothing less, no order more, and no data
 * missing.
 */
export async function assertOfItsInstant(
  { makeEmptyStores, archiveOf }: BackupFixture,
  manifest: BackupManifest,
  { uploads, orders }: Traffic,
): Promise<void> {
  const stores = await makeEmptyStores()
  await restoreBackup(stores, archiveOf(manifest), silent)
  const instant = Date.parse(manifest.taken_at)
  const rows = await stores.clickhouse.queryRows<{ value: number }>(
    'select value from samples final',
  )
  const stored = new Set(rows.map(({ value }) => value))
  const before = [...uploads].filter(([, at]) => at < instant)
  assert.ok(before.length > 0 && before.length < uploads.size)
  for (const [first] of before) {
    for (let n = 1; n <= SAMPLES; n += 1) {
      assert.ok(stored.has(first + n), `sample ${first + n} is lost`)
    }
  }
  const sent = await listValuesOfEvents(stores)
  const missing = [...stored].filter((value) => !sent.has(value))
  assert.deepEqual(missing, [])
  const found = await stores.pool.query('select id from orders')
  const ids = new Set(found.rows.map(({ id }) => id))
  for (const [id, at] of orders) if (at < instant) assert.ok(ids.has(id), 'an order is lost')
  assert.ok(ids.size < orders.size, 'what came after the instant is not in')
}
