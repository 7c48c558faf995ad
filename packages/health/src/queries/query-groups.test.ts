import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { alignTests } from '../../../server/test/queries/align-tests.ts'
import { mergedTableTests } from '../../../server/test/queries/merged-table-tests.ts'
import {
  createQueryHarness,
  func,
  part,
  trunc,
  value,
} from '../../../server/test/queries/query-harness.ts'
import { sample, summary } from '../../../server/test/queries/reference/hand-made.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const harness = useFixture(createQueryHarness)

const at = (text: string): number => Date.parse(text)
const glucose = value('glucose')
const daily = [trunc('day')]

describe('prioritisation', () => {
  const [time, later, evening] = ['08:00', '09:00', '20:00'].map((hour) => `2026-03-02T${hour}:00Z`)
  const from = (provider: string, sourceType: string, number: number, fields = {}) =>
    sample(fields && 'at' in fields ? String(fields.at) : (time as string), number, {
      provider,
      sourceType,
    })
  const mean = { select: [func('mean', glucose)], group_by: daily }
  const meanOf = async (userId: string, config?: object, query: object = mean) =>
    (await harness.ask(userId, query, config && { config })).mean

  test('keeps the best source type', async () => {
    const userId = await harness.person({
      samples: [
        from('oura', 'ring', 1),
        from('garmin', 'watch', 2),
        from('fitbit', 'app', 3),
        from('fitbit', 'app', 3, { at: later }),
        from('whoop_v2', 'earphone', 4),
        from('withings', 'never_heard_of', 5),
      ],
    })
    assert.deepEqual(await meanOf(userId), [2])
    const where = (text: string) => ({ ...mean, where: text })
    assert.deepEqual(await meanOf(userId, {}, where("source_type != 'watch'")), [1])
    assert.deepEqual(await meanOf(userId, {}, where('value > 2')), [4])
    assert.deepEqual(await meanOf(userId, {}, where('')), await meanOf(userId, {}, mean))
    assert.deepEqual(await meanOf(userId, {}, where(' ')), await meanOf(userId, {}, mean))
    assert.deepEqual(await meanOf(userId, {}, where('value = 3 or value = 5')), [3])
  })

  test('lets overrides go first, in their order', async () => {
    const userId = await harness.person({
      samples: [from('oura', 'ring', 1), from('fitbit', 'phone', 2), from('garmin', 'lab', 3)],
    })
    const overrides = (...slugs: string[]) => ({ provider_priority_overrides: slugs })
    assert.deepEqual(await meanOf(userId), [3])
    assert.deepEqual(await meanOf(userId, overrides('withings', 'fitbit', 'oura')), [2])
    assert.deepEqual(await meanOf(userId, overrides('oura', 'fitbit')), [1])
    assert.deepEqual(await meanOf(userId, { provider_priority_overrides: null, more: 1 }), [3])
  })

  test('goes on with the priorities of the team, the most rows, the slug', async () => {
    const userId = await harness.person({
      samples: [
        from('oura', 'ring', 1),
        from('fitbit', 'ring', 2),
        from('garmin', 'ring', 3),
        from('garmin', 'ring', 3, { at: later }),
      ],
    })
    assert.deepEqual(await meanOf(userId), [3])
    assert.deepEqual(
      await meanOf(userId, {}, { ...mean, where: "source_provider != 'garmin'" }),
      [2],
    )
    const prefer = (priority: number) =>
      harness.salus.call('PATCH', '/v2/team/source/priorities', [
        { data_type: 'timeseries', slug: 'oura', priority },
        { data_type: 'sleep', slug: 'fitbit', priority: 9 },
      ])
    assert.equal((await prefer(5)).status, 200)
    assert.deepEqual(await meanOf(userId), [1])
    await prefer(-5)
    assert.deepEqual(await meanOf(userId, {}, { ...mean, where: 'value < 3' }), [2])
    await prefer(0)
  })

  test('is made in each group, and not where there are none or both source keys', async () => {
    const userId = await harness.person({
      samples: [from('oura', 'ring', 1), from('garmin', 'watch', 3), sample(evening as string, 9)],
    })
    const select = [func('mean', glucose)]
    const ask = (query: object) => harness.ask(userId, query)
    assert.deepEqual(await ask({ select, group_by: [trunc('hour')] }), {
      index: ['2026-03-02T08:00:00', '2026-03-02T20:00:00'],
      mean: [3, 9],
    })
    assert.deepEqual(await ask({ select, group_by: [part('hour')] }), { mean: [3, 9] })
    assert.deepEqual(await ask({ select }), { mean: [13 / 3] })
    const keys = [{ source: 'source_type' }, value('glucose', 'source_provider')]
    const all = { select: [{ group_key: '*' }, ...select], group_by: keys }
    assert.deepEqual(await ask(all), {
      'group_key.0': ['ring', 'watch'],
      'group_key.1': ['oura', 'garmin'],
      'mean.glucose.value': [5, 3],
    })
    assert.deepEqual(
      await ask({
        select: [{ group_key: '*' }, ...select],
        group_by: daily,
        split_by_source: true,
      }),
      {
        'group_key.0': ['2026-03-02T00:00:00', '2026-03-02T00:00:00'],
        'group_key.1': ['garmin', 'oura'],
        'group_key.2': ['watch', 'ring'],
        'mean.glucose.value': [3, 5],
      },
    )
  })
})

describe('several series', () => {
  let userId: string
  before(async () => {
    userId = await harness.person({
      samples: [
        sample('2026-03-02T08:00:00Z', 5, { sampleType: 'automatic' }),
        sample('2026-03-02T08:00:00Z', 6),
        sample('2026-03-02T08:00:00Z', 60, { series: 'heartrate' }),
        sample('2026-03-03T08:00:00Z', 70, { series: 'heartrate', sourceType: 'phone' }),
        sample('2026-03-03T08:00:00Z', 71, { series: 'heartrate', provider: 'garmin' }),
        sample('2026-03-04T08:00:00Z', 9, { provider: 'garmin' }),
      ],
    })
  })
  const rate = value('heartrate')
  const ask = (query: object) => harness.ask(userId, query)

  test('meet where time, provider and source type are the same', async () => {
    const select = [{ index: 'timeseries' }, glucose, rate, { source: 'source_provider' }]
    assert.deepEqual(await ask({ select, where: 'glucose.value != 6' }), {
      timestamp: ['08:00', '08:00', '08:00', '08:00'].map(
        (hour, day) => `2026-03-0${[2, 3, 3, 4][day]}T${hour}:00`,
      ),
      'glucose.value': [5, null, null, 9],
      'heartrate.value': [60, 71, 70, null],
      source_provider: ['oura', 'garmin', 'oura', 'garmin'],
    })
    const both = await ask({ select: [glucose, rate], where: "timestamp < '2026-03-03'" })
    assert.deepEqual(both['heartrate.value'], [60, 60])
    assert.deepEqual(both['glucose.value']?.toSorted(), [5, 6])
  })

  test('are grouped, filtered and prioritised each on its own', async () => {
    const select = [func('sum', glucose), func('max', rate), func('count', rate)]
    assert.deepEqual(await ask({ select, group_by: daily }), {
      index: ['2026-03-02T00:00:00', '2026-03-03T00:00:00', '2026-03-04T00:00:00'],
      sum: [11, null, 9],
      max: [60, 71, null],
      count: [1, 1, null],
    })
    const where = 'value > 5 and heartrate.value < 70'
    assert.deepEqual(await ask({ select, where }), { sum: [15], max: [60], count: [1] })
    const byType = { select: [{ group_key: 0 }, ...select], group_by: [value('glucose', 'type')] }
    assert.deepEqual(await ask(byType), {
      'group_key.0': ['automatic', null],
      'sum.glucose.value': [5, 9],
      'max.heartrate.value': [null, 71],
      'count.heartrate.value': [null, 1],
    })
  })
})

describe('filters', () => {
  let userId: string
  before(async () => {
    const night = (day: number, values: Record<string, number | string>) =>
      summary('sleep', values, {
        startedAt: at(`2026-03-0${day}T00:00:00Z`),
        endedAt: at(`2026-03-0${day}T07:00:00Z`),
      })
    userId = await harness.person({
      summaries: [
        night(1, { score: 1, efficiency: 80, state: "it's" }),
        night(2, { score: 2, efficiency: 2 }),
        night(3, { score: 3, state: 'confirmed' }),
        summary('activity', { wheelchair_use: true, steps: 1 }, { calendarDate: '2026-03-01' }),
        summary('activity', { wheelchair_use: false, steps: 2 }, { calendarDate: '2026-03-02' }),
        summary('activity', { steps: 3 }, { calendarDate: '2026-03-03' }),
      ],
    })
  })
  const scores = async (where: string) =>
    (await harness.ask(userId, { select: [{ sleep: 'score' }], where })).score
  const steps = async (where: string) =>
    (await harness.ask(userId, { select: [{ activity: 'steps' }], where })).steps

  test('compare numbers, texts, truths and columns', async () => {
    assert.deepEqual(await scores('score > 1'), [2, 3])
    assert.deepEqual(await scores('1.5 >= score'), [1])
    assert.deepEqual(await scores('score = efficiency'), [2])
    assert.deepEqual(await scores("state = 'it''s'"), [1])
    assert.deepEqual(await scores("state != 'x\\''); drop table samples; --'"), [1, 3])
    assert.deepEqual(await scores("SOURCE_TYPE = 'ring'".toLowerCase()), [1, 2, 3])
    assert.deepEqual(await steps('wheelchair_use = TRUE'), [1])
    assert.deepEqual(await steps('wheelchair_use != true'), [2])
  })

  test('compare dates and times', async () => {
    assert.deepEqual(await scores("session_end <= '2026-03-02T07:00:00'"), [1, 2])
    assert.deepEqual(await scores("session_end < '2026-03-02'"), [1])
    assert.deepEqual(await scores("session_start = '2026-03-03'"), [3])
    assert.deepEqual(await steps("date >= '2026-03-02' and date < '2026-03-02T12:00'"), [2])
  })

  test('know no answer about null, unless they ask for it', async () => {
    assert.deepEqual(await scores('efficiency > 0'), [1, 2])
    assert.deepEqual(await scores('not efficiency > 50'), [2])
    assert.deepEqual(await scores('efficiency = NULL'), [3])
    assert.deepEqual(await scores('null != efficiency'), [1, 2])
    assert.deepEqual(await scores('efficiency > null'), [])
    assert.deepEqual(await scores('efficiency > 50 or score = 3'), [1, 3])
    assert.deepEqual(await scores('not (efficiency > 50 and score < 3)'), [2, 3])
  })

  test('go before groups', async () => {
    const query = { select: [func('count', { sleep: 'score' })], group_by: [part('year', 'sleep')] }
    assert.deepEqual(await harness.ask(userId, { ...query, where: 'score != 2' }), { count: [2] })
    assert.deepEqual(await harness.ask(userId, { ...query, where: 'score > 9' }), { count: [] })
  })
})

describe('align', () => alignTests(() => harness))

describe('the table merged', () => mergedTableTests(() => harness))
