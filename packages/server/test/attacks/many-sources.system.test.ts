import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createHarness } from '../harness.ts'
import { createTestIngest } from '../ingest-fixture.ts'
import { storedEvents } from '../stored-events.ts'
import { useFixture } from '../use-fixture.ts'

const salus = useFixture(createHarness)

/** More events than fit the parameters of a statement where each takes nine of them. */
const SOURCES = 7_500

const at = (second: number): string =>
  new Date(Date.UTC(2026, 1, 10, 8) + second * 1000).toISOString()

const stepsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    value: 10,
    unit: 'count',
    start_date: at(index),
    source_bundle: `com.example.app${index}`,
  }))

const workoutsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `workout-${index}`,
    start_date: at(index * 60),
    end_date: at(index * 60 + 59),
    sport: 'running',
    source_bundle: `com.example.app${index}`,
  }))

const upload = (userId: string, path: string, data: unknown, key = salus.apiKey) =>
  salus.call(
    'POST',
    `/v2/${path.replace(':user', userId)}`,
    { stage: 'daily', provider: 'manual', data },
    { 'x-service-api-key': key },
  )

const countPending = async (condition = 'true'): Promise<number> => {
  const { rows } = await salus.database.pool.query(
    `select count(*) from pending_publications where ${condition}`,
  )
  return rows[0].count
}

test('an upload of thousands of sources is stored, published and read back', async () => {
  const userId = await salus.makeUser('manual')
  const answer = await upload(userId, 'timeseries/:user/steps', stepsOf(SOURCES))
  assert.deepEqual([answer.status, answer.body.inserted], [200, SOURCES])
  const events = await storedEvents(salus, userId, /^daily\.data\.steps/)
  assert.equal(events.length, SOURCES)
  // In the order of their content.
  assert.deepEqual(
    events.map(({ payload }) => payload.data.source.app_id),
    stepsOf(SOURCES).map((item) => item.source_bundle),
  )
  const again = await upload(userId, 'timeseries/:user/steps', stepsOf(3))
  assert.deepEqual([again.status, again.body.unchanged], [200, 3])
  const period = 'start_date=2026-02-10&end_date=2026-02-11'
  const read = await salus.call('GET', `/v2/timeseries/${userId}/steps/grouped?${period}`)
  assert.equal(read.status, 200)
  assert.equal(await countPending(), 0)
})

test('so is one of thousands of workouts, each of its own source', async () => {
  const userId = await salus.makeUser('manual')
  const answer = await upload(userId, 'summary/workouts/:user', workoutsOf(SOURCES))
  assert.deepEqual([answer.status, answer.body.inserted], [200, SOURCES])
  const events = await storedEvents(salus, userId, /^daily\.data\.workouts/)
  assert.equal(events.length, SOURCES)
  assert.equal(await countPending(), 0)
})

test('so is one that names thousands of devices', async () => {
  const userId = await salus.makeUser('manual')
  const items = stepsOf(12_000).map((item, index) => ({ ...item, product_type: `Watch${index},1` }))
  const answer = await upload(userId, 'timeseries/:user/steps', items)
  assert.deepEqual([answer.status, answer.body.inserted], [200, 12_000])
  const { rows } = await salus.database.pool.query(
    'select count(*) from devices where user_id = $1',
    [userId],
  )
  assert.equal(rows[0].count, 12_000)
})

test('teams that upload at the same time are served', async () => {
  const other = await salus.makeTeam()
  const headers = { 'x-service-api-key': other.sandboxKey }
  const made = await salus.call('POST', '/v2/user', { client_user_id: 'quiet' }, headers)
  const quiet = made.body.user_id
  const link = { user_id: quiet }
  await salus.call('POST', '/v2/link/provider/manual/manual', link, headers)
  const loud = await salus.makeUser('manual')
  const [attack, ...others] = await Promise.all([
    upload(loud, 'timeseries/:user/steps', stepsOf(SOURCES)),
    ...stepsOf(20).map((item) => upload(quiet, 'timeseries/:user/steps', [item], other.sandboxKey)),
  ])
  assert.equal(attack?.status, 200)
  assert.deepEqual(
    others.map(({ status }) => status),
    others.map(() => 200),
  )
})

describe('what is stored and cannot be published', () => {
  /** Refuses the events of one person, whatever is tried. */
  async function refuseEventsOf(userId: string): Promise<() => Promise<unknown>> {
    const { pool } = salus.database
    await pool.query(`create or replace function refuse_person() returns trigger language plpgsql
      as $$ begin if new.user_id = '${userId}' then raise exception 'bad'; end if; return new; end $$`)
    await pool.query(
      'create trigger refuse_person before insert on events for each row execute function refuse_person()',
    )
    return () => pool.query('drop trigger refuse_person on events')
  }

  test('is quarantined, reported, holds up nothing else, and is published once it can be', async () => {
    salus.errors.expect('request failed')
    const bad = await salus.makeUser('manual')
    const good = await salus.makeUser('manual')
    const mend = await refuseEventsOf(bad)
    const first = await upload(bad, 'timeseries/:user/steps', stepsOf(1))
    assert.equal(first.status, 500)
    const lines: object[] = []
    const log = { error: (fields: object) => lines.push(fields) }
    const ingest = createTestIngest({ ...salus.dependencies, log: log as never })
    // What is young may pass by itself; later it has failed often enough.
    for (let sweep = 0; sweep < 3; sweep++) await ingest.recover({ olderThanMs: 0 })
    assert.equal(await countPending('quarantined_at is not null'), 0)
    salus.clock.advance(60)
    await ingest.recover({ olderThanMs: 0 })
    assert.equal(await countPending('quarantined_at is not null'), 1)
    assert.deepEqual(Object.keys(lines.at(-1) ?? {}).sort(), [
      'environment_id',
      'failure',
      'is_quarantined',
      'publication',
      'resource',
    ])
    const metrics = await salus.dependencies.registry.metrics()
    assert.match(metrics, /salus_quarantined_publications 1\n/)
    const other = await upload(good, 'timeseries/:user/steps', stepsOf(1))
    assert.equal(other.status, 200)
    await mend()
    // Also the same person is served while it waits.
    const second = await upload(bad, 'timeseries/:user/steps', [
      { value: 5, unit: 'count', start_date: at(7200) },
    ])
    assert.equal(second.status, 200)
    const before = await storedEvents(salus, bad, /^daily\.data\.steps/)
    await ingest.recover({ olderThanMs: 0 })
    assert.deepEqual((await storedEvents(salus, bad, /steps/)).length, before.length)
    salus.clock.advance(3_601)
    await ingest.recover({ olderThanMs: 0 })
    const events = await storedEvents(salus, bad, /^daily\.data\.steps/)
    assert.deepEqual(
      events.map(({ payload }) => payload.data.data[0].value).toSorted(),
      [10, 5].toSorted(),
    )
    assert.equal(await countPending(), 0)
  })
})
