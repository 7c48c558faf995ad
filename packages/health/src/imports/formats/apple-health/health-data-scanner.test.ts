import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import {
  collectFromText,
  collectHealthData,
} from '../../../../../server/test/imports/collect-health-data.ts'
import { openExportXml } from './export-file.ts'
import { scanHealthData } from './health-data-scanner.ts'

const FIXTURES = join(import.meta.dirname, 'fixtures')

async function collectFixture(name: string) {
  const { stream } = await openExportXml(join(FIXTURES, name))
  return collectHealthData([await buffer(stream)])
}

test('the synthetic month gives the records, steps and heart rates of its truth file', async () => {
  const truth = JSON.parse(readFileSync(join(FIXTURES, 'synthetic-30d-export.truth.json'), 'utf8'))
  const { records, workouts, others, error } = await collectFixture('synthetic-30d-export.zip')
  assert.equal(error, undefined)
  assert.equal(records.length, 5151)
  assert.equal(workouts.length, 15)
  assert.equal(workouts.flatMap((workout) => workout.statistics).length, 30)
  assert.equal(others.filter(([name]) => name === 'ActivitySummary').length, 30)
  const counts: Record<string, number> = {}
  const steps: Record<string, { iphone: number; watch: number }> = {}
  for (const { type, sourceName, startDate, value } of records) {
    counts[type] = (counts[type] ?? 0) + 1
    if (type !== 'HKQuantityTypeIdentifierStepCount') continue
    const day = startDate.slice(0, 10)
    steps[day] ??= { iphone: 0, watch: 0 }
    steps[day][sourceName.includes('Watch') ? 'watch' : 'iphone'] += Number(value)
  }
  assert.deepEqual(counts, truth.record_counts)
  const days = Object.entries<{ steps: object }>(truth.daily)
  assert.deepEqual(steps, Object.fromEntries(days.map(([day, values]) => [day, values.steps])))
})

test('the iPhone sample equals the CSV that another tool made of it', async () => {
  const { records } = await collectFixture('iphone6s-export-sample.xml')
  assert.equal(records.length, 15)
  const steps = records.filter(({ type }) => type.endsWith('StepCount'))
  const rows = steps.map((step) => [
    `"${step.sourceName}",,,"StepCount","${step.unit}"`,
    `${step.creationDate},${step.startDate},${step.endDate},${step.value}`,
  ])
  const csv = readFileSync(join(FIXTURES, 'iphone6s-export-sample.StepCount.csv'), 'utf8')
  assert.deepEqual(
    rows.map((row) => row.join(',')),
    csv.trim().split(/\r?\n/).slice(1),
  )
})

test('the other samples are read with decoded attributes and metadata', async () => {
  const small = await collectFixture('healthkit-small-export.xml')
  const link = 'withings-bd2://timeline/measure?userid=12345&date=482685932&type=1'
  assert.equal(small.records.length, 2)
  assert.equal(small.records[0]?.metadata.get('Withings Link'), link)
  assert.match(small.records[1]?.device ?? '', /^<<HKDevice: 0x282a45810>, .*Watch2,4/)
  assert.equal(small.workouts.length, 1)
  const cli = await collectFixture('health-export-cli-export.zip')
  assert.equal(cli.workouts.length, 8)
  assert.equal(cli.records.length, 5)
  assert.equal(cli.workouts[3]?.attributes.get('sourceName'), 'Synthetic & Run Club')
  assert.equal(cli.workouts[3]?.statistics.length, 2)
})

test('records inside a correlation come with it and not a second time', () => {
  const record = (value: number) =>
    `<Record type="BP" sourceName="Cuff" startDate="a" endDate="b" value="${value}">
      <MetadataEntry key="n" value="${value}"/></Record>`
  const found = collectFromText(
    `<HealthData>${record(120)}${record(80)}
      <Correlation type="C" sourceName="Cuff" startDate="a" endDate="b">
      <MetadataEntry key="own" value="1"/>${record(120)}${record(80)}</Correlation></HealthData>`,
  )
  assert.deepEqual(
    found.records.map(({ value, insideCorrelation }) => [value, insideCorrelation]),
    [
      ['120', false],
      ['80', false],
    ],
  )
  const [correlation] = found.correlations
  assert.equal(found.correlations.length, 1)
  assert.deepEqual([...(correlation?.metadata ?? [])], [['own', '1']])
  assert.deepEqual(
    correlation?.records.map((r) => [r.value, r.insideCorrelation, r.metadata.get('n')]),
    [
      ['120', true, '120'],
      ['80', true, '80'],
    ],
  )
})

test('only direct metadata counts, and unknown elements are skipped', () => {
  const { records, workouts, others } = collectFromText(
    `<HealthData><Record type="HRV"><List><MetadataEntry key="no" value="1"/><Beat bpm="6"/></List>
    <MetadataEntry key="__proto__" value="2"/></Record>
    <Workout a="1"><WorkoutActivity><WorkoutStatistics type="x"/><MetadataEntry key="no" value=""/>
    </WorkoutActivity><WorkoutStatistics type="y"/></Workout>
    <Future é="1"><Record type="hidden"/></Future><ExportDate value="now"/></HealthData>`,
  )
  assert.deepEqual(
    records.map(({ type, metadata }) => [type, ...metadata]),
    [['HRV', ['__proto__', '2']]],
  )
  assert.deepEqual(
    workouts.map(({ statistics, metadata }) => [statistics.length, metadata.size]),
    [[1, 0]],
  )
  assert.deepEqual(
    others.map(([name, attributes]) => [name, ...attributes]),
    [
      ['Future', ['é', '1']],
      ['ExportDate', ['value', 'now']],
    ],
  )
})

test('equal devices are the same string even when records of several alternate', () => {
  const record = (device: string) => `<Record type="t" device="&lt;${device}&gt;"/>`
  const devices = ['a', 'b', 'a', 'a', 'b'].map(record).join('')
  const { records } = collectFromText(`<HealthData>${devices}</HealthData>`)
  assert.deepEqual(
    records.map(({ device }) => device),
    ['<a>', '<b>', '<a>', '<a>', '<b>'],
  )
})

test('a stream is scanned to its end', async () => {
  const { stream } = await openExportXml(join(FIXTURES, 'health-export-cli-export.zip'))
  const counts = { records: 0, workouts: 0 }
  await scanHealthData(stream, {
    onRecord: () => counts.records++,
    onCorrelation: () => undefined,
    onWorkout: () => counts.workouts++,
    onOther: () => undefined,
  })
  assert.deepEqual(counts, { records: 5, workouts: 8 })
})
