import { createReadStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { SaxesParser } from 'saxes'
import { writeAppleHealthExport } from './apple-health-export.ts'
import { createClient } from './client.ts'
import { median, secondsOf } from './measure.ts'
import { memoryMegabytes, type ServerProcess } from './server-process.ts'

const ROUNDS = 3
const MEGABYTE = 1_000_000

export interface ImportResult {
  fileMegabytes: number
  records: number
  /** From the first byte sent to the job's end. */
  totalSeconds: number
  /** From the job's start to its end. */
  jobSeconds: number
  saxesSeconds: number
  againSeconds: number
  /** Growth of the server's memory during the import, at its highest. */
  peakMegabytes: number
}

interface Job {
  id: string
  status: string
  error: { error_message: string } | null
  progress: { records: number }
}

/**
 * Imports a generated export, each time for a new person, and parses the same file with saxes with
 * handlers that do nothing. Last, the same file again for the last person.
 */
export async function benchImport(
  server: ServerProcess,
  directory: string,
  megabytes: number,
): Promise<ImportResult> {
  const path = join(directory, 'export.xml')
  await writeAppleHealthExport(path, { bytes: megabytes * MEGABYTE, seed: 7 })
  const client = createClient(server, 2)
  const total: number[] = []
  const job: number[] = []
  const saxes: number[] = []
  let peakMegabytes = 0
  let records = 0
  let userId = ''
  for (let round = 0; round < ROUNDS; round++) {
    userId = await client.makeUser()
    const run = await importOnce(server, client.call, userId, path)
    total.push(run.totalSeconds)
    job.push(run.jobSeconds)
    records = run.records
    peakMegabytes = Math.max(peakMegabytes, run.peakMegabytes)
    saxes.push(await secondsOf(() => parseWithSaxes(path)))
  }
  const again = await importOnce(server, client.call, userId, path)
  await client.close()
  return {
    fileMegabytes: statSync(path).size / MEGABYTE,
    records,
    totalSeconds: median(total),
    jobSeconds: median(job),
    saxesSeconds: median(saxes),
    againSeconds: again.totalSeconds,
    peakMegabytes,
  }
}

/** Imports a file by one request, and waits for the end of its job. */
export async function importOnce(
  server: ServerProcess,
  call: (method: 'GET', path: string) => Promise<string>,
  userId: string,
  path: string,
  query = '/apple_health',
) {
  const before = memoryMegabytes(server.processIds())
  let peak = before
  const startedAt = performance.now()
  const response = await fetch(`${server.url}/v2/user/${userId}/import${query}`, {
    method: 'POST',
    headers: { 'x-service-api-key': server.apiKey, 'content-type': 'application/octet-stream' },
    body: createReadStream(path) as unknown as ReadableStream,
    duplex: 'half',
  } as RequestInit)
  let job = (await response.json()) as Job
  const jobStartedAt = performance.now()
  while (job.status === 'queued' || job.status === 'running') {
    await delay(50)
    peak = Math.max(peak, memoryMegabytes(server.processIds()))
    job = JSON.parse(await call('GET', `/v2/user/${userId}/import/${job.id}`))
  }
  if (job.status !== 'completed') throw new Error(job.error?.error_message ?? job.status)
  const endedAt = performance.now()
  return {
    totalSeconds: (endedAt - startedAt) / 1000,
    jobSeconds: (endedAt - jobStartedAt) / 1000,
    records: job.progress.records,
    peakMegabytes: peak - before,
  }
}

async function parseWithSaxes(path: string): Promise<void> {
  const parser = new SaxesParser()
  parser.on('opentag', () => {})
  parser.on('closetag', () => {})
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 18 })) {
    parser.write(chunk)
  }
  parser.close()
}
