import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { unpackBody } from '@salus/kernel/events/event-body'
import type { LabReportParser, PatientHints, ReportHeader } from '@salus/lab-report-parser'
import { createHarness, type Harness } from '../../../../server/test/harness.ts'
import { INSURANCE } from '../../../../server/test/insurance/route-cases.ts'
import { orderBody, startingLabTests } from '../../../../server/test/orders/order-bodies.ts'
import { exportPerson } from '../../../../server/test/persons-rights/export-archive.ts'
import { createFakeParser, field, labReport } from '../../../../server/test/reports/fake-parser.ts'
import { followJob, JOBS, upload } from '../../../../server/test/reports/report-client.ts'
import { USER_INFO } from '../../../../server/test/route-cases.ts'

const BOB = { first_name: 'Bob', last_name: 'Stone', dob: '1961-02-03', gender: 'male' }

let salus: Harness
let userId: string
let parse: LabReportParser['parse']
let labTestId: string

before(async () => {
  const parser = createFakeParser((...given) => parse(...given))
  salus = await createHarness({}, { labReportParser: parser })
  labTestId = (await startingLabTests(salus)).walk_in_test
  await salus.startJobs()
})
after(() => salus.close())
beforeEach(async () => {
  printHead()
  userId = await salus.makeUser()
})

/** Sets the patient of the next reports; by default Ada Moreau, born on 1990-04-12. */
function printHead(header: Partial<ReportHeader> = {}, patient?: PatientHints): void {
  const report = labReport()
  const printed = {
    ...report,
    header: { ...report.header, ...header },
    ...(patient && { patient }),
  }
  parse = async () => ({ status: 'parsed', report: printed })
}

async function report() {
  const { body } = await upload(salus, userId)
  return followJob(salus, body.id)
}
const knowDemographics = (changes: object = {}) =>
  salus.call('PATCH', `/v2/user/${userId}/info`, { ...USER_INFO, ...changes })
const review = (method: string, path: string, body?: object) =>
  salus.manage(method, `/team/${salus.teamId}/sandbox/lab_report_review${path}`, body)
const listResults = async () => (await salus.call('GET', `/v3/user/${userId}/result`)).body.results
const listDocuments = async () =>
  (await salus.call('GET', `/v3/user/${userId}/document`)).body.documents

async function countStored(jobId: string): Promise<number> {
  const { rows } = await salus.database.pool.query(
    'select from lab_report_results where job_id = $1',
    [jobId],
  )
  return rows.length
}

test('a report of another person waits for a reviewer, and its results are not stored for the person', async () => {
  await knowDemographics(BOB)
  const job = await report()
  assert.deepEqual(
    [job.status, job.review_reasons, job.needs_human_review, job.data],
    ['pending_review', ['patient_mismatch'], false, null],
  )
  const differs = { outcome: 'mismatch', compared_with: 'demographics' }
  assert.deepEqual(job.patient_match, {
    status: 'mismatch',
    name: differs,
    birth_date: differs,
    sex: differs,
    has_other_patients: false,
    is_confirmed: false,
  })
  assert.equal(await countStored(job.id), 0)
  assert.deepEqual([await listResults(), await listDocuments()], [[], []])
  const { body: trend } = await salus.call(
    'GET',
    `/v3/user/${userId}/result/trend?loinc_code=2345-7`,
  )
  assert.deepEqual(trend.points, [])

  const { rows } = await salus.database.pool.query(
    "select body from events where event_type = 'lab_report.parsing_job.updated' and user_id = $1",
    [userId],
  )
  assert.equal(rows.length, 1)
  const event = unpackBody(rows[0].body).toString()
  assert.deepEqual(JSON.parse(event).data, job)
  for (const fact of ['Moreau', 'Stone', '1990', '1961']) assert.ok(!event.includes(fact), fact)
})

test('neither its results nor its file are in an export, until a reviewer confirms the person', async () => {
  await knowDemographics(BOB)
  const job = await report()
  const { files } = await exportPerson(salus, userId, 'json')
  const names = [...files.keys()]
  assert.ok(!names.some((name) => name.startsWith('files/lab_reports/')))
  assert.equal(JSON.parse(String(files.get('lab_report_jobs.json')))[0].report, null)
  await review('POST', `/${job.id}/approve`, { patient_confirmed: true })
  const { files: later } = await exportPerson(salus, userId, 'json')
  assert.ok([...later.keys()].some((name) => name.startsWith('files/lab_reports/')))
  assert.match(String(later.get('lab_report_jobs.json')), /Moreau/)
})

test('a reviewer compares both people, and has to confirm the person', async () => {
  await knowDemographics(BOB)
  const job = await report()
  const { body: shown } = await review('GET', `/${job.id}`)
  assert.deepEqual(shown.patient_comparison, {
    match: job.patient_match,
    printed: { first_name: 'Ada', last_name: 'Moreau', dob: '04/12/1990', sex: 'female' },
    known: [
      {
        source: 'demographics',
        first_name: 'Bob',
        last_name: 'Stone',
        dob: '1961-02-03',
        sex: 'male',
      },
    ],
  })
  const nameless = { patient_first_name: null, patient_last_name: null, dob: null, gender: 'other' }
  for (const body of [undefined, {}, { metadata: { lab_name: 'L' } }, { metadata: nameless }]) {
    const refused = await review('POST', `/${job.id}/approve`, body)
    assert.deepEqual(
      [refused.status, refused.body.detail.error_type],
      [409, 'patient_not_confirmed'],
      refused.text,
    )
  }
  assert.deepEqual(
    [await countStored(job.id), (await review('GET', `/${job.id}`)).body.corrections],
    [0, []],
  )

  const approved = await review('POST', `/${job.id}/approve`, {
    patient_confirmed: true,
    note: 'The name before the adoption',
  })
  assert.deepEqual(
    [approved.body.decision, approved.body.patient_confirmed, approved.body.patient_comparison],
    ['approved', true, null],
    approved.text,
  )
  assert.match(approved.body.reviewer_id, /^[0-9a-f-]{36}$/)
  const { body: completed } = await salus.call('GET', `${JOBS}/${job.id}`)
  assert.deepEqual(
    [completed.status, completed.review_reasons, completed.patient_match.is_confirmed],
    ['completed', ['patient_mismatch'], true],
  )
  assert.equal((await listResults()).length, 1)

  const next = await report()
  assert.deepEqual(
    [next.status, next.patient_match.name],
    ['completed', { outcome: 'match', compared_with: 'lab_report' }],
    'what a reviewer has confirmed once is known',
  )
})

test('a reviewer rejects it, and it stays without results', async () => {
  await knowDemographics(BOB)
  const job = await report()
  const rejected = await review('POST', `/${job.id}/reject`, { note: 'Of another person' })
  assert.deepEqual(
    [rejected.body.decision, rejected.body.patient_confirmed],
    ['rejected', false],
    rejected.text,
  )
  const { body: failed } = await salus.call('GET', `${JOBS}/${job.id}`)
  assert.deepEqual(
    [failed.status, failed.failure_reason, failed.is_reviewed, failed.data],
    ['failed', 'processing_error', true, null],
  )
  assert.deepEqual([await listResults(), await listDocuments()], [[], []])
  assert.equal((await report()).status, 'pending_review', 'what was rejected is not known')
})

test('a misread name needs no confirmation once it is corrected', async () => {
  await knowDemographics()
  printHead({ patientLastName: { ...field('Norcau'), confidence: 0.5 } })
  const misread = await report()
  assert.deepEqual(
    [misread.review_reasons, misread.patient_match.name.outcome],
    [['patient_uncertain'], 'uncertain'],
  )
  const corrected = await review('POST', `/${misread.id}/approve`, {
    metadata: { patient_last_name: 'Moreau' },
  })
  assert.equal(corrected.status, 200, corrected.text)
  assert.deepEqual(
    [corrected.body.job.patient_match.status, corrected.body.patient_confirmed],
    ['match', false],
  )
})

describe('a report is compared with the known data of the person', () => {
  const order = (more: object = {}) => {
    const { patient_details: patient, ...body } = orderBody(userId, labTestId) as {
      patient_details: object
    }
    return salus.call('POST', '/v3/order', { ...body, patient_details: { ...patient, ...more } })
  }
  const insure = async (relationship: string) => {
    await knowDemographics({ last_name: 'Before' })
    const { address, phone_number } = INSURANCE.insured
    const guarantor = { first_name: 'Ada', last_name: 'Moreau', address, phone_number }
    const policy = { ...INSURANCE, relationship, guarantor }
    return salus.call('POST', `/v2/user/${userId}/insurance`, policy)
  }
  const bornOn = (day: string) =>
    salus.call('PATCH', `/v2/user/${userId}`, { fallback_birth_date: day })
  const cancelled = async () => {
    const { body } = await order(BOB)
    await salus.call('POST', `/v3/order/${body.order.id}/cancel`)
  }
  const cases: [
    what: string,
    know: () => Promise<unknown>,
    status: string,
    source: string | null,
  ][] = [
    ['its demographics', () => knowDemographics(), 'match', 'demographics'],
    ['a birth date alone that fits', () => bornOn('1990-04-12'), 'match', null],
    ['a birth date alone that does not', () => bornOn('1961-02-03'), 'mismatch', null],
    ['the patient of an order', () => order(), 'match', 'order'],
    ['another patient of an order', () => order(BOB), 'mismatch', 'order'],
    ['the patient of an order that was cancelled', cancelled, 'mismatch', 'order'],
    ['who is insured, by an earlier name', () => insure('Self'), 'match', 'insurance'],
    ['a spouse, who says nothing', () => insure('Spouse'), 'uncertain', 'demographics'],
    [
      'the name of an order that differs from the demographics',
      async () => {
        await knowDemographics({ last_name: 'Before' })
        await order()
      },
      'match',
      'order',
    ],
    [
      'a cancelled order beside right demographics',
      async () => {
        await knowDemographics()
        await cancelled()
      },
      'match',
      'demographics',
    ],
  ]
  for (const [what, know, status, source] of cases) {
    test(`${what}: ${status}`, async () => {
      const known = await know()
      const answer = known as { status?: number; text?: string } | undefined
      assert.ok((answer?.status ?? 200) < 300, answer?.text)
      const job = await report()
      assert.deepEqual(
        [job.patient_match.status, job.patient_match.name.compared_with],
        [status, source],
      )
      const isHeld = status === 'mismatch' || status === 'uncertain'
      assert.equal(job.status, isHeld ? 'pending_review' : 'completed')
    })
  }
})

test('a first report of a person without known data is completed, and marked as not compared', async () => {
  const first = await report()
  assert.deepEqual([first.status, first.patient_match.status], ['completed', 'not_comparable'])
  assert.equal((await listResults()).length, 1)
  printHead({ patientFirstName: field('Bob'), patientLastName: field('Stone') })
  const other = await report()
  assert.deepEqual(
    [other.status, other.patient_match.name],
    ['pending_review', { outcome: 'mismatch', compared_with: 'lab_report' }],
  )
})

test('of two concurrent first reports with different patients, one waits', async () => {
  let reads = 0
  parse = async () => {
    reads += 1
    const report = labReport()
    const name = reads === 1 ? 'Ada' : 'Bob'
    const header = { ...report.header, patientFirstName: field(name), dateOfBirth: null }
    return { status: 'parsed', report: { ...report, header } }
  }
  const sent = await Promise.all([upload(salus, userId), upload(salus, userId)])
  const jobs = await Promise.all(sent.map(({ body }) => followJob(salus, body.id)))
  assert.deepEqual(jobs.map(({ status }) => status).sort(), ['completed', 'pending_review'])
})

test('a report without a patient is completed, and marked as not compared', async () => {
  await knowDemographics()
  printHead({ patientFirstName: null, patientLastName: null, dateOfBirth: null })
  const job = await report()
  assert.deepEqual(
    [job.status, job.patient_match.status, job.patient_match.sex.outcome],
    ['completed', 'not_comparable', 'match'],
  )
})

test('a document of several people waits, also when the first is the person', async () => {
  await knowDemographics()
  const others = (first: string, last: string) => ({ age: null, others: [{ first, last }] })
  printHead({}, others('ADA M', 'MOREAU'))
  assert.equal((await report()).status, 'completed', 'the same name in capitals is the same person')
  printHead({}, others('Bob', 'Stone'))
  const job = await report()
  assert.deepEqual(
    [job.status, job.review_reasons, job.patient_match.status],
    ['pending_review', ['several_patients'], 'match'],
  )
  assert.equal((await review('POST', `/${job.id}/approve`)).status, 409)
})
