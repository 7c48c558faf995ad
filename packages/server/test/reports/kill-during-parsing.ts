import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeUser } from '../kill-during-uploads.ts'
import type { KilledServer } from '../killed-server.ts'
import { API_KEY, request, type ServerProcess } from '../server-process.ts'
import { drawReportPage, LIPID_ROWS, METABOLIC_ROWS } from './draw-report.ts'
import { JOBS } from './report-client.ts'

const PATIENCE_MS = 180_000

interface Job {
  status: string
  progress: { pages_read: number; pages: number }
  data: { results: { test_name: string; value: string }[] } | null
}

const read = async ({ baseUrl }: ServerProcess, id: string): Promise<Job> =>
  (await request(baseUrl, 'GET', `${JOBS}/${id}`)).body

/** Waits until a job is as the test wants it. */
async function follow(server: ServerProcess, id: string, isThere: (job: Job) => boolean) {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(50)) {
    const job = await read(server, id)
    if (isThere(job)) return job
  }
  throw new Error('The job did not come so far in time.')
}

/**
 * Kills the server while it reads a lab report. The report is read again after the next start, and
 * completed once.
 */
export async function killDuringParsing(killed: KilledServer): Promise<void> {
  const first = killed.current()
  const userId = await makeUser(first.baseUrl, 'patient')
  const form = new FormData()
  for (const rows of [METABOLIC_ROWS, LIPID_ROWS]) {
    const page = new Blob([new Uint8Array(drawReportPage(rows))], { type: 'image/png' })
    form.append('file', page, 'page.png')
  }
  form.append('user_id', userId)
  const headers = { 'x-service-api-key': API_KEY }
  const sent = await fetch(`${first.baseUrl}${JOBS}`, { method: 'POST', body: form, headers })
  const { id, status } = (await sent.json()) as { id: string; status: string }
  assert.deepEqual([sent.status, status], [200, 'upload_pending'])
  await follow(first, id, (job) => job.progress.pages_read === 1)
  const second = await killed.killAndStart()
  assert.equal((await read(second, id)).status, 'started')
  const job = await follow(second, id, (each) => ['completed', 'failed'].includes(each.status))
  assert.equal(job.status, 'completed')
  const values = job.data?.results.map((each) => [each.test_name, each.value])
  assert.deepEqual(
    values,
    [...METABOLIC_ROWS, ...LIPID_ROWS].map(([name, value]) => [name, value]),
  )
  const list = (await request(second.baseUrl, 'GET', `${JOBS}?user_id=${userId}`)).body as {
    jobs: { id: string }[]
  }
  assert.deepEqual(
    list.jobs.map((each) => each.id),
    [id],
  )
}
