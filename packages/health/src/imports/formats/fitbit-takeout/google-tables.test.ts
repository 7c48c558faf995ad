import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mapContent } from '../../../../../server/test/imports/map-content.ts'

const BERLIN = 'Europe/Berlin'
const GLOBAL = 'Takeout/Fitbit/Global Export Data/'
const NEW = 'Takeout/Google Health/'

const two = (value: number) => String(value).padStart(2, '0')
/** `05/01/23 05:00:16` of an instant in UTC. */
function short(at: number): string {
  const date = new Date(at)
  const day = `${two(date.getUTCMonth() + 1)}/${two(date.getUTCDate())}/${two(date.getUTCFullYear() % 100)}`
  return `${day} ${date.toISOString().slice(11, 19)}`
}
const listOf = (rows: readonly (readonly [number, unknown])[]) =>
  JSON.stringify(rows.map(([at, value]) => ({ dateTime: short(at), value })))
const reasonsOf = (lines: readonly Readonly<Record<string, unknown>>[]) =>
  lines.flatMap(({ refused }) => refused ?? [])
const values = (line: Readonly<Record<string, unknown>> | undefined) =>
  (line?.values ?? {}) as Record<string, unknown>

const NIGHT = {
  ...{ logId: 4001, dateOfSleep: '2023-03-26', startTime: '2023-03-26T01:00:00.000' },
  ...{ endTime: '2023-03-26T07:00:00.000', duration: 18_000_000, minutesAsleep: 290 },
  ...{ minutesAwake: 10, minutesToFallAsleep: 0, type: 'stages', mainSleep: true },
  levels: {
    summary: { deep: { minutes: 60 }, light: { minutes: 200 }, rem: { minutes: 30 } },
    data: [
      { dateTime: '2023-03-26T01:00:00.000', level: 'light', seconds: 9000 },
      { dateTime: '2023-03-26T04:30:00.000', level: 'deep', seconds: 9000 },
    ],
    shortData: [{ dateTime: '2023-03-26T01:10:00.000', level: 'wake', seconds: 120 }],
  },
}

describe('tables of a Takeout', () => {
  const steps = `${NEW}Physical Activity_GoogleData/steps_2026-09-01.csv`
  const STEPS =
    'timestamp,steps,data source\n2026-09-01T06:00:00Z,40,Google Fitbit Air\n2026-09-01T06:00:00Z,38,Google Health App\n2026-09-01T06:01:00Z,7,Anna’s band\n'

  test('have a source for each device, and no name of a person', async () => {
    const { of, lines } = await mapContent({ [steps]: STEPS })
    assert.deepEqual(
      of('steps').map(({ value, source_type: type }) => [value, type]),
      [
        [40, 'unknown'],
        [38, 'phone'],
        [7, 'unknown'],
      ],
    )
    assert.doesNotMatch(JSON.stringify(lines), /Anna/)
  })

  test('count once with the lists of the same days', async () => {
    const list = listOf([[Date.UTC(2026, 8, 1, 6), '41']])
    const { mapped, of } = await mapContent({
      [steps]: STEPS,
      [`${GLOBAL}steps-2026-09-01.json`]: list,
    })
    assert.deepEqual(
      of('steps').map(({ value }) => value),
      [41],
    )
    assert.equal(mapped.progress.types.find(({ type }) => type === 'table of steps')?.merged, 3)
  })

  test('have weights in grams, daily rates as a fact of the day, and leave calories out', async () => {
    const folder = `${NEW}Physical Activity_GoogleData/`
    const { of } = await mapContent(
      {
        [`${folder}weight.csv`]:
          'timestamp,weight grams,data source\n2026-09-01T05:00:00Z,70100,Aria\n',
        [`${folder}daily_resting_heart_rate.csv`]:
          'timestamp,beats per minute,data source\n2026-09-01T00:00:00Z,52.0,Fitbit Air\n',
        [`${folder}calories_2026-09-01.csv`]:
          'timestamp,calories,data source\n2026-09-01T05:00:00Z,1.4,Fitbit Air\n',
      },
      { time_zone: BERLIN },
    )
    assert.deepEqual(
      of('body_weight').map(({ value }) => value),
      [70.1],
    )
    assert.deepEqual(
      of('activity').map((line) => [line.id, values(line)]),
      [['2026-09-01', { heart_rate_resting: 52 }]],
    )
    assert.deepEqual([of('heartrate'), of('calories_active')], [[], []])
  })

  const SLEEPS =
    'sleep_id,sleep_type,minutes_in_sleep_period,minutes_asleep,minutes_awake,minutes_to_fall_asleep,start_utc_offset,sleep_start,end_utc_offset,sleep_end,data_source\n'
  const STAGES =
    'sleep_id,sleep_stage_id,sleep_stage_type,start_utc_offset,sleep_stage_start,end_utc_offset,sleep_stage_end\n'

  test('have sleeps with their own offsets, also on a journey, and once with the lists', async () => {
    const folder = `${NEW}Health Fitness Data_GoogleData/`
    const { mapped, of } = await mapContent(
      {
        [`${folder}UserSleeps_1.csv`]: `${SLEEPS}1,STAGES,480,450,30,5,+09:00,2026-09-01T14:00:00Z,+09:00,2026-09-01T22:00:00Z,DERIVED
4001,CLASSIC,300,290,10,0,+01:00,2023-03-26 00:00:00+0000,+02:00,2023-03-26 05:00:00+0000,MANUAL
3,STAGES,1,1,1,1,+09:00,1970-01-01T00:00:00Z,+09:00,1970-01-01T00:01:00Z,DERIVED\n`,
        [`${folder}UserSleepStages_1.csv`]: `${STAGES}1,1,LIGHT,+09:00,2026-09-01T14:00:00Z,+09:00,2026-09-01T18:00:00Z
1,2,REM,+09:00,2026-09-01T18:00:00Z,+09:00,2026-09-01T22:00:00Z\n`,
        [`${GLOBAL}sleep-2023-03-26.json`]: JSON.stringify([NIGHT]),
      },
      { time_zone: BERLIN },
    )
    const nights = of('sleep').filter(({ refused }) => refused === undefined)
    assert.deepEqual(
      nights.map((line) => [line.id, line.start, line.timezone_offset, line.calendar_date]),
      [
        ['1', '2026-09-01T14:00:00+00:00', 32_400, '2026-09-02'],
        ['4001', '2023-03-26T00:00:00+00:00', 7200, '2023-03-26'],
      ],
    )
    assert.deepEqual(nights[0]?.stages, [
      ['light', 0, 14_400],
      ['rem', 14_400, 28_800],
    ])
    assert.equal(values(nights[0]).stage_asleep_second, 27_000)
    assert.deepEqual(reasonsOf(of('sleep')), ['invalid_start_date'])
    assert.equal(mapped.progress.types.find(({ type }) => type === 'sleep')?.merged, 1)
  })

  test('have exercises with distances in millimeters, once with the lists', async () => {
    const head =
      'exercise_id,exercise_start,exercise_end,utc_offset,activity_name,log_type,tracker_total_calories,tracker_total_steps,tracker_total_distance_mm,tracker_avg_heart_rate,tracker_peak_heart_rate\n'
    const row = (id: number, hour: string) =>
      `${id},2026-09-01T${hour}:00:00Z,2026-09-01T${hour}:30:00Z,+02:00,Running,TRACKER,250,4000,5000123,140,170\n`
    const { of } = await mapContent({
      [`${NEW}UserExercises_1.csv`]: head + row(5, '06') + row(6, '08'),
      [`${GLOBAL}exercise-0.json`]: JSON.stringify([
        { logId: 60, activityName: 'Run', duration: 1_800_000, startTime: '09/01/26 08:00:00' },
      ]),
    })
    assert.deepEqual(
      of('workouts')
        .map((line) => [line.id, values(line).distance_meter])
        .sort(),
      [
        ['5', 5000.123],
        ['60', undefined],
      ],
    )
  })

  test('of scores complete the sleeps of both kinds, by their id', async () => {
    const { of } = await mapContent(
      {
        'Takeout/Fitbit/Sleep Score/sleep_score.csv':
          'sleep_log_entry_id,timestamp,overall_score\n4001,2023-03-26T07:00:00Z,81\n9,x,300\n',
        [`${NEW}UserSleepScores_1.csv`]: 'sleep_id,sleep_score_id,overall_score\n1,7,66\n',
        [`${NEW}UserSleeps_1.csv`]: `${SLEEPS}1,STAGES,480,450,30,5,+09:00,2026-09-01T14:00:00Z,+09:00,2026-09-01T22:00:00Z,DERIVED\n`,
        [`${GLOBAL}sleep-2023-03-26.json`]: JSON.stringify([NIGHT]),
      },
      { time_zone: BERLIN },
    )
    assert.deepEqual(
      of('sleep').flatMap((line) => (line.refused ? [] : [[line.id, values(line).score]])),
      [
        ['1', 66],
        ['4001', 81],
      ],
    )
    assert.deepEqual(reasonsOf(of('sleep')), ['out_of_range'])
  })

  test('of means of nights are read where there is nothing finer', async () => {
    const daily = 'timestamp,rmssd,nremhr,entropy\n2023-05-01T00:00:00,31.0,52,2\n'
    const folder = 'Takeout/Fitbit/Heart Rate Variability/'
    const means = {
      [`${folder}Daily Heart Rate Variability Summary - 2023-05-(1).csv`]: daily,
      [`${folder}Daily Respiratory Rate Summary - 2023-05-01.csv`]:
        'timestamp,daily_respiratory_rate\n2023-05-01T00:00:00,15.2\n',
    }
    const { of } = await mapContent(means, { time_zone: BERLIN })
    assert.deepEqual(
      [...of('hrv'), ...of('respiratory_rate')].map(({ start, value }) => [start, value]),
      [
        ['2023-05-01T12:00:00+00:00', 31],
        ['2023-05-01T12:00:00+00:00', 15.2],
      ],
    )
    const details = 'timestamp,rmssd,coverage,low_frequency\n2023-05-01T02:00:00,31.5,0.9,1\n'
    const both = await mapContent(
      { ...means, [`${folder}Heart Rate Variability Details - 2023-05-01.csv`]: details },
      { time_zone: BERLIN },
    )
    assert.deepEqual(
      both.of('hrv').map(({ value }) => value),
      [31.5],
    )
  })

  test('of nights have variability, saturation without gaps, and the change of temperature', async () => {
    const { of } = await mapContent(
      {
        'Takeout/Fitbit/Heart Rate Variability/Heart Rate Variability Details - 2023-05-01.csv':
          'timestamp,rmssd,coverage,low_frequency,high_frequency\n2023-05-01T02:00:00,31.5,0.9,1,2\n',
        'Takeout/Fitbit/Oxygen Saturation (SpO2)/Minute SpO2 - 2023-05-01.csv':
          'timestamp,value\n2023-05-01T00:10:00Z,96.2\n2023-05-01T00:11:00Z,50.0\n',
        'Takeout/Fitbit/Oxygen Saturation (SpO2)/Daily SpO2 - 2023-05-01.csv':
          'timestamp,average_value,lower_bound,upper_bound\n2023-05-01T00:00:00Z,96.0,94.0,98.0\n',
        'Takeout/Fitbit/Temperature/Device Temperature - 2023-05-01.csv':
          'recorded_time,temperature,sensor_type\n2023-05-01T02:00,-0.4,UNKNOWN\n',
      },
      { time_zone: BERLIN },
    )
    assert.deepEqual(
      of('hrv').map(({ start, value, method }) => [start, value, method]),
      [['2023-05-01T00:00:00+00:00', 31.5, 'rmssd']],
    )
    assert.deepEqual(
      of('blood_oxygen').flatMap(({ value }) => value ?? []),
      [96.2],
    )
    assert.deepEqual(reasonsOf(of('blood_oxygen')), ['out_of_range'])
    assert.deepEqual(
      of('body_temperature_delta').map(({ value, sensor_location: where }) => [value, where]),
      [[-0.4, 'wrist']],
    )
  })
})

describe('a Takeout with the same twice', () => {
  test('has each minute in its day once', async () => {
    const at = Date.UTC(2023, 9, 28, 23, 30)
    const minutes = [0, 1, 2, 60, 61].map((minute) => at + minute * 60_000)
    // Local times of the night on which Berlin has the hour from two to three twice.
    const local = ['00:30:00', '02:30:00', '02:31:00', '02:30:00', '02:31:00', '03:00:00']
    const calories = local.map((time) => ({ dateTime: `10/29/23 ${time}`, value: '1.5' }))
    const files = {
      'steps-2023-10-01.json': listOf(minutes.map((minute) => [minute, '10'])),
      'calories-2023-10-01.json': JSON.stringify(calories),
      'very_active_minutes-2023-10-01.json': listOf([[Date.UTC(2023, 9, 29), '7']]),
    }
    const twice = Object.entries(files).flatMap(([name, content]) => [
      [`${GLOBAL}${name}`, content],
      [`Takeout 2/Fitbit/${name}`, content],
    ])
    const { of } = await mapContent(Object.fromEntries(twice), { time_zone: BERLIN })
    const [day] = of('activity')
    assert.deepEqual(values(day), { steps: 50, calories_total: 9, intensity_high_second: 420 })
  })

  test('has an exercise of a list once, also where the table has fractions of seconds', async () => {
    const exercise = { logId: 5, activityName: 'Run', duration: 1_800_000 }
    const { of } = await mapContent(
      {
        [`${GLOBAL}exercise-0.json`]: JSON.stringify([
          { ...exercise, startTime: '03/12/23 12:00:00' },
        ]),
        [`${NEW}UserExercises_2023-03-01.csv`]:
          'exercise_id,exercise_start,exercise_end,activity_name\n9,2023-03-12T12:00:00.250Z,2023-03-12T12:30:00Z,Run\n',
      },
      { time_zone: BERLIN },
    )
    assert.deepEqual(
      of('workouts').map(({ id }) => id),
      ['5'],
    )
  })
})

test('tables of other apps are no Takeout', async () => {
  for (const content of [
    'timestamp;value\n2023-03-05T06:00:00Z;96.4\n',
    'timestamp,value\n2023-03-05T06:00:00Z,96.4\n',
    'recorded_time,temperature\n2023-03-05T06:00:00,36.4\n',
    { 'spo2.csv': 'timestamp;value\n2023-03-05T06:00:00Z;96.4\n' },
  ]) {
    await assert.rejects(mapContent(content), { code: 'unknown_format' })
  }
})

test('saturations of a Takeout in local time need a zone', async () => {
  const questionsOf = async (time: string) => {
    const table = `timestamp,value\n${time},96.4\n`
    const { mapped } = await mapContent({ 'SpO2/Minute SpO2 - 2023-03-05.csv': table })
    return mapped.questions.map(({ option }) => option)
  }
  assert.deepEqual(await questionsOf('2023-03-05T06:00:00'), ['time_zone'])
  assert.deepEqual(await questionsOf('2023-03-05T06:00:00Z'), [])
})

test('a Takeout nested too deeply is refused', async () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
  for (const item of [`{"dateTime": ${deep}}`, `{"dateTime": "x", "value": ${deep}}`]) {
    await assert.rejects(mapContent({ 'steps-2023-03-01.json': `[${item}]` }), {
      code: 'malformed_json',
    })
  }
})

test('amounts of a Takeout that no minute has are quarantined, and are in no day', async () => {
  const at = Date.UTC(2023, 2, 5, 12)
  for (const [name, amount] of [
    ['steps', '1e308'],
    ['distance', '1e308'],
    ['calories', '1e308'],
  ] as const) {
    const { lines, of } = await mapContent(
      { [`${name}-2023-03-01.json`]: listOf([[at, amount]]) },
      { time_zone: BERLIN },
    )
    assert.deepEqual(reasonsOf(lines), ['out_of_range'], name)
    assert.deepEqual(
      of('activity').filter(({ refused }) => refused === undefined),
      [],
    )
  }
})
