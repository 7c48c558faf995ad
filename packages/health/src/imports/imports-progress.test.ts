import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createHarness } from '../../../server/test/harness.ts'
import {
  exportXml,
  followImport,
  hasFile,
  send,
  stepRecord,
  waitUntilRemoved,
} from '../../../server/test/imports/import-client.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const salus = useFixture(createHarness)

test('a job waits with its file, shows its progress and ends', async () => {
  const userId = await salus.makeUser()
  // Long enough that the worker saves progress on its way.
  const day = Array.from({ length: 60 }, (_, minute) => stepRecord(minute)).join('\n')
  const days = Array.from({ length: 1600 }, (_, index) => {
    const date = new Date(Date.UTC(2015, 0, 1 + index)).toISOString().slice(0, 10)
    return day.replaceAll('2024-03-01', date)
  })
  const sent = await send(salus, userId, exportXml(days.join('\n')), 'application/xml')
  assert.equal(sent.status, 202)
  const { id, ...job } = sent.body
  assert.deepEqual(job, {
    user_id: userId,
    source: 'apple_health',
    provider: null,
    status: 'queued',
    questions: [],
    options: {},
    attempts: 0,
    file_bytes: job.file_bytes,
    progress: {
      bytes_total: 0,
      bytes_read: 0,
      records: 0,
      types: [],
      summaries: [],
      clocks: {
        record_zone: 0,
        record_offset: 0,
        zones_around: 0,
        fallback_zone: 0,
        nearest_zone: 0,
        export_offset: 0,
      },
      missing: [],
      exported_at: null,
    },
    error: null,
    created_at: '2026-03-01T12:00:00+00:00',
    started_at: null,
    finished_at: null,
  })
  assert.ok(await hasFile(salus.files, id))
  const worker = await salus.startJobs()
  const seen = new Set<number>()
  const watching = (async () => {
    for (; ; await sleep(20)) {
      const { body } = await salus.call('GET', `/v2/user/${userId}/import/${id}`)
      if (body.status === 'running') seen.add(body.progress.records)
      if (body.status === 'completed' || body.status === 'failed') return
    }
  })()
  const done = await followImport(salus, userId, id)
  await watching
  assert.equal(done.status, 'completed')
  assert.equal(done.progress.records, 96_000)
  assert.ok(
    [...seen].some((records) => records > 0 && records < 96_000),
    `seen on the way: ${[...seen]}`,
  )
  await waitUntilRemoved(salus, id)
  await worker.stop()
})

test('the file of a person who was deleted meanwhile is removed', async () => {
  const userId = await salus.makeUser()
  const sent = await send(salus, userId, exportXml(stepRecord(0)))
  await salus.call('DELETE', `/v2/user/${userId}`)
  const worker = await salus.startJobs()
  await waitUntilRemoved(salus, sent.body.id)
  await worker.stop()
  const { rows } = await salus.database.pool.query(
    'select status, error from import_jobs where id = $1',
    [sent.body.id],
  )
  assert.deepEqual([rows[0].status, rows[0].error.error_type], ['failed', 'user_deleted'])
})
