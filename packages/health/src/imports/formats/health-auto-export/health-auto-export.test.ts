import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapContent } from '../../../../../server/test/imports/map-content.ts'

interface Metric {
  name: string
  units: string
  data: unknown
}

const metric = (name: string, units: string, ...data: object[]): Metric => ({ name, units, data })
const body = (metrics: readonly Metric[], more: object = {}): string =>
  JSON.stringify({ data: { metrics, ...more } })

test('sums of minutes are intervals of all devices, in any clock of the phone', async () => {
  const { mapped, lines } = await mapContent(
    body([
      {
        data: [
          { qty: 418.4, date: '2021-12-24 12:04:00\u202fAM +0800', source: "Ada's Watch|Phone" },
          { qty: 4.184, date: '2021-12-24 12:05:00 am +0800' },
        ],
        units: 'kJ',
        name: 'active_energy',
      },
      metric('heart_rate', 'count/min', {
        date: '2021-12-24 13:04:00 +0800',
        Min: 60,
        Avg: 62.5,
        Max: 65,
      }),
      { name: 'basal_body_temperature', units: 'degC', data: null },
      metric('protein', 'g', { date: '2021-12-24 13:04:00 +0800', qty: 5 }),
    ]),
  )
  assert.deepEqual([mapped.format, mapped.provider], ['health_auto_export', 'apple_health_kit'])
  assert.deepEqual(
    lines.map(({ resource, start, end, timezone_offset: offset, value, source_type: source }) => [
      ...[resource, start, end, offset, value, source],
    ]),
    [
      [
        'calories_active',
        '2021-12-23T16:04:00+00:00',
        '2021-12-23T16:05:00+00:00',
        28_800,
        100,
        'multiple_sources',
      ],
      [
        'calories_active',
        '2021-12-23T16:05:00+00:00',
        '2021-12-23T16:06:00+00:00',
        28_800,
        1,
        'multiple_sources',
      ],
      [
        'heartrate',
        '2021-12-24T05:04:00+00:00',
        '2021-12-24T05:04:00+00:00',
        28_800,
        62.5,
        'multiple_sources',
      ],
    ],
  )
  const other = mapped.progress.types.find(({ type }) => type === 'other metrics')
  assert.equal(other?.not_supported, 1)
  assert.doesNotMatch(JSON.stringify([mapped, lines]), /Ada/)
})

test('the time of sums is what the dates prove, or an option, and else they are quarantined', async () => {
  const steps = (...dates: string[]) =>
    body([metric('step_count', 'count', ...dates.map((date) => ({ date, qty: 10 })))])
  const ends = async (content: string, options = {}) =>
    (await mapContent(content, options)).lines.map(({ end, refused }) => refused ?? end)
  assert.deepEqual(await ends(steps('2025-03-01 10:00:00 +0100', '2025-03-01 12:00:00 +0100')), [
    '2025-03-01T10:00:00+00:00',
    '2025-03-01T12:00:00+00:00',
  ])
  const day = steps('2025-03-29 00:00:00 +0100', '2025-03-30 00:00:00 +0100')
  assert.deepEqual(await ends(day), ['2025-03-29T23:00:00+00:00', '2025-03-30T23:00:00+00:00'])
  // 30 March 2025 has 23 hours in Berlin.
  assert.deepEqual(await ends(day, { time_zone: 'Europe/Berlin' }), [
    '2025-03-29T23:00:00+00:00',
    '2025-03-30T22:00:00+00:00',
  ])
  const single = steps('2025-03-01 10:00:00 +0100')
  assert.deepEqual(await ends(single), ['invalid_end_date'])
  assert.deepEqual(await ends(single, { aggregation: 'hours' }), ['2025-03-01T10:00:00+00:00'])
  const weeks = steps('2025-03-03 00:00:00 +0100', '2025-03-10 00:00:00 +0100')
  assert.deepEqual(await ends(weeks), ['invalid_end_date', 'invalid_end_date'])
})

test('single samples have the source of their device, without its name', async () => {
  const sample = (source: string) => ({
    startDate: '2025-03-01 10:00:00 +0100',
    endDate: '2025-03-01 10:10:00 +0100',
    qty: 100,
    source,
  })
  const { lines } = await mapContent(
    body([metric('step_count', 'count', sample("Ada's Apple Watch"), sample("Ada's iPhone"))]),
  )
  assert.deepEqual(
    lines.map(({ source_type: source, end }) => [source, end]),
    [
      ['watch', '2025-03-01T09:10:00+00:00'],
      ['phone', '2025-03-01T09:10:00+00:00'],
    ],
  )
  assert.doesNotMatch(JSON.stringify(lines), /Ada/)
})

test('units are those of the phone, shares and unknown units are quarantined', async () => {
  const at = { date: '2025-03-01 10:01:00 +0100' }
  const { lines } = await mapContent(
    body([
      metric('weight_body_mass', 'lb', { ...at, qty: 160 }),
      metric('blood_glucose', 'mg/dL', { ...at, qty: 180.182 }),
      metric('blood_glucose', 'mmol<180.1558800000541>/L', {
        date: '2025-03-01 10:02:00 +0100',
        qty: 5.5,
      }),
      metric('body_temperature', 'degF', { ...at, qty: 98.6 }),
      metric('vo2_max', 'ml/(kg·min)', { ...at, qty: 41 }),
      metric('heart_rate_variability', 'ms', { ...at, qty: 40 }),
      metric('blood_oxygen_saturation', '%', { ...at, qty: 97 }, { ...at, qty: 0.97 }),
      metric('walking_running_distance', 'furlong', { ...at, qty: 1 }),
      metric(
        'blood_pressure',
        'mmHg',
        { ...at, systolic: 120, diastolic: 80 },
        { ...at, systolic: 120 },
      ),
    ]),
  )
  assert.deepEqual(
    lines.map(({ resource, value, systolic, method, refused }) => [
      ...[resource, refused ?? value ?? systolic, method],
    ]),
    [
      ['body_weight', 72.5747792, undefined],
      ['glucose', 10, undefined],
      ['glucose', 5.5, undefined],
      ['body_temperature', 37, undefined],
      ['vo2_max', 41, undefined],
      ['hrv', 40, 'sdnn'],
      ['blood_oxygen', 97, undefined],
      ['blood_oxygen', 'out_of_range', undefined],
      ['distance', 'unknown_unit', undefined],
      ['blood_pressure', 120, undefined],
      ['blood_pressure', 'unpaired', undefined],
    ],
  )
})

test('rates of days are a summary of their day', async () => {
  const at = (day: string) => ({ date: `2025-03-0${day} 00:00:00 +0100` })
  const { of } = await mapContent(
    body([
      metric('step_count', 'count', { ...at('1'), qty: 5 }, { ...at('2'), qty: 6 }),
      metric('resting_heart_rate', 'count/min', { ...at('1'), qty: 51 }),
      metric('heart_rate', 'count/min', { ...at('1'), Min: 48, Avg: 70, Max: 150 }),
    ]),
  )
  assert.deepEqual(
    of('activity').map(({ id, start, values }) => [id, start, values]),
    [
      [
        '2025-03-01',
        '2025-02-28T23:00:00+00:00',
        {
          heart_rate_mean: 70,
          heart_rate_minimum: 48,
          heart_rate_maximum: 150,
          heart_rate_resting: 51,
        },
      ],
    ],
  )
  assert.deepEqual(of('heartrate'), [])
})

test('nights are read from sums in hours, and from the samples of their stages', async () => {
  const sum = {
    date: '2025-03-02 00:00:00 +0100',
    ...{ asleep: 0, core: 4, deep: 1, rem: 1.5, awake: 0.25, inBed: 7 },
    ...{ sleepStart: '2025-03-01 23:30:00 +0100', sleepEnd: '2025-03-02 06:15:00 +0100' },
    ...{ inBedStart: '2025-03-01 23:20:00 +0100', inBedEnd: '2025-03-02 06:20:00 +0100' },
  }
  const [night] = (await mapContent(body([metric('sleep_analysis', 'hr', sum)]))).of('sleep')
  const values = (night?.values ?? {}) as Record<string, number>
  assert.deepEqual(
    [night?.start, night?.end, night?.calendar_date, values.stage_asleep_second],
    ['2025-03-01T22:20:00+00:00', '2025-03-02T05:20:00+00:00', '2025-03-02', 23_400],
  )
  const stage = (from: string, to: string, value: string) => ({
    ...{ startDate: `2025-03-02 ${from}:00 +0100`, endDate: `2025-03-02 ${to}:00 +0100` },
    ...{ value, source: "Ada's Apple Watch" },
  })
  const stages = [
    stage('00:00', '02:00', 'Core'),
    stage('02:00', '03:00', 'Deep'),
    stage('03:00', '03:10', 'Awake'),
    stage('03:10', '04:00', 'REM'),
  ]
  for (const list of [stages, stages.toReversed()]) {
    const { of } = await mapContent(body([metric('sleep_analysis', 'hr', ...list)]))
    assert.deepEqual(of('sleep')[0]?.stages, [
      ['light', 0, 7200],
      ['deep', 7200, 10_800],
      ['awake', 10_800, 11_400],
      ['rem', 11_400, 14_400],
    ])
    assert.equal(of('hypnogram').length, 4)
  }
})

test('workouts of both versions have distance, energy, rates and route', async () => {
  const times = { start: '2025-03-01 08:00:00 +0100', end: '2025-03-01 08:30:00 +0100' }
  const point = (second: string, more: object) => ({
    timestamp: `2025-03-01 08:00:${second} +0100`,
    ...more,
  })
  const workouts = [
    {
      ...{ id: 'B-2', name: 'Outdoor Walk', ...times, duration: 1700 },
      distance: { qty: 2, units: 'km' },
      activeEnergyBurned: { qty: 418.4, units: 'kJ' },
      heartRate: { min: { qty: 90 }, avg: { qty: 100 }, max: { qty: 120 } },
      route: [
        point('10', { latitude: 48.2, longitude: 16.3, altitude: 170 }),
        point('20', { latitude: 48.201, longitude: 16.3, altitude: 171 }),
      ],
    },
    {
      ...{ name: 'Running', ...times },
      activeEnergy: { qty: 100, units: 'kcal' },
      stepCount: { qty: 3000, units: 'steps' },
      elevation: { units: 'm', ascent: 30, descent: 28 },
      heartRateData: [
        { date: '2025-03-01 08:05:00 +0100', Avg: 130, Min: 1, Max: 2, units: 'bpm' },
      ],
      route: [point('10', { lat: 48.2, lon: 16.3 }), point('20', { lat: 48.3, lon: 16.3 })],
    },
  ]
  const { of } = await mapContent(body([], { workouts }))
  const [walk, run] = of('workouts').map(
    ({ id, values }) => [id, values] as [string, Record<string, unknown>],
  )
  assert.deepEqual(
    [walk?.[0], walk?.[1].sport_slug, walk?.[1].distance_meter, walk?.[1].calories],
    ['B-2', 'walking', 2000, 100],
  )
  assert.deepEqual(
    [run?.[0], run?.[1].steps, run?.[1].elevation_gain_meter, run?.[1].heart_rate_mean],
    ['1740812400 Running', 3000, 30, 130],
  )
  assert.equal(of('workout_stream').length, 2)
})

test('a file is read as a stream, with the fields of a metric in any order', async () => {
  const points = Array.from({ length: 20_000 }, (_, index) => ({
    date: `2024-${String(1 + (index % 12)).padStart(2, '0')}-${String(1 + (index % 28)).padStart(2, '0')} ${String(index % 24).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}:00 +0100`,
    qty: 60 + (index % 40),
    source: 'x'.repeat(20),
  }))
  const content = JSON.stringify({
    data: { metrics: [{ data: points, units: 'count/min', name: 'heart_rate' }] },
  })
  const { mapped } = await mapContent(content)
  const [rates] = mapped.progress.types
  assert.deepEqual([rates?.type, rates?.records, rates?.imported], ['heart_rate', 20_000, 20_000])
  await assert.rejects(mapContent(content.slice(0, -100)), /not valid JSON/)
})

test('impossible times and other values are quarantined, and other JSON is refused', async () => {
  const { lines } = await mapContent(
    body([
      metric(
        'heart_rate',
        'count/min',
        { date: '2099-01-01 00:00:00 +0000', qty: 60 },
        { date: '1970-01-01 00:00:00 +0000', qty: 60 },
        { date: '2025-01-01 00:00:00', qty: 60 },
        { date: '2025-01-01 00:01:00 +0000', qty: '=1+1' },
        { startDate: '2025-01-01 00:01:00 +0000', endDate: '2025-01-01 00:00:00 +0000', qty: 60 },
      ),
    ]),
  )
  assert.deepEqual(
    lines.map(({ refused, value }) => refused ?? value),
    // A reading has a time and no duration: its end does not matter.
    [
      'invalid_start_date',
      'invalid_start_date',
      'invalid_start_date',
      'invalid_value',
      'end_before_start',
    ],
  )
  await assert.rejects(mapContent('{"data":{"other":[]}}'), /no format/)
})
