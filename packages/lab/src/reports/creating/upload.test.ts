import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { createHarness } from '../../../../server/test/harness.ts'
import {
  JOBS,
  jpeg,
  type Part,
  pdf,
  png,
  sendParts,
  upload,
} from '../../../../server/test/reports/report-client.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const MIB = 1024 ** 2

const salus = useFixture(createHarness)
let userId: string

before(async () => {
  userId = await salus.makeUser()
})

const codeOf = ({ body }: { body?: { detail?: { error_type?: string } } }) =>
  body?.detail?.error_type
const file = (content: Buffer, type?: string): Part => ['file', content, type]
const ofUser = (): Part => ['user_id', userId]
const stored = (): string[] => {
  try {
    return readdirSync(join(salus.config.dataDirectory, 'files', 'lab_reports'))
  } catch {
    return []
  }
}

test('an upload creates a waiting job with every field of the contract', async () => {
  const answer = await upload(salus, userId)
  assert.equal(answer.status, 200, answer.text)
  const { id, created_at: at, updated_at: _, ...rest } = answer.body
  assert.match(at, /^\d{4}-/)
  assert.deepEqual(rest, {
    job_id: id,
    user_id: userId,
    status: 'upload_pending',
    failure_reason: null,
    data: null,
    needs_human_review: false,
    is_reviewed: false,
    review_reasons: [],
    patient_match: null,
    progress: { pages_read: 0, pages: 1 },
  })
  const read = await salus.call('GET', `${JOBS}/${id}`)
  assert.deepEqual(read.body, answer.body)
})

test('files are stored encrypted', async () => {
  const { body } = await upload(salus, userId, pdf('Glucose 112 mg/dL of Ada'))
  const folder = join(salus.config.dataDirectory, 'files', 'lab_reports')
  const names = stored().filter((name) => name.startsWith(body.id))
  assert.equal(names.length, 1)
  const content = readFileSync(join(folder, names[0] ?? '')).toString('latin1')
  assert.doesNotMatch(content, /PDF|Glucose|Ada/)
})

test('the parts of a form may be in any order, and images are pages', async () => {
  const forms: Part[][] = [
    [ofUser(), ['needs_human_review', 'false'], file(png(), 'image/png')],
    [file(png(), 'image/png'), file(jpeg(), 'image/jpeg'), ofUser()],
    [file(jpeg(), 'image/jpg'), ofUser(), file(png(), 'application/octet-stream')],
    [file(jpeg()), ofUser(), file(png())],
    [ofUser(), file(pdf('\r\nContent-Type: text/plain'))],
  ]
  for (const parts of forms) {
    const answer = await sendParts(salus, parts)
    assert.equal(answer.status, 200, answer.text)
  }
})

const REFUSALS: [code: string, status: number, parts: () => Part[]][] = [
  ['unsupported_file_type', 400, () => [ofUser(), file(Buffer.from('a text'), 'text/plain')]],
  ['unsupported_file_type', 400, () => [ofUser(), file(Buffer.from('GIF89a'))]],
  ['empty_file', 400, () => [ofUser(), file(Buffer.alloc(0), 'application/pdf')]],
  [
    'empty_file',
    400,
    () => [ofUser(), file(png(), 'image/png'), file(Buffer.alloc(0), 'image/png')],
  ],
  ['content_type_mismatch', 400, () => [ofUser(), file(png(), 'application/pdf')]],
  ['content_type_mismatch', 400, () => [ofUser(), file(jpeg(), 'image/png')]],
  ['content_type_mismatch', 400, () => [ofUser(), file(pdf(), 'text/plain')]],
  ['content_type_mismatch', 400, () => [ofUser(), file(Buffer.from('text'), 'application/pdf')]],
  [
    'too_many_files',
    400,
    () => [ofUser(), ...Array.from({ length: 9 }, () => file(png(), 'image/png'))],
  ],
  [
    'too_many_files',
    400,
    () => [ofUser(), ...Array.from({ length: 12 }, () => file(png(), 'image/png'))],
  ],
  [
    'pdf_in_multi_upload',
    400,
    () => [ofUser(), file(png(), 'image/png'), file(pdf(), 'application/pdf')],
  ],
  ['unreadable_file', 400, () => [ofUser(), file(pdf('/Encrypt'), 'application/pdf')]],
  ['too_many_pages', 400, () => [ofUser(), file(pdf('/Page '.repeat(21)), 'application/pdf')]],
  [
    'file_too_large',
    413,
    () => [ofUser(), file(Buffer.concat([pdf(), Buffer.alloc(10 * MIB)]), 'application/pdf')],
  ],
  [
    'file_too_large',
    413,
    () => [
      ofUser(),
      ...[1, 2, 3].map(() => file(Buffer.concat([png(), Buffer.alloc(7 * MIB)]), 'image/png')),
    ],
  ],
  [
    'human_review_not_enabled',
    400,
    () => [ofUser(), ['needs_human_review', 'true'], file(png(), 'image/png')],
  ],
]

for (const [index, [code, status, parts]] of REFUSALS.entries()) {
  test(`an upload is refused as ${code}, and stores nothing (case ${index + 1})`, async () => {
    const before = stored()
    const answer = await sendParts(salus, parts())
    assert.deepEqual([answer.status, codeOf(answer)], [status, code], answer.text)
    assert.deepEqual(stored(), before)
  })
}

test('a file of exactly ten MiB is accepted', async () => {
  const whole = Buffer.concat([pdf(), Buffer.alloc(10 * MIB)]).subarray(0, 10 * MIB)
  assert.equal((await upload(salus, userId, whole)).status, 200)
})

test('a file that a busy server cannot examine may be sent again, and stores nothing', async () => {
  salus.errors.expect('uploaded lab reports cannot be examined')
  const before = stored()
  const answer = await upload(salus, userId, pdf('busy machine'))
  assert.deepEqual([answer.status, codeOf(answer)], [503, 'parser_unavailable'])
  assert.equal(answer.headers['retry-after'], '1')
  assert.deepEqual(stored(), before)
})

test('a missing or malformed part is named', async () => {
  const cases: [field: string, type: string, parts: Part[]][] = [
    ['user_id', 'missing', [file(pdf(), 'application/pdf')]],
    ['user_id', 'uuid_parsing', [['user_id', 'unknown'], file(pdf(), 'application/pdf')]],
    ['user_id', 'duplicate', [ofUser(), ofUser(), file(pdf(), 'application/pdf')]],
    ['file', 'missing', [ofUser()]],
    ['file', 'missing', [ofUser(), ['file', 'a text']]],
    ['needs_human_review', 'enum', [ofUser(), ['needs_human_review', 'yes'], file(pdf())]],
  ]
  for (const [field, type, parts] of cases) {
    const answer = await sendParts(salus, parts)
    assert.equal(answer.status, 422, answer.text)
    const [{ loc, type: found }] = answer.body.detail
    assert.deepEqual([loc, found], [['body', field], type])
  }
  const type = `multipart/form-data; boundary=${'b'.repeat(300)}`
  const long = await salus.call('POST', JOBS, Buffer.from('--b'), { 'content-type': type })
  assert.deepEqual([long.status, codeOf(long)], [400, 'invalid_form'])
  const json = await salus.call('POST', JOBS, { user_id: userId })
  assert.equal(json.status, 415)
})

test('only a user of the environment has reports', async () => {
  const unknown = await upload(salus, randomUUID())
  assert.deepEqual([unknown.status, unknown.body.detail], [404, 'user_not_found'])
  const { sandboxKey } = await salus.makeTeam()
  const strange = await upload(salus, userId, pdf(), [], { 'x-service-api-key': sandboxKey })
  assert.deepEqual([strange.status, strange.body.detail], [404, 'user_not_found'])
})

test('one key creates one job, for any order of the parts', async () => {
  const headers = { 'x-idempotency-key': 'a report' }
  const first = await sendParts(salus, [ofUser(), file(pdf(), 'application/pdf')], headers)
  const second = await sendParts(salus, [file(pdf(), 'application/pdf'), ofUser()], headers)
  assert.deepEqual([first.status, second.status], [200, 200], second.text)
  assert.equal(second.body.id, first.body.id)
  assert.equal(second.headers['x-idempotency-replayed'], 'true')
  const other = await upload(salus, userId, pdf('another'), [], headers)
  assert.deepEqual([other.status, codeOf(other)], [409, 'idempotency_conflict'])
})

test('parsing can be switched off, and limited in a sandbox', async () => {
  salus.config.labReportsEnabled = false
  try {
    const refused = await upload(salus, userId)
    assert.deepEqual([refused.status, codeOf(refused)], [403, 'feature_not_enabled'])
  } finally {
    salus.config.labReportsEnabled = true
  }
  const { body } = await salus.call('GET', `${JOBS}?limit=100`)
  salus.config.sandboxLabReportLimit = body.jobs.length + 2
  try {
    const answers = await Promise.all(Array.from({ length: 6 }, () => upload(salus, userId)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 2)
    const refused = answers.filter(({ status }) => status !== 200)
    assert.deepEqual(new Set(refused.map(codeOf)), new Set(['sandbox_job_limit']))
  } finally {
    salus.config.sandboxLabReportLimit = 0
  }
})
