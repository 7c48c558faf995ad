import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { createHarness } from '../../../server/test/harness.ts'
import { buildFit, fitTime } from '../../../server/test/imports/build-fit.ts'
import { buildZip } from '../../../server/test/imports/build-zip.ts'
import { followImport, totalOf } from '../../../server/test/imports/import-client.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

/** Activity files and exports of accounts, in real stores. */

const salus = useFixture(() => createHarness())
before(() => salus.startJobs())

async function importContent(userId: string, content: string | Buffer, query = '') {
  const url = `/v2/user/${userId}/import${query}`
  const type = { 'content-type': 'application/octet-stream' }
  const { status, body, text } = await salus.call('POST', url, Buffer.from(content), type)
  assert.equal(status, 202, text)
  const job = await followImport(salus, userId, body.id)
  assert.equal(job.status, 'completed', JSON.stringify(job.error))
  return job
}

const PERIOD = 'start_date=2020-01-01&end_date=2030-01-01'
async function listOf(userId: string, resource: 'workouts' | 'activity' | 'sleep') {
  const { body } = await salus.call('GET', `/v2/summary/${resource}/${userId}?${PERIOD}`)
  return body[resource] as Record<string, unknown>[]
}
async function samplesOf(userId: string, resource: string) {
  const { body } = await salus.call('GET', `/v2/timeseries/${userId}/${resource}/grouped?${PERIOD}`)
  const groups = Object.values(body.groups).flat() as { data: { value: number }[] }[]
  return groups.flatMap(({ data }) => data.map(({ value }) => value))
}

const zip = (
  files: Readonly<Record<string, string | Buffer>>,
  writtenOn: '2025-05-01' | '2025-06-01',
) =>
  buildZip(
    Object.entries(files).map(([name, content]) => ({
      ...{ name, content: Buffer.from(content), writtenOn },
    })),
  )

const START = '2024-04-30T07:00:00Z'
const at = (seconds: number) => fitTime(Date.parse(START) + seconds * 1000)
const fit = (calories: number) =>
  buildFit([
    ['file_id', { type: 4, manufacturer: 1, product: 1036 }],
    ['record', { timestamp: at(0), rate: 120, distance: 0 }],
    ['record', { timestamp: at(60), rate: 150, distance: 300 }],
    ['session', { start: at(0), sport: 2, elapsed: 1800, distance: 300, calories }],
    ['activity', { timestamp: at(1800), local: at(1800 + 7200) }],
  ])
const TCX = `<TrainingCenterDatabase><Activities><Activity Sport="Biking"><Id>${START}</Id>
<Lap StartTime="${START}"><TotalTimeSeconds>1800</TotalTimeSeconds><DistanceMeters>299</DistanceMeters></Lap>
<Creator><Name>Garmin Edge 500</Name></Creator></Activity></Activities></TrainingCenterDatabase>`

const strava = (meters: string) => ({
  'activities.csv': `Activity ID,Activity Date,Activity Name,Activity Type,Elapsed Time,Distance,Filename,Elapsed Time,Distance
9001,"Apr 30, 2024, 7:00:00 AM",Loop,Ride,1800,0.3,activities/7.fit.gz,1800.0,${meters}\n`,
  'activities/7.fit.gz': gzipSync(fit(10)),
})
const takeout = (bpm: number) => ({
  'Takeout/Fitbit/Global Export Data/heart_rate-2024-04-30.json': JSON.stringify([
    { dateTime: '04/30/24 07:00:00', value: { bpm, confidence: 3 } },
    { dateTime: '04/30/24 07:00:05', value: { bpm: 61, confidence: 3 } },
  ]),
  'Takeout/Fitbit/Global Export Data/sleep-2024-04-30.json': JSON.stringify([
    {
      ...{ logId: 5, dateOfSleep: '2024-04-30', startTime: '2024-04-29T23:00:00.000' },
      ...{ endTime: '2024-04-30T07:00:00.000', duration: 28_800_000, minutesAsleep: 400 + bpm },
      ...{ type: 'classic', levels: { summary: {}, data: [] } },
    },
  ]),
})
const garmin = (totalSteps: number) => ({
  'DI_CONNECT/DI-Connect-Aggregator/UDSFile_2024-04-01_2025-05-01.json': JSON.stringify([
    { calendarDate: '2024-04-30', totalSteps, uuid: 'x' },
  ]),
  'DI_CONNECT/DI-Connect-Uploaded-Files/UploadedFiles_0-_Part1.zip': zip(
    { 'anna@example.com_1.fit': fit(totalSteps) },
    '2025-05-01',
  ),
})

const ACCOUNTS: [
  name: string,
  files: (value: number) => Record<string, string | Buffer>,
  number,
][] = [
  ['Strava', (value) => strava(String(value)), 4],
  ['Fitbit', takeout, 3],
  ['Garmin', garmin, 5],
]

for (const [name, files, records] of ACCOUNTS) {
  const query = '?time_zone=Europe/Berlin'
  const older = zip(files(50), '2025-05-01')
  const newer = zip(files(60), '2025-06-01')

  test(`an export of ${name} that is imported again changes nothing`, async () => {
    const userId = await salus.makeUser()
    const first = await importContent(userId, older, query)
    assert.deepEqual([totalOf(first, 'imported'), totalOf(first, 'put_aside')], [records, 0])
    const again = await importContent(userId, older, query)
    assert.deepEqual(
      [totalOf(again, 'imported'), totalOf(again, 'updated'), totalOf(again, 'unchanged')],
      [0, 0, records],
    )
  })

  test(`a newer export of ${name} updates its records, in any order of imports`, async () => {
    const states: unknown[] = []
    for (const order of [
      [older, newer],
      [newer, older],
    ]) {
      const userId = await salus.makeUser()
      for (const content of order) await importContent(userId, content, query)
      const summaries = await Promise.all([
        listOf(userId, 'workouts'),
        listOf(userId, 'activity'),
        listOf(userId, 'sleep'),
      ])
      states.push([
        ...summaries
          .flat()
          .map(({ distance, calories, steps, total }) => [distance, calories, steps, total]),
        await samplesOf(userId, 'heartrate'),
      ])
    }
    assert.deepEqual(states[1], states[0])
    assert.match(JSON.stringify(states[0]), /60/)
  })
}

test('a FIT file and a TCX file of one activity are one workout, with what FIT has', async () => {
  for (const order of [
    [fit(10), TCX],
    [TCX, fit(10)],
    [zip({ 'a.fit': fit(10), 'b.tcx': TCX }, '2025-05-01')],
    [zip({ 'a.tcx': TCX, 'b.fit': fit(10) }, '2025-05-01')],
  ]) {
    const userId = await salus.makeUser()
    for (const content of order) await importContent(userId, content)
    const workouts = await listOf(userId, 'workouts')
    assert.deepEqual(
      workouts.map(({ distance, calories, timezone_offset: offset }) => [
        distance,
        calories,
        offset,
      ]),
      [[300, 10, 7200]],
    )
    const { id } = workouts[0] ?? {}
    const { body } = await salus.call('GET', `/v2/timeseries/workouts/${id}/stream`)
    assert.deepEqual(body.heartrate, [120, 150])
  }
})

test('an export whose sleeps need a zone waits for it, and then completes', async () => {
  const userId = await salus.makeUser()
  const type = { 'content-type': 'application/zip' }
  const content = zip(takeout(60), '2025-05-01')
  const sent = await salus.call('POST', `/v2/user/${userId}/import`, content, type)
  const url = `/v2/user/${userId}/import/${sent.body.id}`
  let asked = await salus.call('GET', url)
  for (let tries = 0; asked.body.status !== 'needs_options' && tries < 2000; tries++) {
    await pause(50)
    asked = await salus.call('GET', url)
  }
  assert.deepEqual(
    asked.body.questions.map(({ option }: { option: string }) => option),
    ['time_zone'],
  )
  assert.deepEqual(await samplesOf(userId, 'heartrate'), [])
  const answered = await salus.call('PATCH', url, { time_zone: 'Europe/Berlin' })
  assert.equal(answered.status, 202)
  const job = await followImport(salus, userId, sent.body.id)
  assert.equal(job.status, 'completed')
  const [sleep] = await listOf(userId, 'sleep')
  assert.equal(sleep?.bedtime_start, '2024-04-29T21:00:00+00:00')
})
