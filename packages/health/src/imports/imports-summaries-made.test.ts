import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import polylineCodec from '@googlemaps/polyline-codec'
import { createHarness } from '../../../server/test/harness.ts'
import { buildZip } from '../../../server/test/imports/build-zip.ts'
import {
  exportXml,
  importFile,
  stepRecord,
  typeOf,
} from '../../../server/test/imports/import-client.ts'
import { streamsOf, summariesOf } from '../../../server/test/imports/stored-summaries.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const salus = useFixture(createHarness)
before(() => salus.startJobs())

const RATE = 'HKQuantityTypeIdentifierHeartRate'
const at = (time: string): Record<string, string> => ({
  creationDate: `2024-05-01 ${time} +0200`,
  startDate: `2024-05-01 ${time} +0200`,
  endDate: `2024-05-01 ${time} +0200`,
})
const heartRate = (time: string, value: number) =>
  stepRecord(0, { type: RATE, unit: 'count/min', value: String(value), ...at(time) })

test('heart rate, zones, pauses and steps of a workout that stands before its records', async () => {
  const userId = await salus.makeUser()
  const workout = `<Workout workoutActivityType="HKWorkoutActivityTypeHiking" sourceName="Tester"
      startDate="2024-05-01 10:00:00 +0200" endDate="2024-05-01 11:00:00 +0200">
      <MetadataEntry key="HKElevationAscended" value="12345 cm"/>
      <WorkoutEvent type="HKWorkoutEventTypePause" date="2024-05-01 10:10:00 +0200"/>
      <WorkoutEvent type="HKWorkoutEventTypeMotionPaused" date="2024-05-01 10:12:00 +0200"/>
      <WorkoutEvent type="HKWorkoutEventTypeResume" date="2024-05-01 10:15:00 +0200"/>
      <WorkoutEvent type="HKWorkoutEventTypeMotionResumed" date="2024-05-01 10:20:00 +0200"/>
    </Workout>`
  const steps = stepRecord(0, {
    value: '600',
    startDate: '2024-05-01 10:50:00 +0200',
    endDate: '2024-05-01 11:10:00 +0200',
  })
  // 20 years old: 200 beats at most. The rate outside does not count.
  const me = '<Me HKCharacteristicTypeIdentifierDateOfBirth="2004-04-30"/>'
  const rates = [heartRate('10:00:00', 90), heartRate('10:00:30', 119), heartRate('10:30:00', 181)]
  const job = await importFile(
    salus,
    userId,
    exportXml([workout, me, ...rates, heartRate('11:00:01', 60), steps].join('\n')),
  )
  assert.equal(job.status, 'completed')
  const [row] = await summariesOf(salus, userId, 'workouts')
  assert.deepEqual(
    [row?.heart_rate_mean, row?.heart_rate_minimum, row?.heart_rate_maximum],
    [130, 90, 181],
  )
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6].map((zone) => row?.[`heart_rate_zone_${zone}` as 'heart_rate_zone_1']),
    // 90 of 200 for 30 s, 119 for a minute at most, 181 for a minute at most.
    [30, 60, 0, 0, 0, 60],
  )
  assert.deepEqual([row?.duration_active_second, row?.steps], [3000, 300])
  assert.equal(row?.elevation_gain_meter, 123.45)
  const [stream] = await streamsOf(salus, userId)
  assert.deepEqual(stream?.heartrate, [90, 119, 181])
  assert.deepEqual([stream?.lat, stream?.altitude], [[], []])
})

test('steps of a day count each instant once, in the days of the person', async () => {
  const userId = await salus.makeUser()
  const device = (name: string) =>
    `&lt;&lt;HKDevice: 0x1&gt;, name:${name}, manufacturer:Apple Inc., model:${name}, hardware:${name}1,1&gt;`
  const steps = (source: string, from: string, to: string, value: number) =>
    stepRecord(0, {
      sourceName: source,
      device: device(source),
      startDate: from,
      endDate: to,
      value: String(value),
    })
  const job = await importFile(
    salus,
    userId,
    exportXml(
      [
        // 100 of the phone in ten minutes, of which the watch covers the second half.
        steps('iPhone', '2024-05-01 08:00:00 +0200', '2024-05-01 08:10:00 +0200', 100),
        steps('Watch', '2024-05-01 08:05:00 +0200', '2024-05-01 08:15:00 +0200', 80),
        // A quarter to and a quarter past midnight of the user, on the day before in UTC.
        steps('iPhone', '2024-05-01 23:45:00 +0200', '2024-05-02 00:15:00 +0200', 300),
        steps('iPhone', '2024-05-03 12:00:00 +0200', '2024-05-03 12:30:00 +0200', 70),
        '<ActivitySummary dateComponents="2024-05-03" activeEnergyBurned="418.4" activeEnergyBurnedUnit="kJ" appleExerciseTime="12"/>',
      ].join('\n'),
    ),
  )
  const days = await summariesOf(salus, userId, 'activity')
  assert.deepEqual(
    days.map((day) => [
      day.calendar_date,
      day.steps,
      day.timezone_offset,
      day.calories_active && Math.round(day.calories_active),
    ]),
    [
      ['2024-05-01', 80 + 50 + 150, 7200, null],
      ['2024-05-02', 150, 7200, null],
      ['2024-05-03', 70, 7200, 100],
    ],
  )
  assert.equal(days[2]?.duration_active_second, 720)
  assert.equal(typeOf(job, 'ActivitySummary')?.imported, 1)
})

const sleepRecord = (value: string, from: string, to: string) =>
  stepRecord(0, {
    type: 'HKCategoryTypeIdentifierSleepAnalysis',
    value: `HKCategoryValueSleepAnalysis${value}`,
    startDate: `2024-05-${from} +0000`,
    endDate: `2024-05-${to} +0000`,
  })
const dated = (date: string, ...elements: string[]) =>
  exportXml([`<ExportDate value="${date} 20:00:00 +0000"/>`, ...elements].join('\n'))

test('a night with other data in a later export is one night, and an older export does not win', async () => {
  const userId = await salus.makeUser()
  const late = sleepRecord('AsleepCore', '02 00:30:00', '02 06:00:00')
  const early = sleepRecord('AsleepDeep', '01 23:00:00', '02 00:30:00')
  const older = dated('2024-05-02', late)
  const newer = dated('2024-05-09', late, early, sleepRecord('InBed', '01 22:40:00', '02 06:10:00'))
  await importFile(salus, userId, older)
  const [before] = await summariesOf(salus, userId, 'sleep')
  assert.deepEqual([before?.duration_second, before?.latency_second], [5.5 * 3600, null])
  const job = await importFile(salus, userId, newer)
  const readNight = async () =>
    (await summariesOf(salus, userId, 'sleep')).map((sleep) => [
      sleep.started_at.slice(0, 16),
      sleep.duration_second,
      sleep.latency_second,
    ])
  const night = [['2024-05-01 22:40', 7.5 * 3600, 20 * 60]]
  assert.deepEqual(await readNight(), night)
  const counts = job.progress.summaries.find(({ resource }) => resource === 'sleep')
  assert.deepEqual([counts?.imported, counts?.replaced], [1, 1])
  await importFile(salus, userId, older)
  assert.deepEqual(await readNight(), night)
})

test('a damaged export writes what it has, and removes no night', async () => {
  const userId = await salus.makeUser()
  const night = sleepRecord('AsleepCore', '01 22:00:00', '02 06:00:00')
  await importFile(salus, userId, dated('2024-05-02', night))
  const part = sleepRecord('AsleepCore', '01 23:00:00', '02 02:00:00')
  const nap = sleepRecord('AsleepUnspecified', '02 13:00:00', '02 13:40:00')
  const broken = dated('2024-05-09', part, nap, stepRecord(5)).replace('</HealthData>', '<Rec')
  const job = await importFile(salus, userId, broken)
  assert.equal(job.error?.error_type, 'malformed_xml')
  const sleeps = await summariesOf(salus, userId, 'sleep')
  assert.deepEqual(
    sleeps.map((sleep) => [sleep.type, sleep.stage_asleep_second, sleep.stage_unknown_second]),
    [
      ['long_sleep', 8 * 3600, 0],
      ['short_sleep', 2400, 2400],
    ],
  )
  assert.equal((await summariesOf(salus, userId, 'activity'))[0]?.steps, 6)
})

test('of two imports of one export the later one counts, since more samples are known', async () => {
  const userId = await salus.makeUser()
  const file = dated('2024-05-02', heartRate('08:00:00', 60), heartRate('09:00:00', 80))
  await salus.call('PATCH', `/v2/user/${userId}`, { ingestion_start: '2024-05-02' })
  await importFile(salus, userId, file)
  assert.deepEqual(await summariesOf(salus, userId, 'activity'), [])
  await salus.call('PATCH', `/v2/user/${userId}`, { ingestion_start: null })
  await importFile(salus, userId, dated('2024-05-02', heartRate('08:00:00', 60)))
  await importFile(salus, userId, file)
  const [day] = await summariesOf(salus, userId, 'activity')
  assert.equal(day?.heart_rate_mean, 70)
})

const ECG = `Name,Alex Example
Date of Birth,"Mar 14, 1986"
Recorded Date,2024-05-01 08:00:00 +0200
Classification,Sinus Rhythm
Symptoms,
Software Version,1.90
Device,"Apple Watch"
Sample Rate,512 hertz

Lead,Lead I
Unit,µV

-12.5
250
0.25
`

test('electrocardiograms and routes that cannot be read are quarantined, the rest is imported', async () => {
  const userId = await salus.makeUser()
  const workout = (hour: string, path: string) =>
    `<Workout workoutActivityType="HKWorkoutActivityTypeWalking" sourceName="Tester"
      startDate="2024-05-01 ${hour}:00:00 +0000" endDate="2024-05-01 ${hour}:30:00 +0000">
      <WorkoutRoute><FileReference path="/workout-routes/${path}"/></WorkoutRoute></Workout>`
  const gpx = `<gpx><trk><trkseg>
    <trkpt lon="13.4" lat="52.5"><ele>34</ele><time>2024-05-01T10:00:00Z</time></trkpt>
    <trkpt lon="nowhere" lat="52.5"><time>2024-05-01T10:00:05Z</time></trkpt>
    <trkpt lon="13.4" lat="152.5"><time>2024-05-01T10:00:06Z</time></trkpt>
    <trkpt lon="13.4" lat="52.501"><ele>40</ele><time>2024-05-01T10:00:10Z</time></trkpt>
    <trkpt lon="13.4" lat="52.501"><time>soon</time></trkpt></trkseg></trk></gpx>`
  const xml = dated(
    '2024-05-02',
    workout('10', 'good.gpx'),
    workout('12', 'missing.gpx'),
    workout('14', 'broken.gpx'),
  )
  const part = (name: string, content: string) => ({ name, content: Buffer.from(content) })
  const zip = buildZip([
    part('apple_health_export/Exportación.xml', xml),
    part('apple_health_export/workout-routes/good.gpx', gpx),
    part('apple_health_export/workout-routes/broken.gpx', '<gpx></gpx>'),
    part('apple_health_export/electrocardiograms/ecg_2024-05-01.csv', ECG),
    part('apple_health_export/electrocardiograms/ecg_2024-05-02.csv', ECG.replace('+0200', '')),
    { ...part('apple_health_export/electrocardiograms/ecg_3.csv', ECG), wrongChecksum: true },
  ])
  const job = await importFile(salus, userId, zip)
  assert.equal(job.status, 'completed')
  const routes = typeOf(job, 'WorkoutRoute')
  assert.deepEqual([routes?.records, routes?.merged], [3, 1])
  assert.deepEqual(routes?.put_aside_reasons, { missing_file: 1, unreadable_file: 1 })
  const files = typeOf(job, 'Electrocardiogram')
  assert.deepEqual([files?.records, files?.imported], [3, 1])
  assert.deepEqual(files?.put_aside_reasons, { invalid_start_date: 1, unreadable_file: 1 })
  const [walk] = await summariesOf(salus, userId, 'workouts')
  assert.equal(polylineCodec.decode(walk?.map_polyline ?? '').length, 2)
  assert.deepEqual([walk?.elevation_gain_meter, walk?.elevation_maximum_meter], [6, 40])
  assert.equal(Math.round(walk?.distance_meter ?? 0), 111)
  const [ecg, ...more] = await summariesOf(salus, userId, 'electrocardiogram')
  assert.equal(more.length, 0)
  assert.deepEqual(
    [ecg?.classification, ecg?.voltage_sample_count, ecg?.sampling_frequency_hz, ecg?.device_model],
    ['sinus_rhythm', 3, 512, 'Apple Watch'],
  )
  assert.doesNotMatch(ecg?.raw ?? '', /Alex/)
  const voltages = await salus.clickhouse.queryRows<{ value: number; sample_type: string }>(
    `select value, sample_type from samples final where user_id = {userId:UUID}
      and series = 'electrocardiogram_voltage' order by started_at`,
    { userId },
  )
  assert.deepEqual(
    voltages.map(({ value, sample_type: type }) => [value, type]),
    [
      [-0.0125, 'lead_1'],
      [0.25, 'lead_1'],
      [0.00025, 'lead_1'],
    ],
  )
})

test('measurements of one source and minute are one, and the last height is the profile', async () => {
  const userId = await salus.makeUser()
  const measure = (type: string, unit: string, value: string, time: string) =>
    stepRecord(0, { type: `HKQuantityTypeIdentifier${type}`, unit, value, ...at(time) })
  const me = '<Me HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale"/>'
  await importFile(
    salus,
    userId,
    exportXml(
      [
        me,
        measure('BodyMass', 'lb', '150', '07:00:05'),
        measure('BodyFatPercentage', '%', '0.25', '07:00:40'),
        measure('LeanBodyMass', 'kg', '50', '07:01:00'),
        measure('Height', 'ft', '5.5', '06:00:00'),
        measure('Height', 'cm', '170', '05:00:00'),
      ].join(''),
    ),
  )
  const body = await summariesOf(salus, userId, 'body')
  assert.deepEqual(
    body.map((row) => [
      row.weight_kilogram?.toFixed(3),
      row.fat_mass_percentage,
      row.lean_body_mass_kilogram,
    ]),
    [
      ['68.039', 25, null],
      [undefined, null, 50],
    ],
  )
  const [profile] = await summariesOf(salus, userId, 'profile')
  assert.deepEqual(
    [profile?.sex, profile?.height_centimeter, profile?.birth_date],
    ['female', 168, null],
  )
})
