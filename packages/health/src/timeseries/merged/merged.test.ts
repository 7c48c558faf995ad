import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { SERIES } from '@salus/contracts/series'
import { MINUTE_MS } from '@salus/contracts/time-units'
import { createHarness } from '../../../../server/test/harness.ts'
import {
  createMerging,
  DAY,
  item,
  type Merging,
  sumOf,
  TRUE_TOTAL,
} from '../../../../server/test/timeseries/merging.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const harness = useFixture(createHarness)
let merging: Merging

before(() => {
  merging = createMerging(harness)
})

describe('a merged read', () => {
  test('counts each instant once, and names the sources that count', async () => {
    const userId = await merging.makeWearer()
    const { data, next_cursor } = await merging.read(userId, `${DAY}&slot=day`)
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

  test('has any range, and passes over years without data', async () => {
    const userId = await merging.makeUser()
    const years = ['1987', '2009', '2026']
    await merging.upload(
      userId,
      'manual',
      years.map((year) => ({
        ...item('23:30', 0, 60),
        start_date: `${year}-02-10T23:30:00Z`,
        end_date: `${year}-02-11T00:30:00Z`,
      })),
    )
    const ever = 'start_date=0001-01-01&end_date=9999-12-31'
    for (const [slot, count, explain] of [
      ['day', 6, false],
      ['hour', 6, true],
      ['minute', 180, false],
    ] as const) {
      const items = await merging.readAll(userId, `${ever}&slot=${slot}&explain=${explain}`)
      assert.equal(items.length, count, slot)
      assert.equal(sumOf(items), 180, slot)
      assert.deepEqual([...new Set(items.map(({ start }) => start.slice(0, 4)))], years)
    }
  })

  test('comes in pages that follow each other without gap or repetition', async () => {
    const userId = await merging.makeSteadyWalker()
    const query = 'start_date=2026-02-05&end_date=2026-02-15&slot=minute'
    const first = await merging.read(userId, query)
    assert.ok(first.next_cursor !== null && first.data.length < 3 * 1440)
    const minutes = await merging.readAll(userId, query)
    assert.deepEqual(
      minutes.map(({ start }) => Date.parse(start)),
      Array.from({ length: 3 * 1440 }, (_, index) => Date.UTC(2026, 1, 8) + index * MINUTE_MS),
    )
    assert.equal(sumOf(minutes), 30_003)
  })

  test('has the same total in slots of any length', async () => {
    const userId = await merging.makeWearer()
    for (const slot of ['minute', '5_minutes', '15_minutes', 'hour', 'day']) {
      const items = await merging.readAll(
        userId,
        `start_date=2026-02-05&end_date=2026-02-15&slot=${slot}`,
      )
      assert.equal(sumOf(items), TRUE_TOTAL, slot)
      assert.deepEqual(
        items.map(({ start }) => start),
        [...new Set(items.map(({ start }) => start))].sort(),
      )
    }
    const usual = await merging.read(userId, DAY)
    assert.deepEqual(usual, await merging.read(userId, `${DAY}&slot=15_minutes`))
  })

  test('shows a sample as soon as it is uploaded, and a corrected one once', async () => {
    const userId = await merging.makeUser()
    await merging.upload(userId, 'manual', [item('09:00', 5, 50)])
    assert.equal(sumOf((await merging.read(userId, DAY)).data), 50)
    await merging.upload(userId, 'manual', [item('09:00', 5, 70)])
    assert.equal(sumOf((await merging.read(userId, DAY)).data), 70)
  })

  test('cuts samples at date-times, so that parts of a day add up to it', async () => {
    const userId = await merging.makeWearer()
    const part = async (from: string, to: string) => {
      const query = `start_date=2026-02-10T${from}Z&end_date=2026-02-10T${to}Z&slot=hour`
      return sumOf(await merging.readAll(userId, query))
    }
    const parts = [
      await part('00:00:00', '09:09:59'),
      await part('09:10:00', '12:20:29'),
      await part('12:20:30', '23:59:59'),
    ]
    assert.equal(sumOf(parts.map((value) => ({ value }))), TRUE_TOTAL)
    assert.equal(parts[0], 233)
  })

  test('decides the same about a sample whichever part of it is read', async () => {
    const userId = await merging.makeUser()
    await merging.upload(userId, 'apple_health_kit', [item('09:00', 60, 1000, { type: 'phone' })])
    await merging.upload(userId, 'samsung_health', [
      item('09:10', 5, 500, { type: 'watch' }),
      item('09:40', 5, 450, { type: 'watch' }),
    ])
    const part = async (query: string) =>
      sumOf((await merging.read(userId, `${query}&slot=minute`)).data)
    const first = await part('start_date=2026-02-10&end_date=2026-02-10T09:29:59Z')
    const second = await part('start_date=2026-02-10T09:30:00Z&end_date=2026-02-10')
    assert.equal(await part(DAY), 1000)
    assert.equal(first + second, 1000)
  })

  test('of one provider alone is what it sent', async () => {
    const userId = await merging.makeWearer()
    const { data } = await merging.read(userId, `${DAY}&slot=day&provider=apple_health_kit`)
    assert.equal(sumOf(data), 2000)
  })

  test('takes a bare date as the local day of the person, by offset or fallback zone', async () => {
    const userId = await merging.makeUser()
    await merging.upload(userId, 'manual', [item('05:00', 10, 40), item('23:30', 60, 60)])
    const abroad = {
      type: 'watch',
      start_date: '2026-02-09T19:00:00-08:00',
      end_date: '2026-02-09T19:10:00-08:00',
    }
    await merging.upload(userId, 'samsung_health', [item('03:00', 10, 7, abroad)])
    const days = async () =>
      (await merging.readAll(userId, 'start_date=2026-02-09&end_date=2026-02-11&slot=day')).map(
        ({ calendar_date, value }) => [calendar_date, value],
      )
    assert.deepEqual(await days(), [
      ['2026-02-09', 7],
      ['2026-02-10', 70],
      ['2026-02-11', 30],
    ])
    assert.equal(sumOf((await merging.read(userId, `${DAY}&slot=hour`)).data), 70)
    const zone = { fallback_time_zone: 'America/Los_Angeles' }
    await harness.call('PATCH', `/v2/user/${userId}`, zone)
    assert.deepEqual(await days(), [
      ['2026-02-09', 47],
      ['2026-02-10', 60],
    ])
    const { data } = await merging.read(userId, `${DAY}&slot=hour`)
    assert.equal(sumOf(data), 60)
    assert.equal(data[0]?.timezone_offset, -28_800)
  })
})

describe('refusals', () => {
  const status = async (userId: string, query: string, key?: string) => {
    const url = `/v2/timeseries/${userId}/steps/merged?${query}`
    const answer = await harness.call(
      'GET',
      url,
      undefined,
      key ? { 'x-service-api-key': key } : {},
    )
    return [answer.status, answer.body.detail?.error_type]
  }

  test('of ranges that are turned round, or not there', async () => {
    const userId = await harness.makeUser()
    const turned = 'start_date=2026-02-10&end_date=2026-02-09'
    assert.deepEqual(await status(userId, turned), [400, 'invalid_date_range'])
    assert.equal((await status(userId, 'end_date=2026-02-09'))[0], 422)
    assert.equal((await status(userId, `${DAY}&slot=week`))[0], 422)
  })

  test('of cursors of another read', async () => {
    const userId = await merging.makeSteadyWalker()
    const query = 'start_date=2026-02-05&end_date=2026-02-15&slot=minute'
    const { next_cursor } = await merging.read(userId, query)
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
    const answer = await harness.call('GET', `/v2/timeseries/${userId}/${name}/merged?${DAY}`)
    assert.deepEqual(answer.body, { data: [], next_cursor: null }, name)
  }
})
