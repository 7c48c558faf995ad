import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mapContent } from '../../../../../server/test/imports/map-content.ts'

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

/** The present generation: offsets in minutes, values in intervals, way points. */
const TRAINING = {
  identifier: { id: '123456' },
  created: '2026-05-01T09:00:00.000',
  startTime: '2026-05-01T07:30:12',
  stopTime: '2026-05-01T07:30:18',
  timezoneOffsetMinutes: 120,
  durationMillis: 5000,
  distanceMeters: 15.5,
  calories: 3,
  hrAvg: 121,
  hrMax: 124,
  name: 'private name',
  note: 'private note',
  sport: { id: '1' },
  exercises: [
    {
      startTime: '2026-05-01T07:30:12',
      timezoneOffsetMinutes: 120,
      sport: { id: '1' },
      samples: {
        samples: [
          { type: 'HEART_RATE', intervalMillis: 1000, values: [120, 122, 'NaN', 0, 124] },
          { type: 'SPEED', intervalMillis: 2000, values: [9, 10.8] },
          { type: 'RR', intervalMillis: 1000, values: [800] },
        ],
      },
      routes: {
        route: {
          startTime: '2026-05-01T07:30:13',
          wayPoints: [
            { latitude: 48.2, longitude: 16.3, altitude: 170, elapsedMillis: 0 },
            { latitude: 48.2001, longitude: 16.3001, altitude: 171, elapsedMillis: 1000 },
          ],
        },
      },
    },
  ],
}

/** The older generation: the same training with texts and lists of times. */
const OLD_TRAINING = {
  exportVersion: '1.3',
  startTime: '2018-07-01T07:30:12.000',
  stopTime: '2018-07-01T07:30:18.000',
  timezoneOffset: 120,
  duration: 'PT5S',
  distance: 15.5,
  kiloCalories: 3,
  averageHeartRate: 121,
  maximumHeartRate: 124,
  exercises: [
    {
      sport: 'RUNNING',
      samples: {
        heartRate: [
          { dateTime: '2018-07-01T07:30:12.000', value: 120 },
          { dateTime: '2018-07-01T07:30:13.000', value: 122 },
        ],
        speed: [{ dateTime: '2018-07-01T07:30:12.000', value: 9 }],
        recordedRoute: [
          { dateTime: '2018-07-01T07:30:13.000', latitude: 48.2, longitude: 16.3, altitude: 170 },
          { dateTime: '2018-07-01T07:30:14.000', latitude: 48.2001, longitude: 16.3001 },
        ],
      },
    },
  ],
}

describe('trainings of Polar Flow', () => {
  test('of both generations have their offset, and what was recorded', async () => {
    const { mapped, of, lines } = await map({
      'training-session_2026-05-01_123456-UUID.json': TRAINING,
      'training-session-2018-07-01-9876-UUID.json': OLD_TRAINING,
      'account-data-1-UUID.json': { firstName: 'Jane', username: 'jane@example.org' },
    })
    assert.deepEqual([mapped.format, mapped.provider], ['polar', 'polar'])
    const workouts = of('workouts').map(({ id, start, end, timezone_offset, values }) => {
      const { sport_slug, calories, distance_meter, heart_rate_mean } = values as Fields
      return [
        id,
        start,
        end,
        timezone_offset,
        sport_slug,
        calories,
        distance_meter,
        heart_rate_mean,
      ]
    })
    assert.deepEqual(workouts.sort(), [
      [
        ...['123456', '2026-05-01T05:30:12+00:00', '2026-05-01T05:30:18+00:00', 7200],
        ...['running', 3, 15.5, 121],
      ],
      [
        ...['2018-07-01T07:30:12.000', '2018-07-01T05:30:12+00:00', '2018-07-01T05:30:18+00:00'],
        ...[7200, 'running', 3, 15.5, 121],
      ],
    ])
    const second = Date.parse('2026-05-01T05:30:12Z') / 1000
    const streams = of('workout_stream')
    const stream = streams.find(({ id }) => id === '123456')
    assert.deepEqual(
      stream?.time,
      [0, 1, 2, 4].map((after) => second + after),
    )
    assert.deepEqual(stream?.heartrate, [120, 122, null, 124])
    assert.deepEqual(stream?.velocity_smooth, [2.5, null, 3, null])
    assert.deepEqual(stream?.lat, [null, 48.2, 48.2001, null])
    assert.deepEqual(streams.find(({ id }) => id !== '123456')?.heartrate, [120, 122, null])
    assert.deepEqual(
      of('heartrate')
        .map(({ value }) => value)
        .sort(),
      [120, 120, 122, 122, 124],
    )
    assert.doesNotMatch(JSON.stringify(lines), /private|jane/i)
  })

  test('without an offset are in the zone of the options, with both changes of clocks', async () => {
    const at = (startTime: string, stopTime: string) => ({
      ...{ startTime, stopTime, durationMillis: 60_000, exercises: [], sport: { id: '77' } },
    })
    const { of } = await map({
      'training-session_1-UUID.json': at('2025-03-29T12:00:00', '2025-03-29T13:00:00'),
      'training-session_2-UUID.json': at('2025-03-30T12:00:00', '2025-03-30T13:00:00'),
      'training-session_3-UUID.json': at('2025-10-26T12:00:00', '2025-10-26T13:00:00'),
    })
    assert.deepEqual(
      of('workouts').map(({ start, timezone_offset }) => [start, timezone_offset]),
      [
        ['2025-03-29T11:00:00+00:00', 3600],
        ['2025-03-30T10:00:00+00:00', 7200],
        ['2025-10-26T11:00:00+00:00', 3600],
      ],
    )
    assert.match(JSON.stringify(of('workouts')), /"sport_slug":"other"/)
    const alone = JSON.stringify(at('2025-03-29T12:00:00', '2025-03-29T13:00:00'))
    assert.deepEqual((await mapContent(alone)).mapped.questions.length, 1)
  })

  test('are recognized alone, in either generation', async () => {
    for (const content of [TRAINING, OLD_TRAINING]) {
      const { mapped, of } = await mapContent(JSON.stringify(content))
      assert.deepEqual([mapped.format, mapped.questions, of('workouts').length], ['polar', [], 1])
    }
    await assert.rejects(mapContent('{"exercises": [], "name": "x"}'), { code: 'unknown_format' })
  })

  test('that are wrong are quarantined, and the name and note with them are not', async () => {
    const { of } = await map({
      'training-session_1-UUID.json': { ...TRAINING, timezoneOffsetMinutes: 5000 },
      'training-session_2-UUID.json': { ...TRAINING, startTime: '1970-01-01T00:00:00' },
      'training-session_3-UUID.json': { ...TRAINING, startTime: 'yesterday' },
      'training-session_4-UUID.json': { ...TRAINING, calories: '=1+1' },
      'training-session_5-UUID.json': { ...TRAINING, startTime: '2031-05-01T07:30:12' },
      'training-session_6-UUID.json': '[]',
      'training-session_7-UUID.json': TRAINING,
    })
    assert.deepEqual(
      of('workouts')
        .map(({ refused }) => refused)
        .filter((reason) => reason !== undefined),
      [
        ...['invalid_field', 'invalid_start_date', 'invalid_start_date', 'invalid_value'],
        ...['invalid_start_date', 'not_an_object'],
      ],
    )
    assert.doesNotMatch(JSON.stringify(of('workouts')), /private/)
    const damaged = { 'training-session_7-UUID.json': JSON.stringify(TRAINING).slice(0, -9) }
    await assert.rejects(map(damaged), { code: 'malformed_json' })
  })
})
