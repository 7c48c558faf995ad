import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createHarness, type Harness } from '../../test/harness.ts'
import { exportXml, importFile, stepRecord } from './testing/import-client.ts'
import { summariesOf } from './testing/stored-summaries.ts'

let salus: Harness
before(async () => {
  salus = await createHarness()
  await salus.startJobs()
})
after(() => salus.close())

const NAME = 'Ada’s Apple Watch'
const DEVICE =
  '&lt;&lt;HKDevice: 0x1&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,1&gt;'
const NIGHT = '2024-03-01 01:00:00 +0000'
const MORNING = '2024-03-01 06:00:00 +0000'

/** Sleep as iOS 16 and 17 write it: without a device. */
const sleepRecord = (sourceName: string, value = 'AsleepDeep') =>
  stepRecord(0, {
    type: 'HKCategoryTypeIdentifierSleepAnalysis',
    value: `HKCategoryValueSleepAnalysis${value}`,
    unit: '',
    sourceName,
    startDate: NIGHT,
    endDate: MORNING,
  })
const heartRate = (sourceName: string, device = DEVICE) =>
  stepRecord(0, {
    type: 'HKQuantityTypeIdentifierHeartRate',
    unit: 'count/min',
    value: '60',
    sourceName,
    device,
  })
const workout = (sourceName: string) =>
  `<Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" durationUnit="min"
    sourceName="${sourceName}" startDate="2024-03-01 10:00:00 +0000"
    endDate="2024-03-01 10:30:00 +0000"/>`

async function sourcesOf(userId: string, series: string): Promise<[type: string, app: string][]> {
  const period = 'start_date=2024-01-01&end_date=2024-12-31'
  const { body } = await salus.call('GET', `/v2/timeseries/${userId}/${series}/grouped?${period}`)
  const groups = body.groups.apple_health_kit ?? []
  return groups.map(({ source }: { source: { type: string; app_id: string } }) => [
    source.type,
    source.app_id,
  ])
}

/** Every id under which something of a person is stored. */
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
  for (const place of ['before', 'after']) {
    const userId = await salus.makeUser()
    const records = [sleepRecord(NAME), heartRate(NAME)]
    if (place === 'after') records.reverse()
    // A phone that sorts before the watch says otherwise of the same night.
    records.push(sleepRecord('Aaa', 'AsleepREM'), workout(NAME))
    await importFile(salus, userId, exportXml(records.join('')))
    const [[type, app] = []] = await sourcesOf(userId, 'heartrate')
    assert.equal(type, 'watch')
    assert.deepEqual(
      (await sourcesOf(userId, 'hypnogram')).filter(([, id]) => id !== 'Aaa'),
      [['watch', app]],
      place,
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
  assert.deepEqual(await totals(userId), [1, 1, 0])
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

test('a device is known by its name or by what only it can write, where nothing else tells', async () => {
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
  const before = await Promise.all([sourcesOf(userId, 'hypnogram'), totals(userId)])
  await nameAsBefore(userId)
  assert.match(await storedIds(userId), /Ada/)
  const job = await importFile(salus, userId, exportXml(whole.join('')))
  assert.deepEqual(await Promise.all([sourcesOf(userId, 'hypnogram'), totals(userId)]), before)
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
  assert.deepEqual(await totals(userId), [2, 1, 1])
})

async function totals(userId: string): Promise<number[]> {
  const [{ samples } = { samples: 0 }] = await salus.clickhouse.queryRows<{ samples: number }>(
    'select count() as samples from samples final where user_id = {userId:UUID}',
    { userId },
  )
  const [sleeps, workouts] = await Promise.all([
    summariesOf(salus, userId, 'sleep'),
    summariesOf(salus, userId, 'workouts'),
  ])
  return [samples, sleeps.length, workouts.length]
}

/** Makes of what is stored what imports stored before they knew the device of a source. */
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

test('what a newer export holds no more is told, and stays', async () => {
  const userId = await salus.makeUser()
  await importFile(salus, userId, exportXml(madeOn('02') + [0, 1, 2, 3].map(rate).join('')))
  const job = await importFile(salus, userId, exportXml(madeOn('03') + rate(0) + rate(3)))
  assert.deepEqual(job.progress.missing, [{ resource: 'heartrate', missing: 2, removed: 0 }])
  assert.deepEqual(await totals(userId), [4, 0, 0])
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
  assert.deepEqual(await totals(userId), [8, 3, 3])

  const rest = [rate(0), rate(3), nights[0], nights[2], runs[0], runs[2]].join('')
  // An older export does not undo what a newer one brought.
  await importFile(salus, userId, exportXml(madeOn('04') + rest), '?remove_missing=true')
  assert.deepEqual(await totals(userId), [8, 3, 3])
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
  assert.deepEqual(await totals(userId), [5, 2, 2])
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
