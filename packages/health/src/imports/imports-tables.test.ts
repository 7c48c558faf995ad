import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createHarness } from '../../../server/test/harness.ts'
import { importAnyFile, outcomeOf } from '../../../server/test/imports/import-any-file.ts'
import { zipOf } from '../../../server/test/imports/map-content.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const salus = useFixture(createHarness)
before(() => salus.startJobs())

const LIBRE_HEAD =
  'Device,Serial Number,Device Timestamp,Record Type,Historic Glucose mg/dL,Scan Glucose mg/dL,Non-numeric Rapid-Acting Insulin,Rapid-Acting Insulin (units),Non-numeric Food,Carbohydrates (grams),Carbohydrates (servings),Non-numeric Long-Acting Insulin,Long-Acting Insulin (units),Notes,Strip Glucose mg/dL,Ketone mmol/L,Meal Insulin (units),Correction Insulin (units),User Change Insulin (units)'
const libre = (...rows: string[]): string =>
  [LIBRE_HEAD, ...rows.map((row) => `Libre,A-1,${row}`)].join('\n')
const clarity = (...rows: string[]): string =>
  [
    'Index,Timestamp (YYYY-MM-DDThh:mm:ss),Event Type,Event Subtype,Glucose Value (mg/dL),Insulin Value (u),Carb Value (grams),Source Device ID',
    ...rows,
  ].join('\n')
const meals = (...rows: string[]): string => ['Date,Meal,Calories,Protein (g)', ...rows].join('\n')
const withings = (weights: string): Buffer =>
  zipOf({
    'weight.csv': `Date,"Weight (kg)","Fat mass (kg)"\n${weights}`,
    'aggregates_steps.csv': 'date,value\n2026-01-01,8000\n',
    'raw_tracker_steps.csv':
      'start,duration,value\n2026-01-01T07:00:00+01:00,"[60,60]","[72,75]"\n',
  })
const ZONE = '?time_zone=Europe%2FVienna'

/** A file, a newer export of the same account, and what the imports of both bring. */
const CASES: Readonly<
  Record<
    string,
    { first: string | Buffer; newer: string | Buffer; query: string; counts: number[] }
  >
> = {
  libreview: {
    first: libre('13-01-2026 10:05,0,104', '13-01-2026 10:07,1,,90', '13-01-2026 10:08,4,,,,4'),
    newer: libre(
      '13-01-2026 10:05,0,104',
      '13-01-2026 10:07,1,,90',
      '13-01-2026 10:08,4,,,,5',
      '13-01-2026 10:20,0,108',
    ),
    query: ZONE,
    // An insulin entry of another amount at the same minute replaces the first.
    counts: [3, 1, 1],
  },
  dexcom_clarity: {
    first: clarity('1,2026-01-13T10:05:17,EGV,,104,,,P', '2,2026-01-13T10:10:17,Carbs,,,,45,P'),
    newer: clarity('1,2026-01-13T10:05:17,EGV,,104,,,P', '3,2026-01-13T10:15:17,EGV,,110,,,P'),
    query: ZONE,
    counts: [2, 1, 0],
  },
  withings_export: {
    first: withings('"2026-01-01 07:00:00",80,16\n'),
    newer: withings('"2026-01-01 07:00:00",80,16\n"2026-01-02 07:00:00",79.5,\n'),
    query: ZONE,
    // A weight with fat and a body, two amounts of steps, and a day.
    counts: [6, 2, 0],
  },
  my_fitness_pal_export: {
    first: zipOf({
      'Nutrition-Summary-2026-01-01-to-2026-01-02.csv': meals(
        '2026-01-01,Lunch,650,30',
        '2026-01-01,Dinner,700,40',
      ),
    }),
    newer: zipOf({
      'Nutrition-Summary-2026-01-01-to-2026-01-03.csv': meals(
        '2026-01-01,Lunch,600,30',
        '2026-01-01,Dinner,700,40',
      ),
    }),
    query: '',
    counts: [2, 0, 1],
  },
}

for (const [format, { first, newer, query, counts }] of Object.entries(CASES)) {
  test(`the second import of a file of ${format} changes nothing, and a newer one updates`, async () => {
    const userId = await salus.makeUser()
    const [inserted = 0, added = 0, updated = 0] = counts
    const job = await importAnyFile(salus, userId, first, query)
    assert.deepEqual([job.status, job.source], ['completed', format], JSON.stringify(job.error))
    assert.deepEqual(outcomeOf(job), [inserted, 0, 0, 0])
    const again = await importAnyFile(salus, userId, first, query)
    assert.deepEqual(outcomeOf(again), [0, 0, inserted, 0])
    const later = await importAnyFile(salus, userId, newer, query)
    assert.deepEqual(outcomeOf(later).slice(0, 2), [added, updated])
  })
}

test('a file whose zone is not known waits, and the answer continues it', async () => {
  const userId = await salus.makeUser()
  const url = `/v2/user/${userId}/import`
  const headers = { 'content-type': 'text/csv' }
  const content = Buffer.from(clarity('1,2026-01-13T10:05:17,EGV,,104,,,P'))
  const { body: job } = await salus.call('POST', url, content, headers)
  const waiting = await until(`${url}/${job.id}`, 'needs_options')
  assert.deepEqual(
    waiting.questions.map(({ option }: { option: string }) => option),
    ['time_zone'],
  )
  const answer = await salus.call('PATCH', `${url}/${job.id}`, {
    time_zone: 'Europe/Vienna',
  })
  assert.equal(answer.status, 202)
  await until(`${url}/${job.id}`, 'completed')
  const range = 'start_date=2026-01-13&end_date=2026-01-13'
  const { body } = await salus.call('GET', `/v2/timeseries/${userId}/glucose/grouped?${range}`)
  assert.deepEqual(
    body.groups.dexcom_v3[0].data.map((sample: { start: string }) => sample.start),
    ['2026-01-13T09:05:17+00:00'],
  )
})

async function until(url: string, status: string) {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; ) {
    const { body } = await salus.call('GET', url)
    if (body.status === status) return body
    assert.notEqual(body.status, 'failed', JSON.stringify(body.error))
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  throw new Error('The import did not get there in time.')
}
