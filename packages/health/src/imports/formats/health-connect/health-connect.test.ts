import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  APPS,
  buildHealthConnect,
  idBytes,
  type Tables,
} from '../../../../../server/test/imports/health-connect-file.ts'
import { mapContent } from '../../../../../server/test/imports/map-content.ts'
import { seededRandom } from '../../../../../server/test/webhooks/webhook-sink.ts'

const map = (tables: Tables, more: readonly string[] = [], options = {}) =>
  mapContent(buildHealthConnect({ application_info_table: APPS, ...tables }, more), options)

/** 2025-03-01T00:00:00Z */
const START = 1_740_787_200_000
const MINUTE = 60_000
const HOUR = 60 * MINUTE

const interval = (start: number, minutes: number, offset: number | null = 3600) => ({
  start_time: start,
  start_zone_offset: offset,
  end_time: start + minutes * MINUTE,
  end_zone_offset: offset,
})

describe('records of Health Connect', () => {
  test('have the instant, the offset and the unit of their table, and the app as their source', async () => {
    const one = { app_info_id: 1, uuid: idBytes(1), last_modified_time: START + HOUR }
    const at = { time: START, zone_offset: -18_000 }
    const { lines, mapped } = await map({
      device_info_table: [{ row_id: 7, device_type: 1, manufacturer: 'x', model: 'Watch 5' }],
      steps_record_table: [
        { ...one, ...interval(START, 10), count: 410, device_info_id: 7 },
        // Another app counted the same steps; the two are sources of their own.
        { app_info_id: 2, ...interval(START, 10, null), count: 400 },
      ],
      distance_record_table: [{ ...one, ...interval(START, 10), distance: 312.5 }],
      floors_climbed_record_table: [{ ...one, ...interval(START, 10), floors: 3 }],
      heart_rate_variability_rmssd_record_table: [
        { ...one, ...at, heart_rate_variability_millis: 41.5 },
      ],
      respiratory_rate_record_table: [{ ...one, ...at, rate: 14.5 }],
      oxygen_saturation_record_table: [{ ...one, ...at, percentage: 97 }],
      blood_pressure_record_table: [
        { ...one, ...at, systolic: 121, diastolic: 79 },
        { ...one, ...at, time: START + MINUTE, systolic: 121, diastolic: null },
      ],
      blood_glucose_record_table: [{ ...one, ...at, level: 5.4 }],
      resting_heart_rate_record_table: [{ ...one, ...at, beats_per_minute: 52 }],
      basal_metabolic_rate_record_table: [{ ...one, ...at, basal_metabolic_rate: 80 }],
    })
    const short = lines.map(({ resource, start, timezone_offset, value, refused }) =>
      [resource, refused ?? value, String(start ?? '').slice(0, 19), timezone_offset].join(' '),
    )
    assert.deepEqual(short.sort(), [
      // The resting rate belongs to the local day, which is the one before.
      'activity  2025-02-28T00:00:00 -18000',
      'blood_oxygen 97 2025-03-01T00:00:00 -18000',
      'blood_pressure  2025-03-01T00:00:00 -18000',
      'blood_pressure unpaired  ',
      'distance 312.5 2025-03-01T00:00:00 3600',
      'floors_climbed 3 2025-03-01T00:00:00 3600',
      'glucose 5.4 2025-03-01T00:00:00 -18000',
      'hrv 41.5 2025-03-01T00:00:00 -18000',
      'respiratory_rate 14.5 2025-03-01T00:00:00 -18000',
      'steps 400 2025-03-01T00:00:00 ',
      'steps 410 2025-03-01T00:00:00 3600',
    ])
    const steps = lines.filter(({ resource }) => resource === 'steps')
    assert.deepEqual(
      steps.map(({ source_type, modified_at }) => [source_type, modified_at]),
      [
        ['watch', '2025-03-01T01:00:00+00:00'],
        ['unknown', '2025-03-01T00:10:00+00:00'],
      ],
    )
    const [day] = lines.filter(({ resource }) => resource === 'activity')
    assert.deepEqual([day?.id, day?.values], ['2025-02-28', { heart_rate_resting: 52 }])
    const rate = mapped.progress.types.find(({ type }) => type === 'basal_metabolic_rate')
    assert.equal(rate?.not_supported, 1)
  })

  test('keep the ids of the phone, and a sleep over the change of clocks both offsets', async () => {
    // 2025-03-30: at 01:00Z the offset of Vienna changes from one hour to two.
    const start = Date.UTC(2025, 2, 29, 22)
    const stage = (type: number, from: number, to: number, parent = 5) => ({
      parent_key: parent,
      stage_start_time: start + from * HOUR,
      stage_end_time: start + to * HOUR,
      stage_type: type,
    })
    const sleep = {
      app_info_id: 1,
      start_time: start,
      end_time: start + 7 * HOUR,
      title: 'private',
    }
    const { of } = await map({
      sleep_session_record_table: [
        { ...sleep, row_id: 9, start_time: start + 26 * HOUR, end_time: start + 30 * HOUR },
        {
          ...sleep,
          ...{ row_id: 5, uuid: idBytes(77), notes: 'private' },
          ...{ start_zone_offset: 3600, end_zone_offset: 7200 },
        },
      ],
      sleep_stages_table: [
        stage(6, 3, 4),
        stage(5, 1, 3),
        stage(4, 0, 1),
        stage(7, 4, 4.5),
        stage(3, 4.5, 5),
        stage(2, 5, 7),
        stage(4, 0, 7, 404),
      ],
      heart_rate_record_table: [{ row_id: 1, app_info_id: 1, start_time: start, end_time: start }],
      heart_rate_record_series_table: [
        { parent_key: 1, beats_per_minute: 50, epoch_millis: start + HOUR },
        { parent_key: 1, beats_per_minute: 61, epoch_millis: start + 2 * HOUR },
        { parent_key: 1, beats_per_minute: 90, epoch_millis: start + 8 * HOUR },
      ],
    })
    const [night, nap] = of('sleep')
    assert.equal(night?.id, 'a0a0a0a0-a0a0-a0a0-a0a0-a0a00000004d')
    assert.deepEqual([night?.timezone_offset, night?.calendar_date], [7200, '2025-03-30'])
    const values = night?.values as Record<string, unknown>
    assert.deepEqual(
      ['deep', 'light', 'rem', 'awake', 'asleep'].map((name) => values[`stage_${name}_second`]),
      [7200, 3600, 3600, 3600, 21_600],
    )
    assert.deepEqual(
      ['mean', 'minimum', 'maximum'].map((name) => values[`heart_rate_${name}`]),
      [56, 50, 61],
    )
    assert.doesNotMatch(JSON.stringify(night), /private/)
    assert.equal(nap?.timezone_offset, null)
  })

  test('become workouts with what the app recorded during them, in either numbering of sports', async () => {
    const session = (type: number, hour: number) => ({
      ...{ app_info_id: 1, uuid: idBytes(hour), title: 'private' },
      ...interval(START + hour * HOUR, 60),
      exercise_type: type,
    })
    const sportsOf = async (...types: number[]) => {
      const rows = types.map((type, index) => session(type, index))
      const { of } = await map({ exercise_session_record_table: rows })
      return of('workouts').map(({ values }) => (values as { sport_slug: string }).sport_slug)
    }
    assert.deepEqual(await sportsOf(56, 79, 8), ['running', 'walking', 'cycling'])
    assert.deepEqual(await sportsOf(33, 53, 4, 53), ['running', 'walking', 'cycling', 'walking'])
    assert.deepEqual(await sportsOf(56), ['running'])
    assert.deepEqual(await sportsOf(999), ['other'])
    const { of } = await map({
      exercise_session_record_table: [session(56, 1)],
      distance_record_table: [
        { app_info_id: 1, ...interval(START + HOUR, 30), distance: 4000 },
        { app_info_id: 1, ...interval(START + HOUR + 30 * MINUTE, 30), distance: 3000 },
        // Another app, and before the workout.
        { app_info_id: 2, ...interval(START + HOUR, 30), distance: 4100 },
        { app_info_id: 1, ...interval(START, 30), distance: 500 },
      ],
      active_calories_burned_record_table: [
        { app_info_id: 1, ...interval(START + HOUR, 60), energy: 612_000 },
      ],
    })
    const [workout] = of('workouts')
    const values = workout?.values as Record<string, unknown>
    assert.deepEqual([values.distance_meter, values.calories], [7000, 612])
    assert.doesNotMatch(JSON.stringify(workout), /private/)
  })
})

describe('units of Health Connect', () => {
  const burned = (energy: number, day = 0, app = 1) => ({
    app_info_id: app,
    ...interval(START + day * 24 * HOUR, 60),
    energy,
  })
  const energiesOf = async (total: number[], active: number[], options = {}) => {
    const tables = {
      ...(total.length > 0 && {
        total_calories_burned_record_table: total.map((energy, day) => burned(energy, day)),
      }),
      active_calories_burned_record_table: active.map((energy, day) => burned(energy, day)),
    }
    const { of, mapped } = await map(tables, [], options)
    const [type] = mapped.progress.types.filter((one) => one.type.startsWith('active_calories'))
    return [type?.type, ...of('calories_active').map(({ value, refused }) => refused ?? value)]
  }

  test('of energy are found by possible days; total energy is no active energy', async () => {
    const cal = 'active_calories_burned in cal'
    const joule = 'active_calories_burned in J'
    assert.deepEqual(await energiesOf([2_100_000, 2_400_000], [350_000]), [cal, 350])
    assert.deepEqual(await energiesOf([10_460_000, 12_552_000], [1_464_400]), [joule, 350])
    assert.deepEqual(await energiesOf([], [350_000]), [cal, 350])
    const unknown = 'active_calories_burned in an unknown unit'
    assert.deepEqual(await energiesOf([2100], [350]), [unknown, 'unknown_unit'])
    const named = await energiesOf([2100], [350], { energy_unit: 'kcal' })
    assert.deepEqual(named, ['active_calories_burned in kcal', 350])
  })

  test('of water are liters, or milliliters where the volumes are those of glasses', async () => {
    const waterOf = async (...volumes: number[]) => {
      const rows = volumes.map((volume, day) => ({ ...burned(0, day), volume }))
      const { of } = await map({ hydration_record_table: rows })
      return of('water').map(({ value }) => value)
    }
    assert.deepEqual(await waterOf(0.25, 0.5), [250, 500])
    assert.deepEqual(await waterOf(250, 30, 500), [250, 30, 500])
  })

  test('of bodies are grams; measurements of a minute and source are one summary', async () => {
    const at = (seconds: number, app = 1) => ({
      app_info_id: app,
      time: START + seconds * 1000,
      zone_offset: 3600,
    })
    const { of } = await map({
      weight_record_table: [
        { ...at(5), weight: 70_100 },
        { ...at(200, 2), weight: 70_300 },
      ],
      body_fat_record_table: [{ ...at(8), percentage: 18.5 }],
      lean_body_mass_record_table: [{ ...at(9), mass: 55_000 }],
      height_record_table: [
        { ...at(9), height: 1.81 },
        { ...at(5), height: 1.8 },
        { ...at(9), height: 181 },
      ],
    })
    assert.deepEqual(
      of('body').map(({ id, values }) => [id, values]),
      [
        ['2025-03-01T00:03:00.000Z unknown', { weight_kilogram: 70.3 }],
        [
          '2025-03-01T00:00:00.000Z unknown',
          { weight_kilogram: 70.1, fat_mass_percentage: 18.5, lean_body_mass_kilogram: 55 },
        ],
      ].reverse(),
    )
    assert.deepEqual(
      of('profile').map(({ values, refused }) => refused ?? values),
      ['out_of_range', { height_centimeter: 181 }],
    )
    const samples = ['body_weight', 'body_fat', 'lean_body_mass'].map((name) => of(name).length)
    assert.deepEqual(samples, [2, 1, 1])
  })
})

describe('wrong rows of Health Connect', () => {
  test('are quarantined one by one', async () => {
    const ahead = Date.now() + 3 * 24 * HOUR
    const row = (start: unknown, end: unknown, count: unknown) =>
      ({ app_info_id: 1, start_time: start, end_time: end, count }) as Tables[string][number]
    const { of } = await map({
      steps_record_table: [
        row(START, START + MINUTE, 10),
        row(0, MINUTE, 10),
        row(ahead, ahead + MINUTE, 10),
        row(START + MINUTE, START, 10),
        row(START, START + MINUTE, '=1+1'),
        row(START, START + MINUTE, -3),
        row('now', START, 10),
        row(null, null, 10),
        row(START, START + MINUTE, idBytes(1)),
      ],
    })
    assert.deepEqual(
      of('steps').map(({ value, refused }) => refused ?? value),
      [
        ...[10, 'invalid_start_date', 'invalid_start_date', 'end_before_start', 'invalid_value'],
        ...['out_of_range', 'invalid_start_date', 'invalid_start_date', 'invalid_value'],
      ],
    )
  })

  test('in any order become the same', async () => {
    const random = seededRandom(90)
    const rows = Array.from({ length: 300 }, (_, index) => ({
      row_id: index + 1,
      uuid: idBytes(index),
      app_info_id: 1 + Math.floor(random() * 2),
      ...interval(START + index * 5 * MINUTE, 5),
      count: Math.floor(random() * 500),
    }))
    const linesOf = async (shuffled: typeof rows) => {
      const { lines } = await map({
        steps_record_table: shuffled.map((row, index) => ({ ...row, row_id: index + 1 })),
      })
      return lines.map((line) => JSON.stringify(line)).sort()
    }
    const shuffled = rows
      .map((row) => [random(), row] as const)
      .sort(([a], [b]) => a - b)
      .map(([, row]) => row)
    assert.deepEqual(await linesOf(shuffled), await linesOf(rows))
  })
})
