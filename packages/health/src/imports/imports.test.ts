import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createHarness } from '../../../server/test/harness.ts'
import { fixture, importFile, totalOf, typeOf } from '../../../server/test/imports/import-client.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const salus = useFixture(createHarness)
before(() => salus.startJobs())

interface Sample {
  start: string
  end: string
  value: number
  systolic: number
  diastolic: number
  timezone_offset: number
  method: string
}
interface Group {
  source: { type: string; app_id: string }
  data: Sample[]
}

async function groupsOf(userId: string, resource: string): Promise<Group[]> {
  const period = 'start_date=2000-01-01&end_date=2030-01-01'
  const url = `/v2/timeseries/${userId}/${resource}/grouped?${period}`
  return (await salus.call('GET', url)).body.groups.apple_health_kit ?? []
}

const samplesOf = async (userId: string, resource: string) =>
  (await groupsOf(userId, resource)).flatMap((group) => group.data)

/** The calendar date at the user's own offset. */
const localDate = ({ start, timezone_offset: offset }: Sample): string =>
  new Date(Date.parse(start) + offset * 1000).toISOString().slice(0, 10)

function byDay(samples: Sample[]): Map<string, number[]> {
  const days = Map.groupBy(samples, localDate)
  return new Map([...days].map(([day, list]) => [day, list.map(({ value }) => value)]))
}

const sum = (values: number[] = []): number => values.reduce((total, value) => total + value, 0)

interface Truth {
  record_counts: Record<string, number>
  workouts: number
  routes: number
  xml_bytes: number
  daily: Record<
    string,
    {
      steps: { iphone: number; watch: number }
      steps_samples: { iphone: number; watch: number }
      heart_rate: { samples: number; min: number; max: number; mean: number }
      hrv_sdnn?: number
      body_mass_kg?: number
      bp?: [number, number]
      glucose_mg_dl?: number
      active_energy_kcal: number
    }
  >
}

const TRUTH: Truth = JSON.parse(fixture('synthetic-30d-export.truth.json').toString())

test('thirty days of a person read back as they were made', async (t) => {
  const userId = await salus.makeUser()
  const job = await importFile(salus, userId, fixture('synthetic-30d-export.zip'))
  const days = Object.entries(TRUTH.daily)

  await t.test('the job counts every record of every type', () => {
    assert.equal(job.status, 'completed')
    assert.equal(job.error, null)
    assert.deepEqual([job.attempts, job.progress.bytes_total], [1, TRUTH.xml_bytes])
    assert.equal(job.progress.bytes_read, TRUTH.xml_bytes)
    const counted = job.progress.types.map(({ type, records }) => [type, records])
    assert.deepEqual(Object.fromEntries(counted), {
      ...TRUTH.record_counts,
      Workout: TRUTH.workouts,
      WorkoutRoute: TRUTH.routes,
      Me: 1,
      ...Object.fromEntries(counted.filter(([type]) => type === 'ActivitySummary')),
    })
    for (const type of job.progress.types) {
      const { imported, updated, unchanged, out_of_bounds: outside } = type
      const { put_aside: aside, merged, not_supported: unsupported } = type
      const accounted = imported + updated + unchanged + outside + aside + merged + unsupported
      assert.equal(accounted, type.records, type.type)
    }
    // All but the halves of blood pressures, the elements without a time and what was quarantined.
    const { record_zone: zone, record_offset: offset, ...others } = job.progress.clocks
    assert.deepEqual([zone, offset], [550, 4609])
    assert.ok(Object.values(others).every((count) => count === 0))
    assert.equal(typeOf(job, 'RestingHeartRate')?.merged, 30)
    assert.equal(typeOf(job, 'Workout')?.imported, TRUTH.workouts)
    assert.equal(typeOf(job, 'SleepAnalysis')?.merged, 30)
    assert.equal(totalOf(job, 'not_supported'), 0)
    assert.equal(typeOf(job, 'StepCount')?.imported, 736)
  })

  await t.test('steps of every day, by phone and by watch', async () => {
    const groups = await groupsOf(userId, 'steps')
    const phone = byDay(groups.find(({ source }) => source.type === 'phone')?.data ?? [])
    const watch = byDay(groups.find(({ source }) => source.type === 'watch')?.data ?? [])
    assert.equal(groups.length, 2)
    for (const [day, { steps, steps_samples: samples }] of days) {
      assert.deepEqual([sum(phone.get(day)), sum(watch.get(day))], [steps.iphone, steps.watch], day)
      assert.equal(phone.get(day)?.length, samples.iphone, day)
      assert.equal(watch.get(day)?.length, samples.watch, day)
    }
  })

  await t.test('the heart rate of every day: least, most, mean and number', async () => {
    const rates = byDay(await samplesOf(userId, 'heartrate'))
    for (const [day, { heart_rate: truth }] of days) {
      const values = rates.get(day) ?? []
      assert.deepEqual(
        [values.length, Math.min(...values), Math.max(...values)],
        [truth.samples, truth.min, truth.max],
        day,
      )
      assert.ok(Math.abs(sum(values) / values.length - truth.mean) < 0.001, day)
    }
  })

  await t.test('variability, weight, glucose, pressure and energy of every day', async () => {
    const variability = await samplesOf(userId, 'hrv')
    assert.ok(variability.every(({ method }) => method === 'sdnn'))
    const hrv = byDay(variability)
    const weight = byDay(await samplesOf(userId, 'body_weight'))
    const glucose = byDay(await samplesOf(userId, 'glucose'))
    const energy = byDay(await samplesOf(userId, 'calories_active'))
    const pressures = Map.groupBy(await samplesOf(userId, 'blood_pressure'), localDate)
    for (const [day, truth] of days) {
      assert.deepEqual(hrv.get(day) ?? [], truth.hrv_sdnn ? [truth.hrv_sdnn] : [], day)
      assert.deepEqual(weight.get(day) ?? [], truth.body_mass_kg ? [truth.body_mass_kg] : [], day)
      const sugar = truth.glucose_mg_dl ? [truth.glucose_mg_dl] : []
      const milligrams = (glucose.get(day) ?? []).map((value) => Math.round(value * 18.0182))
      assert.deepEqual(milligrams, sugar, day)
      assert.ok(Math.abs(sum(energy.get(day)) - truth.active_energy_kcal) < 0.001, day)
      const pairs = pressures.get(day)?.map(({ systolic, diastolic }) => [systolic, diastolic])
      assert.deepEqual(pairs ?? [], truth.bp ? [truth.bp] : [], day)
    }
  })

  await t.test('the same file again changes nothing', async () => {
    const before = await salus.clickhouse.queryBytes(
      'select * from samples final where user_id = {userId:UUID} order by all',
      { userId },
      'TabSeparated',
    )
    const again = await importFile(salus, userId, fixture('synthetic-30d-export.zip'))
    assert.deepEqual([totalOf(again, 'imported'), totalOf(again, 'updated')], [0, 0])
    assert.equal(totalOf(again, 'unchanged'), totalOf(job, 'imported'))
    const after = await salus.clickhouse.queryBytes(
      'select * from samples final where user_id = {userId:UUID} order by all',
      { userId },
      'TabSeparated',
    )
    assert.deepEqual(after, before)
  })
})

test('the sample of an iPhone 6s matches its own table of steps', async () => {
  const userId = await salus.makeUser()
  const job = await importFile(salus, userId, fixture('iphone6s-export-sample.xml'))
  const ofRecords = job.progress.types.filter(({ type }) => type.startsWith('HK'))
  assert.deepEqual(
    [
      typeOf(job, 'StepCount')?.imported,
      ofRecords.reduce((sum, { imported }) => sum + imported, 0),
    ],
    [10, 15],
  )
  const lines = fixture('iphone6s-export-sample.StepCount.csv').toString().trim().split('\n')
  const expected = lines.slice(1).map((line) => {
    const [start = '', end = '', value] = line.split(',').slice(6)
    const seconds = (text: string) => Date.parse(text.replace(/ (\+\d\d)(\d\d)$/, '$1:$2')) / 1000
    return [seconds(start), seconds(end), Number(value)]
  })
  const samples = await samplesOf(userId, 'steps')
  assert.deepEqual(
    samples.map(({ start, end, value }) => [
      Date.parse(start) / 1000,
      Date.parse(end) / 1000,
      value,
    ]),
    expected,
  )
  assert.equal(samples[0]?.timezone_offset, 3600)
})

test('a small export is taken whole: samples, workout, rings and profile', async () => {
  const userId = await salus.makeUser()
  const job = await importFile(salus, userId, fixture('healthkit-small-export.xml'))
  const counts = job.progress.types.map(({ type, imported, merged }) => [
    type.replace('HKQuantityTypeIdentifier', ''),
    imported,
    merged,
  ])
  assert.deepEqual(counts, [
    ['Me', 0, 1],
    ['BodyMassIndex', 1, 0],
    ['HeartRate', 1, 0],
    ['Workout', 1, 0],
    ['ActivitySummary', 2, 0],
  ])
  const summaries = job.progress.summaries.map(({ resource, imported }) => [resource, imported])
  assert.deepEqual(Object.fromEntries(summaries), {
    profile: 1,
    body: 1,
    electrocardiogram: 0,
    sleep: 0,
    workouts: 1,
    // The two rings, and the day of the heart rate.
    activity: 3,
  })
  const [rate] = await groupsOf(userId, 'heartrate')
  assert.deepEqual([rate?.source.type, rate?.data[0]?.value], ['watch', 72])
  const [index] = await groupsOf(userId, 'body_mass_index')
  assert.equal(index?.source.app_id, 'Health Mate')
})

test('records without a unit are quarantined and can be looked at', async () => {
  const userId = await salus.makeUser()
  const job = await importFile(salus, userId, fixture('health-export-cli-export.zip'))
  assert.equal(typeOf(job, 'Workout')?.imported, 8)
  const rates = typeOf(job, 'HeartRate')
  assert.deepEqual([rates?.put_aside, rates?.put_aside_reasons], [5, { unknown_unit: 5 }])
  const { body } = await salus.call('GET', `/v2/user/${userId}/put_aside?resource=heartrate`)
  assert.equal(body.items.length, 5)
  const item = body.items.find(({ item }: { item: { value: string } }) => item.value === '150')
  assert.deepEqual([item.reason, item.provider], ['unknown_unit', 'apple_health_kit'])
  assert.equal(item.item.startDate, '2023-12-28 06:30:00 +0000')
})
