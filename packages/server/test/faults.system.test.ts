import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { killDuringUploads, makeUser, readAll, samples } from './kill-during-uploads.ts'
import {
  readAddress,
  request,
  runServer,
  type ServerProcess,
  spawnNpmStart,
  startServer,
} from './server-process.ts'
import { openSlowUpload } from './slow-upload.ts'

const directories: string[] = []
/** An installation that was killed before, for whoever does not ask for a new one. */
const used = newDirectory()
const running: ServerProcess[] = []
after(async () => {
  await Promise.all(running.map(({ end }) => end('SIGKILL')))
  for (const directory of directories) await removeWhenFree(directory)
})

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'salus-faults-'))
  directories.push(directory)
  return directory
}

async function start(directory: string, settings = {}): Promise<ServerProcess> {
  const server = await startServer(directory, settings)
  running.push(server)
  return server
}

/** The database processes of a data directory that still live. */
function postgresProcesses(directory: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(directory)
      } catch {
        return false
      }
    })
    .map(Number)
}

async function waitForPostgresToEnd(directory: string): Promise<number> {
  const startedAt = performance.now()
  while (postgresProcesses(directory).length > 0 && performance.now() - startedAt < 15_000) {
    await sleep(50)
  }
  assert.deepEqual(postgresProcesses(directory), [])
  return performance.now() - startedAt
}

async function removeWhenFree(directory: string): Promise<void> {
  await waitForPostgresToEnd(directory)
  rmSync(directory, { recursive: true, force: true })
}

test('kills during concurrent uploads lose nothing that was acknowledged', async (t) => {
  const { acknowledged, found } = await killDuringUploads(() => start(used), 3)
  t.diagnostic(`${acknowledged} requests acknowledged, ${found} samples found`)
})

test('after a kill no database process stays', async () => {
  const server = await start(used)
  assert.ok(postgresProcesses(used).length > 0)
  await server.end('SIGKILL')
  assert.ok((await waitForPostgresToEnd(used)) < 10_000)
})

test('an import cut off by a kill is taken up again at the next start and completes', async () => {
  const { exportXml, stepRecord } = await import('./imports/import-client.ts')
  const day = Array.from({ length: 60 }, (_, minute) => stepRecord(minute)).join('\n')
  const days = Array.from({ length: 1000 }, (_, index) => {
    const date = new Date(Date.UTC(2012, 0, 1 + index)).toISOString().slice(0, 10)
    return day.replaceAll('2024-03-01', date)
  })
  const first = await start(used)
  const userId = await makeUser(first.baseUrl, 'importer')
  const file = Buffer.from(exportXml(days.join('\n')))
  const path = `/v2/user/${userId}/import`
  const sent = await request(first.baseUrl, 'POST', `${path}/apple_health`, file)
  assert.equal(sent.status, 202)
  const job = sent.body as { id: string }
  const read = async ({ baseUrl }: ServerProcess) =>
    (await request(baseUrl, 'GET', `${path}/${job.id}`)).body as {
      status: string
      attempts: number
      progress: { records: number; types: { imported: number; unchanged: number }[] }
    }
  while ((await read(first)).progress.records === 0) await sleep(20)
  const before = await read(first)
  await first.end('SIGKILL')
  assert.equal(before.status, 'running')

  const second = await start(used)
  let state = await read(second)
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; await sleep(100)) {
    state = await read(second)
    if (state.status === 'completed' || state.status === 'failed') break
  }
  assert.deepEqual([state.status, state.attempts], ['completed', 2])
  const [steps] = state.progress.types
  assert.equal((steps?.imported ?? 0) + (steps?.unchanged ?? 0), 60_000)
  assert.equal(await second.end('SIGTERM'), 0)
})

test('SIGTERM lets a request in flight end, then the process exits with 0', async () => {
  const server = await start(used)
  const userId = await makeUser(server.baseUrl, 'patient')
  const slow = openSlowUpload(server.baseUrl, userId, samples(0, 3))
  await sleep(200)
  const ended = server.end('SIGTERM')
  await sleep(300)
  slow.finish()
  const answer = await slow.closed
  assert.match(answer, /^HTTP\/1\.1 200 /)
  assert.match(answer, /"inserted":3/)
  assert.equal(await ended, 0)
  const next = await start(used)
  assert.equal((await readAll(next.baseUrl, userId)).size, 3)

  const twin = await runServer(used)
  assert.equal(twin.code, 1)
  assert.match(
    twin.output,
    /^Salus cannot start: Another Salus process uses the data directory .*\n$/,
  )
  assert.equal((await readAll(next.baseUrl, userId)).size, 3)
  assert.equal(await next.end('SIGTERM'), 0)
})

test('Ctrl-C under npm start lets uploads in flight end, then npm exits with 0', async () => {
  const npm = spawnNpmStart(newDirectory())
  const group = -(npm.child.pid ?? Number.NaN)
  try {
    const baseUrl = await readAddress(npm)
    const userId = await makeUser(baseUrl, 'patient')
    const slow = Array.from({ length: 3 }, () => openSlowUpload(baseUrl, userId, samples(0, 3)))
    await sleep(300)
    // A terminal signals the whole group, and npm passes on what it got: it arrives twice.
    process.kill(group, 'SIGINT')
    await sleep(200)
    process.kill(group, 'SIGINT')
    await sleep(500)
    for (const { finish } of slow) finish()
    for (const { closed } of slow) assert.match(await closed, /^HTTP\/1\.1 200 /)
    assert.equal(await npm.ended, 0, npm.output())
    // On a busy machine statements are slow, which is a warning that has nothing to do with the
    // end.
    const lines = npm
      .output()
      .split('\n')
      .filter((line) => !line.includes('"a slow statement"'))
    assert.doesNotMatch(lines.join('\n'), /\n {4}at |"level":"(warn|error)"/)
  } finally {
    if (npm.child.exitCode === null) process.kill(group, 'SIGKILL')
  }
})

test('clients that drip their requests in do not keep the process from stopping', async () => {
  const server = await start(used)
  const userId = await makeUser(server.baseUrl, 'dripping')
  const { hostname, port } = new URL(server.baseUrl)
  const uploads = Array.from({ length: 3 }, () =>
    openSlowUpload(server.baseUrl, userId, samples(0, 3)),
  )
  const beginnings = Array.from({ length: 3 }, () => connect(Number(port), hostname))
  for (const socket of beginnings)
    socket.on('error', () => undefined).write('POST /v2/user HTTP/1.1\r\n')
  await sleep(200)
  const startedAt = performance.now()
  assert.equal(await server.end('SIGTERM'), 0)
  assert.ok(performance.now() - startedAt < 12_000)
  for (const { closed } of uploads) assert.equal(await closed, '')
})

const UNREACHABLE: [setting: string, value: string][] = [
  ['DATABASE_URL', 'postgresql://someone:top-secret@127.0.0.1:1/salus'],
  ['CLICKHOUSE_URL', 'http://someone:top-secret@127.0.0.1:1/salus'],
]

for (const [setting, value] of UNREACHABLE) {
  test(`an unreachable ${setting} is reported in one line without its password`, async () => {
    const directory = newDirectory()
    const { code, output } = await runServer(directory, { [setting]: value })
    assert.equal(code, 1)
    assert.match(output, /^Salus cannot start: .*\n$/)
    assert.match(output, setting === 'DATABASE_URL' ? /PostgreSQL|DATABASE_URL/ : /ClickHouse/)
    assert.doesNotMatch(output, /top-secret/)
    await waitForPostgresToEnd(directory)
  })
}
