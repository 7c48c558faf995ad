import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHarness } from '../harness.ts'
import { storeAs } from '../ingest-fixture.ts'
import { storedEvents } from '../stored-events.ts'
import { plainSummary } from '../summaries/plain-summary.ts'
import { makePublishedOwner } from '../summaries/published-owner.ts'
import { useFixture } from '../use-fixture.ts'

const salus = useFixture(createHarness)

/** Refuses events of one person, as a fault that only one caller's data have. */
async function refuseEventsOf(userId: string): Promise<() => Promise<unknown>> {
  const { pool } = salus.database
  await pool.query(`create or replace function refuse_person() returns trigger language plpgsql
    as $$ begin if new.user_id = '${userId}' then raise exception 'bad'; end if; return new; end $$`)
  await pool.query(
    'create trigger refuse_person before insert on events for each row execute function refuse_person()',
  )
  return () => pool.query('drop trigger refuse_person on events')
}

const steps = (userId: string) =>
  salus.call('POST', `/v2/timeseries/${userId}/steps`, {
    stage: 'daily',
    provider: 'manual',
    data: [{ value: 1, unit: 'count', start_date: '2026-02-10T08:00:00Z' }],
  })

const workout = (userId: string) =>
  salus.call('POST', `/v2/summary/workouts/${userId}`, {
    stage: 'daily',
    provider: 'manual',
    data: [
      {
        id: 'w',
        start_date: '2026-02-10T08:00:00Z',
        end_date: '2026-02-10T09:00:00Z',
        sport: 'running',
      },
    ],
  })

for (const [name, upload] of [
  ['samples', steps],
  ['summaries', workout],
] as const) {
  test(`what fails for one caller fails no other of those whose ${name} share an insert`, async () => {
    salus.errors.expect('request failed', 'data that are stored could not be published')
    const people: string[] = []
    for (let index = 0; index < 24; index++) people.push(await salus.makeUser('manual'))
    const bad = people[7] as string
    const mend = await refuseEventsOf(bad)
    const answers = await Promise.all(people.map(upload))
    assert.deepEqual(
      answers.map(({ status }) => status),
      people.map((person) => (person === bad ? 500 : 200)),
    )
    for (const person of people) {
      const events = await storedEvents(salus, person, /^daily\.data/)
      // Some may be sent twice, none is missed.
      assert.equal(events.length > 0, person !== bad)
    }
    await mend()
    const again = await upload(bad)
    assert.deepEqual([again.status, again.body.unchanged], [200, 1])
    assert.ok((await storedEvents(salus, bad, /^daily\.data/)).length > 0)
  })
}

test('an item that cannot be written out fails no caller, not even its own', async () => {
  let deep: unknown = []
  for (let depth = 0; depth < 20_000; depth++) deep = [deep]
  const bad = await makePublishedOwner(salus)
  const good = await makePublishedOwner(salus)
  const store = storeAs(salus.ingest, salus.dependencies)
  const bringing = (item: unknown) => ({
    summaries: [plainSummary('body', { raw: item })],
    quarantined: [{ resource: 'steps', reason: 'not_an_object', item }],
  })
  const [first, second] = await Promise.all([
    store(bad.owner, bringing(deep), bad.publication),
    store(good.owner, bringing(1), good.publication),
  ])
  assert.deepEqual([first.summaries.inserted, second.summaries.inserted], [1, 1])
})
