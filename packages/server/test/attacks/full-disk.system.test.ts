import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { makeUser, readAll, samples } from '../kill-during-uploads.ts'
import { request, type ServerProcess, startServer } from '../server-process.ts'

const directory = mkdtempSync(join(tmpdir(), 'salus-full-disk-'))
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=700m', 'tmpfs', directory])
const isMounted = mounted.status === 0
let server: ServerProcess | undefined

after(async () => {
  await server?.end('SIGKILL')
  // PostgreSQL ends a moment after its parent.
  for (let attempt = 0; isMounted && attempt < 50; attempt++) {
    if (spawnSync('umount', [directory]).status === 0) break
    await sleep(100)
  }
  rmSync(directory, { recursive: true, force: true })
})

const upload = (first: number, count: number, userId: string) =>
  request(server?.baseUrl ?? '', 'POST', `/v2/timeseries/${userId}/steps`, {
    stage: 'daily',
    provider: 'manual',
    data: samples(first, count),
  })

/** Takes all room that is left on the disk. */
function fill(path: string): void {
  const file = openSync(path, 'w')
  const block = Buffer.alloc(1024 ** 2, 1)
  try {
    for (let size = block.length; size >= 4096; ) {
      try {
        writeSync(file, block, 0, size)
      } catch {
        size = Math.floor(size / 2)
      }
    }
  } finally {
    closeSync(file)
  }
}

const skip = isMounted ? false : 'a small disk cannot be mounted here'

/**
 * Refuses whatever is uploaded while the disk is full.
 * @returns the answers; undefined where there was none
 */
async function uploadInVain(userId: string): Promise<(number | undefined)[]> {
  const statuses: (number | undefined)[] = []
  for (let round = 1; round <= 10; round++) {
    const answer = await upload(round * 1000, 500, userId).catch(() => undefined)
    statuses.push(answer?.status)
  }
  const refusals = new Set(statuses.filter((status) => status !== 200))
  assert.ok(refusals.size > 0, 'none was refused')
  assert.ok(refusals.isSubsetOf(new Set([503, 507, undefined])), `${[...refusals]}`)
  return statuses
}

/** What was acknowledged is there, what was refused may be. */
async function checkAcknowledged(userId: string, statuses: (number | undefined)[]): Promise<void> {
  const found = await readAll(server?.baseUrl ?? '', userId)
  for (const { value } of samples(0, 100)) assert.ok(found.has(value))
  for (const [round, status] of statuses.entries()) {
    if (status !== 200) continue
    for (const { value } of samples((round + 1) * 1000, 500)) assert.ok(found.has(value))
  }
}

async function uploadUntilTaken(userId: string): Promise<void> {
  let last = 0
  for (let attempt = 0; attempt < 100 && last !== 200; attempt++) {
    last = (await upload(50_000, 100, userId)).status
    if (last !== 200) await sleep(200)
  }
  assert.equal(last, 200)
}

const hasEnded = ({ child }: ServerProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null

/** Makes PostgreSQL take the next file of its log, for which there is no room: then it ends. */
async function wantRoomForLog(): Promise<void> {
  const postgres = join(directory, 'postgres')
  const file = join(postgres, 'cluster', 'postmaster.pid')
  // It may have ended of an upload just now, which the server is about to notice.
  if (!existsSync(file)) return
  const pid = readFileSync(file, 'utf8').split('\n')
  const password = readFileSync(join(postgres, 'password'), 'utf8').trim()
  const client = new pg.Client({ host: '127.0.0.1', port: Number(pid[3]), user: 'salus', password })
  client.on('error', () => {})
  const write = "select pg_switch_wal(), pg_logical_emit_message(true, 'test', repeat('x', 200))"
  await assert.rejects(async () => {
    await client.connect()
    for (let turn = 0; turn < 10; turn++) await client.query(write)
  })
  await client.end().catch(() => {})
}

test('a full disk refuses uploads and loses nothing, also when PostgreSQL ends of it', {
  skip,
}, async (t) => {
  server = await startServer(directory)
  const userId = await makeUser(server.baseUrl, 'full')
  assert.equal((await upload(0, 100, userId)).status, 200)
  const ballast = join(directory, 'ballast')
  fill(ballast)
  const { bavail, bsize } = statfsSync(directory)
  assert.ok(bavail * bsize < 8192)
  const statuses = await uploadInVain(userId)
  t.diagnostic(`uploads on the full disk: ${statuses.join(' ')}`)
  // Reads go on, unless PostgreSQL had to take a file more for its log just now.
  if (statuses.at(-1) === 507) await checkAcknowledged(userId, statuses)
  if (!hasEnded(server)) await wantRoomForLog()
  assert.equal(await server.ended, 75)
  rmSync(ballast)
  server = await startServer(directory)
  await uploadUntilTaken(userId)
  await checkAcknowledged(userId, statuses)
  assert.equal(await server.end('SIGTERM'), 0)
})
