import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeUser } from '../kill-during-uploads.ts'
import { API_KEY, request, type ServerProcess, startServer } from '../server-process.ts'
import { drawReportPage, LIPID_ROWS, METABOLIC_ROWS } from './draw-report.ts'
import { JOBS } from './report-client.ts'

const PATIENCE_MS = 180_000

const directory = mkdtempSync(join(tmpdir(), 'salus-parsing-'))
const running: ServerProcess[] = []
after(async () => {
  await Promise.all(running.map(({ end }) => end('SIGKILL')))
  // The database ends a moment after its server.
  await sleep(2000)
  rmSync(directory, { recursive: true, force: true })
})

async function start(): Promise<ServerProcess> {
  const server = await startServer(directory)
  running.push(server)
  return server
}

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

test('a report that a kill cut off is read again at the next start, and completed once', async () => {
  const first = await start()
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
  await first.end('SIGKILL')

  const second = await start()
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
  assert.equal(await second.end('SIGTERM'), 0)
})
