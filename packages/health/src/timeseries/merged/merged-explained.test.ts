import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createHarness } from '../../../../server/test/harness.ts'
import { fixture, importFile } from '../../../../server/test/imports/import-client.ts'
import {
  createMerging,
  DAY,
  item,
  type Merging,
  sumOf,
} from '../../../../server/test/timeseries/merging.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const harness = useFixture(createHarness)
let merging: Merging

before(() => {
  merging = createMerging(harness)
})

describe('an explained read', () => {
  test('lists used parts that add up to the value, and the samples set aside with the winner', async () => {
    const userId = await merging.makeWearer()
    const { data } = await merging.read(userId, `${DAY}&slot=day&explain=true`)
    const [day] = data
    assert.ok(day?.used && day.set_aside)
    assert.equal(sumOf(day.used.map(({ part }) => ({ value: part }))), day.value)
    assert.equal(day.set_aside.length, 12)
    assert.deepEqual(day.set_aside[0], {
      source: { provider: 'apple_health_kit', type: 'phone', app_id: null },
      start: '2026-02-10T12:00:00+00:00',
      end: '2026-02-10T12:30:00+00:00',
      value: 100,
      part: 100,
      reason: 'lower_priority_source',
      won_by: { provider: 'samsung_health', type: 'watch', app_id: null },
    })
  })

  test('accounts for every sample to the last step, whatever becomes of its parts', async () => {
    const userId = await merging.makeUser()
    await merging.upload(userId, 'apple_health_kit', [
      item('09:00', 60, 1000, { type: 'phone' }),
      item('10:00', 30, 301, { type: 'phone' }),
    ])
    await merging.upload(userId, 'samsung_health', [
      item('09:10', 5, 500, { type: 'watch' }),
      item('09:40', 5, 450, { type: 'watch' }),
      { ...item('10:00', 0, 200, { type: 'watch' }), end_date: '2026-02-10T10:29:30Z' },
    ])
    for (const slot of ['minute', '15_minutes', 'day']) {
      const items = await merging.readAll(userId, `${DAY}&slot=${slot}&explain=true`)
      for (const { value, used } of items) {
        assert.equal(sumOf((used ?? []).map(({ part }) => ({ value: part }))), value)
      }
      const parts = items.flatMap(({ used, set_aside }) => [...(used ?? []), ...(set_aside ?? [])])
      assert.equal(sumOf(parts.map(({ part }) => ({ value: part }))), 1000 + 301 + 1150)
      const reasons = items.flatMap(({ set_aside }) =>
        (set_aside ?? []).map(({ reason }) => reason),
      )
      assert.deepEqual([...new Set(reasons)].sort(), [
        'counted_by_better_source',
        'edge_of_better_source',
        'lower_priority_source',
      ])
    }
  })

  test('of readings names those of other sources', async () => {
    const userId = await merging.makeUser()
    const beat = (start: string, value: number, type: string) =>
      item(start, 0, value, { unit: 'bpm', type })
    await merging.upload(userId, 'samsung_health', [beat('09:01', 60, 'watch')], 'heartrate')
    await merging.upload(
      userId,
      'apple_health_kit',
      [beat('09:02', 90, 'phone'), beat('09:20', 80, 'phone')],
      'heartrate',
    )
    const { data } = await merging.read(userId, `${DAY}&explain=true`, 'heartrate')
    assert.deepEqual(
      data.map(({ value, used, set_aside }) => [value, used?.length, set_aside?.length]),
      [
        [60, 1, 1],
        [80, 1, 0],
      ],
    )
    assert.equal(data[0]?.set_aside?.[0]?.won_by.provider, 'samsung_health')
  })
})

describe('priorities', () => {
  test('of the person beat those of the team, which beat the kind of device', async () => {
    const userId = await merging.makeWearer()
    const winner = async () =>
      (await merging.read(userId, `${DAY}&slot=day`)).data[0]?.sources[0]?.provider
    assert.equal(await winner(), 'samsung_health')
    await harness.call('PATCH', '/v2/team/source/priorities', [
      { data_type: 'timeseries', slug: 'apple_health_kit', priority: 1, resource: 'steps' },
    ])
    assert.equal(await winner(), 'apple_health_kit')
    assert.equal(sumOf((await merging.read(userId, DAY)).data), 20 * 100 + 8 * 110)
    await harness.call('PUT', `/v2/user/${userId}/source_priorities`, {
      source_priorities: [{ resource: 'steps', provider: 'samsung_health', priority: 1 }],
    })
    assert.equal(await winner(), 'samsung_health')
    await harness.call('PATCH', '/v2/team/source/priorities', [
      { data_type: 'timeseries', slug: 'apple_health_kit', priority: 0, resource: 'steps' },
    ])
  })
})

describe('types of samples', () => {
  test('are merged each alone: heart rate variability of two methods is not mixed', async () => {
    const userId = await merging.makeUser()
    const reading = (start: string, value: number, method: string) =>
      item(start, 0, value, { unit: 'ms', type: 'watch', metadata: { method } })
    const data = [reading('09:00', 40, 'sdnn'), reading('09:01', 60, 'rmssd')]
    await merging.upload(userId, 'apple_health_kit', data, 'hrv')
    const slots = (await merging.read(userId, `${DAY}&slot=day`, 'hrv')).data
    assert.deepEqual(
      slots.map(({ type, value }) => [type, value]),
      [
        ['rmssd', 60],
        ['sdnn', 40],
      ],
    )
  })
})

test('an export of iPhone and Watch gives all steps of the Watch and the walks without it', async () => {
  await harness.startJobs()
  const userId = await harness.makeUser()
  await importFile(harness, userId, fixture('synthetic-30d-export.zip'))
  const truth: { daily: Record<string, { steps: { watch: number; iphone: number } }> } = JSON.parse(
    fixture('synthetic-30d-export.truth.json').toString(),
  )
  const days = await merging.readAll(userId, 'start_date=2024-03-01&end_date=2024-03-31&slot=day')
  assert.equal(days.length, 30)
  for (const { calendar_date, value, sources } of days) {
    const { watch, iphone } = truth.daily[calendar_date]?.steps ?? { watch: 0, iphone: 0 }
    // Each morning there is one walk with the phone alone, of 138 steps at most.
    const share = sources.map((source) => [source.type, source.value])
    assert.deepEqual(share[0], ['watch', watch])
    assert.ok(value > watch && value <= watch + 138 && value < watch + iphone, calendar_date)
  }
  assert.equal(sumOf(days), 158_618)
  const minutes = await merging.readAll(
    userId,
    'start_date=2024-03-01&end_date=2024-03-31&slot=minute',
  )
  assert.equal(sumOf(minutes), 158_618)
})
