import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createHarness, type Harness } from '../../../test/harness.ts'
import { fixture, importFile } from '../../imports/testing/import-client.ts'
import { SERIES } from '../../series/index.ts'
import { type MergingApp, openMergingApp } from '../../source-priorities/testing/open-app.ts'
import type { Merged, MergedItem } from './merged.schema.ts'

let harness: Harness
let app: MergingApp

before(async () => {
  harness = await createHarness()
  app = await openMergingApp(harness)
})

after(async () => {
  await app.close()
  await harness.close()
})

const PROVIDERS = ['apple_health_kit', 'samsung_health', 'manual']

/** An item of an upload: a clock time of 10 February 2026, UTC, minutes and a value. */
const item = (start: string, minutes: number, value: number, change: object = {}) => ({
  value,
  unit: 'count',
  start_date: `2026-02-10T${start}:00Z`,
  end_date: new Date(Date.parse(`2026-02-10T${start}:00Z`) + minutes * 60_000).toISOString(),
  ...change,
})

async function upload(userId: string, provider: string, data: object[], series = 'steps') {
  const body = { stage: 'daily', provider, data }
  const { status } = await harness.call('POST', `/v2/timeseries/${userId}/${series}`, body)
  assert.equal(status, 200)
}

async function read(userId: string, query: string, series = 'steps'): Promise<Merged> {
  const url = `/v2/timeseries/${userId}/${series}/merged?${query}`
  const { status, body } = await app.call('GET', url)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

async function readAll(userId: string, query: string, series = 'steps'): Promise<MergedItem[]> {
  const items: MergedItem[] = []
  for (let cursor = ''; ; ) {
    const page = await read(userId, `${query}${cursor && `&next_cursor=${cursor}`}`, series)
    items.push(...page.data)
    if (page.next_cursor === null) return items
    cursor = page.next_cursor
  }
}

const sumOf = (items: readonly { value: number }[]): number =>
  items.reduce((sum, { value }) => sum + value, 0)

/** A watch from noon and a phone until 18:00, in the half hour each. */
async function makeWearer(): Promise<string> {
  const userId = await harness.makeUser(...PROVIDERS)
  const halfHours = (from: number, to: number) =>
    Array.from({ length: (to - from) * 2 }, (_, index) => {
      const minutes = from * 60 + index * 30
      const clock = [Math.floor(minutes / 60), minutes % 60]
      return clock.map((part) => String(part).padStart(2, '0')).join(':')
    })
  await upload(
    userId,
    'apple_health_kit',
    halfHours(8, 18).map((start) => item(start, 30, 100, { type: 'phone' })),
  )
  await upload(
    userId,
    'samsung_health',
    halfHours(12, 22).map((start) => item(start, 30, 110, { type: 'watch' })),
  )
  return userId
}
const TRUE_TOTAL = 8 * 100 + 20 * 110
const DAY = 'start_date=2026-02-10&end_date=2026-02-10'

describe('a merged read', () => {
  test('counts each instant once, and tells whose samples count', async () => {
    const userId = await makeWearer()
    const { data, next_cursor } = await read(userId, `${DAY}&slot=day`)
    const source = (provider: string, type: string, value: number, count: number) => ({
      provider,
      type,
      app_id: null,
      value,
      count,
    })
    assert.deepEqual(data, [
      {
        start: '2026-02-10T00:00:00+00:00',
        end: '2026-02-11T00:00:00+00:00',
        calendar_date: '2026-02-10',
        timezone_offset: 0,
        type: null,
        value: TRUE_TOTAL,
        unit: 'count',
        min: null,
        max: null,
        count: 28,
        sources: [
          source('samsung_health', 'watch', 2200, 20),
          source('apple_health_kit', 'phone', 800, 8),
        ],
        used: null,
        set_aside: null,
      },
    ])
    assert.equal(next_cursor, null)
  })

  test('has the same total in slots of any length, on one page or many', async () => {
    const userId = await makeWearer()
    for (const slot of ['minute', '5_minutes', '15_minutes', 'hour', 'day']) {
      const items = await readAll(userId, `start_date=2026-02-05&end_date=2026-02-15&slot=${slot}`)
      assert.equal(sumOf(items), TRUE_TOTAL, slot)
      assert.deepEqual(
        items.map(({ start }) => start),
        [...new Set(items.map(({ start }) => start))].sort(),
      )
    }
    const usual = await read(userId, DAY)
    assert.deepEqual(usual, await read(userId, `${DAY}&slot=15_minutes`))
  })

  test('shows a sample as soon as it is uploaded, and a corrected one once', async () => {
    const userId = await harness.makeUser(...PROVIDERS)
    await upload(userId, 'manual', [item('09:00', 5, 50)])
    assert.equal(sumOf((await read(userId, DAY)).data), 50)
    await upload(userId, 'manual', [item('09:00', 5, 70)])
    assert.equal(sumOf((await read(userId, DAY)).data), 70)
  })

  test('cuts samples at date-times, so that parts of a day add up to it', async () => {
    const userId = await makeWearer()
    const part = async (from: string, to: string) => {
      const query = `start_date=2026-02-10T${from}Z&end_date=2026-02-10T${to}Z&slot=hour`
      return sumOf(await readAll(userId, query))
    }
    const parts = [
      await part('00:00:00', '09:09:59'),
      await part('09:10:00', '12:20:29'),
      await part('12:20:30', '23:59:59'),
    ]
    assert.equal(sumOf(parts.map((value) => ({ value }))), TRUE_TOTAL)
    assert.equal(parts[0], 233)
  })

  test('of one provider alone is what it sent', async () => {
    const userId = await makeWearer()
    const { data } = await read(userId, `${DAY}&slot=day&provider=apple_health_kit`)
    assert.equal(sumOf(data), 2000)
  })

  test('takes a bare date as the local day of the person, by offset or fallback zone', async () => {
    const userId = await harness.makeUser(...PROVIDERS)
    await upload(userId, 'manual', [item('05:00', 10, 40), item('23:30', 60, 60)])
    const abroad = {
      type: 'watch',
      start_date: '2026-02-09T19:00:00-08:00',
      end_date: '2026-02-09T19:10:00-08:00',
    }
    await upload(userId, 'samsung_health', [item('03:00', 10, 7, abroad)])
    const days = async () =>
      (await readAll(userId, 'start_date=2026-02-09&end_date=2026-02-11&slot=day')).map(
        ({ calendar_date, value }) => [calendar_date, value],
      )
    assert.deepEqual(await days(), [
      ['2026-02-09', 7],
      ['2026-02-10', 70],
      ['2026-02-11', 30],
    ])
    assert.equal(sumOf((await read(userId, `${DAY}&slot=hour`)).data), 70)
    const zone = { fallback_time_zone: 'America/Los_Angeles' }
    await harness.call('PATCH', `/v2/user/${userId}`, zone)
    assert.deepEqual(await days(), [
      ['2026-02-09', 47],
      ['2026-02-10', 60],
    ])
    const { data } = await read(userId, `${DAY}&slot=hour`)
    assert.equal(sumOf(data), 60)
    assert.equal(data[0]?.timezone_offset, -28_800)
  })
})

describe('an explained read', () => {
  test('lists used parts that add up to the value, and the samples set aside with the winner', async () => {
    const userId = await makeWearer()
    const { data } = await read(userId, `${DAY}&slot=day&explain=true`)
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
    const userId = await harness.makeUser(...PROVIDERS)
    await upload(userId, 'apple_health_kit', [
      item('09:00', 60, 1000, { type: 'phone' }),
      item('10:00', 30, 301, { type: 'phone' }),
    ])
    await upload(userId, 'samsung_health', [
      item('09:10', 5, 500, { type: 'watch' }),
      item('09:40', 5, 450, { type: 'watch' }),
      { ...item('10:00', 0, 200, { type: 'watch' }), end_date: '2026-02-10T10:29:30Z' },
    ])
    for (const slot of ['minute', '15_minutes', 'day']) {
      const items = await readAll(userId, `${DAY}&slot=${slot}&explain=true`)
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
    const userId = await harness.makeUser(...PROVIDERS)
    const beat = (start: string, value: number, type: string) =>
      item(start, 0, value, { unit: 'bpm', type })
    await upload(userId, 'samsung_health', [beat('09:01', 60, 'watch')], 'heartrate')
    await upload(
      userId,
      'apple_health_kit',
      [beat('09:02', 90, 'phone'), beat('09:20', 80, 'phone')],
      'heartrate',
    )
    const { data } = await read(userId, `${DAY}&explain=true`, 'heartrate')
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
    const userId = await makeWearer()
    const winner = async () => (await read(userId, `${DAY}&slot=day`)).data[0]?.sources[0]?.provider
    assert.equal(await winner(), 'samsung_health')
    await app.call('PATCH', '/v2/team/source/priorities', [
      { data_type: 'timeseries', slug: 'apple_health_kit', priority: 1, resource: 'steps' },
    ])
    assert.equal(await winner(), 'apple_health_kit')
    assert.equal(sumOf((await read(userId, DAY)).data), 20 * 100 + 8 * 110)
    await app.call('PUT', `/v2/user/${userId}/source_priorities`, {
      source_priorities: [{ resource: 'steps', provider: 'samsung_health', priority: 1 }],
    })
    assert.equal(await winner(), 'samsung_health')
    await app.call('PATCH', '/v2/team/source/priorities', [
      { data_type: 'timeseries', slug: 'apple_health_kit', priority: 0, resource: 'steps' },
    ])
  })
})

describe('types of samples', () => {
  test('are merged each alone: heart rate variability of two methods is not mixed', async () => {
    const userId = await harness.makeUser(...PROVIDERS)
    const reading = (start: string, value: number, method: string) =>
      item(start, 0, value, { unit: 'ms', type: 'watch', metadata: { method } })
    const data = [reading('09:00', 40, 'sdnn'), reading('09:01', 60, 'rmssd')]
    await upload(userId, 'apple_health_kit', data, 'hrv')
    const slots = (await read(userId, `${DAY}&slot=day`, 'hrv')).data
    assert.deepEqual(
      slots.map(({ type, value }) => [type, value]),
      [
        ['rmssd', 60],
        ['sdnn', 40],
      ],
    )
  })
})

describe('refusals', () => {
  const status = async (userId: string, query: string, key?: string) => {
    const url = `/v2/timeseries/${userId}/steps/merged?${query}`
    const answer = await app.call('GET', url, undefined, key)
    return [answer.status, answer.body.detail?.error_type]
  }

  test('of ranges that are too large for the slots, turned round, or not there', async () => {
    const userId = await harness.makeUser()
    const year = 'start_date=2025-02-10&end_date=2026-02-10'
    assert.deepEqual(await status(userId, `${year}&slot=day`), [200, undefined])
    assert.deepEqual(await status(userId, `${year}&slot=minute`), [400, 'range_too_large'])
    assert.deepEqual(await status(userId, `${year}&slot=day&explain=true`), [
      400,
      'range_too_large',
    ])
    assert.deepEqual(await status(userId, 'start_date=2024-02-10&end_date=2026-02-10&slot=day'), [
      400,
      'range_too_large',
    ])
    const turned = 'start_date=2026-02-10&end_date=2026-02-09'
    assert.deepEqual(await status(userId, turned), [400, 'invalid_date_range'])
    assert.equal((await status(userId, 'end_date=2026-02-09'))[0], 422)
    assert.equal((await status(userId, `${DAY}&slot=week`))[0], 422)
  })

  test('of cursors of another read', async () => {
    const userId = await makeWearer()
    const query = 'start_date=2026-02-05&end_date=2026-02-15&slot=minute'
    const { next_cursor } = await read(userId, query)
    assert.ok(next_cursor)
    const other = query.replace('slot=minute', 'slot=hour')
    assert.deepEqual(await status(userId, `${other}&next_cursor=${next_cursor}`), [
      400,
      'invalid_cursor',
    ])
  })

  test('of people of other teams', async () => {
    const userId = await harness.makeUser()
    const { sandboxKey } = await harness.makeTeam()
    assert.equal((await status(userId, DAY, sandboxKey))[0], 404)
  })
})

test('every series that can be merged answers', async () => {
  const userId = await harness.makeUser()
  const never = ['blood_pressure', 'electrocardiogram_voltage', 'hypnogram', 'note']
  for (const { name } of SERIES) {
    if (never.includes(name)) continue
    const answer = await app.call('GET', `/v2/timeseries/${userId}/${name}/merged?${DAY}`)
    assert.deepEqual(answer, { status: 200, body: { data: [], next_cursor: null } }, name)
  }
})

test('an export of iPhone and Watch gives all steps of the Watch and the walks without it', async () => {
  await harness.startJobs()
  const userId = await harness.makeUser()
  await importFile(harness, userId, fixture('synthetic-30d-export.zip'))
  const truth: { daily: Record<string, { steps: { watch: number; iphone: number } }> } = JSON.parse(
    fixture('synthetic-30d-export.truth.json').toString(),
  )
  const days = await readAll(userId, 'start_date=2024-03-01&end_date=2024-03-31&slot=day')
  assert.equal(days.length, 30)
  for (const { calendar_date, value, sources } of days) {
    const { watch, iphone } = truth.daily[calendar_date]?.steps ?? { watch: 0, iphone: 0 }
    // Each morning there is one walk with the phone alone, of 138 steps at most.
    const share = sources.map((source) => [source.type, source.value])
    assert.deepEqual(share[0], ['watch', watch])
    assert.ok(value > watch && value <= watch + 138 && value < watch + iphone, calendar_date)
  }
  assert.equal(sumOf(days), 158_618)
  const minutes = await readAll(userId, 'start_date=2024-03-01&end_date=2024-03-31&slot=minute')
  assert.equal(sumOf(minutes), 158_618)
})
