import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createQueryHarness, func, trunc } from '../../../server/test/queries/query-harness.ts'
import { summary } from '../../../server/test/queries/reference/hand-made.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const harness = useFixture(createQueryHarness)

const at = (text: string): number => Date.parse(`2026-03-${text.replace(' ', 'T')}:00Z`)
const WATCH = { provider: 'garmin', sourceType: 'watch' }
const RING = { provider: 'oura', sourceType: 'ring' }
const PHONE = { provider: 'apple_health_kit', sourceType: 'phone' }

const night = (source: object, from: string, to: string, asleep: number) =>
  summary(
    'sleep',
    { stage_asleep_second: asleep, type: 'long_sleep' },
    { ...source, startedAt: at(from), endedAt: at(to) },
  )
const run = (source: object, from: string, to: string, meters: number) =>
  summary(
    'workouts',
    { distance_meter: meters, sport_slug: 'running' },
    { ...source, startedAt: at(from), endedAt: at(to) },
  )

/** Two nights: the watch and the ring have the first, the ring alone has the second. */
const SUMMARIES = [
  night(WATCH, '10 22:00', '11 06:00', 25_000),
  night(RING, '10 22:10', '11 06:05', 24_000),
  night(RING, '11 22:10', '12 06:05', 23_000),
  run(WATCH, '11 08:00', '11 09:00', 10_000),
  run(PHONE, '11 08:05', '11 09:02', 9_900),
  run(PHONE, '11 18:00', '11 18:30', 5_000),
]
const person = () => harness.person({ summaries: SUMMARIES })

const ASLEEP = { sleep: 'stage_asleep_second' }
const METERS = { workout: 'distance_meter' }
const merged = { source_rule: 'merged' }

describe('a query that merges summaries', () => {
  test('counts each sleep and each workout once, in groups and without', async () => {
    const userId = await person()
    const ask = (query: object) => harness.ask(userId, query)
    assert.deepEqual(
      await ask({ select: [func('sum', ASLEEP), func('count', ASLEEP)], ...merged }),
      {
        sum: [48_000],
        count: [2],
      },
    )
    assert.deepEqual(await ask({ select: [func('sum', METERS)], ...merged }), { sum: [15_000] })
    const weekly = { select: [func('sum', ASLEEP)], group_by: [trunc('week', 'sleep')] }
    assert.deepEqual((await ask({ ...weekly, ...merged })).sum, [48_000])
    assert.deepEqual((await ask(weekly)).sum, [25_000], 'one source of the week')
    assert.deepEqual((await ask({ ...weekly, source_rule: null })).sum, [25_000])
    const daily = { select: [func('count', METERS)], group_by: [trunc('day', 'workout')] }
    assert.deepEqual((await ask({ ...daily, ...merged })).count, [2])
    assert.deepEqual((await ask({ select: [func('count', METERS)] })).count, [3])
  })

  test('filters what counts, and shows its sources, macros and times', async () => {
    const userId = await person()
    const query = {
      select: [{ index: 'sleep' }, { source: 'source_provider' }, { value_macro: 'chronotype' }],
      ...merged,
    }
    const table = await harness.ask(userId, query)
    assert.deepEqual(table.timestamp, ['2026-03-11T06:00:00', '2026-03-12T06:05:00'])
    assert.deepEqual(table.source_provider, ['garmin', 'oura'])
    const ofRing = await harness.ask(userId, { ...query, where: "source_provider = 'oura'" })
    assert.deepEqual(ofRing.timestamp, ['2026-03-12T06:05:00'], 'after merging')
    const bySource = await harness.ask(userId, {
      select: [{ group_key: '*' }, func('count', ASLEEP)],
      group_by: [{ source: 'source_provider' }],
      ...merged,
    })
    assert.deepEqual(bySource['count.stage_asleep_second'], [1, 1])
  })

  test('follows the priorities of the request, the person and the team', async () => {
    const userId = await person()
    const query = { select: [func('sum', ASLEEP)], ...merged }
    const sum = async (config?: object) =>
      (await harness.ask(userId, query, config && { config })).sum
    assert.deepEqual(await sum(), [48_000])
    assert.deepEqual(await sum({ provider_priority_overrides: ['oura'] }), [47_000])
    await harness.salus.call('PUT', `/v2/user/${userId}/source_priorities`, {
      source_priorities: [{ resource: 'sleep', provider: 'oura', priority: 2 }],
    })
    assert.deepEqual(await sum(), [47_000])
    assert.deepEqual(await sum({ provider_priority_overrides: ['garmin'] }), [48_000])
  })

  test('has the records of the merged read, also at the edges of its window', async () => {
    const userId = await person()
    for (const anchor of ['2026-03-10', '2026-03-11', '2026-03-12', '2026-03-13']) {
      const query = { select: [{ sleep: 'id' }], ...merged }
      const { id } = await harness.ask(userId, query, { anchor, past: { unit: 'day' } })
      const path = `/v2/summary/sleep/${userId}/merged?start_date=${anchor}&end_date=${anchor}`
      const { body } = await harness.salus.call('GET', path)
      assert.deepEqual(
        id,
        body.sleep.map((one: { id: string }) => one.id),
      )
    }
  })

  test('names its rule, and is in Parquet too', async () => {
    const userId = await person()
    const query = { select: [func('sum', ASLEEP)], ...merged }
    const { body, headers } = await harness.send(userId, [query, { select: [func('sum', METERS)] }])
    assert.deepEqual(
      body.results.map((result: { source_rule: string }) => result.source_rule),
      ['merged', 'all_sources'],
    )
    assert.equal(headers['x-source-rule'], 'merged, all_sources')
    const answer = await harness.salus.call(
      ...(['POST', `/aggregate/v1/user/${userId}/query`] as const),
      {
        timeframe: { type: 'relative', anchor: '2026-03-31', past: { unit: 'month' } },
        queries: [query],
      },
      { accept: 'application/vnd.service.tar+gzip+parquet' },
    )
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['x-source-rule'], 'merged')
  })
})
