import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createHarness } from '../../../server/test/harness.ts'
import {
  APPS,
  buildHealthConnect,
  idBytes,
} from '../../../server/test/imports/health-connect-file.ts'
import { followImport, totalOf } from '../../../server/test/imports/import-client.ts'
import { zipOf } from '../../../server/test/imports/map-content.ts'
import { storedRows, uploadSummary } from '../../../server/test/summaries/upload-summary.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const salus = useFixture(createHarness)
before(() => salus.startJobs())

/** Imports a file of any format. */
async function importFile(userId: string, content: string | Buffer, query = '') {
  const answer = await salus.call(
    'POST',
    `/v2/user/${userId}/import${query}`,
    Buffer.from(content),
    {
      'content-type': 'application/octet-stream',
    },
  )
  assert.equal(answer.status, 202, answer.text)
  return followImport(salus, userId, answer.body.id)
}

const countSamples = async (userId: string): Promise<number> => {
  const [row] = await salus.clickhouse.queryRows<{ samples: string }>(
    'select count() as samples from samples final where user_id = {userId:UUID}',
    { userId },
  )
  return Number(row?.samples)
}

/** 2025-03-01T06:00:00Z */
const START = 1_740_808_800_000
const HOUR = 3_600_000
const iso = (at: number) => new Date(at).toISOString()

const workout = {
  ...{ uuid: idBytes(1), app_info_id: 1, exercise_type: 56 },
  ...{ start_time: START, end_time: START + HOUR, start_zone_offset: 3600 },
}
const healthConnect = (count: number, changedAt: number) =>
  zipOf({
    'health_connect_export.db': buildHealthConnect({
      application_info_table: APPS,
      device_info_table: [{ row_id: 1, device_type: 2, model: 'Phone' }],
      steps_record_table: [
        {
          ...{ uuid: idBytes(2), app_info_id: 1, device_info_id: 1, last_modified_time: changedAt },
          ...{ start_time: START, end_time: START + HOUR, start_zone_offset: 3600, count },
        },
      ],
      exercise_session_record_table: [workout],
      weight_record_table: [{ app_info_id: 1, time: START, zone_offset: 3600, weight: 70_500 }],
    }),
  })

const CYCLES =
  'Cycle start time,Cycle end time,Cycle timezone,Recovery score %,Resting heart rate (bpm),Energy burned (cal),Sleep onset,Wake onset,Asleep duration (min)\n'
const cycle = (end: string, energy: number) =>
  `2025-02-28 23:00:00,${end},UTC+01:00,66,52,${energy},2025-02-28 23:00:00,2025-03-01 07:00:00,430\n`

const FILES: Readonly<Record<string, [content: string | Buffer, least: number]>> = {
  health_connect: [healthConnect(410, START + HOUR), 4],
  samsung_health: [
    zipOf({
      'samsunghealth_jane/com.samsung.health.weight.1.csv':
        '\ufeffcom.samsung.health.weight,1,2\r\nstart_time,time_offset,create_time,weight,datauuid,pkg_name\r\n2025-03-01 06:00:00.000,UTC+0100,2025-03-01 06:00:01.000,70.5,w1,com.sec.android.app.shealth,\r\n',
      'samsunghealth_jane/com.samsung.shealth.step_daily_trend.1.csv': `\ufeffcom.samsung.shealth.step_daily_trend,1,2\r\nday_time,source_type,count,datauuid\r\n${Date.UTC(2025, 2, 1)},-2,9000,d1,\r\n`,
    }),
    3,
  ],
  oura: [
    zipOf({
      'App Data/heartrate.csv': 'bpm;source;timestamp\n61;awake;2025-03-01T06:00:00+00:00\n',
      'App Data/dailyspo2.csv': 'id;day;spo2_percentage\no1;2025-03-01;"{""average"":97.1}"\n',
    }),
    2,
  ],
  whoop: [`${CYCLES}${cycle('2025-03-01 23:00:00', 2100)}`, 3],
  polar: [
    zipOf({
      '247ohr_1_03-x.json':
        '{"deviceDays":[{"date":"2025-03-01","samples":[{"secondsFromDayStart":25200,"heartRate":61}]}]}',
      'activity-2025-03-01-x.json':
        '{"date":"2025-03-01","summary":{"stepCount":9000,"calories":2200}}',
    }),
    2,
  ],
}

describe('an export of an app', () => {
  for (const [format, [content, least]] of Object.entries(FILES)) {
    test(`of ${format} is stored, and changes nothing the second time`, async () => {
      const userId = await salus.makeUser()
      const first = await importFile(userId, content, '?time_zone=Europe/Vienna')
      assert.deepEqual([first.status, first.source], ['completed', format], JSON.stringify(first))
      assert.deepEqual(
        [totalOf(first, 'imported') >= least, totalOf(first, 'put_aside')],
        [true, 0],
        JSON.stringify(first.progress),
      )
      const stored = await countSamples(userId)
      const second = await importFile(userId, content, '?time_zone=Europe/Vienna')
      assert.deepEqual(
        ['imported', 'updated', 'unchanged'].map((count) => totalOf(second, count as 'imported')),
        [0, 0, totalOf(first, 'imported')],
      )
      assert.equal(await countSamples(userId), stored)
    })
  }

  test('that is newer updates, and an older one after it does not', async () => {
    const userId = await salus.makeUser()
    const [older, newer] = [healthConnect(410, START + HOUR), healthConnect(520, START + 2 * HOUR)]
    for (const content of [older, newer, older]) await importFile(userId, content)
    const [steps] = await salus.clickhouse.queryRows<{ value: number; rows: string }>(
      `select any(value) as value, count() as rows from samples final
       where user_id = {userId:UUID} and series = 'steps'`,
      { userId },
    )
    assert.deepEqual([Number(steps?.value), Number(steps?.rows)], [520, 1])
    const person = await salus.makeUser()
    await importFile(person, `${CYCLES}${cycle('', 900)}`)
    await importFile(person, `${CYCLES}${cycle('2025-03-01 23:00:00', 2100)}`)
    const days = await storedRows(salus, person, 'activity')
    assert.deepEqual(
      days.map(({ calories_total }) => calories_total),
      [2100],
    )
  })
})

test('what the phone sent and its export are stored once', async () => {
  const userId = await salus.makeUser('health_connect')
  const provider = 'health_connect'
  const source = { source_bundle: 'org.example.watch' }
  const item = {
    ...{ ...source, id: 'a0a0a0a0-a0a0-a0a0-a0a0-a0a000000001', sport: 'running' },
    ...{ start_date: iso(START), end_date: iso(START + HOUR), title: null },
  }
  assert.equal((await uploadSummary(salus, userId, 'workouts', [item], { provider })).status, 200)
  const steps = {
    ...{ ...source, value: 410, unit: '', metadata: { _DTY: 'phone' } },
    ...{ start_date: iso(START), end_date: iso(START + HOUR), id: 'x' },
  }
  const weight = {
    ...source,
    value: 70.5,
    unit: 'kg',
    start_date: iso(START),
    end_date: iso(START),
  }
  const body = { body_mass: [weight] }
  await uploadSummary(salus, userId, 'body', body, { provider })
  const upload = { stage: 'daily', provider, data: [steps] }
  const { status } = await salus.call('POST', `/v2/timeseries/${userId}/steps`, upload)
  assert.equal(status, 200)
  const job = await importFile(userId, healthConnect(410, START + HOUR))
  assert.equal(job.status, 'completed', JSON.stringify(job))
  assert.equal(await countSamples(userId), 2)
  for (const resource of ['workouts', 'body'] as const) {
    assert.equal((await storedRows(salus, userId, resource)).length, 1, resource)
  }
})

test('a damaged database fails the job with a reason, and nothing of the file', async () => {
  const content = buildHealthConnect({
    application_info_table: APPS,
    steps_record_table: [{ count: 1 }],
  })
  const job = await importFile(await salus.makeUser(), content.subarray(0, 6000))
  assert.deepEqual([job.status, job.error?.error_type], ['failed', 'malformed_database'])
})

test('an export with local times waits for its zone', async () => {
  const userId = await salus.makeUser()
  const [content] = FILES.polar ?? ['']
  const { body } = await salus.call('POST', `/v2/user/${userId}/import`, Buffer.from(content), {
    'content-type': 'application/zip',
  })
  const url = `/v2/user/${userId}/import/${body.id}`
  let job = body
  for (const end = Date.now() + 60_000; Date.now() < end && job.status !== 'needs_options'; ) {
    await sleep(20)
    job = (await salus.call('GET', url)).body
  }
  assert.deepEqual(
    job.questions.map(({ option }: { option: string }) => option),
    ['time_zone'],
  )
  const answer = await salus.call('PATCH', url, { time_zone: 'America/New_York' })
  assert.equal(answer.status, 202, answer.text)
  await followImport(salus, userId, body.id)
  const [rate] = await salus.clickhouse.queryRows<{ at: string }>(
    'select toUnixTimestamp(started_at) as at from samples final where user_id = {userId:UUID}',
    { userId },
  )
  // Seven o'clock in New York.
  assert.equal(Number(rate?.at) * 1000, Date.UTC(2025, 2, 1, 12))
})
