import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { MINUTE_MS } from '@salus/contracts/time-units'
import { createHarness } from '../../../../server/test/harness.ts'
import {
  createMerging,
  item,
  type Merging,
  TRUE_TOTAL,
} from '../../../../server/test/timeseries/merging.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import type { Chart, ChartLine, ChartList } from './chart.schema.ts'

const harness = useFixture(createHarness)
let merging: Merging

before(() => {
  merging = createMerging(harness)
})

async function readChart(userId: string, resource: string, query: string): Promise<Chart> {
  const { status, body } = await harness.call(
    'GET',
    `/v2/timeseries/${userId}/${resource}/chart?${query}`,
  )
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

function onlyLine(chart: Chart): ChartLine {
  assert.equal(chart.lines.length, 1)
  return chart.lines[0] as ChartLine
}

const seconds = (text: string): number => Date.parse(text) / 1000
const sum = (numbers: readonly number[] | null): number =>
  (numbers ?? []).reduce((total, number) => total + number, 0)

/** A reading of the minute after midnight of 10 February 2026. */
const bpm = (minute: number, value: number, change: object = {}) => ({
  value,
  unit: 'bpm',
  start_date: new Date(Date.UTC(2026, 1, 10) + minute * MINUTE_MS).toISOString(),
  end_date: new Date(Date.UTC(2026, 1, 10) + minute * MINUTE_MS).toISOString(),
  ...change,
})

describe('a chart of readings', () => {
  test('shows mean, bounds and last reading of each bucket, and leaves out empty ones', async () => {
    const userId = await merging.makeUser()
    const data = [bpm(0, 60), bpm(1, 80), bpm(2, 70), bpm(47 * 60, 90)]
    await merging.upload(userId, 'manual', data, 'heartrate')
    const query = 'start_date=2026-02-09&end_date=2026-02-12'
    const chart = await readChart(userId, 'heartrate', `${query}&points=4`)
    assert.equal(chart.bucket, 'day')
    assert.equal(chart.kind, 'level')
    assert.equal(chart.unit, 'bpm')
    assert.deepEqual(onlyLine(chart), {
      type: null,
      source: null,
      start: [seconds('2026-02-10'), seconds('2026-02-11')],
      end: [seconds('2026-02-11'), seconds('2026-02-12')],
      timezone_offset: [0, 0],
      calendar_date: ['2026-02-10', '2026-02-11'],
      count: [3, 1],
      sum: null,
      mean: [70, 90],
      min: [60, 90],
      max: [80, 90],
      last: [70, 90],
      diastolic: null,
      origin: [0, 0],
    })
    assert.deepEqual(chart.origins, [{ used: [0], set_aside: [] }])
  })

  test('has no more buckets than asked for, from seconds to months', async () => {
    const userId = await merging.makeUser()
    await merging.upload(userId, 'manual', [bpm(5, 60), bpm(6, 61)], 'heartrate')
    const cases = [
      ['2026-02-10T00:05:00Z', '2026-02-10T00:06:30Z', 100, 'second'],
      ['2026-02-10T00:00:00Z', '2026-02-10T00:59:59Z', 60, 'minute'],
      ['2026-02-10', '2026-02-10', 1440, 'minute'],
      ['2026-02-10', '2026-02-10', 24, 'hour'],
      ['2025-02-10', '2026-02-10', 100, 'week'],
      ['2021-02-10', '2026-02-10', 2000, 'day'],
      ['1996-02-10', '2026-02-10', 1000, 'month'],
    ] as const
    for (const [start, end, points, bucket] of cases) {
      const query = `start_date=${start}&end_date=${end}&points=${points}`
      const chart = await readChart(userId, 'heartrate', query)
      assert.equal(chart.bucket, bucket, query)
      assert.equal(sum(onlyLine(chart).count), 2)
    }
    const months = await readChart(userId, 'heartrate', 'start_date=1996-02-10&end_date=2026-02-20')
    const { start, end } = onlyLine(months)
    assert.deepEqual([start, end], [[seconds('2026-02-01')], [seconds('2026-03-01')]])
  })

  test('takes the best source of each quarter of an hour, so that an hour of one does not hide a day', async () => {
    const userId = await merging.makeUser()
    const watch = Array.from({ length: 24 }, (_, hour) => bpm(hour * 60, 60, { type: 'watch' }))
    const strap = [bpm(600, 150, { type: 'chest_strap' }), bpm(601, 160, { type: 'chest_strap' })]
    await merging.upload(userId, 'apple_health_kit', watch, 'heartrate')
    await merging.upload(userId, 'samsung_health', strap, 'heartrate')
    const period = 'start_date=2026-02-10&end_date=2026-02-10'
    const day = await readChart(userId, 'heartrate', `${period}&points=2`)
    assert.equal(day.precision, 'quarter_hours')
    assert.deepEqual(day.sources, [
      { provider: 'apple_health_kit', type: 'watch', app_id: null },
      { provider: 'samsung_health', type: 'chest_strap', app_id: null },
    ])
    assert.deepEqual(onlyLine(day).count, [24])

    const hours = await readChart(userId, 'heartrate', `${period}&points=100`)
    const quarter = onlyLine(hours)
    const contested = quarter.start.indexOf(seconds('2026-02-10T10:00:00Z'))
    assert.deepEqual(hours.origins[quarter.origin[contested] as number], {
      used: [0],
      set_aside: [1],
    })

    await harness.call('PUT', `/v2/user/${userId}/source_priorities`, {
      source_priorities: [
        {
          resource: 'heartrate',
          provider: 'samsung_health',
          source_type: null,
          app_id: null,
          priority: 5,
        },
      ],
    })
    const preferred = await readChart(userId, 'heartrate', `${period}&points=2`)
    assert.equal(preferred.sources[0]?.provider, 'samsung_health')
    const { count, mean, max } = onlyLine(preferred)
    assert.deepEqual([count, mean, max], [[25], [(23 * 60 + 310) / 25], [160]])
    assert.deepEqual(preferred.origins, [{ used: [0, 1], set_aside: [] }])
  })

  test('can show a line for each source', async () => {
    const userId = await merging.makeUser()
    await merging.upload(userId, 'apple_health_kit', [bpm(0, 60)], 'heartrate')
    await merging.upload(userId, 'samsung_health', [bpm(0, 70)], 'heartrate')
    const { lines } = await readChart(
      userId,
      'heartrate',
      'start_date=2026-02-10&end_date=2026-02-10&by=source',
    )
    assert.deepEqual(
      lines.map(({ source, mean }) => [source, mean]),
      [
        [0, [60]],
        [1, [70]],
      ],
    )
  })

  test('of blood pressure has pairs', async () => {
    const userId = await merging.makeUser()
    const at = '2026-02-10T08:00:00Z'
    const pressure = (value: number) => ({ unit: 'mmHg', start_date: at, end_date: at, value })
    const pair = { systolic: pressure(121), diastolic: pressure(79) }
    await merging.upload(userId, 'manual', [pair], 'blood_pressure')
    const chart = await readChart(
      userId,
      'blood_pressure',
      'start_date=2026-02-01&end_date=2026-03-01&points=40',
    )
    assert.equal(chart.kind, 'pair')
    const { mean, diastolic } = onlyLine(chart)
    assert.deepEqual([mean, diastolic?.mean, diastolic?.last], [[121], [79], [79]])
  })
})

describe('a chart of amounts', () => {
  test('counts each instant once and says which source had to stand back', async () => {
    const userId = await merging.makeWearer()
    const chart = await readChart(
      userId,
      'steps',
      'start_date=2026-02-10&end_date=2026-02-10&points=30',
    )
    assert.deepEqual([chart.bucket, chart.kind, chart.precision], ['hour', 'sum', 'exact'])
    const line = onlyLine(chart)
    assert.equal(sum(line.sum), TRUE_TOTAL)
    assert.equal(line.mean, null)
    const at = (time: string) =>
      chart.origins[line.origin[line.start.indexOf(seconds(`2026-02-10T${time}Z`))] as number]
    assert.deepEqual(at('09:00:00'), { used: [1], set_aside: [] })
    assert.deepEqual(at('13:00:00'), { used: [0], set_aside: [1] })
  })

  test('is the merged read, in buckets of any length', async () => {
    const userId = await merging.makeWearer()
    for (const points of [2, 10, 30, 100, 300, 1500]) {
      const query = `start_date=2026-02-09&end_date=2026-02-11&points=${points}`
      assert.equal(sum(onlyLine(await readChart(userId, 'steps', query)).sum), TRUE_TOTAL)
    }
  })

  test('splits a sample between buckets as the merged read does', async () => {
    const userId = await merging.makeUser()
    await merging.upload(userId, 'manual', [item('23:30', 60, 100)])
    const chart = await readChart(
      userId,
      'steps',
      'start_date=2026-02-10&end_date=2026-02-11&points=2',
    )
    assert.deepEqual(onlyLine(chart).sum, [50, 50])
  })
})

describe('local time', () => {
  test('days are local to the user, and a journey differs from a changed clock', async () => {
    const userId = await merging.makeUser()
    const path = `/v2/user/${userId}`
    await harness.call('PATCH', path, { fallback_time_zone: 'Europe/Berlin' })
    const at = (time: string, offset: string) => ({
      ...bpm(0, 60),
      start_date: `${time}${offset}`,
      end_date: `${time}${offset}`,
    })
    const data = [
      at('2026-03-28T12:00:00', '+01:00'),
      at('2026-03-30T12:00:00', '+02:00'),
      at('2026-04-02T23:30:00', '-07:00'),
    ]
    await merging.upload(userId, 'manual', data, 'heartrate')
    const chart = await readChart(
      userId,
      'heartrate',
      'start_date=2026-03-28&end_date=2026-04-02&points=10',
    )
    assert.equal(chart.bucket, 'day')
    const { start, end, calendar_date, timezone_offset } = onlyLine(chart)
    assert.deepEqual(calendar_date, ['2026-03-28', '2026-03-30', '2026-04-02'])
    assert.deepEqual(timezone_offset, [3600, 7200, -25_200])
    assert.deepEqual(
      start.map((second, index) => [second, ((end[index] as number) - second) / 3600]),
      [
        [seconds('2026-03-28T00:00:00+01:00'), 24],
        [seconds('2026-03-30T00:00:00+02:00'), 24],
        [seconds('2026-04-02T00:00:00-07:00'), 24],
      ],
    )
    assert.deepEqual(
      chart.local_times.map((time) => [time.timezone_offset, time.is_journey]),
      [
        [3600, false],
        [7200, false],
        [-25_200, true],
      ],
    )
  })
})

describe('the list of charts', () => {
  test('names what the person has, and since when', async () => {
    const userId = await merging.makeUser()
    await merging.upload(userId, 'manual', [bpm(0, 60), bpm(90, 61)], 'heartrate')
    const { body } = await harness.call('GET', `/v2/timeseries/${userId}/charts`)
    assert.deepEqual(body satisfies ChartList, {
      data: [
        {
          resource: 'heartrate',
          unit: 'bpm',
          kind: 'level',
          oldest_data: '2026-02-10T00:00:00+00:00',
          newest_data: '2026-02-10T01:30:00+00:00',
        },
      ],
      // A sample in UTC does not name the place of its recording.
      local_times: [],
    })
  })
})

test('several charts are the same as each by itself, in the order of the request', async () => {
  const userId = await merging.makeUser()
  await merging.upload(userId, 'manual', [bpm(0, 60), bpm(1, 80)], 'heartrate')
  const query = { start_date: '2026-02-09', end_date: '2026-02-12', points: 4 }
  const { status, body } = await harness.call('POST', `/v2/timeseries/${userId}/charts`, {
    charts: [
      { resource: 'steps', ...query },
      { resource: 'heartrate', ...query },
    ],
  })
  assert.equal(status, 200)
  const text = 'start_date=2026-02-09&end_date=2026-02-12&points=4'
  assert.deepEqual(body.data, [
    await readChart(userId, 'steps', text),
    await readChart(userId, 'heartrate', text),
  ])
  const refused = { charts: [{ resource: 'note', ...query }] }
  const answer = await harness.call('POST', `/v2/timeseries/${userId}/charts`, refused)
  assert.equal(answer.status, 422)
})

describe('a chart is refused', () => {
  const statusOf = async (path: string): Promise<number> =>
    (await harness.call('GET', `/v2/timeseries/${path}`)).status

  test('where dates are turned round, points are out of bounds, or the series has no numbers', async () => {
    const userId = await merging.makeUser()
    assert.equal(
      await statusOf(`${userId}/steps/chart?start_date=2026-02-10&end_date=2026-02-01`),
      400,
    )
    assert.equal(await statusOf(`${userId}/steps/chart?start_date=2026-02-10&points=1`), 422)
    assert.equal(await statusOf(`${userId}/steps/chart?start_date=2026-02-10&points=4001`), 422)
    assert.equal(await statusOf(`${userId}/note/chart?start_date=2026-02-10`), 404)
    assert.equal(await statusOf(`${userId}/hypnogram/chart?start_date=2026-02-10`), 404)
  })
})
