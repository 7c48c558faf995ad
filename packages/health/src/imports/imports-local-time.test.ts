import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createHarness } from '../../../server/test/harness.ts'
import { buildZip } from '../../../server/test/imports/build-zip.ts'
import { exportXml, importFile, stepRecord } from '../../../server/test/imports/import-client.ts'
import {
  daysAt,
  type PhoneExport,
  phoneExport,
  type Stay,
} from '../../../server/test/imports/phone-export.ts'
import { mergedDaysOf, stepsOf } from '../../../server/test/imports/read-steps.ts'
import { summariesOf } from '../../../server/test/imports/stored-summaries.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import type { ImportJob, LocalTimeCounts } from './imports.schema.ts'

const salus = useFixture(createHarness)
before(() => salus.startJobs())

const VIENNA = 'Europe/Vienna'
const NEW_YORK = 'America/New_York'

/** Fourteen days of winter at home, exported at home in summer. */
const WINTER = { stays: daysAt(VIENNA, '2024-01-08', 14), exportZone: VIENNA }
const SUMMER = '2024-07-20T09:00:00Z'
const FEBRUARY = '2024-02-20T09:00:00Z'

/**
 * Home, two weeks in New York, home again; local time goes back on the way there, and the way back
 * lasts a night.
 */
const JOURNEY: Stay[] = [
  ...daysAt(VIENNA, '2024-05-01', 5),
  { date: '2024-05-06', zone: VIENNA, from: 0, to: 10 },
  { date: '2024-05-06', zone: NEW_YORK, from: 15, to: 24 },
  ...daysAt(NEW_YORK, '2024-05-07', 13),
  { date: '2024-05-20', zone: NEW_YORK, from: 0, to: 16 },
  { date: '2024-05-21', zone: VIENNA, from: 9, to: 24 },
  ...daysAt(VIENNA, '2024-05-22', 5),
]

async function personIn(fallbackZone: string | null): Promise<string> {
  const userId = await salus.makeUser()
  await setFallback(userId, fallbackZone)
  return userId
}

async function setFallback(userId: string, fallbackZone: string | null): Promise<void> {
  const change = { fallback_time_zone: fallbackZone }
  const { status, text } = await salus.call('PATCH', `/v2/user/${userId}`, change)
  assert.equal(status, 204, text)
}

async function importOf(userId: string, { xml }: PhoneExport): Promise<ImportJob> {
  const job = await importFile(salus, userId, xml)
  assert.equal(job.status, 'completed', JSON.stringify(job.error))
  return job
}

/** Compares everything that has a day with the generated life. */
async function assertTruth(userId: string, life: PhoneExport): Promise<void> {
  const days = await summariesOf(salus, userId, 'activity')
  assert.deepEqual(
    days.map((day) => [
      day.calendar_date,
      day.steps,
      day.heart_rate_minimum,
      day.heart_rate_maximum,
    ]),
    [...life.days].map(([date, { steps, lowest, highest }]) => [date, steps, lowest, highest]),
  )
  const samples = await stepsOf(salus, userId)
  assert.deepEqual(
    new Map(samples.map((sample) => [sample.timestamp, sample.timezone_offset])),
    life.offsets,
  )
  assert.equal(samples.length, life.offsets.size)
  const localDate = (at: string, offset: number | null) =>
    new Date(Date.parse(`${at}Z`) + (offset ?? 0) * 1000).toISOString().slice(0, 10)
  const sleeps = await summariesOf(salus, userId, 'sleep')
  assert.deepEqual(
    sleeps.map(({ ended_at: at, timezone_offset: offset }) => [localDate(at, offset), offset]),
    life.nights,
  )
  const workouts = await summariesOf(salus, userId, 'workouts')
  assert.deepEqual(
    workouts.map(({ started_at: at, timezone_offset: offset }) => [localDate(at, offset), offset]),
    life.workouts,
  )
}

/** The rules with a count. */
const rulesOf = ({ progress }: ImportJob): Partial<LocalTimeCounts> =>
  Object.fromEntries(Object.entries(progress.clocks).filter(([, count]) => count > 0))

test('a winter at home that is exported in summer keeps its days by the fallback zone', async () => {
  const userId = await personIn(VIENNA)
  const life = phoneExport({ ...WINTER, exportedAt: SUMMER })
  const job = await importOf(userId, life)
  await assertTruth(userId, life)
  assert.deepEqual(rulesOf(job), { fallback_zone: life.count })
})

test('a life across a change of the clock keeps its days by the zones of a few workouts', async () => {
  const userId = await personIn(null)
  const stays = daysAt(VIENNA, '2024-10-20', 16)
  const namesZone = { workouts: true }
  const life = phoneExport({ stays, exportZone: VIENNA, exportedAt: SUMMER, namesZone })
  const job = await importOf(userId, life)
  await assertTruth(userId, life)
  const { record_zone: own, zones_around: around, nearest_zone: nearest = 0 } = rulesOf(job)
  assert.equal(own, life.workouts.length)
  assert.equal((own ?? 0) + (around ?? 0) + nearest, life.count)
})

test('two weeks of travel keep the days of their places by the zones of nights', async () => {
  for (const fallbackZone of [VIENNA, null]) {
    const userId = await personIn(fallbackZone)
    const life = phoneExport({
      stays: JOURNEY,
      exportZone: VIENNA,
      exportedAt: SUMMER,
      namesZone: { sleep: true, workouts: true },
    })
    const job = await importOf(userId, life)
    await assertTruth(userId, life)
    const merged = await mergedDaysOf(salus, userId)
    assert.deepEqual(
      merged.map(({ calendar_date: date, value }) => [date, value]),
      [...life.days].map(([date, { steps }]) => [date, steps]),
    )
    assert.equal(
      merged.find(({ calendar_date: date }) => date === '2024-05-10')?.timezone_offset,
      -14_400,
    )
    const zoned = life.nights.length + life.workouts.length
    assert.deepEqual(rulesOf(job), { record_zone: zoned, zones_around: life.count - zoned })
  }
})

test('travel without evidence in the file has the days of the fallback zone', async () => {
  const userId = await personIn(VIENNA)
  const life = phoneExport({ stays: JOURNEY, exportZone: NEW_YORK, exportedAt: FEBRUARY })
  const job = await importOf(userId, life)
  assert.deepEqual(rulesOf(job), { fallback_zone: life.count })
  const samples = await stepsOf(salus, userId)
  // All in May, when Vienna is two hours ahead.
  assert.deepEqual(new Set(samples.map((sample) => sample.timezone_offset)), new Set([7200]))
})

test('a user who moved has the days of either home, wherever the export was made', async () => {
  const userId = await personIn('America/Los_Angeles')
  const life = phoneExport({
    stays: [
      ...daysAt(VIENNA, '2024-03-20', 20),
      // A day in the air, without a record.
      ...daysAt('America/Los_Angeles', '2024-04-10', 20),
    ],
    exportZone: 'America/Los_Angeles',
    exportedAt: '2024-12-20T09:00:00Z',
    namesZone: { sleep: true },
  })
  await importOf(userId, life)
  await assertTruth(userId, life)
})

test('offsets that change with the clock are those of the records, and go before the fallback zone', async () => {
  const userId = await personIn('Asia/Tokyo')
  const stays = daysAt(VIENNA, '2024-03-25', 12)
  const life = phoneExport({ stays, exportZone: VIENNA, exportedAt: SUMMER, hasOwnOffsets: true })
  const job = await importOf(userId, life)
  await assertTruth(userId, life)
  assert.deepEqual(rulesOf(job), { record_offset: life.count })
})

test('offsets that a zone beside them contradicts are not those of the records', async () => {
  const userId = await personIn(VIENNA)
  // Written by an exporter that knows the changes of its own clock, but no journeys.
  const home = phoneExport({ stays: JOURNEY, exportZone: VIENNA, exportedAt: SUMMER })
  const zoned = phoneExport({
    stays: JOURNEY,
    exportZone: VIENNA,
    exportedAt: SUMMER,
    namesZone: { sleep: true },
  })
  const odd =
    '<Record type="HKQuantityTypeIdentifierStepCount" sourceName="Tester" unit="count" value="1" startDate="2024-01-01 12:00:00 +0100" endDate="2024-01-01 12:00:00 +0100"/>'
  const xml = zoned.xml.replace('</HealthData>', `${odd}</HealthData>`)
  const job = await importOf(userId, { ...zoned, xml })
  assert.equal(job.progress.clocks.record_offset, 0)
  const samples = (await stepsOf(salus, userId)).filter(({ timestamp }) => timestamp > '2024-02')
  assert.deepEqual(
    new Map(samples.map((sample) => [sample.timestamp, sample.timezone_offset])),
    home.offsets,
  )
})

test('records of years before the first zone have the clock of it where there is no fallback zone', async () => {
  const userId = await personIn(null)
  const early = phoneExport({ ...WINTER, exportedAt: SUMMER })
  const late = phoneExport({
    stays: daysAt(VIENNA, '2024-06-01', 3),
    exportZone: VIENNA,
    exportedAt: SUMMER,
    namesZone: { sleep: true },
  })
  const xml = late.xml.replace('</HealthData>', early.xml.slice(early.xml.indexOf('<Record')))
  const job = await importOf(userId, { ...late, xml })
  assert.equal(job.progress.clocks.nearest_zone, early.count)
  const days = await summariesOf(salus, userId, 'activity')
  assert.deepEqual(
    days.map((day) => [day.calendar_date, day.steps]),
    [...early.days, ...late.days].map(([date, { steps }]) => [date, steps]),
  )
})

test('a record of two exports is one sample whose day stays, whichever comes first', async () => {
  const summer = phoneExport({ ...WINTER, exportedAt: SUMMER })
  const winter = phoneExport({ ...WINTER, exportedAt: FEBRUARY })
  for (const [first, second] of [
    [summer, winter],
    [winter, summer],
  ] as const) {
    const known = await personIn(VIENNA)
    for (const life of [first, second]) await importOf(known, life)
    await assertTruth(known, winter)
    // Where nothing determines the local time, neither export has better evidence.
    const unknown = await personIn(null)
    await importOf(unknown, first)
    const readDays = async () => [
      await stepsOf(salus, unknown),
      (await summariesOf(salus, unknown, 'activity')).map((day) => [day.calendar_date, day.steps]),
    ]
    const before = await readDays()
    await importOf(unknown, second)
    assert.deepEqual(await readDays(), before)
  }
})

test('a fallback zone that is set later puts the days right with the next import', async () => {
  const userId = await personIn(null)
  const life = phoneExport({ ...WINTER, exportedAt: SUMMER })
  const blind = await importOf(userId, life)
  assert.deepEqual(rulesOf(blind), { export_offset: life.count })
  // An hour ahead: the last walk of the last day was on a day that did not exist.
  const before = await summariesOf(salus, userId, 'activity')
  assert.equal(before.length, life.days.size + 1)
  for (const zone of [NEW_YORK, VIENNA]) {
    await setFallback(userId, zone)
    await importOf(userId, life)
  }
  await assertTruth(userId, life)
  const again = await importOf(userId, life)
  assert.ok(again.progress.summaries.every(({ updated, replaced }) => updated + replaced === 0))
  assert.ok(again.progress.types.every(({ imported, updated }) => imported + updated === 0))
})

test('a resting heart rate, a weight, a blood pressure and an electrocardiogram have the same clock', async () => {
  const userId = await personIn(VIENNA)
  // Half past eleven in a night of winter, as an export of summer writes it.
  const written = '2024-01-10 00:30:00 +0200'
  const measured = (type: string, unit: string, value: string) =>
    stepRecord(0, {
      type: `HKQuantityTypeIdentifier${type}`,
      unit,
      value,
      ...{ creationDate: written, startDate: written, endDate: written },
    })
  const xml = exportXml(
    [
      measured('RestingHeartRate', 'count/min', '51'),
      measured('BodyMass', 'kg', '70'),
      measured('BloodPressureSystolic', 'mmHg', '120'),
      measured('BloodPressureDiastolic', 'mmHg', '80'),
    ].join(''),
  )
  const ecg = `Recorded Date,${written}\nSample Rate,512 hertz\nUnit,mV\n12`
  const zip = buildZip([
    { name: 'apple_health_export/export.xml', content: Buffer.from(xml) },
    { name: 'apple_health_export/electrocardiograms/ecg.csv', content: Buffer.from(ecg) },
  ])
  const job = await importFile(salus, userId, zip)
  assert.deepEqual(rulesOf(job), { fallback_zone: 4 })
  const [day, ...others] = await summariesOf(salus, userId, 'activity')
  assert.deepEqual([day?.calendar_date, day?.heart_rate_resting], ['2024-01-09', 51])
  assert.equal(others.length, 0)
  for (const resource of ['body', 'electrocardiogram'] as const) {
    const [row] = await summariesOf(salus, userId, resource)
    assert.deepEqual([row?.timezone_offset, row?.time_zone], [3600, VIENNA], resource)
  }
  const samples = await salus.clickhouse.queryRows<{ series: string; offset: number }>(
    `select series, timezone_offset as offset from samples final where user_id = {userId:UUID}
    order by series`,
    { userId },
  )
  assert.deepEqual(
    samples.map(({ series, offset }) => [series, offset]),
    ['blood_pressure', 'body_weight', 'electrocardiogram_voltage'].map((name) => [name, 3600]),
  )
})
