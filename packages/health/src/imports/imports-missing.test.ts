import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createHarness } from '../../../server/test/harness.ts'
import { exportXml, importFile, stepRecord } from '../../../server/test/imports/import-client.ts'
import { summariesOf } from '../../../server/test/imports/stored-summaries.ts'
import {
  DEVICE,
  NAME,
  sleepRecord,
  totals,
  workout,
} from '../../../server/test/imports/watch-records.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const salus = useFixture(createHarness)
before(() => salus.startJobs())

/** One heart rate, at a minute of 1 March. */
const rate = (minute: number) =>
  stepRecord(minute, {
    type: 'HKQuantityTypeIdentifierHeartRate',
    unit: 'count/min',
    value: '60',
    sourceName: NAME,
    device: DEVICE,
  })
const madeOn = (day: string) => `<ExportDate value="2024-03-${day} 00:00:00 +0000"/>`

test('data that a newer export lacks are counted, and kept', async () => {
  const userId = await salus.makeUser()
  await importFile(salus, userId, exportXml(madeOn('02') + [0, 1, 2, 3].map(rate).join('')))
  const job = await importFile(salus, userId, exportXml(madeOn('03') + rate(0) + rate(3)))
  assert.deepEqual(job.progress.missing, [{ resource: 'heartrate', missing: 2, removed: 0 }])
  assert.deepEqual(await totals(salus, userId), [4, 0, 0])
})

test('with the option it goes, with the sleeps and workouts that were made of it', async () => {
  const userId = await salus.makeUser()
  const nights = [sleepRecord(NAME), laterNight(1), laterNight(2)]
  const runs = [
    workout(NAME),
    workout(NAME).replaceAll('10:', '12:'),
    workout(NAME).replaceAll('10:', '14:'),
  ]
  const everything = [...[0, 1, 2, 3].map(rate), ...nights, ...runs]
  await importFile(salus, userId, exportXml(madeOn('05') + everything.join('')))
  // Live data of the phone lie beside it.
  const live = {
    value: 61,
    unit: 'bpm',
    start_date: '2024-03-01T08:01:30Z',
    source_bundle: 'com.apple.health.12345678-1234-1234-1234-123456789012',
    product_type: 'Watch6,1',
  }
  const body = { stage: 'daily', provider: 'apple_health_kit', data: [live] }
  const sent = await salus.call('POST', `/v2/timeseries/${userId}/heartrate`, body)
  assert.equal(sent.status, 200, sent.text)
  assert.deepEqual(await totals(salus, userId), [8, 3, 3])

  const rest = [rate(0), rate(3), nights[0], nights[2], runs[0], runs[2]].join('')
  // An older export does not replace the data of a newer one.
  await importFile(salus, userId, exportXml(madeOn('04') + rest), '?remove_missing=true')
  assert.deepEqual(await totals(salus, userId), [8, 3, 3])
  const job = await importFile(
    salus,
    userId,
    exportXml(madeOn('06') + rest),
    '?remove_missing=true',
  )
  assert.deepEqual(job.progress.missing, [
    { resource: 'heartrate', missing: 2, removed: 2 },
    { resource: 'hypnogram', missing: 1, removed: 1 },
    { resource: 'sleep', missing: 1, removed: 1 },
    { resource: 'workouts', missing: 1, removed: 1 },
  ])
  assert.deepEqual(await totals(salus, userId), [5, 2, 2])
  const again = await importFile(salus, userId, exportXml(madeOn('06') + rest))
  assert.deepEqual(again.progress.missing, [])
})

function laterNight(days: number): string {
  return sleepRecord(NAME).replaceAll('2024-03-01', `2024-03-0${days + 1}`)
}

test('a day whose samples went has no summary any more, and one that kept some is made again', async () => {
  const userId = await salus.makeUser()
  const steps = (day: string, hour: string) =>
    stepRecord(0).replaceAll('2024-03-01 08', `2024-03-${day} ${hour}`)
  const all = [
    steps('01', '08'),
    steps('02', '08'),
    steps('03', '08'),
    steps('03', '09'),
    steps('04', '08'),
  ]
  await importFile(salus, userId, exportXml(madeOn('05') + all.join('')))
  const rest = [all[0], all[2], all[4]].join('')
  await importFile(salus, userId, exportXml(madeOn('06') + rest), '?remove_missing=true')
  const days = await summariesOf(salus, userId, 'activity')
  assert.deepEqual(
    days.map((day) => [day.calendar_date, day.steps]),
    [
      ['2024-03-01', 1],
      ['2024-03-03', 1],
      ['2024-03-04', 1],
    ],
  )
})

/** The rate of a day as Apple writes it, beside the samples. */
const ofDay = (kind: 'Resting' | 'Walking', day: string, value: number) =>
  stepRecord(0, {
    type: `HKQuantityTypeIdentifier${kind === 'Resting' ? 'RestingHeartRate' : 'WalkingHeartRateAverage'}`,
    unit: 'count/min',
    value: String(value),
  }).replaceAll('2024-03-01', `2024-03-${day}`)
const stepsOf = (day: string) => stepRecord(0).replaceAll('2024-03-01', `2024-03-${day}`)

async function ratesOf(userId: string): Promise<(string | number | null)[][]> {
  const days = await summariesOf(salus, userId, 'activity')
  return days.map((day) => [
    day.external_id.slice(8),
    day.heart_rate_resting,
    day.heart_rate_mean_walking,
  ])
}

test('a walking heart rate stays when a newer export lacks it, in whatever order they are imported', async () => {
  const steps = ['01', '02', '03'].map(stepsOf).join('')
  const walking = ['01', '02', '03'].map((day) => ofDay('Walking', day, 90 + Number(day)))
  const older = exportXml(madeOn('05') + steps + walking.join('') + ofDay('Resting', '01', 55))
  // Apple has written the resting rate again since, but no walking rate.
  const newer = exportXml(madeOn('06') + steps + ofDay('Resting', '01', 56))
  const both = [
    ['01', 56, 91],
    ['02', null, 92],
    ['03', null, 93],
  ]
  for (const order of [
    [older, newer],
    [newer, older],
    [older, newer, older, newer],
  ]) {
    const userId = await salus.makeUser()
    for (const file of order) await importFile(salus, userId, file)
    assert.deepEqual(await ratesOf(userId), both)
  }
})

test('one that was deleted on the phone is counted as missing, and goes with the option', async () => {
  const userId = await salus.makeUser()
  const steps = ['01', '02', '03'].map(stepsOf).join('')
  const [first, second, third] = ['01', '02', '03'].map((day) => ofDay('Walking', day, 90))
  const all = [first, second, third].join('')
  const resting = ofDay('Resting', '02', 55)
  await importFile(salus, userId, exportXml(madeOn('05') + steps + all + resting))
  const rest = steps + first + third
  const counted = await importFile(salus, userId, exportXml(madeOn('06') + rest))
  assert.deepEqual(counted.progress.missing, [{ resource: 'activity', missing: 1, removed: 0 }])
  assert.deepEqual((await ratesOf(userId))[1], ['02', 55, 90])
  const job = await importFile(
    salus,
    userId,
    exportXml(madeOn('07') + rest),
    '?remove_missing=true',
  )
  assert.deepEqual(job.progress.missing, [{ resource: 'activity', missing: 1, removed: 1 }])
  // This export has no resting rate of any day, so none was deleted.
  assert.deepEqual((await ratesOf(userId))[1], ['02', 55, null])
})
