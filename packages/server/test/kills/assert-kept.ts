import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { unpackBody } from '@salus/kernel/events/event-body'
import type pg from 'pg'
import type { Installation } from './installation.ts'
import type { Orderer } from './orders.ts'
import { toPair, type Uploader } from './uploads.ts'

/** A message as the sink has it. */
interface Arrival {
  id: string
  body: string
}

/** Reads the journal of the sink; the last line before a kill may be half of one. */
export function readArrivals(journal: string): Arrival[] {
  const lines = readFileSync(journal, 'utf8').split('\n')
  return lines.flatMap((line) => (line.endsWith('"}') ? [JSON.parse(line) as Arrival] : []))
}

/** Asserts that each sample is there once, on the shard of its person. */
export async function assertSamples(
  { openReader }: Installation,
  uploaders: readonly Uploader[],
): Promise<Map<string, number>> {
  const reader = await openReader()
  const shardOf = new Map<string, number>()
  try {
    for (const [shard, server] of (reader.cluster?.servers ?? []).entries()) {
      const rows = await server.queryRows<{ user_id: string; n: number }>(
        'select toString(user_id) as user_id, count() as n from samples final group by user_id',
      )
      for (const { user_id: userId, n } of rows) {
        assert.ok(!shardOf.has(userId), `${userId} is on two shards`)
        shardOf.set(userId, shard)
        const uploader = uploaders.find((each) => each.userId === userId)
        assert.equal(await uploader?.check(), n)
      }
    }
  } finally {
    await reader.close()
  }
  assert.equal(shardOf.size, uploaders.length)
  return shardOf
}

/** Asserts that each event arrived, always the same, and those of a person in their order. */
export async function assertEvents(
  { pool }: Installation,
  arrivals: readonly Arrival[],
): Promise<void> {
  const { rows: events } = await pool.query<{ id: string; about: string | null; body: Buffer }>(
    // Orders of a person are changed by transactions at the same time, those of one are not.
    `select id, coalesce(subject_ids[1], user_id) as about, body from events order by sequence`,
  )
  const first = new Map<string, { at: number; body: string }>()
  for (const [at, { id, body }] of arrivals.entries()) {
    const known = first.get(id)
    if (known === undefined) first.set(id, { at, body })
    else assert.equal(body, known.body, `${id} came with another body`)
  }
  for (const { id, body } of events) {
    assert.equal(first.get(id)?.body, unpackBody(body).toString('utf8'), `${id} came`)
  }
  assert.equal(first.size, events.length, 'nothing else came')
  // A message that failed is repeated later, and may come after newer ones.
  const { rows: failed } = await pool.query<{ event_id: string }>(
    'select distinct event_id from webhook_attempts where response_status is distinct from 200',
  )
  const isFailed = new Set(failed.map(({ event_id: id }) => id))
  const inOrder = events.filter(({ id }) => !isFailed.has(id))
  for (const [about, ofOne] of Map.groupBy(inOrder, (event) => event.about)) {
    if (about === null) continue
    const positions = ofOne.map(({ id }) => first.get(id)?.at ?? Number.NaN)
    const sorted = positions.toSorted((one, other) => one - other)
    assert.deepEqual(positions, sorted, `events of ${about} came out of order`)
  }
}

/** Asserts that each acknowledged sample is in an event of its person. */
export function assertReported(uploaders: readonly Uploader[], arrivals: readonly Arrival[]): void {
  const reported = new Map<string, Set<string>>()
  for (const { body } of arrivals) {
    const { event_type: type, user_id: userId, data } = JSON.parse(body)
    if (!/^daily\.data\.steps\./.test(type)) continue
    const known = reported.get(userId) ?? new Set<string>()
    for (const sample of data.data) known.add(toPair(sample).join(' '))
    reported.set(userId, known)
  }
  for (const { userId, acknowledged } of uploaders) {
    for (const values of acknowledged) {
      for (const [second, value] of values) {
        const isThere = reported.get(userId)?.has(`${second} ${value}`)
        assert.ok(isThere, `no event has sample ${second} of ${userId} with ${value}`)
      }
    }
  }
}

const query = async (pool: pg.Pool, text: string) => (await pool.query(text)).rows

/** Asserts that each order is there once, was sent once, and has one result. */
export async function assertOrders(
  { pool }: Installation,
  orderers: readonly Orderer[],
  laboratory: { taken: ReadonlyMap<string, unknown>; accepted: ReadonlySet<string> },
): Promise<void> {
  const placed = orderers.flatMap((each) => [...each.placed.values()]).toSorted()
  const orders = await query(
    pool,
    `select orders.id, last_status, count(distinct results.version)::int as results,
      array(select status from order_events where order_id = orders.id) as statuses
    from orders left join results on results.order_id = orders.id
    group by orders.id, last_status order by orders.id`,
  )
  assert.deepEqual(
    orders.map(({ id }) => id),
    placed,
  )
  for (const { id, last_status: status, results, statuses } of orders) {
    assert.equal(status, 'completed', id)
    assert.equal(results, 1, id)
    assert.equal(new Set(statuses).size, statuses.length, `${id} ${statuses}`)
  }
  const received = await query(pool, 'select control_id from lab_messages order by 1')
  assert.deepEqual(
    received.map(({ control_id: id }) => id).toSorted(),
    [...laboratory.accepted].toSorted(),
  )
  assert.equal(laboratory.taken.size, placed.length)
}
