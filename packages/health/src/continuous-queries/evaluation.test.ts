import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DAY_MS, DAY_SECONDS, MINUTE_MS } from '@salus/contracts/time-units'
import { describeFailures } from '../../../server/test/continuous-queries/failure-cases.ts'
import {
  DAILY_STEPS,
  DAY_KEY,
  stepsAt,
  sumOf,
} from '../../../server/test/continuous-queries/query-environment.ts'
import {
  DELAY,
  GAP,
  STEPS,
  tableOf,
  useQueryFixture,
} from '../../../server/test/continuous-queries/query-fixture.ts'
import { describeSchedule } from '../../../server/test/continuous-queries/schedule-cases.ts'

const fixture = useQueryFixture()

describe('a query', () => {
  test('is evaluated a minute after its creation, for everyone and over everything', async () => {
    const userId = await fixture.salus.makeUser('manual')
    await fixture.environment.upload(userId, 'steps', [stepsAt('2026-02-10T08:00:00Z', 10)])
    const query = await fixture.environment.create()
    fixture.former = query.id
    await fixture.environment.evaluate()
    assert.deepEqual(await fixture.environment.tableOf(userId, query.slug), tableOf({}))
    await fixture.environment.evaluateAfter(60)
    const expected = tableOf({ '02-10': 10 })
    assert.deepEqual(await fixture.environment.tableOf(userId, query.slug), expected)
    assert.deepEqual(await fixture.environment.changesOf(userId), [
      [{ query_id: query.id, query_slug: query.slug, data: expected }],
    ])
    assert.deepEqual(await fixture.environment.tasksOf(userId, query.slug), ['completed'])
  })

  test('is evaluated for people who come later when their first data come', async () => {
    const { query } = await fixture.begin()
    const userId = await fixture.salus.makeUser('manual')
    await fixture.environment.upload(userId, 'steps', [stepsAt('2026-02-10T08:00:00Z', 10)])
    assert.deepEqual(await fixture.environment.tasksOf(userId, query.slug), ['scheduled'])
    await fixture.environment.evaluateAfter(59)
    assert.deepEqual(await fixture.environment.tableOf(userId, query.slug), tableOf({}))
    await fixture.environment.evaluateAfter(1)
    assert.deepEqual(
      await fixture.environment.tableOf(userId, query.slug),
      tableOf({ '02-10': 10 }),
    )
  })

  test('that finds nothing is skipped and raises no event', async () => {
    const { tasks, changes } = await fixture.begin()
    assert.deepEqual(await tasks(), ['skipped'])
    assert.deepEqual(await changes(), [])
  })
})

describe('a query on the merged series', () => {
  const query = {
    select: [{ group_key: 0 }, { func: 'sum', arg: { merged: 'steps', field: 'value' } }],
    group_by: [{ date_trunc: { value: 1, unit: 'day' }, arg: { index: 'merged' } }],
  }
  const walk = (type: string, value: number, day = '10') =>
    stepsAt(`2026-02-${day}T08:00:00Z`, value, { type, end_date: `2026-02-${day}T09:00:00Z` })
  test('counts each instant once, and again when the priorities of the person or the team change', async () => {
    const { userId, table, upload } = await fixture.begin({ query }, [
      walk('phone', 10),
      walk('watch', 7),
    ])
    assert.deepEqual(await table(), tableOf({ '02-10': 7 }))
    const rules = (source_type: string) => ({
      source_priorities: [
        { resource: 'steps', provider: 'manual', source_type, app_id: null, priority: 5 },
      ],
    })
    const put = (input: object) =>
      fixture.environment.call('PUT', `/v2/user/${userId}/source_priorities`, input)
    await put(rules('phone'))
    await fixture.environment.evaluateAfter(GAP)
    assert.deepEqual(await table(), tableOf({ '02-10': 10 }))
    await put({ source_priorities: [] })
    await fixture.environment.evaluateAfter(GAP)
    assert.deepEqual(await table(), tableOf({ '02-10': 7 }))
    await fixture.environment.call('PATCH', '/v2/team/source/priorities', [
      {
        ...{ data_type: 'timeseries', slug: 'manual', source_type: 'phone' },
        ...{ resource: 'steps', priority: 3 },
      },
    ])
    await fixture.environment.evaluateAfter(GAP)
    assert.deepEqual(await table(), tableOf({ '02-10': 10 }))
    await upload(walk('watch', 3, '11'))
    await fixture.environment.evaluateAfter(GAP)
    assert.deepEqual(await table(), tableOf({ '02-10': 10, '02-11': 3 }))
  })
})

describe('a query that merges sleeps', () => {
  const query = {
    select: [{ group_key: 0 }, { func: 'count', arg: { sleep: 'id' } }],
    group_by: [{ date_trunc: { value: 1, unit: 'month' }, arg: { index: 'sleep' } }],
    source_rule: 'merged',
  }
  const night = (id: string, source_type: string, minutes: number) => ({
    ...{ id, source_type, source_bundle: `com.example.${id}` },
    start_date: new Date(Date.parse('2026-02-10T22:00:00Z') + minutes * MINUTE_MS).toISOString(),
    end_date: new Date(Date.parse('2026-02-11T06:00:00Z') + minutes * MINUTE_MS).toISOString(),
  })
  test('counts each once, and again when the priorities of the person change', async () => {
    const bySource = {
      ...query,
      select: [...query.select, { func: 'newest', arg: { sleep: 'source_type' } }],
    }
    const { userId, table } = await fixture.begin({ query: bySource })
    const upload = (data: object[]) =>
      fixture.salus.call('POST', `/v2/summary/sleep/${userId}`, {
        ...{ stage: 'daily', provider: 'manual', data },
      })
    const counted = (source: string) => ({
      'group_key.0': ['2026-02-01T00:00:00'],
      'count.id': [1],
      'newest.source_type': [source],
    })
    assert.equal((await upload([night('phone', 'phone', 0)])).status, 200)
    await fixture.environment.evaluateAfter(GAP)
    assert.deepEqual(await table(), counted('phone'))
    assert.equal((await upload([night('watch', 'watch', 10)])).status, 200)
    await fixture.environment.evaluateAfter(GAP)
    assert.deepEqual(await table(), counted('watch'))
    await fixture.environment.call('PUT', `/v2/user/${userId}/source_priorities`, {
      source_priorities: [
        { resource: 'sleep', provider: 'manual', source_type: 'phone', priority: 5 },
      ],
    })
    await fixture.environment.evaluateAfter(GAP)
    assert.deepEqual(await table(), counted('phone'))
  })
})

describe('a change of data', () => {
  test('has an event with the new and changed rows, and no others', async () => {
    const { upload, table, tasks, changes } = await fixture.begin({}, [
      stepsAt('2026-02-10T08:00:00Z', 10),
      stepsAt('2026-02-11T08:00:00Z', 20),
    ])
    await upload(stepsAt('2026-02-11T09:00:00Z', 2), stepsAt('2026-02-14T09:00:00Z', 3))
    await fixture.environment.evaluateAfter(GAP)
    assert.deepEqual(await table(), tableOf({ '02-10': 10, '02-11': 22, '02-14': 3 }))
    assert.deepEqual(await changes(), [
      tableOf({ '02-10': 10, '02-11': 20 }),
      tableOf({ '02-11': 22, '02-14': 3 }),
    ])
    assert.deepEqual(await tasks(), ['completed', 'completed'])
  })

  test('has only the buckets evaluated that it may touch, anywhere on earth', async () => {
    const days = ['02-01', '02-08', '02-09', '02-10', '02-11', '02-12', '02-20']
    const items = days.map((day) => stepsAt(`2026-${day}T12:00:00Z`, 10))
    const { upload, table, tamper } = await fixture.begin({}, items)
    for (const day of days) await tamper(day)
    await upload(stepsAt('2026-02-10T12:30:00Z', 5))
    await fixture.environment.evaluateAfter(GAP)
    assert.deepEqual(
      await table(),
      tableOf({
        '02-01': -1,
        '02-08': -1,
        '02-09': 10,
        '02-10': 15,
        '02-11': 10,
        '02-12': -1,
        '02-20': -1,
      }),
    )
  })

  test('that leaves the result as it was is skipped', async () => {
    const item = stepsAt('2026-02-10T08:00:00Z', 10)
    const { upload, tasks, changes } = await fixture.begin({}, [item])
    await upload(item)
    await fixture.environment.evaluateAfter(GAP)
    assert.deepEqual(await tasks(), ['skipped', 'completed'])
    assert.equal((await changes()).length, 1)
  })

  test('that makes a row vanish removes it, without an event', async () => {
    const query = { ...DAILY_STEPS, where: 'value > 5' }
    const { upload, table, tasks, changes } = await fixture.begin({ query }, [
      stepsAt('2026-02-10T08:00:00Z', 10),
      stepsAt('2026-02-11T08:00:00Z', 10),
    ])
    await upload(stepsAt('2026-02-11T08:00:00Z', 1))
    await fixture.environment.evaluateAfter(GAP)
    assert.deepEqual(await table(), tableOf({ '02-10': 10 }))
    assert.deepEqual(await tasks(), ['completed', 'completed'])
    assert.equal((await changes()).length, 1)
  })

  test('of before the window changes nothing', async () => {
    const { upload, table, tasks } = await fixture.begin()
    await upload(stepsAt('2025-02-10T08:00:00Z', 10))
    await fixture.environment.evaluateAfter(GAP)
    assert.deepEqual([await table(), await tasks()], [tableOf({}), ['skipped', 'skipped']])
  })

  test('of another series is no change', async () => {
    const { userId, tasks } = await fixture.begin()
    await fixture.environment.upload(userId, 'heartrate', [
      { value: 70, unit: 'bpm', start_date: '2026-02-10T08:00:00Z' },
    ])
    await fixture.environment.evaluateAfter(GAP)
    assert.deepEqual(await tasks(), ['skipped'])
  })

  test('has no event when the query has its events turned off', async () => {
    const { table, tasks, changes } = await fixture.begin(
      { export_preferences: { data_events: { enabled: false } } },
      [stepsAt('2026-02-10T08:00:00Z', 10)],
    )
    assert.deepEqual(await table(), tableOf({ '02-10': 10 }))
    assert.deepEqual([await tasks(), await changes()], [['completed'], []])
  })

  test('of many rows has several events', async () => {
    const start = Date.parse('2026-02-10T00:00:00Z')
    const items = Array.from({ length: 1500 }, (_, minute) =>
      stepsAt(new Date(start + minute * MINUTE_MS).toISOString(), minute),
    )
    const key = { date_trunc: { value: 1, unit: 'minute' }, arg: { index: 'timeseries' } }
    const { changes } = await fixture.begin({ query: { ...DAILY_STEPS, group_by: [key] } }, items)
    const events = await changes()
    assert.deepEqual(
      events.map((data) => data[STEPS].length),
      [1000, 500],
    )
    assert.deepEqual(
      events.flatMap((data) => data[STEPS]),
      items.map((_, minute) => minute),
    )
  })
})

describeSchedule(fixture)
describeFailures(fixture)

describe('carried values', () => {
  test('fill the buckets between and after, within their reach, when data come', async () => {
    const max_age = { value: 2, unit: 'day' }
    const query = {
      select: [{ group_key: 0 }, sumOf('steps')],
      group_by: [DAY_KEY],
      align: { carry: { mode: 'carry_forward', max_age } },
    }
    const at = (day: number, value: number) => {
      const instant = fixture.salus.clock.now().getTime() + day * DAY_MS
      return stepsAt(new Date(instant).toISOString(), value)
    }
    const { upload, table, changes } = await fixture.begin({ query }, [at(-20, 10), at(-14, 20)])
    assert.deepEqual((await table())[STEPS], [10, 10, 10, null, null, null, 20, 20, 20])
    await upload(at(-16, 15))
    await fixture.environment.evaluateAfter(GAP)
    assert.deepEqual((await table())[STEPS], [10, 10, 10, null, 15, 15, 20, 20, 20])
    assert.deepEqual((await changes()).at(-1)[STEPS], [15, 15])
  })
})

// Last, because it leaves the year of the others.
describe('rows older than the window', () => {
  test('stay as they are', async () => {
    const { upload, table, tamper } = await fixture.begin({}, [stepsAt('2026-02-10T08:00:00Z', 1)])
    await tamper('02-10')
    fixture.salus.clock.advance(366 * DAY_SECONDS)
    await upload(stepsAt('2026-02-10T09:00:00Z', 1), stepsAt('2026-12-24T09:00:00Z', 1))
    await fixture.environment.evaluateAfter(DELAY)
    assert.deepEqual(await table(), tableOf({ '02-10': -1, '12-24': 1 }))
  })
})
