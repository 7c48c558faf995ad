import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  collectionOf,
  mapRecords,
  RANGE,
  REQUEST,
  reasonsOf,
} from '../../../../server/test/connectors/google-health-records.ts'
import { NO_CONTEXT } from '../../../../server/test/connectors/no-context.ts'
import { SAMPLE_TYPES } from './samples.mapper.ts'

const AT = Date.UTC(2026, 1, 10, 13, 45, 10)
const NOON = Date.UTC(2026, 1, 10, 12)
const OFFSET = -18_000

/** What the good record of each collection becomes: value, start, and what depends on the kind. */
const SAMPLES: Record<string, readonly [series: string, value: number, start: number]> = {
  steps: ['steps', 87, AT - 10_000],
  distance: ['distance', 65.25, AT - 10_000],
  floors: ['floors_climbed', 4, Date.UTC(2026, 1, 10, 13)],
  'active-energy-burned': ['calories_active', 5.25, AT - 10_000],
  'heart-rate': ['heartrate', 93, AT],
  'heart-rate-variability': ['hrv', 41.5, AT],
  'daily-heart-rate-variability': ['hrv', 38.5, NOON],
  'oxygen-saturation': ['blood_oxygen', 96.5, AT],
  'daily-oxygen-saturation': ['blood_oxygen', 95.5, NOON],
  'respiratory-rate-sleep-summary': ['respiratory_rate', 14.5, AT],
  'daily-respiratory-rate': ['respiratory_rate', 15.5, NOON],
  'core-body-temperature': ['body_temperature', 36.75, AT],
  'run-vo2-max': ['vo2_max', 46.25, AT],
  'vo2-max': ['vo2_max', 44.5, AT],
  'daily-vo2-max': ['vo2_max', 45.5, NOON],
  weight: ['body_weight', 71.25, AT],
  'body-fat': ['body_fat', 22.5, AT],
  'hydration-log': ['water', 330, AT - 10_000],
}

for (const [name, expected] of Object.entries(SAMPLES)) {
  test(`a record of ${name} is a sample in the unit of its series`, () => {
    const { samples, quarantined } = mapRecords(name)
    const [sample] = samples
    assert.deepEqual(quarantined, [])
    assert.deepEqual([sample?.series, sample?.value, sample?.startedAt], expected)
    const hasZone = name !== 'floors' && !name.startsWith('daily-')
    assert.equal(sample?.timezoneOffset, hasZone ? OFFSET : null)
  })
}

test('every type of single values is tried', () => {
  assert.deepEqual(
    Object.keys(SAMPLE_TYPES).sort(),
    [...Object.keys(SAMPLES), 'blood-glucose'].sort(),
  )
})

test('intervals keep their end', () => {
  const [sample] = mapRecords('steps').samples
  assert.equal((sample?.endedAt ?? 0) - (sample?.startedAt ?? 0), 60_000)
})

test('numbers are numbers or text; others and missing ones are quarantined', () => {
  const interval = { startTime: '2026-02-10T13:45:00Z', endTime: '2026-02-10T13:46:00Z' }
  const steps = (count: unknown) => ({ steps: { interval, count } })
  const counts = ['0', 12, '12.0', undefined, null, '', 'many', true, '-1', {}]
  const data = mapRecords('steps', counts.map(steps))
  assert.deepEqual(
    data.samples.map(({ value }) => value),
    [0, 12, 12],
  )
  assert.deepEqual(
    reasonsOf(data).map((text) => text.replace('steps ', '')),
    [
      ...['invalid_value', 'invalid_value', 'invalid_value', 'invalid_value', 'invalid_value'],
      ...['out_of_range', 'invalid_value'],
    ],
  )
})

test('an offset is that of the record, of its local time, or unknown', () => {
  const at = (change: object) =>
    mapRecords('heart-rate', [
      {
        heartRate: {
          beatsPerMinute: '60',
          sampleTime: { physicalTime: '2026-02-10T13:45:10.75Z', ...change },
        },
      },
    ]).samples[0]?.timezoneOffset
  const civilTime = {
    date: { year: 2026, month: 2, day: 10 },
    time: { hours: 19, minutes: 30, seconds: 10, nanos: 750_000_000 },
  }
  assert.equal(at({ utcOffset: '20700s' }), 20_700)
  assert.equal(at({ utcOffset: '0s', civilTime }), 0)
  assert.equal(at({ civilTime }), 20_700)
  for (const odd of [{}, { utcOffset: '9' }, { utcOffset: '90000s' }, { civilTime: { date: 7 } }]) {
    assert.equal(at(odd), null)
  }
  assert.equal(at({ physicalTime: '2026-02-10T19:30:10+05:45' }), 20_700)
})

test('a source is the device, or the person who entered it; merged lists name none', () => {
  const source = (dataSource: unknown) => {
    const sampleTime = { physicalTime: '2026-02-10T13:45:10Z' }
    return mapRecords('weight', [{ dataSource, weight: { sampleTime, weightGrams: 70_000 } }])
      .samples[0]?.sourceType
  }
  const device = (formFactor: unknown) => ({ device: { formFactor } })
  for (const [dataSource, expected] of [
    [device('SCALE'), 'scale'],
    [device('WATCH'), 'watch'],
    [device('SMART_DISPLAY'), 'unknown'],
    [device('constructor'), 'unknown'],
    [{ ...device('WATCH'), recordingMethod: 'MANUAL' }, 'app'],
    [{}, 'unknown'],
    [7, 'unknown'],
    [undefined, 'unknown'],
  ] as const) {
    assert.equal(source(dataSource), expected)
  }
})

describe('glucose', () => {
  const sampleTime = { physicalTime: '2026-02-10T13:45:10Z', utcOffset: '0s' }
  const glucose = (change: object) =>
    mapRecords('blood-glucose', [
      { bloodGlucose: { sampleTime, bloodGlucoseMilligramsPerDeciliter: 90.091, ...change } },
    ]).samples[0]

  test('is in mmol/L', () => assert.equal(glucose({})?.value, 5))

  test('has its type from the specimen, else from the source', () => {
    for (const [change, type, source] of [
      [{ specimen: 'INTERSTITIAL_FLUID' }, 'automatic', 'automatic'],
      [{ specimen: 'CAPILLARY_BLOOD' }, 'fingerprick', 'fingerprick'],
      [{ measurementSource: 'CONTINUOUS_GLUCOSE_MONITORING' }, 'automatic', 'automatic'],
      [{ specimen: 'SERUM', measurementSource: 'LAB_TEST' }, '', 'lab'],
      [{ specimen: 'TEARS' }, '', 'unknown'],
      [{}, '', 'unknown'],
    ] as const) {
      const sample = glucose(change)
      assert.deepEqual([sample?.sampleType, sample?.sourceType], [type, source])
    }
  })
})

test('a variability is RMSSD where it has one, else SDNN', () => {
  const sampleTime = { physicalTime: '2026-02-10T03:00:00Z' }
  const both = mapRecords('heart-rate-variability').samples
  assert.deepEqual([both.length, both[0]?.extra], [1, '{"method":"rmssd"}'])
  const [sdnn] = mapRecords('heart-rate-variability', [
    { heartRateVariability: { sampleTime, standardDeviationMilliseconds: 55.25 } },
  ]).samples
  assert.deepEqual([sdnn?.value, sdnn?.extra], [55.25, '{"method":"sdnn"}'])
})

test('a temperature keeps the place where it was measured, if Salus knows it', () => {
  const extra = (measurementLocation: unknown) =>
    mapRecords('core-body-temperature', [
      {
        coreBodyTemperature: {
          sampleTime: { physicalTime: '2026-02-10T03:00:00Z' },
          temperatureCelsius: 36.5,
          measurementLocation,
        },
      },
    ]).samples[0]?.extra
  assert.equal(extra('GASTRO_INTESTINAL'), '{"sensor_location":"gastrointestinal"}')
  for (const other of ['NASAL', 'OTHER', 7, undefined]) assert.equal(extra(other), '')
})

describe('the mean of a day', () => {
  const mean = (year: number, month: number, day: number) => ({
    dailyOxygenSaturation: { date: { year, month, day }, averagePercentage: 95 },
  })
  const sample = (physicalTime: string, percentage: unknown) => ({
    oxygenSaturation: { sampleTime: { physicalTime, utcOffset: '-18000s' }, percentage },
  })

  test('is stored where its samples are missing', () => {
    const samples = {
      // Before midnight at the place of the person, in the night of February 10.
      dataPoints: [sample('2026-02-10T04:59:00Z', 97), sample('2026-02-11T08:00:00Z', 0.97e3)],
    }
    const records = [mean(2026, 2, 9), mean(2026, 2, 10), mean(2026, 2, 11)]
    const { samples: stored } = mapRecords('daily-oxygen-saturation', records, [samples])
    assert.deepEqual(
      stored.map(({ startedAt }) => startedAt),
      [Date.UTC(2026, 1, 9, 12), Date.UTC(2026, 1, 11, 12)],
    )
    const alone = mapRecords('daily-oxygen-saturation', records)
    assert.equal(alone.samples.length, 3)
  })

  test('of a day that does not exist is quarantined', () => {
    const data = mapRecords('daily-oxygen-saturation', [mean(2026, 2, 30), mean(2026, 2, 9)])
    assert.equal(data.samples.length, 1)
    assert.deepEqual(reasonsOf(data), ['blood_oxygen invalid_date'])
  })

  test('asks for the samples of the days around it', () => {
    const [request] = collectionOf('daily-oxygen-saturation').details?.({}, REQUEST) ?? []
    assert.ok(request !== undefined && 'path' in request)
    assert.equal(request.isOptional, true)
    assert.match(String(request.query?.filter), /^oxygen_saturation\.sample_time\.physical_time/)
  })
})

test('floors are those of whole hours, so that each request finds the same', () => {
  const { page } = collectionOf('floors')
  const range = { from: Date.UTC(2026, 1, 9, 10, 30), to: Date.UTC(2026, 1, 9, 12, 0, 1) }
  assert.deepEqual(page(range, 'next', NO_CONTEXT), {
    method: 'POST',
    path: '/v4/users/me/dataTypes/floors/dataPoints:rollUp',
    json: {
      range: { startTime: '2026-02-09T10:00:00.000Z', endTime: '2026-02-09T13:00:00.000Z' },
      windowSize: '3600s',
      pageToken: 'next',
    },
  })
  const interval = { startTime: '2026-02-10T13:45:00Z', endTime: '2026-02-10T13:46:00Z' }
  const { samples } = mapRecords('floors', [
    { startTime: interval.startTime, endTime: interval.endTime, floors: { countSum: '0' } },
    { startTime: interval.startTime, endTime: interval.endTime },
  ])
  assert.deepEqual(samples, [])
})

test('each kind of record has its filter', () => {
  const filterOf = (name: string) => collectionOf(name).page(RANGE, null, NO_CONTEXT).query?.filter
  const [from, to] = ['2026-02-09T00:00:00.000Z', '2026-02-12T00:00:00.000Z']
  assert.equal(
    filterOf('heart-rate'),
    `heart_rate.sample_time.physical_time >= "${from}" AND heart_rate.sample_time.physical_time < "${to}"`,
  )
  assert.equal(
    filterOf('steps'),
    `steps.interval.start_time >= "${from}" AND steps.interval.start_time < "${to}"`,
  )
  assert.equal(
    filterOf('daily-vo2-max'),
    'daily_vo2_max.date >= "2026-02-08" AND daily_vo2_max.date < "2026-02-14"',
  )
  assert.equal(
    filterOf('exercise'),
    'exercise.interval.civil_start_time >= "2026-02-08T00:00:00" AND exercise.interval.civil_start_time < "2026-02-13T00:00:00"',
  )
  assert.equal(
    filterOf('sleep'),
    `sleep.interval.end_time >= "${from}" AND sleep.interval.end_time < "2026-02-13T00:00:00.000Z"`,
  )
  assert.equal(filterOf('electrocardiogram'), `electrocardiogram.interval.start_time >= "${from}"`)
  const pathOf = (name: string) =>
    collectionOf(name).page(RANGE, null, NO_CONTEXT).path.split('/').at(-1)
  assert.equal(pathOf('steps'), 'dataPoints:reconcile')
  assert.equal(pathOf('sleep'), 'dataPoints')
})
