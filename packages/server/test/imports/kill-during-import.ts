import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeUser } from '../kill-during-uploads.ts'
import { type KilledServer, listPostgresProcesses, waitForPostgresToEnd } from '../killed-server.ts'
import { request, type ServerProcess } from '../server-process.ts'
import { exportXml, stepRecord } from './import-client.ts'

const DAYS = 1000
const RECORDS = DAYS * 60
const PATIENCE_MS = 120_000

interface Job {
  id: string
  status: string
  attempts: number
  progress: { records: number; types: { imported: number; unchanged: number }[] }
}

function makeExport(): Buffer {
  const day = Array.from({ length: 60 }, (_, minute) => stepRecord(minute)).join('\n')
  const days = Array.from({ length: DAYS }, (_, index) => {
    const date = new Date(Date.UTC(2012, 0, 1 + index)).toISOString().slice(0, 10)
    return day.replaceAll('2024-03-01', date)
  })
  return Buffer.from(exportXml(days.join('\n')))
}

/**
 * Kills the server while it imports a file. No database process stays, and after the next start the
 * import is taken up again and completes.
 */
export async function killDuringImport(killed: KilledServer): Promise<void> {
  const first = killed.current()
  const userId = await makeUser(first.baseUrl, 'importer')
  const path = `/v2/user/${userId}/import`
  const sent = await request(first.baseUrl, 'POST', `${path}/apple_health`, makeExport())
  assert.equal(sent.status, 202)
  const { id } = sent.body as Job
  const read = async ({ baseUrl }: ServerProcess) =>
    (await request(baseUrl, 'GET', `${path}/${id}`)).body as Job
  let state = await read(first)
  for (; state.progress.records === 0; state = await read(first)) await sleep(20)
  assert.ok(listPostgresProcesses(killed.directory).length > 0)
  await first.end('SIGKILL')
  assert.equal(state.status, 'running')
  assert.ok((await waitForPostgresToEnd(killed.directory)) < 10_000)

  const second = await killed.start()
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(100)) {
    state = await read(second)
    if (state.status === 'completed' || state.status === 'failed') break
  }
  assert.deepEqual([state.status, state.attempts], ['completed', 2])
  const [steps] = state.progress.types
  assert.equal((steps?.imported ?? 0) + (steps?.unchanged ?? 0), RECORDS)
}
