import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectFromText } from '../../../../../../server/test/imports/collect-health-data.ts'
import { exportXml } from '../../../../../../server/test/imports/import-client.ts'
import { unknownLocalTimes } from '../../../../../../server/test/imports/unknown-local-times.ts'
import { readWorkout, type WorkoutElement } from './workout-element.ts'

function workoutOf(attributes: Record<string, string>, content = ''): WorkoutElement {
  const read = faultOf(attributes, content)
  if (typeof read === 'string') throw new Error(read)
  return read
}

function faultOf(attributes: Record<string, string>, content = '') {
  const all = {
    workoutActivityType: 'HKWorkoutActivityTypeRunning',
    startDate: '2024-05-01 10:00:00 +0200',
    endDate: '2024-05-01 11:00:00 +0200',
    ...attributes,
  }
  const text = Object.entries(all).map(([name, value]) => `${name}="${value}"`)
  const xml = exportXml(`<Workout ${text.join(' ')}>${content}</Workout>`)
  const [workout] = collectFromText(xml).workouts
  return readWorkout(workout as NonNullable<typeof workout>, unknownLocalTimes())
}

const statistics = (type: string, sum: number, unit: string): string =>
  `<WorkoutStatistics type="HKQuantityTypeIdentifier${type}" sum="${sum}" unit="${unit}"/>`

test('attributes of old exports are taken in the unit they name, or in that of Apple', () => {
  const miles = workoutOf({
    totalDistance: '3.10686',
    totalDistanceUnit: 'mi',
    totalEnergyBurned: '100',
    totalEnergyBurnedUnit: 'kJ',
  })
  assert.equal(miles.distanceMeter?.toFixed(1), '5000.0')
  assert.equal(miles.calories?.toFixed(2), '23.90')
  const plain = workoutOf({ totalDistance: '5', totalEnergyBurned: '200' })
  assert.deepEqual([plain.distanceMeter, plain.calories], [5000, 200])
  const odd = workoutOf({
    totalDistance: 'far',
    totalEnergyBurned: '2',
    totalEnergyBurnedUnit: 'mg',
  })
  assert.deepEqual([odd.distanceMeter, odd.calories], [null, null])
})

test('of several distances that of the sport counts, of several sports in one all of them', () => {
  const all =
    statistics('DistanceWalkingRunning', 5, 'km') +
    statistics('DistanceCycling', 20, 'km') +
    statistics('DistanceSwimming', 400, 'm') +
    statistics('StepCount', 6000, 'count')
  const of = (activity: string) =>
    workoutOf({ workoutActivityType: `HKWorkoutActivityType${activity}` }, all).distanceMeter
  assert.equal(of('Running'), 5000)
  assert.equal(of('Cycling'), 20_000)
  assert.equal(of('HandCycling'), 20_000)
  assert.equal(of('Swimming'), 400)
  assert.equal(of('SwimBikeRun'), 25_400)
  assert.equal(of('Rowing'), 20_000)
  assert.equal(workoutOf({}, all).steps, 6000)
})

test('metadata have climbs and speeds, statistics power and heart rate', () => {
  const element = workoutOf(
    { sourceName: 'Tester' },
    `<MetadataEntry key="HKElevationAscended" value="8400 cm"/>
    <MetadataEntry key="HKAverageSpeed" value="9 km/hr"/>
    <MetadataEntry key="HKAverageMETs" value="8.1 kcal/hr·kg"/>
    <MetadataEntry key="HKTimeZone" value="America/New_York"/>
    <WorkoutStatistics type="HKQuantityTypeIdentifierRunningPower" average="210" maximum="300" unit="W"/>
    <WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" average="140" minimum="90" maximum="2.9" unit="count/s"/>`,
  )
  assert.deepEqual([element.elevationGainMeter, element.speedMean], [84, 2.5])
  assert.deepEqual([element.powerMean, element.powerMaximum], [210, 300])
  assert.deepEqual(element.heartRate, { mean: 8400, minimum: 5400, maximum: 174 })
  assert.deepEqual([element.timeZone, element.timezoneOffset], ['America/New_York', -14_400])
  assert.match(JSON.stringify(element.raw), /HKAverageMETs/)
  assert.equal(workoutOf({}).timezoneOffset, 7200)
})

test('active time leaves out pauses, or is the duration without pause events', () => {
  const event = (type: string, time: string) =>
    `<WorkoutEvent type="HKWorkoutEventType${type}" date="2024-05-01 ${time} +0200"/>`
  const activeOf = (content: string, attributes = {}) =>
    workoutOf(attributes, content).activeSeconds
  assert.equal(activeOf(''), 3600)
  assert.equal(activeOf(event('Pause', '10:10:00') + event('Resume', '10:20:00')), 3000)
  // A pause to the end, events out of order, laps and times outside.
  assert.equal(activeOf(event('Resume', '10:20:00') + event('Pause', '10:30:00')), 1800)
  assert.equal(activeOf(event('Lap', '10:10:00') + event('Pause', '12:00:00')), 3600)
  assert.equal(activeOf(event('Pause', '09:00:00') + event('Resume', '10:30:00')), 1800)
  assert.equal(activeOf('', { duration: '50', durationUnit: 'min' }), 3000)
  assert.equal(activeOf('', { duration: '3000', durationUnit: 's' }), 3000)
  assert.equal(activeOf('', { duration: '600', durationUnit: 'min' }), 3600)
})

test('a workout without possible times says why it is none', () => {
  assert.equal(faultOf({ startDate: 'yesterday' }), 'invalid_start_date')
  assert.equal(faultOf({ endDate: '' }), 'invalid_end_date')
  assert.equal(faultOf({ endDate: '2024-05-01 09:59:59 +0200' }), 'end_before_start')
})
