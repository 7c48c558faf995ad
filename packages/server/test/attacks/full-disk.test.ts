import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
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

test('a full disk refuses uploads, leaves reads, and loses nothing', {
  skip: isMounted ? false : 'a small disk cannot be mounted here',
}, async (t) => {
  server = await startServer(directory)
  const userId = await makeUser(server.baseUrl, 'full')
  assert.equal((await upload(0, 100, userId)).status, 200)
  const ballast = join(directory, 'ballast')
  fill(ballast)
  const { bavail, bsize } = statfsSync(directory)
  assert.ok(bavail * bsize < 8192)
  const statuses: number[] = []
  for (let round = 1; round <= 10; round++) {
    statuses.push((await upload(round * 1000, 500, userId)).status)
  }
  t.diagnostic(`uploads on the full disk: ${statuses.join(' ')}`)
  assert.ok(statuses.includes(507) || statuses.includes(503), 'none was refused')
  assert.deepEqual(
    statuses.filter((status) => ![200, 503, 507].includes(status)),
    [],
  )
  const found = await readAll(server.baseUrl, userId)
  for (const { value } of samples(0, 100)) assert.ok(found.has(value))
  rmSync(ballast)
  let last = 0
  for (let attempt = 0; attempt < 100 && last !== 200; attempt++) {
    last = (await upload(50_000, 100, userId)).status
    if (last !== 200) await sleep(200)
  }
  assert.equal(last, 200)
  // What was acknowledged is there, what was refused may be.
  const whole = await readAll(server.baseUrl, userId)
  for (const [round, status] of statuses.entries()) {
    if (status !== 200) continue
    for (const { value } of samples((round + 1) * 1000, 500)) assert.ok(whole.has(value))
  }
  assert.equal(await server.end('SIGTERM'), 0)
})
