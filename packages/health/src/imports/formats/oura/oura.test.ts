import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mapContent } from '../../../../../server/test/imports/map-content.ts'
import { seededRandom } from '../../../../../server/test/webhooks/webhook-sink.ts'
import { CONNECTORS, mapPayload } from '../../../connectors/index.ts'

type Fields = Readonly<Record<string, unknown>>

/** A table of the hub: semicolons, and JSON in cells with doubled quotes. */
function toCsv(records: readonly Fields[], delimiter = ';'): string {
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))]
  const cell = (value: unknown) => {
    if (value === null || value === undefined) return ''
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    return /[";,\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  const rows = records.map((record) => columns.map((name) => cell(record[name])).join(delimiter))
  return `${[columns.join(delimiter), ...rows].join('\r\n')}\r\n`
}

/** A night over the end of daylight saving time in Vienna, at 01:00Z. */
const NIGHT = {
  id: 'night-1',
  average_breath: 14.25,
  average_heart_rate: 52.4,
  average_hrv: 48,
  awake_time: 1800,
  bedtime_end: '2025-10-26T06:00:00+01:00',
  bedtime_start: '2025-10-25T23:00:00+02:00',
  day: '2025-10-26',
  deep_sleep_duration: 6000,
  efficiency: 92,
  heart_rate: { interval: 300, items: [null, 55, 54], timestamp: '2025-10-25T23:00:00+02:00' },
  hrv: { interval: 300, items: [41, null, 43], timestamp: '2025-10-25T23:00:00+02:00' },
  latency: 600,
  light_sleep_duration: 15_000,
  lowest_heart_rate: 47,
  rem_sleep_duration: 6000,
  sleep_phase_5_min: '4421133',
  time_in_bed: 28_800,
  total_sleep_duration: 27_000,
  type: 'long_sleep',
}
const SCORE = {
  id: 's1',
  contributors: { deep_sleep: 90 },
  day: '2025-10-26',
  score: 84,
  timestamp: '2025-10-26T00:00:00+02:00',
}
const READY = { ...SCORE, id: 'r1', score: 77, temperature_deviation: -0.12 }
const DAY = {
  id: 'a1',
  active_calories: 412,
  contributors: {},
  day: '2025-10-26',
  equivalent_walking_distance: 8123,
  high_activity_time: 600,
  low_activity_time: 9000,
  medium_activity_time: 2400,
  score: 88,
  sedentary_time: 30_000,
  steps: 9012,
  timestamp: '2025-10-26T04:00:00+01:00',
  total_calories: 2411,
}
const WORKOUT = {
  id: 'w1',
  activity: 'running',
  calories: 350.5,
  day: '2025-10-26',
  distance: 5000,
  end_datetime: '2025-10-26T09:00:00+01:00',
  intensity: 'moderate',
  label: null,
  source: 'confirmed',
  start_datetime: '2025-10-26T08:00:00+01:00',
}
const RATES = [
  { bpm: 61, source: 'awake', timestamp: '2025-10-26T00:59:30+00:00' },
  { bpm: 62, source: 'awake', timestamp: '2025-10-26T01:00:30+00:00' },
]
const SPO2 = { id: 'o1', day: '2025-10-26', spo2_percentage: { average: 97.1 } }
const STRESS = { id: 't1', day: '2025-10-26', stress_high: 4320, day_summary: null }

/** What the vendor's cloud interface becomes for one of its collections. */
function connected(name: string, records: readonly Fields[], ...details: (readonly Fields[])[]) {
  const connector = CONNECTORS.find(({ slug }) => slug === 'oura')
  const collection = connector?.collections.find((one) => one.name === name)
  assert.ok(connector !== undefined && collection !== undefined, name)
  const context = { details: details.map((data) => ({ data })) }
  const answer = { data: records, next_token: null }
  return mapPayload(connector, collection, answer, context, new Date('2026-01-01')).lines
}

/** Lines without what dates a record of a file. */
const undated = (lines: readonly Fields[]): string[] =>
  lines.map(({ modified_at: _, ...line }) => JSON.stringify(line)).sort()

describe('a download of the Oura hub', () => {
  test('becomes what the connection with Oura stores, with the same ids', async () => {
    const { mapped, lines } = await mapContent({
      'App Data/sleepmodel.csv': toCsv([NIGHT, { ...NIGHT, id: 'gone', type: 'deleted' }]),
      'App Data/dailysleep.csv': `\ufeff${toCsv([SCORE])}`,
      'App Data/dailyreadiness.csv': toCsv([READY]),
      'App Data/dailyactivity.csv': toCsv([DAY]),
      'App Data/workout.csv': toCsv([WORKOUT]),
      'App Data/heartrate.csv': toCsv(RATES),
      'App Data/dailyspo2.csv': toCsv([SPO2, { ...SPO2, spo2_percentage: null }]),
      'App Data/dailystress.csv': toCsv([STRESS]),
      'App Data/session.csv': 'id;day;start_datetime;end_datetime;type;mood\n',
      'App Data/enhancedtag.csv': 'id;comment\n1;private words\n',
      'App Data/temperature.csv': 'timestamp;skin_temp\n2025-10-26T00:00:00Z;34.2\n',
    })
    assert.deepEqual([mapped.format, mapped.provider], ['oura', 'oura'])
    const expected = [
      ...connected('sleep', [NIGHT], [SCORE], [READY]),
      ...connected('daily_activity', [DAY]),
      ...connected('workout', [WORKOUT]),
      ...connected('heartrate', RATES),
      ...connected('daily_spo2', [SPO2]),
      ...connected('daily_stress', [STRESS]),
    ]
    assert.ok(expected.length >= 11)
    assert.deepEqual(undated(lines), undated(expected))
    // An hour is repeated: seven hours of the clock, and eight that passed.
    const night = lines.find(({ id }) => id === 'night-1')
    assert.deepEqual(
      [night?.start, night?.end],
      ['2025-10-25T21:00:00+00:00', '2025-10-26T05:00:00+00:00'],
    )
    assert.match(JSON.stringify(night), /"duration_second":28800/)
    const counts = mapped.progress.types.map(({ type, records, merged, not_supported: not }) => [
      type,
      [records, merged, not],
    ])
    assert.deepEqual(Object.fromEntries(counts), {
      sleep: [2, 0, 1],
      'daily activity': [1, 0, 0],
      'daily readiness': [1, 1, 0],
      'daily sleep': [1, 1, 0],
      'daily spo2': [2, 0, 0],
      'daily stress': [1, 0, 0],
      workout: [1, 0, 0],
      'heart rate': [2, 0, 0],
    })
  })

  test('is the same in the older spelling of columns, in another order, and in commas', async () => {
    const camel = (record: Fields) =>
      Object.fromEntries(
        Object.entries(record)
          .reverse()
          .map(([name, value]) => [
            name.replace(/(^|_)(\w)/g, (_all, _start, letter: string) => letter.toUpperCase()),
            value,
          ]),
      )
    const [older, newer] = await Promise.all([
      mapContent({ 'SleepModel.csv': toCsv([camel(NIGHT)], ',') }),
      mapContent({ 'sleepmodel.csv': toCsv([NIGHT]) }),
    ])
    assert.deepEqual(undated(older.lines), undated(newer.lines))
    assert.equal(newer.of('sleep').length, 1)
  })

  test('is recognized by one of its tables alone', async () => {
    for (const content of [[NIGHT], [SCORE], [READY], [DAY], [WORKOUT], RATES, [SPO2]]) {
      assert.equal((await mapContent(toCsv(content))).mapped.format, 'oura')
    }
    await assert.rejects(mapContent('bpm;timestamp\n61;2025-01-01T00:00:00Z\n'), {
      code: 'unknown_format',
    })
  })

  test('in any order becomes the same', async () => {
    const random = seededRandom(3)
    const rates = Array.from({ length: 200 }, (_, index) => ({
      bpm: 50 + Math.floor(random() * 40),
      source: 'awake',
      timestamp: new Date(Date.UTC(2025, 9, 26) + index * 60_000).toISOString(),
    }))
    const shuffled = rates
      .map((rate) => [random(), rate] as const)
      .sort(([a], [b]) => a - b)
      .map(([, rate]) => rate)
    const [one, other] = await Promise.all([mapContent(toCsv(rates)), mapContent(toCsv(shuffled))])
    assert.deepEqual(undated(one.lines), undated(other.lines))
    assert.equal(one.lines.length, 200)
  })

  test('quarantines wrong rows with their known columns alone', async () => {
    const rates = [
      { ...RATES[0], bpm: '=1+1', comment: 'private' },
      { ...RATES[0], timestamp: '1970-01-01T00:00:00+00:00' },
      { ...RATES[0], timestamp: '2030-01-01T00:00:00+00:00' },
      { ...RATES[0], timestamp: '2025-10-26 00:59:30' },
      { ...RATES[0], bpm: 999 },
    ]
    const { of } = await mapContent({ 'heartrate.csv': toCsv(rates) })
    assert.deepEqual(
      of('heartrate').map(({ refused }) => refused),
      [
        ...['invalid_value', 'invalid_start_date', 'invalid_start_date', 'invalid_start_date'],
        'out_of_range',
      ],
    )
    assert.doesNotMatch(JSON.stringify(of('heartrate')), /private/)
    await assert.rejects(mapContent({ 'heartrate.csv': 'bpm;source;timestamp\n"61;awake;x\n' }), {
      code: 'malformed_csv',
    })
  })
})

describe('the oldest download, one file of JSON', () => {
  const evening = {
    summary_date: '2019-03-30',
    period_id: 0,
    is_longest: 1,
    timezone: 120,
    bedtime_start: '2019-03-30T23:00:00+01:00',
    bedtime_end: '2019-03-31T07:00:00+02:00',
    score: 81,
    total: 23_400,
    awake: 1800,
    light: 12_000,
    rem: 5400,
    deep: 6000,
    onset_latency: 300,
    hr_average: 51.5,
    hr_lowest: 46,
    rmssd: 62,
    breath_average: 15.1,
    temperature_delta: 0.2,
    hypnogram_5min: '4112233',
    hr_5min: [0, 52, 51],
    rmssd_5min: [0, 60, 64],
  }
  const content = JSON.stringify({
    user_info: { email: 'jane@example.org' },
    sleep: [evening],
    readiness: [{ summary_date: '2019-03-30', period_id: 0, score: 79 }],
    activity: [
      {
        summary_date: '2019-03-31',
        timezone: 120,
        day_start: '2019-03-31T04:00:00+02:00',
        cal_active: 300,
        cal_total: 2200,
        steps: 7000,
        daily_movement: 6100,
        inactive: 500,
        low: 150,
        medium: 40,
        high: 10,
      },
    ],
  })

  test('has nights on the day of waking, and days in seconds', async () => {
    const { mapped, of, lines } = await mapContent(content)
    assert.equal(mapped.format, 'oura')
    const [night] = of('sleep')
    assert.deepEqual(
      [night?.id, night?.calendar_date, night?.start, night?.end, night?.timezone_offset],
      [
        ...['2019-03-30T23:00:00+01:00', '2019-03-31', '2019-03-30T22:00:00+00:00'],
        ...['2019-03-31T05:00:00+00:00', 7200],
      ],
    )
    const values = night?.values as Fields
    assert.deepEqual(
      [values.stage_deep_second, values.score, values.recovery_readiness_score],
      [6000, 81, 79],
    )
    assert.match(JSON.stringify(night?.stages), /^\[\["awake",0,300\],\["deep",300,900\]/)
    assert.deepEqual(
      of('hrv').map(({ start, value }) => [start, value]),
      [
        ['2019-03-30T22:05:00+00:00', 60],
        ['2019-03-30T22:10:00+00:00', 64],
      ],
    )
    const [day] = of('activity')
    assert.deepEqual([day?.id, day?.timezone_offset], ['2019-03-31', 7200])
    assert.deepEqual(day?.values, {
      calories_total: 2200,
      calories_active: 300,
      steps: 7000,
      distance_meter: 6100,
      intensity_sedentary_second: 30_000,
      intensity_low_second: 9000,
      intensity_medium_second: 2400,
      intensity_high_second: 600,
    })
    assert.doesNotMatch(JSON.stringify(lines), /jane/)
  })

  test('is refused where it is cut off', async () => {
    await assert.rejects(mapContent(content.slice(0, -20)), { code: 'malformed_json' })
  })
})
