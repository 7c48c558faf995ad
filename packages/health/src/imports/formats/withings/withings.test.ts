import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapContent } from '../../../../../server/test/imports/map-content.ts'

const WEIGHTS = [
  'Date,"Weight (kg)","Fat mass (kg)","Bone mass (kg)","Muscle mass (kg)","Hydration (kg)",Comments',
  '"2025-05-02 07:00:00",80.00,16.00,3.20,60.00,44.00,',
  '"2025-05-01 07:00:00",80.50,,,,,"words of a person"',
].join('\n')
const PRESSURES =
  'Date,"Heart rate",Systolic,Diastolic,Comments\n"2025-05-02 08:00:00",60,120,80,\n"2025-05-02 09:00:00",0,121,,\n'
const NIGHT_HEAD =
  'from,to,"light (s)","deep (s)","rem (s)","awake (s)","wake up","Duration to sleep (s)","Duration to wake up (s)","Snoring (s)","Snoring episodes","Average heart rate","Heart rate (min)","Heart rate (max)","Night events"'
const NIGHTS = `${NIGHT_HEAD}\n2025-05-01T23:00:00+02:00,2025-05-02T07:00:00+02:00,14400,7200,5400,1800,2,600,300,0,0,55,48,70,"{""1"":[0]}"\n`
const ACTIVITIES = [
  'from,to,"from (manual)","to (manual)",Timezone,"Activity type",Data,GPS,Modified',
  '2025-05-01T18:00:00+02:00,2025-05-01T18:40:00+02:00,,,Europe/Berlin,Walking,"{""calories"":120,""distance"":3000,""steps"":4000,""hr_average"":101,""pause_duration"":60}",,2025-05-01T19:00:00+02:00',
].join('\n')
const raw = (start: string, durations: string, values: string): string =>
  `start,duration,value\n${start},"${durations}","${values}"\n`
const ZONE = { time_zone: 'Europe/Berlin' } as const
const FOLDER = 'data_ABC_1746000000'

test('an export becomes weights, pressures, nights with stages, days and workouts', async () => {
  const { mapped, of } = await mapContent(
    {
      [`${FOLDER}/weight.csv`]: WEIGHTS,
      [`${FOLDER}/bp.csv`]: PRESSURES,
      [`${FOLDER}/sleep.csv`]: NIGHTS,
      [`${FOLDER}/activities.csv`]: ACTIVITIES,
      [`${FOLDER}/aggregates_steps.csv`]: 'date,value\n2025-05-01,8000\n2025-05-02,9000\n',
      [`${FOLDER}/aggregates_calories_earned.csv`]: 'date,value\n2025-05-01,300.5\n',
      [`${FOLDER}/aggregates_calories_passive.csv`]: 'date,value\n2025-05-01,1700\n',
      [`${FOLDER}/aggregates_elevation.csv`]: 'date,value\n2025-05-01,12\n',
      [`${FOLDER}/height.csv`]: 'Date,"Height (m)"\n"2020-01-01 10:00:00",1.8\n',
      [`${FOLDER}/raw_tracker_sleep-state.csv`]: raw(
        '2025-05-01T23:00:00+02:00',
        '[1800,14400,7200,5400]',
        '[0,1,2,3]',
      ),
    },
    ZONE,
  )
  assert.deepEqual([mapped.format, mapped.provider], ['withings_export', 'withings'])
  const [body] = of('body')
  assert.deepEqual(
    [body?.id, body?.values],
    [
      // 2025-05-02 05:00 UTC
      '1746162000',
      {
        weight_kilogram: 80,
        fat_mass_percentage: 20,
        water_percentage: 55,
        muscle_mass_percentage: 75,
        bone_mass_percentage: 4,
      },
    ],
  )
  assert.deepEqual(
    of('body_weight').map(({ start, value }) => [start, value]),
    [
      ['2025-05-02T05:00:00+00:00', 80],
      ['2025-05-01T05:00:00+00:00', 80.5],
    ],
  )
  assert.deepEqual(
    of('blood_pressure').map(
      ({ systolic, diastolic, refused }) => refused ?? [systolic, diastolic],
    ),
    [[120, 80], 'unpaired'],
  )
  const [night] = of('sleep')
  assert.deepEqual(night?.stages, [
    ['awake', 0, 1800],
    ['light', 1800, 16_200],
    ['deep', 16_200, 23_400],
    ['rem', 23_400, 28_800],
  ])
  const nightValues = night?.values as Record<string, number>
  assert.deepEqual(
    [nightValues.stage_asleep_second, nightValues.latency_second, nightValues.heart_rate_minimum],
    [27_000, 600, 48],
  )
  assert.deepEqual(
    of('activity').map(({ id, values }) => [id, values]),
    [
      ['2025-05-01', { calories_total: 2000.5, calories_active: 300.5, steps: 8000 }],
      ['2025-05-02', { steps: 9000 }],
    ],
  )
  const [workout] = of('workouts')
  assert.deepEqual(
    [
      workout?.start,
      (workout?.values as Record<string, unknown> | undefined)?.duration_active_second,
    ],
    ['2025-05-01T16:00:00+00:00', 2340],
  )
  assert.doesNotMatch(JSON.stringify(of('body')), /words of a person/)
})

test('lists of values follow each other from the start of their row', async () => {
  const { of } = await mapContent({
    'raw_tracker_steps.csv': raw('2025-05-01T07:00:00+02:00', '[60,120,60]', '[72,0,75]'),
    'raw_tracker_hr.csv': raw('2025-05-01T07:00:00+02:00', '[60,60]', '[0,75]'),
    'raw_sleep-monitor_hr.csv': raw('2025-05-01T07:01:00+02:00', '60', '55'),
    'raw_tracker_calories-earned.csv': raw('2025-05-01T07:00:00+02:00', '[60]', '[1.5]'),
    'raw_tracker_distance.csv': raw('2025-05-01T07:00:00+02:00', '[60,60]', '[10]'),
  })
  assert.deepEqual(
    of('steps').map(({ start, end, value }) => [start, end, value]),
    [
      ['2025-05-01T05:00:00+00:00', '2025-05-01T05:01:00+00:00', 72],
      ['2025-05-01T05:01:00+00:00', '2025-05-01T05:03:00+00:00', 0],
      ['2025-05-01T05:03:00+00:00', '2025-05-01T05:04:00+00:00', 75],
    ],
  )
  // A rate of 0 was not measured; the sleep monitor is a source of its own.
  assert.deepEqual(
    of('heartrate').map(({ start, value, source_type: source }) => [start, value, source]),
    [
      ['2025-05-01T05:01:00+00:00', 55, 'unknown'],
      ['2025-05-01T05:01:00+00:00', 75, 'watch'],
    ],
  )
  assert.equal(of('calories_active')[0]?.value, 1.5)
  assert.equal(of('distance')[0]?.refused, 'invalid_value')
})

test('local times need a zone, and times with an offset do not', async () => {
  const optionsOf = async (files: Record<string, string>) =>
    (await mapContent(files)).mapped.questions.map(({ option }) => option)
  assert.deepEqual(await optionsOf({ 'weight.csv': WEIGHTS }), ['time_zone'])
  assert.deepEqual(await optionsOf({ 'bp.csv': PRESSURES }), ['time_zone'])
  assert.deepEqual(await optionsOf({ 'bp.csv': PRESSURES.split('\n').slice(0, 1).join() }), [])
  assert.deepEqual(await optionsOf({ 'sleep.csv': NIGHTS }), [])
})

test('pounds are kilograms, and the unit is that of the head row', async () => {
  const pounds = WEIGHTS.replaceAll('(kg)', '(lb)')
  const { of } = await mapContent({ 'weight.csv': pounds }, { time_zone: 'floating' })
  const [first] = of('body_weight')
  assert.ok(Math.abs(Number(first?.value) - 36.2873896) < 1e-9)
  assert.deepEqual([first?.start, first?.timezone_offset], ['2025-05-02T07:00:00+00:00', null])
  assert.equal(of('body_fat')[0]?.value, 20)
  const without = WEIGHTS.replaceAll(' (kg)', '')
  assert.deepEqual(
    (await mapContent({ 'weight.csv': without }, ZONE)).of('weight').map(({ refused }) => refused),
    ['unknown_unit', 'unknown_unit'],
  )
})

test('the stages of the device that fits the night are taken, and others have no night', async () => {
  const { mapped, of } = await mapContent({
    'sleep.csv': NIGHTS,
    'raw_sleep-monitor_sleep-state.csv': raw('2025-05-01T23:00:00+02:00', '[28800]', '[1]'),
    'raw_tracker_sleep-state.csv': `${raw('2025-05-01T23:00:00+02:00', '[1800,14400,7200,5400]', '[0,1,2,3]')}2025-05-09T23:00:00+02:00,[60],[1]\n`,
  })
  assert.equal((of('sleep')[0]?.stages as unknown[] | undefined)?.length, 4)
  const stages = mapped.progress.types.find(({ type }) => type === 'raw_tracker_sleep-state')
  assert.deepEqual([stages?.records, stages?.merged, stages?.not_supported], [5, 4, 1])
})

test('impossible rows are quarantined and translated tables refused', async () => {
  const { lines } = await mapContent(
    {
      'weight.csv': WEIGHTS.replace('2025-05-02', '2099-05-02').replace('80.50', '=1+1'),
      'aggregates_steps.csv': 'date,value\n2025-02-30,1\n2025-05-01,-5\n1970-01-01,3\n',
      'sleep.csv': NIGHTS.replace(',14400,', ',99999,'),
      'activities.csv': ACTIVITIES.replace('"{""calories"":120', '"[""calories"":120'),
    },
    ZONE,
  )
  assert.deepEqual(lines.map(({ resource, refused }) => `${resource} ${refused}`).sort(), [
    'activity invalid_date',
    'activity invalid_date',
    'activity out_of_range',
    'sleep out_of_range',
    'weight invalid_start_date',
    'weight invalid_value',
    'workouts invalid_field',
  ])
  const translated = { 'weight.csv': WEIGHTS, 'bp.csv': 'Datum,Puls,Oben,Unten\n' }
  await assert.rejects(mapContent(translated, ZONE, { format: 'withings_export' }))
})
