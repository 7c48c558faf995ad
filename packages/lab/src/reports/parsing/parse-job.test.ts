import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { unpackBody } from '@salus/kernel/events/event-body'
import { startWorker, type Worker } from '@salus/kernel/jobs/jobs'
import type { LabReportParser, ParseOutcome } from '@salus/lab-report-parser'
import { createHarness, type Harness } from '../../../../server/test/harness.ts'
import {
  createFakeParser,
  parsedReport,
  reportResult,
} from '../../../../server/test/reports/fake-parser.ts'
import { followJob, JOBS, pdf, upload } from '../../../../server/test/reports/report-client.ts'
import { parseJob } from './parse-job.service.ts'

let salus: Harness
let userId: string
let parse: LabReportParser['parse']
const workers: Worker[] = []

before(async () => {
  const parser = createFakeParser((...given) => parse(...given))
  salus = await createHarness({}, { labReportParser: parser })
  // Parsing has separate workers, as in main.ts.
  const { database, dependencies } = salus
  const { log, jobs, labReportJobs } = dependencies
  for (const definitions of [{ ...jobs, schedule: '' }, labReportJobs]) {
    workers.push(await startWorker({ pool: database.pool, definitions, concurrency: 1, log }))
  }
})
after(async () => {
  for (const worker of workers) await worker.stop()
  await salus.close()
})
beforeEach(async () => {
  parse = async () => parsedReport()
  userId = await salus.makeUser()
})

/** Returns the payloads of a job's events, in order. */
async function eventsOf(jobId: string) {
  const { rows } = await salus.database.pool.query(
    "select event_type, body from events where event_type like 'lab_report.%' order by sequence",
  )
  return rows
    .map(({ event_type: type, body }) => ({ type, ...JSON.parse(unpackBody(body).toString()) }))
    .filter(({ data }) => data.id === jobId)
}

const storedResults = async (jobId: string) => {
  const { rows } = await salus.database.pool.query(
    'select * from lab_report_results where job_id = $1 order by position',
    [jobId],
  )
  return rows
}

test('a parsed report is completed, in its job as in its events', async () => {
  const { body: made } = await upload(salus, userId)
  const job = await followJob(salus, made.id)
  assert.equal(job.status, 'completed')
  assert.deepEqual(job.data, {
    metadata: {
      patient_first_name: 'Ada',
      patient_last_name: 'Moreau',
      dob: '04/12/1990',
      gender: 'female',
      lab_name: 'Example Laboratory',
      date_reported: '03/01/2026',
      date_collected: '02/27/2026',
      specimen_number: null,
    },
    results: [
      {
        test_name: 'Glucose',
        value: '112',
        sample_type: 'serum_plasma_blood',
        measurement_kind: 'direct',
        type: 'numeric',
        units: 'mg/dL',
        max_reference_range: 99,
        min_reference_range: 65,
        source_panel_name: null,
        sensitivity: 'unknown',
        loinc_matches: [
          {
            loinc_code: '2345-7',
            loinc_name: 'Glucose [Mass/volume] in Serum or Plasma',
            display_name: 'Glucose',
            aliases: ['Blood sugar'],
            confidence_score: 0.97,
          },
        ],
        loinc_match_status: 'auto_match',
        interpretation: 'abnormal',
        is_above_max_range: true,
        is_below_min_range: false,
      },
    ],
  })
  const events = await eventsOf(job.id)
  assert.deepEqual(
    events.map(({ type, data, user_id: id }) => [type, data.status, id]),
    [
      ['lab_report.parsing_job.created', 'started', userId],
      ['lab_report.parsing_job.updated', 'completed', userId],
    ],
  )
  assert.equal(events[0].data.data, null)
  assert.deepEqual(events[1].data, job)
  const [row] = await storedResults(job.id)
  assert.deepEqual(
    [row.user_id, row.loinc_code, row.ucum_unit, row.number],
    [userId, '2345-7', 'mg/dL', 112],
  )
})

test('only a certain LOINC match is stored, and comparators are', async () => {
  parse = async () =>
    parsedReport({
      results: [
        reportResult({ loincMatchStatus: 'needs_review' }),
        reportResult({ value: { ...reportResult().value, text: '≤ 5' }, number: null }),
      ],
    })
  const { body } = await upload(salus, userId)
  await followJob(salus, body.id)
  const rows = await storedResults(body.id)
  assert.deepEqual(
    rows.map((row) => [row.loinc_code, row.comparator]),
    [
      [null, null],
      ['2345-7', '<='],
    ],
  )
})

for (const reason of ['invalid_input', 'low_quality', 'not_english', 'too_many_pages'] as const) {
  test(`a report that the parser refuses as ${reason} fails at once`, async () => {
    let asked = 0
    parse = async () => {
      asked += 1
      return { status: 'failed', reason, detail: 'a_word' }
    }
    const { body } = await upload(salus, userId)
    const job = await followJob(salus, body.id)
    assert.deepEqual([job.status, job.failure_reason, job.data], ['failed', reason, null])
    assert.equal(asked, 1)
    const emitted = await eventsOf(job.id)
    assert.deepEqual(
      emitted.map(({ data }) => data.status),
      ['started', 'failed'],
    )
  })
}

test('a parser that fails is called again, and after the last attempt the job fails', async () => {
  salus.errors.expect('(parse_lab_report,', 'a lab report was not read')
  salus.errors.expect('a lab report could not be read')
  const outcomes: ParseOutcome[] = [
    { status: 'failed', reason: 'processing_error', detail: 'crashed' },
  ]
  parse = async () => outcomes.shift() ?? parsedReport()
  const { body: mended } = await upload(salus, userId)
  assert.equal((await followJob(salus, mended.id)).status, 'completed')

  let asked = 0
  parse = async () => {
    asked += 1
    throw new Error('the parser broke')
  }
  const { body: lost } = await upload(salus, userId)
  const job = await followJob(salus, lost.id)
  assert.deepEqual([job.status, job.failure_reason], ['failed', 'processing_error'])
  assert.equal(asked, 3)
  assert.equal((await eventsOf(lost.id)).length, 2)
})

test('an attempt changes nothing after a later one has begun', async () => {
  const held = Promise.withResolvers<ParseOutcome>()
  const begun = Promise.withResolvers<void>()
  parse = () => {
    begun.resolve()
    return held.promise
  }
  const { body } = await upload(salus, userId)
  await begun.promise
  parse = async () => parsedReport()
  // Acts as a second worker that considers the first one dead.
  const { rows } = await salus.database.pool.query(
    'select environment_id from lab_report_jobs where id = $1',
    [body.id],
  )
  const payload = { environmentId: rows[0].environment_id, jobId: body.id }
  const signal = new AbortController().signal
  await parseJob(salus.dependencies, salus.dependencies, payload, signal)
  held.resolve({ status: 'failed', reason: 'invalid_input', detail: 'late' })
  const job = await followJob(salus, body.id)
  assert.equal(job.status, 'completed')
  await parseJob(salus.dependencies, salus.dependencies, payload, signal)
  assert.equal((await eventsOf(body.id)).length, 2)
  assert.equal((await storedResults(body.id)).length, 1)
})

test('an attempt that was stopped does not count, and too many crashes fail the job', async () => {
  const held = Promise.withResolvers<ParseOutcome>()
  const begun = Promise.withResolvers<void>()
  parse = () => {
    begun.resolve()
    return held.promise
  }
  const { body } = await upload(salus, userId)
  await begun.promise
  const { rows } = await salus.database.pool.query(
    'select environment_id from lab_report_jobs where id = $1',
    [body.id],
  )
  const payload = { environmentId: rows[0].environment_id, jobId: body.id }
  const stopping = new AbortController()
  parse = async (_files, options) => {
    stopping.abort()
    assert.equal(options?.signal?.aborted, true)
    return { status: 'failed', reason: 'processing_error', detail: 'stopped' }
  }
  const { dependencies } = salus
  await assert.rejects(parseJob(dependencies, dependencies, payload, stopping.signal))
  const attempts = async () => {
    const found = await salus.database.pool.query(
      'select attempts from lab_report_jobs where id = $1',
      [body.id],
    )
    return found.rows[0].attempts
  }
  assert.equal(await attempts(), 1)

  await salus.database.pool.query('update lab_report_jobs set attempts = 3 where id = $1', [
    body.id,
  ])
  parse = async () => assert.fail('The parser was called once more.')
  await parseJob(dependencies, dependencies, payload, new AbortController().signal)
  const { body: job } = await salus.call('GET', `${JOBS}/${body.id}`)
  assert.deepEqual([job.status, job.failure_reason], ['failed', 'processing_error'])
  held.resolve(parsedReport())
})

test('the progress of parsing is visible', async () => {
  const held = Promise.withResolvers<ParseOutcome>()
  parse = (_files, options) => {
    options?.onProgress?.({ page: 3, pages: 5 })
    return held.promise
  }
  const { body } = await upload(salus, userId)
  const read = async () => (await salus.call('GET', `${JOBS}/${body.id}`)).body
  for (let tries = 0; tries < 200 && (await read()).progress.pages !== 5; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.deepEqual((await read()).progress, { pages_read: 2, pages: 5 })
  held.resolve(parsedReport())
  assert.deepEqual((await followJob(salus, body.id)).progress, { pages_read: 5, pages: 5 })
})

test('the report of a team has a lower priority the more the team has waiting', async () => {
  const held = Promise.withResolvers<void>()
  const order: string[] = []
  parse = async ([content]) => {
    order.push(
      Buffer.from(content ?? [])
        .toString('latin1')
        .split('\n')[1] ?? '',
    )
    await held.promise
    return parsedReport()
  }
  const jobs: string[] = []
  for (const name of ['a1', 'a2', 'a3', 'a4']) {
    jobs.push((await upload(salus, userId, pdf(name))).body.id)
  }
  const { sandboxKey } = await salus.makeTeam()
  const theirs = { 'x-service-api-key': sandboxKey }
  const user = await salus.call('POST', '/v2/user', { client_user_id: 'other' }, theirs)
  const other = await upload(salus, user.body.user_id, pdf('b1'), [], theirs)
  for (let tries = 0; tries < 200; tries += 1) {
    const { body } = await salus.call('GET', `${JOBS}/${other.body.id}`, undefined, theirs)
    if (body.status === 'started') break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  held.resolve()
  for (const id of jobs) await followJob(salus, id)
  assert.ok(order.indexOf('b1') <= 2, order.join(' '))
})

test('a report of a person who was deleted in the meantime is discarded', async () => {
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  parse = async () => {
    begun.resolve()
    await held.promise
    return parsedReport()
  }
  const { body } = await upload(salus, userId)
  await begun.promise
  await salus.call('DELETE', `/v2/user/${userId}`)
  assert.equal((await salus.call('GET', `${JOBS}/${body.id}`)).status, 404)
  held.resolve()
  for (let tries = 0; tries < 200; tries += 1) {
    const { rows } = await salus.database.pool.query(
      'select status, failure_detail, report from lab_report_jobs where id = $1',
      [body.id],
    )
    if (rows[0].status === 'failed') {
      assert.deepEqual([rows[0].failure_detail, rows[0].report], ['user_deleted', null])
      assert.equal((await eventsOf(body.id)).length, 1)
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.fail('The job did not end.')
})
