import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { importOrder, reported, reportOf } from '../../../server/test/results/lipid-reports.ts'
import { createResultsFixture } from '../../../server/test/results/results-fixture.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const fixture = useFixture(createResultsFixture)

interface ReadResult {
  code: string | null
  number: number | null
  unit: string | null
  day: string | null
  comparator?: string
}

/** Adds a completed job with these results. */
async function addReport(userId: string, results: readonly ReadResult[]): Promise<string> {
  const { pool } = fixture.database
  const jobId = randomUUID()
  await pool.query(
    `insert into lab_report_jobs (environment_id, id, user_id, status, needs_human_review, files, delete_files_at, created_at, updated_at)
    values ($1, $2, $3, 'completed', false, '[]', now(), now(), now())`,
    [fixture.environmentId, jobId, userId],
  )
  for (const [position, { code, number, unit, day, comparator }] of results.entries()) {
    await pool.query(
      `insert into lab_report_results (environment_id, job_id, position, user_id, loinc_code, name, value, unit, ucum_unit, number, comparator, low, high, interpretation, collected_on)
      values ($1, $2, $3, $4, $5, 'Read', $6, $7, $7, $8, $9, 3.9, 5.5, 'normal', $10)`,
      [
        fixture.environmentId,
        jobId,
        position,
        userId,
        code,
        `${comparator ?? ''}${number ?? 'see note'}`,
        unit,
        number,
        comparator ?? null,
        day,
      ],
    )
  }
  return jobId
}

async function addOrder(userId: string): Promise<string> {
  const order = await importOrder(fixture, { userId })
  const results = [reported('glucose', '90'), reported('cholesterol', '<100')]
  await fixture.take({ message: reportOf(order, { results }), labSlug: 'quest' })
  return order.id
}

const get = async (path: string) => {
  const { status, body } = await fixture.call('GET', path)
  return { status, body }
}

test('results of orders and lab reports are listed together, newest first, in pages and by source', async () => {
  const userId = await fixture.makeUser()
  const orderId = await addOrder(userId)
  const jobId = await addReport(userId, [
    { code: '14749-6', number: 5.2, unit: 'mmol/L', day: '2026-03-10' },
    { code: null, number: null, unit: null, day: null },
  ])
  const { body } = await get(`/v3/user/${userId}/result`)
  assert.deepEqual(
    body.results.map((result: Record<string, unknown>) => [
      result.source,
      result.order_id ?? result.parsing_job_id,
      result.date,
    ]),
    [
      ['lab_report', jobId, '2026-03-10'],
      ['order', orderId, '2026-02-28'],
      ['order', orderId, '2026-02-28'],
      ['lab_report', jobId, null],
    ],
  )
  const first = (await get(`/v3/user/${userId}/result?limit=3`)).body
  const second = (await get(`/v3/user/${userId}/result?limit=3&next_cursor=${first.next_cursor}`))
    .body
  assert.deepEqual([...first.results, ...second.results], body.results)
  assert.equal(second.next_cursor, null)
  assert.equal((await get(`/v3/user/${userId}/result?source=lab_report`)).body.results.length, 2)
  assert.equal((await get(`/v3/user/${userId}/result?loinc_code=2345-7`)).body.results.length, 1)
  assert.equal(
    (await get(`/v3/user/${userId}/result?start_date=2026-03-01`)).body.results.length,
    1,
  )
  const wrong = await get(`/v3/user/${userId}/result?start_date=2026-03-02&end_date=2026-03-01`)
  assert.deepEqual([wrong.status, wrong.body.detail.error_type], [400, 'invalid_date_range'])
})

test('results of the same analyte have the same measurement, in any unit', async () => {
  const userId = await fixture.makeUser()
  await addReport(userId, [
    { code: '14749-6', number: 5, unit: 'mmol/L', day: '2026-03-10' },
    { code: '2345-7', number: 90, unit: 'mg/dL', day: '2026-03-09' },
    { code: '2350-7', number: 90, unit: 'mg/dL', day: '2026-03-08' },
    { code: null, number: 90, unit: 'mg/dL', day: '2026-03-07' },
  ])
  const { results } = (await get(`/v3/user/${userId}/result`)).body
  const [molar, mass, ofUrine, unknown] = results.map(
    (result: { measurement: string | null }) => result.measurement,
  )
  assert.equal(typeof mass, 'string')
  assert.deepEqual([molar, unknown], [mass, null])
  assert.notEqual(ofUrine, mass)
})

test('a trend has one analyte of orders and reports in one unit', async () => {
  const userId = await fixture.makeUser()
  await addOrder(userId)
  await addReport(userId, [{ code: '14749-6', number: 5, unit: 'mmol/L', day: '2026-03-10' }])
  await addReport(userId, [
    { code: '2345-7', number: 108, unit: 'mg/dL', day: '2026-03-20' },
    { code: '2345-7', number: 100, unit: 'mg/dL', day: null },
    { code: '2345-7', number: 100, unit: 'fL', day: '2026-03-21' },
    { code: '2350-7', number: 500, unit: 'mg/dL', day: '2026-03-20' },
  ])
  const path = `/v3/user/${userId}/result/trend?loinc_code=2345-7`
  const { body } = await get(`${path}&unit=mmol/L&period=month`)
  assert.deepEqual(
    body.points.map((point: { date: string; value: number }) => [
      point.date,
      Math.round(point.value * 100) / 100,
    ]),
    [
      ['2026-02-28', 5],
      ['2026-03-10', 5],
      ['2026-03-20', 5.99],
    ],
  )
  assert.deepEqual(
    [body.unit, body.left_out, body.loinc_codes],
    ['mmol/L', 2, ['14749-6', '2345-7']],
  )
  assert.deepEqual(
    body.periods.map((period: { start_date: string; count: number }) => [
      period.start_date,
      period.count,
    ]),
    [
      ['2026-02-01', 1],
      ['2026-03-01', 2],
    ],
  )
  const inMass = (await get(`${path}&unit=mg/dL&source=lab_report&end_date=2026-03-15`)).body
  assert.equal(Math.round(inMass.points[0].value), 90)
  assert.equal(inMass.points[0].original_value, '5')
  assert.equal((await get(`${path}&unit=apples`)).body.detail.error_type, 'invalid_unit')
})

test('units of international activity and of hemoglobin A1c are converted', async () => {
  const userId = await fixture.makeUser()
  await addReport(userId, [
    { code: '3016-3', number: 2, unit: 'm[IU]/L', day: '2026-01-01' },
    { code: '11580-8', number: 3, unit: 'u[IU]/mL', day: '2026-02-01' },
    { code: '4548-4', number: 6.5, unit: '%', day: '2026-01-01' },
    { code: '59261-8', number: 42, unit: 'mmol/mol', day: '2026-02-01', comparator: '<' },
  ])
  const values = async (query: string) =>
    (await get(`/v3/user/${userId}/result/trend?${query}`)).body.points.map(
      ({ value }: { value: number }) => Math.round(value * 10) / 10,
    )
  assert.deepEqual(await values('loinc_code=3016-3'), [2, 3])
  assert.deepEqual(await values('loinc_code=4548-4&unit=%25'), [6.5, 6])
  const { periods } = (await get(`/v3/user/${userId}/result/trend?loinc_code=4548-4&period=year`))
    .body
  assert.equal(periods[0].count, 1)
})

test('mass is converted to amount of substance with the agreed molar mass, or left out without one', async () => {
  const userId = await fixture.makeUser()
  const days = ['2026-01-01', '2026-02-01']
  const pairs: [string, number, string, string, number, string][] = [
    ['2777-1', 3.4, 'mg/dL', '14879-1', 1.1, 'mmol/L'],
    ['3094-0', 14, 'mg/dL', '14937-7', 5, 'mmol/L'],
    ['718-7', 14.5, 'g/dL', '59260-0', 9, 'mmol/L'],
    ['2823-3', 4.1, 'meq/L', '2823-3', 4.1, 'mmol/L'],
    ['3034-6', 250, 'mg/dL', '3034-6', 30, 'umol/L'],
  ]
  await addReport(
    userId,
    pairs.flatMap(([code, number, unit, other, molar, to]) => [
      { code, number, unit, day: days[0] as string },
      { code: other, number: molar, unit: to, day: days[1] as string },
    ]),
  )
  const trend = async (code: string, unit: string) =>
    (await get(`/v3/user/${userId}/result/trend?loinc_code=${code}&unit=${unit}`)).body
  const phosphorus = await trend('2777-1', 'mmol/L')
  assert.deepEqual(
    phosphorus.points.map(({ value }: { value: number }) => Number(value.toFixed(3))),
    [1.098, 1.1],
  )
  for (const [code, unit, expected] of [
    ['3094-0', 'mmol/L', 5],
    ['718-7', 'mmol/L', 9],
    ['2823-3', 'mmol/L', 4.1],
  ] as const) {
    const { points, left_out } = await trend(code, unit)
    assert.equal(Number(points[0].value.toFixed(1)), expected, code)
    assert.deepEqual([points.length, left_out], [2, 0], code)
  }
  const transferrin = await trend('3034-6', 'mg/dL')
  assert.deepEqual([transferrin.points.length, transferrin.left_out], [1, 1])
})

test('results are deleted with their job', async () => {
  const userId = await fixture.makeUser()
  const jobId = await addReport(userId, [
    { code: '2345-7', number: 90, unit: 'mg/dL', day: '2026-01-01' },
  ])
  await fixture.call('DELETE', `/lab_report/v1/parser/job/${jobId}`)
  assert.deepEqual((await get(`/v3/user/${userId}/result`)).body.results, [])
  assert.equal((await get(`/v3/user/${randomUUID()}/result`)).status, 404)
})
