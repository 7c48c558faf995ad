import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createHarness, type Harness } from '../../../../server/test/harness.ts'
import {
  createFakeParser,
  type FakeParser,
  parsedReport,
  reportResult,
} from '../../../../server/test/reports/fake-parser.ts'
import {
  followJob,
  JOBS,
  type Part,
  pdf,
  png,
  sendParts,
  upload,
} from '../../../../server/test/reports/report-client.ts'
import { USER_INFO } from '../../../../server/test/route-cases.ts'

let salus: Harness
let userId: string
let parser: FakeParser

const named = (text: string) => ({ ...reportResult().name, text })

before(async () => {
  const results = ['Page 1 of 2', 'Glucose', 'Sodium'].map((name) =>
    reportResult({ name: named(name) }),
  )
  parser = createFakeParser(async ([file]) => {
    const isUnread = Buffer.from(file ?? []).includes('antibiogram')
    return parsedReport({ results, unread: isUnread ? [{ kind: 'antibiogram', page: 1 }] : [] })
  })
  salus = await createHarness({}, { labReportParser: parser })
  const settings = { sandbox: { lab_report_review_enabled: true } }
  await salus.manage('PATCH', `/team/${salus.teamId}`, settings)
  userId = await salus.makeUser()
  await salus.startJobs()
})
after(() => salus.close())

const review = (method: string, path: string, body?: object) =>
  salus.manage(method, `/team/${salus.teamId}/sandbox/lab_report_review${path}`, body)

async function makePending(): Promise<string> {
  const sent = await upload(salus, userId, pdf('a page'), [['needs_human_review', 'true']])
  assert.equal(sent.body.needs_human_review, true, sent.text)
  const job = await followJob(salus, sent.body.id)
  assert.deepEqual([job.status, job.data, job.is_reviewed], ['pending_review', null, false])
  return job.id
}

test('a waiting report is shown to reviewers only, with its file and its evidence', async () => {
  const id = await makePending()
  const evidence = await salus.call('GET', `${JOBS}/${id}/evidence`)
  assert.deepEqual([evidence.status, evidence.body.detail.error_type], [409, 'job_not_completed'])
  const ofReport = async () =>
    (await salus.call('GET', `/v3/task?focus_id=${id}`)).body.data.map(
      ({ kind, focus, user_id }: Record<string, unknown>) => [kind, focus, user_id],
    )
  const task = ['lab_report_review', { type: 'lab_report', id }, userId]
  assert.deepEqual(await ofReport(), [task])
  const { body: list } = await review('GET', '')
  assert.ok(list.data.some((job: { id: string }) => job.id === id))
  const { body: shown } = await review('GET', `/${id}`)
  assert.deepEqual(
    shown.reading.results.map((each: { test_name: string }) => each.test_name),
    ['Page 1 of 2', 'Glucose', 'Sodium'],
  )
  assert.deepEqual([shown.job.data, shown.decision, shown.corrections], [null, null, []])
  assert.deepEqual(shown.files, [{ number: 1, content_type: 'application/pdf', bytes: 22 }])
  const value = shown.evidence.fields.find(
    ({ field }: { field: string }) => field === 'results[0].value',
  )
  assert.deepEqual([value.text, value.page], ['112', 1])
  assert.deepEqual(value.box, { x: 0.33333, y: 0.125, width: 0.1, height: 0.0125 })
  const file = await review('GET', `/${id}/file/1`)
  assert.deepEqual([file.headers['content-type'], file.bytes], ['application/pdf', pdf('a page')])
  const missing = await review('GET', `/${id}/file/2`)
  assert.deepEqual([missing.status, missing.body.detail], [404, 'file_not_found'])
})

test('a report with a doubtful value waits for a reviewer without a request, with the reason', async () => {
  const sound = parser.parse
  const results = [reportResult(), reportResult({ name: named('Sodium'), doubts: ['parts'] })]
  parser.parse = async () => parsedReport({ results })
  const sent = await upload(salus, userId, pdf('a doubtful page'))
  const job = await followJob(salus, sent.body.id)
  parser.parse = sound
  assert.deepEqual(
    [job.status, job.data, job.needs_human_review, job.is_reviewed],
    ['pending_review', null, false, false],
  )
  const { body: shown } = await review('GET', `/${job.id}`)
  const doubts = (field: string) =>
    shown.evidence.fields.find((each: { field: string }) => each.field === field).doubts
  assert.deepEqual(
    [doubts('results[0].value'), doubts('results[1].value'), doubts('results[1].test_name')],
    [[], ['parts'], []],
  )
  const approved = await review('POST', `/${job.id}/approve`)
  assert.deepEqual([approved.status, approved.body.job.status], [200, 'completed'])
})

test('the image of a page is shown to reviewers and to the team while its file is retained', async () => {
  const pages = [png('first'), png('second'), png('torn')]
  const sent = await sendParts(salus, [
    ['user_id', userId],
    ['needs_human_review', 'true'],
    ...pages.map((page): Part => ['file', page, 'image/png']),
  ])
  const { id } = await followJob(salus, sent.body.id)
  const show = {
    reviewer: (page: string) => review('GET', `/${id}/page/${page}`),
    team: (page: string) => salus.call('GET', `${JOBS}/${id}/page/${page}`),
  }
  for (const ask of [show.reviewer, show.team]) {
    const first = await ask('1')
    assert.deepEqual([first.status, first.headers['content-type']], [200, 'image/jpeg'])
    assert.match(String(first.headers['cache-control']), /no-store/)
    // An image is its own file with one page.
    assert.equal(first.bytes.toString('latin1'), `1 1200 ${pages[0]?.toString('latin1')}`)
    const second = await ask('2?width=300')
    assert.equal(second.bytes.toString('latin1'), `1 300 ${pages[1]?.toString('latin1')}`)
    const torn = await ask('3')
    assert.deepEqual([torn.status, torn.body.detail.error_type], [400, 'unreadable_file'])
    assert.deepEqual(
      [(await ask('4')).body.detail, (await ask('0')).status, (await ask('1?width=9')).status],
      ['page_not_found', 422, 422],
    )
  }
  await salus.database.pool.query(
    'update lab_report_jobs set sealed_file_key = null where id = $1',
    [id],
  )
  assert.equal((await show.team('1')).body.detail, 'file_not_found')
  assert.equal((await show.reviewer('1')).body.detail, 'file_not_found')
})

test('the pages of a PDF are those of its one file', async () => {
  const id = await makePending()
  await salus.database.pool.query('update lab_report_jobs set pages_total = 2 where id = $1', [id])
  const second = await review('GET', `/${id}/page/2`)
  assert.equal(second.bytes.toString('latin1'), `2 1200 ${pdf('a page').toString('latin1')}`)
  assert.equal((await review('GET', `/${id}/page/3`)).body.detail, 'page_not_found')
})

test('corrections of a reviewer are returned, and stored beside the reading', async () => {
  const id = await makePending()
  const approved = await review('POST', `/${id}/approve`, {
    note: 'Blurred',
    metadata: { lab_name: 'Other Laboratory', gender: 'female' },
    results: [
      { position: 2, changes: { value: '140', units: 'mmol/L', max_reference_range: 145 } },
      { position: 0, changes: null },
    ],
    added_results: [
      { test_name: 'Potassium', value: '5.6', units: 'mmol/L', max_reference_range: 5.1 },
    ],
  })
  assert.equal(approved.status, 200, approved.text)
  const { body: job } = await salus.call('GET', `${JOBS}/${id}`)
  assert.deepEqual([job.status, job.is_reviewed], ['completed', true])
  assert.equal(job.data.metadata.lab_name, 'Other Laboratory')
  assert.deepEqual(
    job.data.results.map((each: { test_name: string; value: string; units: string }) => [
      each.test_name,
      each.value,
      each.units,
    ]),
    [
      ['Glucose', '112', 'mg/dL'],
      ['Sodium', '140', 'mmol/L'],
      ['Potassium', '5.6', 'mmol/L'],
    ],
  )
  const [, sodium, potassium] = job.data.results
  // The printed flag says high, and a flag takes precedence.
  assert.deepEqual(
    [sodium.is_above_max_range, sodium.interpretation, sodium.loinc_match_status],
    [false, 'abnormal', 'needs_review'],
  )
  assert.deepEqual(
    [potassium.type, potassium.is_above_max_range, potassium.interpretation],
    ['numeric', true, 'abnormal'],
  )
  assert.deepEqual([potassium.sample_type, potassium.loinc_matches], ['unknown', []])
  const { body: evidence } = await salus.call('GET', `${JOBS}/${id}/evidence`)
  const names = evidence.fields
    .filter(({ field }: { field: string }) => field.endsWith('].test_name'))
    .map(({ field, text }: { field: string; text: string }) => [field, text])
  // The first result was removed, and added ones have no position.
  assert.deepEqual(names, [
    ['results[0].test_name', 'Glucose'],
    ['results[1].test_name', 'Sodium'],
  ])
  const { body: shown } = await review('GET', `/${id}`)
  assert.deepEqual([shown.decision, shown.note], ['approved', 'Blurred'])
  assert.equal(shown.reading.results[2].value, '112')
  const value = shown.corrections.find(
    (each: { position: number; field: string }) => each.position === 2 && each.field === 'value',
  )
  assert.deepEqual([value.old_value, value.new_value], ['112', '140'])
  assert.match(value.reviewer_id, /^[0-9a-f-]{36}$/)
  // The gender was already right.
  assert.ok(!shown.corrections.some(({ field }: { field: string }) => field === 'gender'))
  const { rows } = await salus.database.pool.query(
    'select name, loinc_code, number, ucum_unit from lab_report_results where job_id = $1 order by position',
    [id],
  )
  assert.deepEqual(
    rows.map((row) => [row.name, row.loinc_code, row.number, row.ucum_unit]),
    [
      ['Glucose', '2345-7', 112, 'mg/dL'],
      ['Sodium', null, 140, 'mmol/L'],
      ['Potassium', null, 5.6, 'mmol/L'],
    ],
  )
})

test('a report is decided once', async () => {
  const id = await makePending()
  const rejected = await review('POST', `/${id}/reject`, { note: 'Not legible' })
  assert.deepEqual([rejected.status, rejected.body.decision], [200, 'rejected'], rejected.text)
  const { body: job } = await salus.call('GET', `${JOBS}/${id}`)
  assert.deepEqual(
    [job.status, job.failure_reason, job.data, job.is_reviewed],
    ['failed', 'processing_error', null, true],
  )
  for (const decision of ['approve', 'reject']) {
    const late = await review('POST', `/${id}/${decision}`)
    assert.deepEqual([late.status, late.body.detail.error_type], [409, 'job_not_pending_review'])
  }
})

test('concurrent reviewers make one decision', async () => {
  const id = await makePending()
  const answers = await Promise.all([
    review('POST', `/${id}/approve`),
    review('POST', `/${id}/reject`),
    review('POST', `/${id}/approve`),
  ])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409])
})

test('a correction of an unknown result is refused, and changes nothing', async () => {
  const id = await makePending()
  const bodies = [
    { results: [{ position: 9, changes: { value: '1' } }] },
    { results: [{ position: 0, changes: { colour: 'red' } }] },
    { results: [{ position: 0, changes: {} }] },
    { metadata: { gender: 'unknown' } },
    { added_results: [{ value: '4' }] },
  ]
  for (const body of bodies) {
    const refused = await review('POST', `/${id}/approve`, body)
    assert.equal(refused.status, 422, JSON.stringify(body))
  }
  assert.equal((await salus.call('GET', `${JOBS}/${id}`)).body.status, 'pending_review')
})

test('a job without a review is not found as one', async () => {
  const { body } = await upload(salus, userId)
  await followJob(salus, body.id)
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/file/1'],
    ['GET', '/page/1'],
    ['POST', '/approve'],
  ]) {
    const answer = await review(method ?? '', `/${body.id}${path}`)
    assert.deepEqual([answer.status, answer.body.detail], [404, 'job_not_found'])
  }
})

test('a report with unread results waits for a reviewer, who sees their regions', async () => {
  const sent = await upload(salus, userId, pdf('an antibiogram'))
  const job = await followJob(salus, sent.body.id)
  assert.deepEqual(
    [job.status, job.data, job.needs_human_review, job.review_reasons],
    ['pending_review', null, false, ['results_not_read']],
  )
  const { body: shown } = await review('GET', `/${job.id}`)
  assert.deepEqual(shown.evidence.unread, [{ kind: 'antibiogram', page: 1 }])
  const added_results = [{ test_name: 'Ampicillin', value: '>=32' }]
  const approved = await review('POST', `/${job.id}/approve`, { added_results })
  assert.equal(approved.body.job.status, 'completed', approved.text)
  assert.equal(approved.body.job.data.results.at(-1).value, '>=32')
  const read = await followJob(salus, (await upload(salus, userId)).body.id)
  assert.deepEqual([read.status, read.review_reasons], ['completed', []])
})

test('a report that does not match has this reason beside the requested review, until demographics are right', async () => {
  const { body: user } = await salus.call('POST', '/v2/user', { client_user_id: 'misdated' })
  const know = (dob: string) =>
    salus.call('PATCH', `/v2/user/${user.user_id}/info`, { ...USER_INFO, dob })
  await know('1990-04-21')
  const sent = await upload(salus, user.user_id, pdf(), [['needs_human_review', 'true']])
  assert.deepEqual(sent.body.review_reasons, ['requested'])
  const job = await followJob(salus, sent.body.id)
  assert.deepEqual(job.review_reasons, ['requested', 'patient_mismatch'])
  assert.equal((await review('POST', `/${job.id}/approve`)).status, 409)
  await know('1990-04-12')
  const approved = await review('POST', `/${job.id}/approve`)
  assert.deepEqual([approved.status, approved.body.job.patient_match.status], [200, 'match'])
})
