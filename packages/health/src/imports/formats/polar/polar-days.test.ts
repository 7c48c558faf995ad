import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mapContent } from '../../../../../server/test/imports/map-content.ts'
import { seededRandom } from '../../../../../server/test/webhooks/webhook-sink.ts'

type Fields = Readonly<Record<string, unknown>>

const UUID = '0f8b2a8e-5f2f-4f5c-9f61-0a1b2c3d4e5f'
const map = (files: Readonly<Record<string, unknown>>, options = {}) =>
  mapContent(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [
        name.replace('UUID', UUID),
        typeof content === 'string' ? content : JSON.stringify(content),
      ]),
    ),
    { time_zone: 'Europe/Vienna', ...options },
  )

describe('days of Polar Flow', () => {
  const rates = (date: string, samples: readonly (readonly [number, number])[]) => ({
    deviceDays: [
      {
        userId: 1,
        deviceId: 'A1',
        date,
        samples: samples.map(([secondsFromDayStart, heartRate]) => ({
          ...{ source: 'OPTICAL', secondsFromDayStart, heartRate },
        })),
      },
    ],
  })

  test('ask for the zone of their clock, which may stay unknown', async () => {
    const files = { '247ohr_1_05-UUID.json': rates('2025-05-01', [[36_000, 61]]) }
    const { mapped, lines } = await map(files, { time_zone: undefined })
    assert.deepEqual([mapped.questions.map(({ option }) => option), lines], [['time_zone'], []])
    const { of } = await map(files, { time_zone: 'floating' })
    assert.deepEqual(
      of('heartrate').map(({ start, timezone_offset }) => [start, timezone_offset]),
      [['2025-05-01T10:00:00+00:00', null]],
    )
  })

  test('have heart rates by the wall clock, also where the clock changes', async () => {
    const hour = 3600
    const { of } = await map({
      '247ohr_1_03-UUID.json': rates('2025-03-30', [
        [hour, 50],
        [4 * hour, 51],
      ]),
      '247ohr_1_10-UUID.json': rates('2025-10-26', [
        [1.5 * hour, 60],
        [2.5 * hour, 61],
        [2.75 * hour, 62],
        // The hour from 2 to 3 is repeated.
        [2.25 * hour, 63],
        [2.75 * hour, 64],
        [3 * hour, 65],
        [4 * hour, 0],
      ]),
    })
    // A table by hand: before 01:00Z of either day the offset is the former.
    assert.deepEqual(
      of('heartrate').map(({ start, timezone_offset, value }) => [start, timezone_offset, value]),
      [
        ['2025-03-30T00:00:00+00:00', 3600, 50],
        ['2025-03-30T02:00:00+00:00', 7200, 51],
        ['2025-10-25T23:30:00+00:00', 7200, 60],
        ['2025-10-26T00:30:00+00:00', 7200, 61],
        ['2025-10-26T00:45:00+00:00', 7200, 62],
        ['2025-10-26T01:15:00+00:00', 3600, 63],
        ['2025-10-26T01:45:00+00:00', 3600, 64],
        ['2025-10-26T02:00:00+00:00', 3600, 65],
      ],
    )
  })

  test('have steps each minute and sums of the day, whose energy is not that of activity', async () => {
    const { of } = await map({
      'activity-2025-05-01-UUID.json': {
        exportVersion: '1.3',
        date: '2025-05-01',
        summary: { stepCount: 8000, stepsDistance: 5600.5, calories: 2345, sleepDuration: 'PT7H' },
        samples: {
          mets: [{ localTime: '07:00:00', value: 1.5 }],
          steps: [
            { localTime: '23:59:00', value: 12 },
            { localTime: '00:00:00', value: 20 },
            { localTime: 'noon', value: 20 },
          ],
        },
        physicalInformation: { 'weight, kg': 70, birthday: '1990-01-01' },
      },
      'activity-2025-05-02-UUID.json': { date: '2025-05-02', samples: {} },
    })
    const [day, ...more] = of('activity')
    assert.deepEqual(
      [day?.id, day?.values, more.length],
      ['2025-05-01', { calories_total: 2345, steps: 8000, distance_meter: 5600.5 }, 0],
    )
    assert.equal(of('calories_active').length, 0)
    assert.deepEqual(
      of('steps').map(({ start, end, value, refused }) => [start, end, refused ?? value]),
      [
        ['2025-05-01T21:59:00+00:00', '2025-05-01T22:00:00+00:00', 12],
        ['2025-05-01T22:00:00+00:00', '2025-05-01T22:01:00+00:00', 20],
        [undefined, undefined, 'invalid_start_date'],
      ],
    )
    assert.doesNotMatch(JSON.stringify(of('activity')), /1990/)
  })

  test('in any order of files become the same', async () => {
    const random = seededRandom(5)
    const days = Array.from({ length: 30 }, (_, index) => {
      const date = new Date(Date.UTC(2025, 2, 15 + index)).toISOString().slice(0, 10)
      const times = Array.from({ length: 20 }, (_, at) => [
        at * 4000,
        50 + Math.floor(random() * 40),
      ])
      return rates(date, times as [number, number][]).deviceDays
    })
    const linesOf = async (order: typeof days) => {
      const content = { '247ohr_1_03-UUID.json': { deviceDays: order.flat() } }
      return (await map(content)).lines.map((line) => JSON.stringify(line)).sort()
    }
    const shuffled = days
      .map((day) => [random(), day] as const)
      .sort(([a], [b]) => a - b)
      .map(([, day]) => day)
    assert.deepEqual(await linesOf(shuffled), await linesOf(days))
  })
})

describe('nights of Polar Flow', () => {
  const night = {
    night: '2025-10-26',
    sleepResult: {
      hypnogram: {
        sleepStart: '2025-10-25T23:00:00.000+02:00',
        sleepEnd: '2025-10-26T06:00:00.000+01:00',
        birthday: '1990-01-01',
        sleepStateChanges: [
          { offsetFromStart: 'PT0S', state: 'WAKE' },
          { offsetFromStart: 'PT30M', state: 'NONREM12' },
          { offsetFromStart: 'PT2H30M', state: 'NONREM3' },
          { offsetFromStart: 'PT4H', state: 'REM' },
          { offsetFromStart: 'PT8H0M0.5S', state: 'WAKE' },
        ],
      },
    },
  }

  test('have the score and the recovery of their date, and the id of a connection', async () => {
    const { of, mapped } = await map({
      'sleep_result_1-UUID.json': [night],
      'sleep_score_1-UUID.json': [
        { night: '2025-10-26', sleepScoreResult: { sleepScore: 81.4 } },
        { night: '2025-10-27', sleepScoreResult: { sleepScore: 70 } },
      ],
      'nightly_recovery_1-UUID.json': [
        { night: '2025-10-26', meanNightlyRecoveryRmssd: 44, breathingRateAvg: 14.2 },
      ],
      'nightly_recovery_blob_1-UUID.json': [{ hrvData: [] }],
    })
    const [sleep, ...more] = of('sleep')
    assert.deepEqual(
      [sleep?.id, sleep?.start, sleep?.end, sleep?.timezone_offset, more.length],
      ['2025-10-26', '2025-10-25T21:00:00+00:00', '2025-10-26T05:00:00+00:00', 3600, 0],
    )
    assert.deepEqual(sleep?.stages, [
      ['awake', 0, 1800],
      ['light', 1800, 9000],
      ['deep', 9000, 14_400],
      ['rem', 14_400, 28_800],
    ])
    const { score, hrv_mean_rmssd, respiratory_rate } = (sleep?.values ?? {}) as Fields
    assert.deepEqual([score, hrv_mean_rmssd, respiratory_rate], [81, 44, 14.2])
    const scores = mapped.progress.types.find(({ type }) => type === 'sleep score')
    assert.deepEqual([scores?.merged, scores?.not_supported], [1, 1])
    assert.doesNotMatch(JSON.stringify(of('sleep')), /1990/)
  })

  test('are recognized alone; weights have the unit of their name', async () => {
    assert.equal((await mapContent(JSON.stringify([night]))).mapped.format, 'polar')
    const { of } = await map({
      'calendar-items-1-UUID.json': {
        notes: [{ note: 'private' }],
        perceivedRecovery: [],
        weights: [
          { dateTime: '2025-05-01T08:00:00.000', 'weight, kg': 70.5 },
          { date: '2025-05-02', 'weight, kg': 70.4 },
          { created: '2025-05-02T08:00:00.000', 'weight, kg': 70.4 },
        ],
      },
    })
    assert.deepEqual(
      of('body').map(({ start, values, refused }) => [start, refused ?? values]),
      [
        [undefined, 'invalid_start_date'],
        ['2025-05-01T06:00:00+00:00', { weight_kilogram: 70.5 }],
        ['2025-05-02T00:00:00+00:00', { weight_kilogram: 70.4 }],
      ],
    )
    assert.deepEqual(
      of('body_weight').map(({ value }) => value),
      [70.5],
    )
  })
})
