import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createHarness, type Harness } from '../../../../test/harness.ts'
import { storedEvents } from '../../../../test/stored-events.ts'
import { buildApp } from '../../../app.ts'
import { createSampleWriter, sweepLeftBehind } from '../index.ts'

let salus: Harness
before(async () => {
  salus = await createHarness()
})
after(() => salus.close())

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

const countNotes = async (): Promise<number> => {
  const { rows } = await salus.database.pool.query('select count(*) from unannounced_samples')
  return rows[0].count
}

/** Lets everything be stored but events, as if the process ended between the two stores. */
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

test('an upload that fails between the stores leaves a note, and its repetition the event', async () => {
  const userId = await salus.makeUser('manual')
  await withoutEvents(async () => {
    const { statusCode } = await upload(userId, [item(0, 10), item(1, 11)])
    assert.equal(statusCode, 500)
  })
  assert.equal(await countNotes(), 1)
  assert.deepEqual(await storedEvents(salus, userId, DATA), [])
  const again = await upload(userId, [item(0, 10), item(1, 11)])
  assert.deepEqual([again.statusCode, again.json().unchanged], [200, 2])
  assert.deepEqual(valuesOf(await storedEvents(salus, userId, DATA)), [[10, 11]])
  assert.equal(await countNotes(), 0)
})

test('also without its repetition, when notes are looked through', async () => {
  const userId = await salus.makeUser('manual')
  // Stored and announced long ago, within the time of the note.
  await upload(userId, [item(5, 50)])
  await withoutEvents(async () => {
    await upload(userId, [item(0, 10), item(9, 90)])
  })
  const context = { ...salus.dependencies }
  await sweepLeftBehind(context, 0)
  assert.equal(await countNotes(), 0)
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
  await sweepLeftBehind(salus.dependencies, 0)
  const values = valuesOf(await storedEvents(salus, userId, DATA))
  assert.deepEqual(values.toSorted(), [[10], [20]])
  assert.equal(await countNotes(), 0)
})

test('what was never stored is not announced', async () => {
  const userId = await salus.makeUser('manual')
  const { dependencies } = salus
  const { clickhouse, db, clock } = dependencies
  const broken = new Proxy(clickhouse, {
    get(target, name) {
      if (name === 'insert') return () => Promise.reject(new Error('disk full'))
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const writer = createSampleWriter({ db, clock, clickhouse: broken, joinMilliseconds: 1 })
  const app = await buildApp({ ...dependencies, clickhouse: broken, writer })
  assert.equal((await upload(userId, [item(0, 10)], app)).statusCode, 500)
  assert.equal(await countNotes(), 1)
  await sweepLeftBehind(dependencies, 0)
  assert.equal(await countNotes(), 0)
  assert.deepEqual(await storedEvents(salus, userId, DATA), [])
  await app.close()
})

test('a note of a person who was erased meanwhile goes without a word', async () => {
  const userId = await salus.makeUser('manual')
  await withoutEvents(async () => {
    await upload(userId, [item(0, 10)])
  })
  await salus.call('DELETE', `/v2/user/${userId}`)
  await sweepLeftBehind(salus.dependencies, 0)
  assert.equal(await countNotes(), 0)
  assert.deepEqual(await storedEvents(salus, userId, DATA), [])
})

test('notes that may still be in work elsewhere are left alone', async () => {
  const userId = await salus.makeUser('manual')
  await withoutEvents(async () => {
    await upload(userId, [item(0, 10)])
  })
  await sweepLeftBehind(salus.dependencies, 30_000)
  assert.equal(await countNotes(), 1)
  salus.clock.advance(31)
  await sweepLeftBehind(salus.dependencies, 30_000)
  assert.equal(await countNotes(), 0)
  assert.equal((await storedEvents(salus, userId, DATA)).length, 1)
})
