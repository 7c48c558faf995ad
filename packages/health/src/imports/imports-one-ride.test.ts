import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createHarness } from '../../../server/test/harness.ts'
import { buildFit, type FitMessage, fitTime } from '../../../server/test/imports/build-fit.ts'
import { followImport } from '../../../server/test/imports/import-client.ts'
import { zipOf } from '../../../server/test/imports/map-content.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const salus = useFixture(createHarness)
before(() => salus.startJobs())

/** 2025-03-01T06:00:00Z */
const START = 1_740_808_800_000
const HOUR = 3_600_000

test('one ride as a file and in the archives of Garmin and Strava counts once', async () => {
  const at = (second: number) => fitTime(START + second * 1000)
  const fit = buildFit([
    ['file_id', { type: 4, manufacturer: 1, product: 1036 }],
    ...[0, 300, 600].map(
      (second): FitMessage => [
        'record',
        { timestamp: at(second), rate: 120 + second / 60, distance: second * 5 },
      ],
    ),
    ['session', { start: at(0), sport: 2, elapsed: 600, timer: 600, distance: 3000, calories: 90 }],
    ['activity', { timestamp: at(600), local: at(600 + 3600) }],
  ])
  const summary = {
    ...{ activityId: 71, activityType: 'cycling', startTimeGmt: START, duration: 600_000 },
    ...{ startTimeLocal: START + HOUR, elapsedDuration: 600_000, distance: 300_000 },
  }
  const garmin = zipOf({
    'DI_CONNECT/x/a_0_summarizedActivities.json': JSON.stringify([
      { summarizedActivitiesExport: [summary] },
    ]),
    'DI_CONNECT/x/UploadedFiles_0-_Part1.zip': zipOf({ 'a_1.fit': fit }),
  })
  const strava = zipOf({
    'activities.csv':
      'Activity ID,Activity Date,Activity Name,Activity Type,Elapsed Time,Distance,Filename,Elapsed Time,Distance\n81,"Mar 1, 2025, 6:00:00 AM",Loop,Ride,600,3.00,activities/1.fit,600,3000\n',
    'activities/1.fit': fit,
  })
  const userId = await salus.makeUser()
  for (const file of [fit, garmin, strava]) {
    const type = { 'content-type': 'application/octet-stream' }
    const answer = await salus.call('POST', `/v2/user/${userId}/import`, file, type)
    assert.equal((await followImport(salus, userId, answer.body.id)).status, 'completed')
  }
  const range = 'start_date=2025-03-01&end_date=2025-03-02'
  const read = async (path: string) => (await salus.call('GET', `${path}?${range}`)).body
  const all = await read(`/v2/summary/workouts/${userId}`)
  assert.equal(all.workouts.length, 3)
  const { workouts } = await read(`/v2/summary/workouts/${userId}/merged`)
  assert.equal(workouts.length, 1)
  assert.equal(workouts[0].merged.set_aside.length, 2)
  for (const [series, expected] of [
    ['workout_distance', 3000],
    ['heartrate', 125],
  ] as const) {
    const { data } = await read(`/v2/timeseries/${userId}/${series}/merged`)
    assert.deepEqual(
      data.map(({ value }: { value: number }) => value),
      [expected],
      series,
    )
  }
})
