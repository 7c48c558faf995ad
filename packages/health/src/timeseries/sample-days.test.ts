import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { newId } from '@salus/kernel/ids'
import { createHarness } from '../../../server/test/harness.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { countSampleDays } from './sample-days.repository.ts'

const salus = useFixture(createHarness)
const environmentId = newId()
const scope = () =>
  ({ clickhouse: salus.clickhouse, environment: { id: environmentId } }) as Parameters<
    typeof countSampleDays
  >[0]

const PEOPLE = 2_000
const RANGE = { lastDay: '2026-03-01', days: 30, people: PEOPLE }

before(async () => {
  // Of each person a sample of the last day; of every second one three of ten days before, one that
  // is too old and one that is too new.
  const rows = Array.from({ length: PEOPLE }, (_, index) => {
    const user = newId()
    const times = ['2026-03-01 00:00:00.000']
    if (index % 2 === 0) {
      times.push('2026-02-19 00:00:00.000', '2026-02-19 12:00:00.000', '2026-02-19 23:59:59.999')
      times.push('2026-01-30 23:59:59.999', '2026-03-02 00:00:00.000')
    }
    return times.map((at) => [environmentId, user, 'steps', at, at, 1].join('\t')).join('\n')
  })
  const columns = ['environment_id', 'user_id', 'series', 'started_at', 'ended_at', 'version']
  await salus.clickhouse.insert('samples', columns, Buffer.from(`${rows.join('\n')}\n`))
})

test('samples and people are counted by day and by week', async () => {
  const counted = await countSampleDays(scope(), RANGE)
  assert.equal(counted.stored, PEOPLE + 5 * (PEOPLE / 2))
  assert.equal(counted.isEstimated, false)
  assert.deepEqual(Object.fromEntries(counted.byAge), {
    0: { samples: PEOPLE, people: PEOPLE },
    10: { samples: 3 * (PEOPLE / 2), people: PEOPLE / 2 },
  })
  assert.deepEqual(Object.fromEntries(counted.peopleByWeek), { 0: PEOPLE, 1: PEOPLE / 2 })
})

test('of a large environment a part of the people is counted, and multiplied', async () => {
  const counted = await countSampleDays(scope(), RANGE, 1_800)
  assert.equal(counted.isEstimated, true)
  const people = counted.peopleByWeek.get(0) ?? 0
  // 7,000 samples make 4 parts of about 500 people, of whose number one deviation is 4 percent.
  assert.equal(people % 4, 0)
  assert.ok(people > 0.7 * PEOPLE && people < 1.3 * PEOPLE, String(people))
  assert.notEqual(people, PEOPLE)
})

test('of few people all are counted, however many samples they have', async () => {
  const counted = await countSampleDays(scope(), { ...RANGE, people: 10 }, 1)
  assert.deepEqual([counted.isEstimated, counted.peopleByWeek.get(0)], [false, PEOPLE])
})

test('an environment without samples has no days', async () => {
  const other = { ...scope(), environment: { id: newId() } } as ReturnType<typeof scope>
  const { stored, byAge } = await countSampleDays(other, RANGE)
  assert.deepEqual([stored, byAge.size], [0, 0])
})
