import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createHarness } from '../../../server/test/harness.ts'
import {
  exportXml,
  form,
  hasFile,
  importFile,
  send,
  stepRecord,
  totalOf,
  typeOf,
} from '../../../server/test/imports/import-client.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { IMPORT_FILES } from './import-queue.ts'
import { type ImportWorker, runImport } from './running/run-import.ts'

const MAX_BYTES = 500_000
const XML = exportXml(stepRecord(0) + stepRecord(1))

const salus = useFixture(() => createHarness({ importMaxBytes: MAX_BYTES }))
before(() => salus.startJobs())

test('a malformed form is 400, one with many fields 413', async () => {
  const userId = await salus.makeUser()
  const [body, type] = form(XML)
  const field = (index: number) =>
    `--a-boundary\r\nContent-Disposition: form-data; name="f${index}"\r\n\r\nx\r\n`
  const fields = Array.from({ length: 1000 }, (_, index) => field(index)).join('')
  const cases: [status: number, errorType: string, body: Buffer, type: string][] = [
    [400, 'invalid_form', body, 'multipart/form-data'],
    [400, 'invalid_form', body.subarray(0, 60), type],
    [400, 'invalid_form', body.subarray(0, -20), type],
    [400, 'empty_file', Buffer.from(''), type],
    [400, 'invalid_form', Buffer.from('no form at all'), type],
    [413, 'form_too_large', Buffer.concat([Buffer.from(fields), body]), type],
  ]
  for (const [status, errorType, content, mediaType] of cases) {
    const answer = await send(salus, userId, content, mediaType)
    assert.deepEqual([answer.status, answer.body?.detail?.error_type], [status, errorType])
  }
})

test('a record of before 1970 is imported as any other', async () => {
  const userId = await salus.makeUser()
  const old = stepRecord(0).replaceAll(/Date="\d{4}/g, 'Date="1969')
  const job = await importFile(salus, userId, exportXml(old + stepRecord(1)))
  assert.deepEqual([job.status, totalOf(job, 'imported')], ['completed', 2])
  const url = `/v2/timeseries/${userId}/steps/grouped?start_date=1969-01-01&end_date=1970-01-01`
  const { body } = await salus.call('GET', url)
  assert.equal(body.groups.apple_health_kit[0].data.length, 1)
})

test('record types without end are counted together from the three hundredth on', async () => {
  const userId = await salus.makeUser()
  const invented = Array.from({ length: 1000 }, (_, index) =>
    stepRecord(0).replace(/type="[^"]*"/, `type="Invented${index}"`),
  )
  const long = stepRecord(0).replace(/type="[^"]*"/, `type="${'x'.repeat(5000)}"`)
  const job = await importFile(
    salus,
    userId,
    exportXml([...invented, long].join('') + stepRecord(1)),
  )
  assert.deepEqual([job.status, totalOf(job, 'imported')], ['completed', 1])
  assert.equal(totalOf(job, 'records'), 1002)
  assert.ok(job.progress.types.length <= 302)
  assert.equal(typeOf(job, 'other types')?.not_supported, 1000 - 300 + 1)
})

/** A job that no worker sees: it is run directly, outside the queue. */
async function createHeldImport() {
  const userId = await salus.makeUser()
  const { files, database, dependencies } = salus
  const { rows } = await database.pool.query<{ environment_id: string; id: string }>(
    `insert into import_jobs (environment_id, user_id, id, source, status, file_bytes, progress, created_at)
    select environment_id, id, gen_random_uuid(), 'apple_health', 'queued', 1,
      '{"bytes_total":0,"bytes_read":0,"records":0,"types":[],"summaries":[]}', now()
    from users where id = $1 returning environment_id, id`,
    [userId],
  )
  const [row] = rows
  assert.ok(row)
  const jobId = row.id
  const putFile = () => files.write(IMPORT_FILES, jobId, Buffer.from(XML), MAX_BYTES)
  await putFile()
  const log = { warn: () => undefined, error: () => undefined } as never
  const context: ImportWorker = { ...dependencies, log, maxBytes: MAX_BYTES }
  const baseUrl = 'https://salus.example.com'
  const format = 'apple_health'
  const payload = { environmentId: row.environment_id, userId, jobId, baseUrl, format }
  return {
    putFile,
    hasFile: () => hasFile(files, jobId),
    run: (signal = new AbortController().signal, change: Partial<ImportWorker> = {}) =>
      runImport({ ...context, ...change }, payload, signal),
    read: async () => (await salus.call('GET', `/v2/user/${userId}/import/${jobId}`)).body,
  }
}

test('an aborted import keeps its file, and runs again from the beginning', async () => {
  const held = await createHeldImport()
  await assert.rejects(held.run(AbortSignal.abort()), { name: 'AbortError' })
  assert.equal((await held.read()).status, 'running')
  assert.ok(await held.hasFile())
  await held.run()
  const job = await held.read()
  assert.deepEqual([job.status, job.attempts, totalOf(job, 'imported')], ['completed', 2, 2])
  assert.equal(await held.hasFile(), false)
  // A finished job that is delivered again does nothing except remove its file.
  await held.putFile()
  await held.run()
  assert.deepEqual(await held.read(), job)
  assert.equal(await held.hasFile(), false)
})

test('an import that fails at every attempt ends as failed and keeps no file', async () => {
  const held = await createHeldImport()
  const store = () => Promise.reject(new Error('out of order'))
  const ingest = { store } as never
  for (let attempt = 1; attempt < 10; attempt++) {
    await assert.rejects(held.run(undefined, { ingest }), { message: 'out of order' })
    assert.ok(await held.hasFile())
  }
  await held.run(undefined, { ingest })
  const job = await held.read()
  assert.deepEqual([job.status, job.error?.error_type, job.attempts], ['failed', 'gave_up', 10])
  assert.notEqual(job.finished_at, null)
  assert.equal(await held.hasFile(), false)
})

test('an import that ends the process at every attempt is not tried for ever', async () => {
  const held = await createHeldImport()
  for (let run = 0; run < 10; run++) await assert.rejects(held.run(AbortSignal.abort()))
  await held.run()
  const job = await held.read()
  assert.deepEqual([job.status, job.error?.error_type], ['failed', 'gave_up'])
})
