import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { bisect } from '../../src/platform/bisect.ts'
import { createHarness, type Harness } from '../harness.ts'
import { storedEvents } from '../stored-events.ts'
import { makeAnnouncedOwner } from '../summaries/announced-owner.ts'
import { plainSummary } from '../summaries/plain-summary.ts'

let salus: Harness
before(async () => {
  salus = await createHarness()
})
after(() => salus.close())

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
      // Some may be told twice, none is missed.
      assert.equal(events.length > 0, person !== bad)
    }
    await mend()
    const again = await upload(bad)
    assert.deepEqual([again.status, again.body.unchanged], [200, 1])
    assert.ok((await storedEvents(salus, bad, /^daily\.data/)).length > 0)
  })
}

test('an item that cannot be written out fails nobody, not even its own caller', async () => {
  let deep: unknown = []
  for (let depth = 0; depth < 20_000; depth++) deep = [deep]
  const bad = await makeAnnouncedOwner(salus)
  const good = await makeAnnouncedOwner(salus)
  const { summaryWriter, writer } = salus
  const [first, second] = await Promise.all([
    summaryWriter.write(bad.owner, [plainSummary('body', { raw: deep })], bad.announcement),
    summaryWriter.write(good.owner, [plainSummary('body')], good.announcement),
    writer.putAside(bad.owner, [{ resource: 'steps', reason: 'not_an_object', item: deep }]),
    writer.putAside(good.owner, [{ resource: 'steps', reason: 'not_an_object', item: 1 }]),
  ])
  assert.deepEqual([first.inserted, second.inserted], [1, 1])
})

describe('a group that fails', () => {
  const fault = new Error('bad')
  const runOver = (bad: ReadonlySet<number>) => {
    const tries: number[] = []
    const run = async (members: readonly number[]): Promise<number[]> => {
      tries.push(members.length)
      if (members.some((member) => bad.has(member))) throw fault
      return members.map((member) => member * 2)
    }
    return { run, tries }
  }
  const members = Array.from({ length: 100 }, (_, index) => index)
  const isNeverShared = () => false

  test('is halved until only its bad member fails', async () => {
    const { run, tries } = runOver(new Set([63]))
    const results = await bisect(members, run, isNeverShared)
    for (const [index, result] of results.entries()) {
      const expected = index === 63 ? fault : index * 2
      assert.equal(result.status === 'fulfilled' ? result.value : result.reason, expected)
    }
    assert.ok(tries.length <= 15, `${tries.length} tries`)
  })

  test('of bad members only is given up after some tries', async () => {
    const { run, tries } = runOver(new Set(members))
    const results = await bisect(members, run, isNeverShared)
    assert.ok(results.every(({ status }) => status === 'rejected'))
    assert.equal(results.length, members.length)
    assert.ok(tries.length <= 25, `${tries.length} tries`)
  })

  test('for a reason that is nobody’s own is not tried again', async () => {
    const { run, tries } = runOver(new Set([1]))
    const results = await bisect(members, run, () => true)
    assert.ok(results.every(({ status }) => status === 'rejected'))
    assert.equal(tries.length, 1)
  })
})
