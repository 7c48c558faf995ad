import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildApp } from '../../../../server/src/app.ts'
import { createHarness } from '../../../../server/test/harness.ts'
import { createTestIngest } from '../../../../server/test/ingest-fixture.ts'
import { storedEvents } from '../../../../server/test/stored-events.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const salus = useFixture(createHarness)

const DATA = /^daily\.data\./
const item = (minute: number, value: number) => ({
  value,
  unit: 'count',
  start_date: `2026-02-10T08:${String(minute).padStart(2, '0')}:00Z`,
})

const upload = (userId: string, data: object[], app = salus.app, provider = 'manual') =>
  app.inject({
    method: 'POST',
    url: `/v2/timeseries/${userId}/steps`,
    headers: { 'x-service-api-key': salus.apiKey },
    payload: { stage: 'daily', provider, data },
  })

const countPending = async (): Promise<number> => {
  const { rows } = await salus.database.pool.query('select count(*) from pending_publications')
  return rows[0].count
}

/** Stores everything but events, as if the process ended between the two stores. */
async function withoutEvents(work: () => Promise<void>): Promise<void> {
  const { pool } = salus.database
  await pool.query(`create or replace function refuse() returns trigger language plpgsql
    as $$ begin raise exception 'no events today'; end $$`)
  await pool.query('create trigger refuse before insert on events execute function refuse()')
  await work()
  await pool.query('drop trigger refuse on events')
}

const valuesOf = (events: Awaited<ReturnType<typeof storedEvents>>): number[][] =>
  events.map(({ payload }) => payload.data.data.map(({ value }: { value: number }) => value))

test('an upload that fails between the stores leaves what is pending, and its repetition the event', async () => {
  salus.errors.expect('request failed')
  // Only where two uploads below need two inserts: the second finds what the first left.
  salus.errors.allow('data that are stored could not be published')
  const userId = await salus.makeUser('manual')
  await withoutEvents(async () => {
    const { statusCode } = await upload(userId, [item(0, 10), item(1, 11)])
    assert.equal(statusCode, 500)
  })
  assert.equal(await countPending(), 1)
  assert.deepEqual(await storedEvents(salus, userId, DATA), [])
  const again = await upload(userId, [item(0, 10), item(1, 11)])
  assert.deepEqual([again.statusCode, again.json().unchanged], [200, 2])
  assert.deepEqual(valuesOf(await storedEvents(salus, userId, DATA)), [[10, 11]])
  assert.equal(await countPending(), 0)
})

test('also without its repetition, when it is recovered', async () => {
  const userId = await salus.makeUser('manual')
  // Stored and published long ago, within the time of what is pending.
  await upload(userId, [item(5, 50)])
  await withoutEvents(async () => {
    await upload(userId, [item(0, 10), item(9, 90)])
  })
  await salus.ingest.recover({ olderThanMs: 0 })
  assert.equal(await countPending(), 0)
  assert.deepEqual(valuesOf(await storedEvents(salus, userId, DATA)), [[50], [10, 90]])
})

test('also where one insert held samples of two providers of a person', async () => {
  const userId = await salus.makeUser('manual', 'health_connect')
  await withoutEvents(async () => {
    await Promise.all([
      upload(userId, [item(0, 10)]),
      upload(userId, [item(1, 20)], salus.app, 'health_connect'),
    ])
  })
  await salus.ingest.recover({ olderThanMs: 0 })
  const values = valuesOf(await storedEvents(salus, userId, DATA))
  assert.deepEqual(values.toSorted(), [[10], [20]])
  assert.equal(await countPending(), 0)
})

test('what was never stored is not published', async () => {
  const userId = await salus.makeUser('manual')
  const { dependencies } = salus
  const { clickhouse } = dependencies
  const broken = new Proxy(clickhouse, {
    get(target, name) {
      if (name === 'insert') return () => Promise.reject(new Error('disk full'))
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const stores = { ...dependencies, clickhouse: broken }
  const app = await buildApp({ ...stores, ingest: createTestIngest(stores) })
  assert.equal((await upload(userId, [item(0, 10)], app)).statusCode, 500)
  assert.equal(await countPending(), 1)
  await salus.ingest.recover({ olderThanMs: 0 })
  assert.equal(await countPending(), 0)
  assert.deepEqual(await storedEvents(salus, userId, DATA), [])
  await app.close()
})

test('what is pending of a person who was erased meanwhile goes without a word', async () => {
  const userId = await salus.makeUser('manual')
  await withoutEvents(async () => {
    await upload(userId, [item(0, 10)])
  })
  await salus.call('DELETE', `/v2/user/${userId}`)
  await salus.ingest.recover({ olderThanMs: 0 })
  assert.equal(await countPending(), 0)
  assert.deepEqual(await storedEvents(salus, userId, DATA), [])
})

test('what may still be in work elsewhere is left alone', async () => {
  const userId = await salus.makeUser('manual')
  await withoutEvents(async () => {
    await upload(userId, [item(0, 10)])
  })
  await salus.ingest.recover()
  assert.equal(await countPending(), 1)
  salus.clock.advance(31)
  await salus.ingest.recover()
  assert.equal(await countPending(), 0)
  assert.equal((await storedEvents(salus, userId, DATA)).length, 1)
})
