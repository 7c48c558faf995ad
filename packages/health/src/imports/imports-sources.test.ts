import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createHarness } from '../../../server/test/harness.ts'
import { exportXml, importFile, stepRecord } from '../../../server/test/imports/import-client.ts'
import { summariesOf } from '../../../server/test/imports/stored-summaries.ts'
import {
  DEVICE,
  heartRate,
  NAME,
  sleepRecord,
  totals,
  workout,
} from '../../../server/test/imports/watch-records.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const salus = useFixture(createHarness)
before(() => salus.startJobs())

async function sourcesOf(userId: string, series: string): Promise<[type: string, app: string][]> {
  const period = 'start_date=2024-01-01&end_date=2024-12-31'
  const { body } = await salus.call('GET', `/v2/timeseries/${userId}/${series}/grouped?${period}`)
  const groups = body.groups.apple_health_kit ?? []
  return groups.map(({ source }: { source: { type: string; app_id: string } }) => [
    source.type,
    source.app_id,
  ])
}

/** All ids under which data of a user are stored. */
async function storedIds(userId: string): Promise<string> {
  const tables = ['samples', 'sleep_summaries', 'workout_summaries', 'body_summaries']
  const rows = await salus.clickhouse.queryRows<{ ids: string[] }>(
    tables
      .map(
        (table) => `select groupUniqArray(app_id) as ids from ${table} final
        where user_id = {userId:UUID}${table === 'samples' ? '' : ' and is_removed = 0'}`,
      )
      .join(' union all '),
    { userId },
  )
  return JSON.stringify(rows)
}

test('sleep without a device is of the watch that other records of its source name', async () => {
  for (const order of ['before', 'after']) {
    const userId = await salus.makeUser()
    const records = [sleepRecord(NAME), heartRate(NAME)]
    if (order === 'after') records.reverse()
    // A phone that sorts before the watch has other data of the same night.
    records.push(sleepRecord('Aaa', 'AsleepREM'), workout(NAME))
    await importFile(salus, userId, exportXml(records.join('')))
    const [[type, app] = []] = await sourcesOf(userId, 'heartrate')
    assert.equal(type, 'watch')
    assert.deepEqual(
      (await sourcesOf(userId, 'hypnogram')).filter(([, id]) => id !== 'Aaa'),
      [['watch', app]],
      order,
    )
    const [night] = await summariesOf(salus, userId, 'sleep')
    assert.deepEqual([night?.source_type, night?.app_id, night?.stage_type], ['watch', app, [1]])
    const [run] = await summariesOf(salus, userId, 'workouts')
    assert.deepEqual([run?.source_type, run?.device_model], ['watch', 'Watch6,1'])
    assert.doesNotMatch(await storedIds(userId), /Ada/)
  }
})

test('the same record twice in a file is one entry, also where one of them names its device', async () => {
  const userId = await salus.makeUser()
  const record = sleepRecord(NAME)
  const withDevice = record.replace('/>', ` device="${DEVICE}"/>`)
  await importFile(salus, userId, exportXml([record, withDevice, record].join('')))
  assert.deepEqual(await totals(salus, userId), [1, 1, 0])
})

test('the same reading twice in a file is one entry, also where one of them names its zone', async () => {
  const userId = await salus.makeUser()
  const reading = stepRecord(0, {
    type: 'HKQuantityTypeIdentifierBloodGlucose',
    unit: 'mg/dL',
    value: '93',
  })
  const zone = '<MetadataEntry key="HKTimeZone" value="Europe/Vienna"/>'
  const withZone = reading.replace('/>', `>${zone}</Record>`)
  await importFile(salus, userId, exportXml([reading, withZone, reading].join('')))
  assert.deepEqual(await totals(salus, userId), [1, 0, 0])
})

test('readings of one minute in a file are as many samples, however often it is imported', async () => {
  const userId = await salus.makeUser()
  const reading = (value: number) =>
    stepRecord(0, {
      type: 'HKQuantityTypeIdentifierBloodGlucose',
      unit: 'mmol<180.1558800000541>/L'.replace('<', '&lt;').replace('>', '&gt;'),
      value: String(value),
    })
  const file = exportXml([5.1, 5.3, 5.2, 4.9, 5.3].map(reading).join(''))
  await importFile(salus, userId, file)
  await importFile(salus, userId, file)
  const period = 'start_date=2024-01-01&end_date=2024-12-31'
  const { body } = await salus.call('GET', `/v2/timeseries/${userId}/glucose/grouped?${period}`)
  const [{ data }] = body.groups.apple_health_kit
  assert.deepEqual(
    data.map(({ value }: { value: number }) => value),
    [5.1, 5.3, 5.2, 4.9],
  )
})

test('without other evidence a device is recognized by its name or by what only it can write', async () => {
  const stood = stepRecord(0, {
    type: 'HKCategoryTypeIdentifierAppleStandHour',
    value: 'HKCategoryValueAppleStandHourStood',
    unit: '',
    sourceName: 'Ada',
  })
  const cases: [records: string[], type: string][] = [
    [[sleepRecord(NAME)], 'watch'],
    [[sleepRecord('Apple\u00a0Watch von Ada')], 'watch'],
    [[sleepRecord('iPhone de Ada')], 'phone'],
    [[sleepRecord('Ada'), stood], 'watch'],
    [
      [sleepRecord('Ada'), heartRate('Ada', '&lt;&lt;HKDevice: 0x1&gt;, name:Apple Watch&gt;')],
      'watch',
    ],
  ]
  for (const [records, type] of cases) {
    const userId = await salus.makeUser()
    await importFile(salus, userId, exportXml(records.join('')))
    const [[found, app] = []] = await sourcesOf(userId, 'hypnogram')
    assert.equal(found, type, records[0])
    assert.match(app ?? '', /^com\.apple\.health\.[0-9a-f]{12}$/)
    assert.doesNotMatch(await storedIds(userId), /Ada/)
  }
})

test('what a person types in on a device bears no name of it', async () => {
  const userId = await salus.makeUser()
  const entered = sleepRecord(NAME).replace(
    '/>',
    '><MetadataEntry key="HKWasUserEntered" value="1"/></Record>',
  )
  await importFile(salus, userId, exportXml(entered))
  const [[type, app] = []] = await sourcesOf(userId, 'hypnogram')
  assert.equal(type, 'app')
  assert.match(app ?? '', /^com\.apple\.health\./)
})

test('what an older import stored under the name gets the id of today, and no twin', async () => {
  const userId = await salus.makeUser()
  const whole = [sleepRecord(NAME), heartRate(NAME), workout(NAME)]
  await importFile(salus, userId, exportXml(whole.join('')))
  const before = await Promise.all([sourcesOf(userId, 'hypnogram'), totals(salus, userId)])
  await nameAsBefore(userId)
  assert.match(await storedIds(userId), /Ada/)
  const job = await importFile(salus, userId, exportXml(whole.join('')))
  assert.deepEqual(
    await Promise.all([sourcesOf(userId, 'hypnogram'), totals(salus, userId)]),
    before,
  )
  assert.doesNotMatch(await storedIds(userId), /Ada/)
  const types = job.progress.types.map(({ imported, unchanged }) => [imported, unchanged])
  assert.deepEqual(types.slice(0, 2), [
    [0, 1],
    [0, 1],
  ])
  const replaced = job.progress.summaries.filter((summary) => summary.replaced > 0)
  assert.deepEqual(
    replaced.map((summary) => [summary.resource, summary.replaced]),
    [
      ['sleep', 1],
      ['workouts', 1],
    ],
  )
})

test('what only an older import had under the name keeps its place, without the name', async () => {
  const userId = await salus.makeUser()
  await importFile(salus, userId, exportXml(sleepRecord(NAME) + heartRate(NAME) + workout(NAME)))
  await nameAsBefore(userId)
  await importFile(salus, userId, exportXml(heartRate(NAME)))
  assert.doesNotMatch(await storedIds(userId), /Ada/)
  assert.deepEqual(await totals(salus, userId), [2, 1, 1])
})

/** Renames stored data as imports stored them before they knew the device of a source. */
async function nameAsBefore(userId: string): Promise<void> {
  for (const table of ['samples', 'sleep_summaries', 'workout_summaries']) {
    const isSamples = table === 'samples'
    const id = isSamples ? '' : ', generateUUIDv4() as id'
    const columns = isSamples
      ? `environment_id, user_id, series, started_at, provider, source_type, app_id, sample_type,
        workout_id, sport, ended_at, timezone_offset, time_zone, value, diastolic, text_value,
        extra, version`
      : '*'
    await salus.clickhouse.command(
      `insert into ${table} ${isSamples ? `(${columns})` : ''}
      select ${columns} from (
        select * replace ('unknown' as source_type, {name:String} as app_id${id})
        from ${table} final where user_id = {userId:UUID} and ${table}.app_id != {name:String}
      )`,
      { userId, name: NAME },
    )
    await salus.clickhouse.command(
      `alter table ${table} delete where user_id = {userId:UUID} and app_id != {name:String}
      settings mutations_sync = 1`,
      { userId, name: NAME },
    )
  }
}
