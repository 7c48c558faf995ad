import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { encodeCursor } from '@salus/kernel/http/cursor'
import { createHarness } from '../../../server/test/harness.ts'
import { buildZip } from '../../../server/test/imports/build-zip.ts'
import {
  exportXml,
  fixture,
  followImport,
  form,
  importFile,
  send,
  stepRecord,
  totalOf,
  typeOf,
  waitUntilRemoved,
} from '../../../server/test/imports/import-client.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { IMPORT_FILES } from './import-queue.ts'

const MAX_BYTES = 500_000

const salus = useFixture(() => createHarness({ importMaxBytes: MAX_BYTES }))
before(() => salus.startJobs())

const XML = exportXml(stepRecord(0) + stepRecord(1))

async function stepsOf(userId: string): Promise<number> {
  const period = 'start_date=2000-01-01&end_date=2030-01-01'
  const { body } = await salus.call('GET', `/v2/timeseries/${userId}/steps/grouped?${period}`)
  return body.groups.apple_health_kit?.[0].data.length ?? 0
}

test('xml and zip are taken under every media type and as a form', async () => {
  const zip = buildZip([{ name: 'apple_health_export/Export.xml', content: Buffer.from(XML) }])
  const bodies: [content: string | Buffer, type: string][] = [
    [XML, 'application/xml'],
    [XML, 'text/xml'],
    [XML, 'application/octet-stream'],
    [zip, 'application/zip'],
    [zip, 'application/x-zip-compressed'],
    form(XML),
    form(zip),
  ]
  for (const [content, type] of bodies) {
    const userId = await salus.makeUser()
    const sent = await send(salus, userId, content, type)
    assert.equal(sent.status, 202, type)
    const job = await followImport(salus, userId, sent.body.id)
    assert.deepEqual([job.status, totalOf(job, 'imported')], ['completed', 2], type)
    assert.equal(await stepsOf(userId), 2)
    await waitUntilRemoved(salus, job.id)
  }
})

test('an import connects the person to HealthKit', async () => {
  const userId = await salus.makeUser()
  await importFile(salus, userId, XML)
  const { body } = await salus.call('GET', `/v2/user/providers/${userId}`)
  assert.deepEqual(
    body.providers.map(({ slug, status }: { slug: string; status: string }) => [slug, status]),
    [['apple_health_kit', 'connected']],
  )
})

const FAULTS: [error: string, content: string | Buffer][] = [
  ['not_an_export', 'just a text'],
  ['not_an_export', '<html></html>'],
  ['no_export_inside', buildZip([{ name: 'readme.txt', content: Buffer.from('hello') }])],
  ['encrypted', buildZip([{ name: 'export.xml', content: Buffer.from(XML), encrypted: true }])],
  ['unsupported_zip', buildZip([{ name: 'export.xml', content: Buffer.from(XML), method: 12 }])],
  ['truncated_zip', fixture('synthetic-30d-export.zip').subarray(0, 60_000)],
  [
    'corrupt_zip',
    buildZip([{ name: 'export.xml', content: Buffer.from(XML), wrongChecksum: true }]),
  ],
  ['malformed_xml', XML.slice(0, -20)],
  ['malformed_xml', XML.replace('</HealthData>', '</Health>')],
]

for (const [index, [error, content]] of FAULTS.entries()) {
  test(`a file that is ${error} fails its job and says why (case ${index + 1})`, async () => {
    const userId = await salus.makeUser()
    const job = await importFile(salus, userId, content)
    assert.deepEqual([job.status, job.error?.error_type, job.attempts], ['failed', error, 1])
    assert.ok((job.error?.error_message.length ?? 0) > 10)
    assert.notEqual(job.finished_at, null)
    await waitUntilRemoved(salus, job.id)
  })
}

/** How the last attempt at each resource ended. */
async function attemptStatuses(userId: string): Promise<Record<string, string>> {
  const { body } = await salus.call('GET', `/v2/introspect/resources?user_id=${userId}`)
  const found = body.data[0].provider.apple_health_kit as Record<
    string,
    { last_attempt: { status: string } | null }
  >
  return Object.fromEntries(
    Object.entries(found).flatMap(([resource, { last_attempt }]) =>
      last_attempt === null ? [] : [[resource, last_attempt.status]],
    ),
  )
}

test('what stands before a fault is stored, and the job counts it', async () => {
  const userId = await salus.makeUser()
  const whole = exportXml(Array.from({ length: 50 }, (_, minute) => stepRecord(minute)).join('\n'))
  const cut = whole.slice(0, whole.indexOf('08:30:00'))
  const job = await importFile(salus, userId, cut)
  assert.deepEqual([job.status, job.error?.error_type], ['failed', 'malformed_xml'])
  assert.equal(typeOf(job, 'StepCount')?.imported, 30)
  assert.equal(await stepsOf(userId), 30)
  assert.deepEqual(await attemptStatuses(userId), { activity: 'failure', steps: 'failure' })
  const rest = await importFile(salus, userId, whole)
  assert.deepEqual(await attemptStatuses(userId), { activity: 'success', steps: 'success' })
  assert.deepEqual([totalOf(rest, 'imported'), totalOf(rest, 'unchanged')], [20, 30])
})

test('a file over the limit is refused, as a body and as a form, and leaves nothing', async () => {
  const userId = await salus.makeUser()
  const large = Buffer.alloc(MAX_BYTES + 1, 32)
  const [body, type] = form(large)
  for (const answer of [
    await send(salus, userId, large),
    await salus.call('POST', `/v2/user/${userId}/import/apple_health`, body, {
      'content-type': type,
    }),
  ]) {
    assert.deepEqual([answer.status, answer.body.detail.error_type], [413, 'body_too_large'])
  }
  const { body: list } = await salus.call('GET', `/v2/user/${userId}/import`)
  assert.deepEqual(list.jobs, [])
  assert.deepEqual(readdirSync(join(salus.config.dataDirectory, 'files', IMPORT_FILES)), [])
})

test('a zip that expands over the limit fails its job', async () => {
  const userId = await salus.makeUser()
  const xml = exportXml(' '.repeat(MAX_BYTES))
  const job = await importFile(
    salus,
    userId,
    buildZip([{ name: 'export.xml', content: Buffer.from(xml) }]),
  )
  assert.equal(job.error?.error_type, 'xml_too_large')
})

test('a request without a file, or with something else, is refused', async () => {
  const userId = await salus.makeUser()
  const url = `/v2/user/${userId}/import/apple_health`
  const [noFile, type] = form('')
  const text = noFile.toString().replace('; filename="export.xml"', '')
  const cases: [status: number, body: unknown, contentType: string | undefined][] = [
    [400, undefined, undefined],
    [400, '', 'application/zip'],
    [400, noFile, type],
    [400, text, type],
    [415, 'a', 'application/pdf'],
    [415, 'a', 'image/png'],
  ]
  for (const [status, body, contentType] of cases) {
    const headers = contentType === undefined ? {} : { 'content-type': contentType }
    const answer = await salus.call('POST', url, body, headers)
    assert.equal(answer.status, status, `${contentType}: ${answer.text}`)
  }
  const unknown = '00000000-0000-4000-8000-00000000dead'
  assert.equal((await send(salus, unknown, XML)).status, 404)
  assert.equal((await salus.call('GET', `/v2/user/${userId}/import/${unknown}`)).status, 404)
})

test('bounds of the person are kept, by the local date of the record', async () => {
  const userId = await salus.makeUser()
  const bounds = { ingestion_start: '2024-03-01', ingestion_end: '2024-03-02' }
  await salus.call('PATCH', `/v2/user/${userId}`, bounds)
  const dates: [date: string, isKept: boolean][] = [
    ['2024-02-29 23:59:59 -0800', false],
    ['2024-03-01 00:00:00 -0800', true],
    ['2024-03-01 00:30:00 +0100', true],
    ['2024-03-02 23:59:59 -0800', true],
    ['2024-03-03 00:00:00 +0530', false],
  ]
  const records = dates.map(([at]) => stepRecord(0, { startDate: at, endDate: at }))
  const job = await importFile(salus, userId, exportXml(records.join('')))
  const steps = typeOf(job, 'StepCount')
  assert.deepEqual([steps?.imported, steps?.out_of_bounds], [3, 2])
  assert.equal(await stepsOf(userId), 3)
})

test('every reason is counted by type, a lone half of a pressure among them', async () => {
  const userId = await salus.makeUser()
  const pressure = (kind: string, minute: number) =>
    stepRecord(minute, {
      type: `HKQuantityTypeIdentifierBloodPressure${kind}`,
      unit: 'mmHg',
      value: kind === 'Systolic' ? '120' : '80',
    })
  const job = await importFile(
    salus,
    userId,
    exportXml(
      [
        stepRecord(0, { value: 'many' }),
        stepRecord(1, { unit: 'kg' }),
        stepRecord(2, { unit: 'kg' }),
        stepRecord(3, { type: 'HKQuantityTypeIdentifierMood' }),
        pressure('Systolic', 0),
        pressure('Systolic', 1),
        pressure('Diastolic', 1),
        pressure('Diastolic', 2),
      ].join(''),
    ),
  )
  assert.equal(job.status, 'completed')
  const steps = typeOf(job, 'StepCount')
  assert.deepEqual(steps?.put_aside_reasons, { invalid_value: 1, unknown_unit: 2 })
  assert.equal(typeOf(job, 'Mood')?.not_supported, 1)
  const [systolic, diastolic] = [typeOf(job, 'Systolic'), typeOf(job, 'Diastolic')]
  assert.deepEqual([systolic?.records, systolic?.imported, systolic?.put_aside], [2, 1, 1])
  assert.deepEqual([diastolic?.records, diastolic?.merged, diastolic?.put_aside], [2, 1, 1])
  assert.deepEqual(diastolic?.put_aside_reasons, { unpaired: 1 })
})

test('imports are listed, newest first', async () => {
  const userId = await salus.makeUser()
  const first = await importFile(salus, userId, XML)
  salus.clock.advance(60)
  const second = await importFile(salus, userId, XML)
  const { body } = await salus.call('GET', `/v2/user/${userId}/import`)
  assert.deepEqual(body, { jobs: [second, first], next_cursor: null })
})

test('a cursor of imports with a day that there is not is refused', async () => {
  const userId = await salus.makeUser()
  const listAfter = (day: string) => {
    const cursor = encodeCursor(['imports', userId], [`${day} 00:00:00+00`, userId])
    return salus.call('GET', `/v2/user/${userId}/import?next_cursor=${cursor}`)
  }
  assert.equal((await listAfter('2026-02-28')).status, 200)
  const { status, body } = await listAfter('2026-02-30')
  assert.deepEqual([status, body.detail.error_type], [400, 'invalid_cursor'])
})
