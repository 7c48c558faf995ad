import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { DAY_SECONDS } from '@salus/contracts/time-units'
import { eraseDeletedUsers } from '@salus/rights/erasure'
import { createHarness } from '../../../server/test/harness.ts'
import {
  createFakeParser,
  labReport,
  reportResult,
} from '../../../server/test/reports/fake-parser.ts'
import { followJob, JOBS, pdf, upload } from '../../../server/test/reports/report-client.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { toEvidence } from './evidence.presenter.ts'
import { removeOldReportFiles } from './lab-reports.jobs.ts'
import { readReportDates } from './report-dates.ts'

const salus = useFixture(() => createHarness({}, { labReportParser: createFakeParser() }))

before(() => salus.startJobs())

const filesOf = (jobId: string): string[] =>
  readdirSync(join(salus.config.dataDirectory, 'files', 'lab_reports')).filter((name) =>
    name.startsWith(jobId),
  )

async function makeReport(userId: string): Promise<string> {
  const { body } = await upload(salus, userId)
  assert.equal((await followJob(salus, body.id)).status, 'completed')
  return body.id
}

test('jobs are listed newest first, in pages, by person and by status, without results', async () => {
  const userId = await salus.makeUser()
  const jobs: string[] = []
  for (let index = 0; index < 3; index += 1) {
    salus.clock.advance(1)
    jobs.unshift(await makeReport(userId))
  }
  await makeReport(await salus.makeUser())
  const list = async (query: string) => (await salus.call('GET', `${JOBS}?${query}`)).body
  const first = await list(`user_id=${userId}&limit=2`)
  const second = await list(`user_id=${userId}&limit=2&next_cursor=${first.next_cursor}`)
  const ids = [...first.jobs, ...second.jobs].map(({ id }: { id: string }) => id)
  assert.deepEqual([ids, second.next_cursor], [jobs, null])
  assert.equal('data' in first.jobs[0], false)
  assert.deepEqual((await list(`user_id=${userId}&status=failed`)).jobs, [])
  assert.equal((await list(`user_id=${userId}&status=completed`)).jobs.length, 3)
  const other = await salus.call('GET', `${JOBS}?limit=2&next_cursor=${first.next_cursor}`)
  assert.deepEqual([other.status, other.body.detail.error_type], [400, 'invalid_cursor'])
})

test('an uploaded file is returned unchanged, until it is deleted', async () => {
  const { body } = await upload(salus, await salus.makeUser(), pdf('as it came'))
  const file = (number: number) => salus.call('GET', `${JOBS}/${body.id}/file/${number}`)
  const first = await file(1)
  assert.equal(first.headers['content-type'], 'application/pdf')
  assert.deepEqual(first.bytes, pdf('as it came'))
  assert.equal((await file(2)).body.detail, 'file_not_found')
  await followJob(salus, body.id)
  await salus.call('DELETE', `${JOBS}/${body.id}`)
  assert.equal((await file(1)).body.detail, 'job_not_found')
})

test('a job is deleted with its file and its results', async () => {
  const id = await makeReport(await salus.makeUser())
  assert.equal(filesOf(id).length, 1)
  assert.equal((await salus.call('DELETE', `${JOBS}/${id}`)).status, 200)
  assert.equal((await salus.call('GET', `${JOBS}/${id}`)).status, 404)
  assert.equal((await salus.call('DELETE', `${JOBS}/${id}`)).body.detail, 'job_not_found')
  assert.deepEqual(filesOf(id), [])
  const { rows } = await salus.database.pool.query(
    'select from lab_report_results where job_id = $1',
    [id],
  )
  assert.deepEqual(rows, [])
})

test('files are kept for thirty days, and results permanently', async () => {
  const id = await makeReport(await salus.makeUser())
  const sweep = () =>
    removeOldReportFiles(salus.dependencies, salus.files, new AbortController().signal)
  salus.clock.advance(29.9 * DAY_SECONDS)
  await sweep()
  assert.equal(filesOf(id).length, 1)
  salus.clock.advance(0.2 * DAY_SECONDS)
  await sweep()
  assert.deepEqual(filesOf(id), [])
  const { body } = await salus.call('GET', `${JOBS}/${id}`)
  assert.equal(body.data.results.length, 1)
  assert.equal((await salus.call('GET', `${JOBS}/${id}/evidence`)).status, 200)
})

test('reports and their files are erased with their person', async () => {
  const userId = await salus.makeUser()
  const id = await makeReport(userId)
  await salus.call('DELETE', `/v2/user/${userId}`)
  assert.equal((await salus.call('GET', `${JOBS}/${id}`)).status, 404)
  assert.equal(filesOf(id).length, 1, 'a week of grace')
  salus.clock.advance(8 * DAY_SECONDS)
  await eraseDeletedUsers(
    { ...salus.dependencies, pool: salus.database.pool },
    new AbortController().signal,
  )
  assert.deepEqual(filesOf(id), [])
  for (const table of ['lab_report_jobs', 'lab_report_results']) {
    const { rows } = await salus.database.pool.query(`select from ${table} where user_id = $1`, [
      userId,
    ])
    assert.deepEqual(rows, [], table)
  }
})

test('metrics count jobs and outcomes, without personal data', async () => {
  await makeReport(await salus.makeUser())
  const { text } = await salus.call('GET', '/metrics')
  assert.match(text, /salus_lab_report_attempts_total\{outcome="parsed"\} [1-9]/)
  assert.match(text, /salus_lab_report_attempt_seconds_count [1-9]/)
})

test('evidence of a photo is drawn on the photo as it was uploaded', () => {
  // The page was read upside down at half the size: (x, y) was (1000 - 2x, 800 - 2y).
  const toSource = [-2, 0, 1000, 0, -2, 800, 0, 0, 1] as const
  const page = {
    number: 1,
    width: 500,
    height: 400,
    source: 'recognized' as const,
    toSource,
    sourceSize: { width: 1000, height: 800 },
  }
  const value = { ...reportResult().value, box: { x: 100, y: 100, width: 50, height: 20 } }
  const report = labReport({ pages: [page], results: [reportResult({ value })] })
  const evidence = toEvidence('a job', report)
  const found = evidence.fields.find(({ field }) => field === 'results[0].value')
  assert.deepEqual(found?.box, { x: 0.7, y: 0.7, width: 0.1, height: 0.05 })
  assert.deepEqual(found?.polygon[0], { x: 0.8, y: 0.75 })
})

test('unambiguous dates are read', () => {
  const none = { date_reported: null, dob: null }
  const cases: [collected: string, others: object, day: string | null][] = [
    ['2026-02-27', {}, '2026-02-27'],
    ['2026/02/27 08:15', {}, '2026-02-27'],
    ['27.02.2026', {}, '2026-02-27'],
    ['02/27/2026', {}, '2026-02-27'],
    ['27/02/26', {}, '2026-02-27'],
    ['03/04/2026', {}, null],
    ['03/03/2026', {}, '2026-03-03'],
    ['03/04/2026', { dob: '04/22/1990' }, '2026-03-04'],
    ['03/04/2026', { dob: '22/04/1990' }, '2026-04-03'],
    ['03/04/2026', { dob: '22/04/1990', date_reported: '03/25/2026' }, null],
    ['27-Feb-2026 10:30 AM', {}, '2026-02-27'],
    ['Feb 27, 2026', {}, '2026-02-27'],
    ['27 de febrero de 2026', {}, '2026-02-27'],
    ['27 février 2026', {}, '2026-02-27'],
    ['27. Februar 2026', {}, '2026-02-27'],
    ['30/02/2026', {}, null],
    ['12345678', {}, null],
    ['see page 2', {}, null],
  ]
  for (const [collected, others, day] of cases) {
    const metadata = { ...none, ...others, date_collected: collected }
    assert.equal(
      readReportDates(metadata as Parameters<typeof readReportDates>[0], 'en').collected_on,
      day,
      collected,
    )
  }
  const metadata = { ...none, date_collected: '03/04/2026' } as Parameters<
    typeof readReportDates
  >[0]
  assert.equal(readReportDates(metadata, 'es').collected_on, '2026-04-03')
})
