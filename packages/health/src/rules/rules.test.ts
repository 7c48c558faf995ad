import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import {
  createRulesFixture,
  GLUCOSE_LOW,
  type Reading,
} from '../../../server/test/rules/rules-fixture.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const fixture = useFixture(createRulesFixture)

beforeEach(async () => {
  const { data } = (await fixture.call('GET', '/v3/rule')).body
  for (const { id } of data) await fixture.call('DELETE', `/v3/rule/${id}`)
  // Each test begins at noon of its own day.
  const now = fixture.salus.clock.now()
  const noon = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 40, 12)
  fixture.salus.clock.advance((noon - now.getTime()) / 1000)
})

const dayOf = (hours: number): string => new Date(fixture.ago(hours)).toISOString().slice(0, 10)
const floor5 = (hours: number): string =>
  new Date(Math.floor(fixture.ago(hours) / 300_000) * 300_000).toISOString().slice(0, 19)

describe('a threshold', () => {
  test('triggers once for each episode, and resolves when a reading is back in range', async () => {
    const rule = await fixture.create()
    const userId = await fixture.person()
    const start = floor5(1)
    await fixture.upload(userId, 'glucose', [[fixture.ago(1), 64]])
    await fixture.check()
    assert.deepEqual(await fixture.emitted(userId), [`triggered ${start}`])
    await fixture.upload(userId, 'glucose', [[fixture.ago(0.5), 61]])
    await fixture.check()
    await fixture.check()
    assert.equal((await fixture.emitted(userId)).length, 1)
    await fixture.upload(userId, 'glucose', [[fixture.ago(0.2), 95]])
    await fixture.check()
    assert.deepEqual(await fixture.emitted(userId), [
      `triggered ${start}`,
      `resolved ${start} data`,
    ])
    const [episode] = await fixture.episodes(userId)
    assert.deepEqual(
      [episode.rule_id, episode.status, episode.value, episode.threshold, episode.unit],
      [rule.id, 'resolved', 64, 70, 'mg/dL'],
    )
    assert.deepEqual(episode.steps, [{ start, value: 64, is_holding: true }])
    const one = await fixture.call('GET', `/v3/rule_episode/${episode.id}`)
    assert.deepEqual(one.body, episode)
  })

  test('that began and ended between two uploads is reported with its end', async () => {
    await fixture.create({ task: { priority: 'urgent' } })
    const userId = await fixture.person()
    await fixture.upload(userId, 'glucose', [
      [fixture.ago(5), 60],
      [fixture.ago(4), 110],
    ])
    await fixture.check()
    assert.equal((await fixture.emitted(userId)).length, 2)
    const tasks = await fixture.call('GET', `/v3/task?user_id=${userId}&kind=rule`)
    assert.deepEqual(tasks.body.data, [])
  })

  test('that must hold for two hours does not count what is shorter', async () => {
    await fixture.create({
      condition: {
        ...GLUCOSE_LOW,
        value: { func: 'mean', arg: { merged: 'glucose', field: 'value' } },
        window: { value: 15, unit: 'minute' },
        comparison: '>',
        threshold: 180,
        for: { value: 2, unit: 'hour' },
      },
    })
    const userId = await fixture.person()
    const quarters = (from: number, count: number, value: number): Reading[] =>
      Array.from({ length: count }, (_, index) => [fixture.ago(from - index / 4), value])
    await fixture.upload(userId, 'glucose', quarters(6, 7, 200))
    await fixture.check()
    assert.deepEqual(await fixture.emitted(userId), [])
    await fixture.upload(userId, 'glucose', quarters(4.25, 1, 210))
    await fixture.check()
    assert.deepEqual(await fixture.emitted(userId), [`triggered ${dayOf(0)}T06:00:00`])
    // A gap of three quarters begins anew, where nothing was triggered.
    const other = await fixture.person()
    await fixture.upload(other, 'glucose', [...quarters(6, 4, 200), ...quarters(4.25, 4, 200)])
    await fixture.check()
    assert.deepEqual(await fixture.emitted(other), [])
  })

  test('of a sum below a number is judged when the local day of the person has ended', async () => {
    await fixture.create({
      condition: {
        type: 'threshold',
        value: { func: 'sum', arg: { merged: 'steps', field: 'value' } },
        ...{ window: { value: 1, unit: 'day' }, comparison: '<', threshold: 2000 },
      },
    })
    const userId = await fixture.person('Asia/Kolkata')
    // It is half past five there; an hour after midnight is half past seven in UTC.
    await fixture.upload(userId, 'steps', [[fixture.ago(3), 900]])
    await fixture.check()
    await fixture.checkAfter(7)
    assert.deepEqual(await fixture.emitted(userId), [])
    await fixture.checkAfter(0.6)
    assert.equal((await fixture.emitted(userId)).length, 1)
  })
})

describe('late data and corrections', () => {
  test('older than the rule allows trigger nothing', async () => {
    await fixture.create()
    await fixture.create({ name: 'Also of the past', maximum_data_age_hours: 240 })
    const userId = await fixture.person()
    await fixture.upload(userId, 'glucose', [
      [fixture.ago(100), 50],
      [fixture.ago(99), 100],
    ])
    await fixture.check()
    const episodes = await fixture.episodes(userId)
    assert.deepEqual(
      episodes.map(({ rule_name }) => rule_name),
      ['Also of the past'],
    )
  })

  test('that lengthen an episode do not trigger it again', async () => {
    await fixture.create()
    const userId = await fixture.person()
    await fixture.upload(userId, 'glucose', [[fixture.ago(2), 60]])
    await fixture.check()
    await fixture.upload(userId, 'glucose', [
      [fixture.ago(3), 60],
      [fixture.ago(2.5), 61],
    ])
    await fixture.check()
    assert.equal((await fixture.emitted(userId)).length, 1)
  })

  test('that take the reason away resolve the episode', async () => {
    await fixture.create()
    const userId = await fixture.person()
    const wrong = fixture.ago(2)
    await fixture.upload(userId, 'glucose', [[wrong, 40]])
    await fixture.check()
    await fixture.upload(userId, 'glucose', [[wrong, 104]])
    await fixture.check()
    const emitted = await fixture.emitted(userId)
    assert.deepEqual(
      emitted.map((text) => text.split(' ')[0]),
      ['triggered', 'resolved'],
    )
  })

  test('that end an episode from before the hours that are judged begin another one', async () => {
    await fixture.create()
    const userId = await fixture.person()
    await fixture.upload(userId, 'glucose', [[fixture.ago(1), 60]])
    await fixture.check()
    await fixture.checkAfter(72)
    await fixture.upload(userId, 'glucose', [
      [fixture.ago(2), 100],
      [fixture.ago(1), 61],
    ])
    await fixture.check()
    const emitted = await fixture.emitted(userId)
    assert.deepEqual(
      emitted.map((text) => text.split(' ')[0]),
      ['triggered', 'resolved', 'triggered'],
    )
  })

  test('within the cool-down of an episode trigger nothing', async () => {
    await fixture.create({ cool_down_minutes: 240 })
    const userId = await fixture.person()
    const [low, normal] = [60, 100]
    await fixture.upload(userId, 'glucose', [
      [fixture.ago(8), low],
      [fixture.ago(7.5), normal],
      [fixture.ago(7), low],
      [fixture.ago(6.5), normal],
      [fixture.ago(2), low],
    ])
    await fixture.check()
    const starts = (await fixture.episodes(userId)).map(({ start }) => start)
    assert.deepEqual(starts.toSorted(), [floor5(8.01), floor5(2.01)])
  })
})

describe('a trend and a goal', () => {
  test('compares the mean of the last days with that of the days before', async () => {
    const condition = {
      type: 'trend',
      value: { func: 'mean', arg: { merged: 'weight', field: 'value' } },
      ...{ recent_days: 2, baseline_days: 3, comparison: '>=', threshold: 2, unit: 'kg' },
    }
    await fixture.create({ condition })
    await fixture.create({
      name: 'More readings',
      condition: { ...condition, minimum_readings: 4 },
    })
    const userId = await fixture.person()
    const days = [80, 80.5, 79.5, 82, 82.2]
    const readings = days.map((value, index): Reading => [fixture.ago(24 * (4 - index)), value])
    await fixture.upload(userId, 'weight', [...readings, [fixture.ago(1), 82.4]])
    await fixture.check()
    const episodes = await fixture.episodes(userId)
    assert.deepEqual(
      episodes.map(({ rule_name, value }) => [rule_name, value]),
      [['A rule', 2.15]],
    )
  })

  test('reports a goal once in its week, and no end of it', async () => {
    const value = { func: 'sum', arg: { merged: 'steps', field: 'value' } }
    const window = { value: 1, unit: 'week' }
    await fixture.create({ condition: { type: 'goal', value, window, threshold: 1000 } })
    const userId = await fixture.person()
    await fixture.upload(userId, 'steps', [[fixture.ago(0.5), 999]])
    await fixture.check()
    assert.deepEqual(await fixture.emitted(userId), [])
    await fixture.upload(userId, 'steps', [[fixture.ago(0.25), 2]])
    await fixture.check()
    await fixture.upload(userId, 'steps', [[fixture.ago(0.1), 5000]])
    await fixture.check()
    assert.equal((await fixture.emitted(userId)).length, 1)
    const [episode] = await fixture.episodes(userId)
    assert.deepEqual([episode.value, episode.status], [1001, 'resolved'])
    assert.equal(new Date(`${episode.start}Z`).getUTCDay(), 1)
  })
})

describe('missing data', () => {
  const condition = { type: 'no_data', for: { value: 3, unit: 'day' }, resource: 'glucose' }

  test('trigger when enough time has passed, and resolve with the next data', async () => {
    const before = await fixture.person()
    const silent = await fixture.person()
    await fixture.upload(before, 'glucose', [[fixture.ago(1), 90]])
    await fixture.upload(silent, 'glucose', [[fixture.ago(24 * 10), 90]])
    await fixture.create({ condition })
    const later = await fixture.person()
    await fixture.checkAfter(1)
    await fixture.upload(later, 'glucose', [[fixture.ago(24), 90]])
    await fixture.checkAfter(69)
    assert.deepEqual([await fixture.emitted(before), await fixture.emitted(later)].flat().length, 1)
    await fixture.checkAfter(3)
    assert.equal((await fixture.emitted(before)).length, 1)
    // Silence from before the rule is not reported.
    assert.deepEqual(await fixture.emitted(silent), [])
    await fixture.upload(before, 'glucose', [[fixture.ago(0.1), 92]])
    await fixture.check()
    const [episode] = await fixture.episodes(before)
    assert.deepEqual([episode.status, episode.value], ['resolved', null])
    await fixture.checkAfter(1)
    assert.equal((await fixture.emitted(before)).length, 2)
  })

  test('count from the arrival where the rule says so', async () => {
    await fixture.create({ condition: { ...condition, counted_from: 'arrival' } })
    const userId = await fixture.person()
    await fixture.upload(userId, 'glucose', [[fixture.ago(24 * 20), 90]])
    await fixture.checkAfter(70)
    assert.deepEqual(await fixture.emitted(userId), [])
    await fixture.checkAfter(3)
    assert.equal((await fixture.emitted(userId)).length, 1)
  })
})

describe('the cost of rules', () => {
  test('does not grow with their number for a person, and is nothing for other data', async () => {
    const userId = await fixture.person()
    const checks = async () =>
      (await fixture.salus.database.pool.query('select user_id from rule_checks')).rows.length
    let statements = 0
    const clickhouse = new Proxy(fixture.salus.dependencies.clickhouse, {
      get(target, name) {
        const value = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        if (name === 'queryBytes') statements += 1
        return value.bind(target)
      },
    }) as ClickHouse
    const costs: number[] = []
    for (const rules of [1, 20]) {
      for (let index = rules === 1 ? 0 : 1; index < rules; index += 1) {
        await fixture.create({ condition: { ...GLUCOSE_LOW, threshold: 50 + index } })
      }
      await fixture.upload(userId, 'heartrate', [[fixture.ago(0.1), 70]])
      assert.equal(await checks(), 0)
      await fixture.upload(userId, 'glucose', [[fixture.ago(0.1), 90]])
      assert.equal(await checks(), 1)
      statements = 0
      await fixture.check({ clickhouse })
      costs.push(statements)
      assert.equal(await checks(), 0)
    }
    assert.ok(costs[0] === costs[1] && (costs[0] ?? 0) > 0, costs.join())
  })
})
