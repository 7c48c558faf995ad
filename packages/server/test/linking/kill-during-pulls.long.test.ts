import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type ServerProcess, startServer } from '../server-process.ts'
import { seededRandom } from '../webhooks/webhook-sink.ts'
import { killDuringPulls } from './kill-during-pulls.ts'

const LIVES = 8
const KILLS = 4
/**
 * A request that a kill or a busy machine broke off is sent again after one minute, and after two
 * more.
 */
const PATIENCE_SECONDS = 240

const directories: string[] = []
const running: ServerProcess[] = []
after(async () => {
  await Promise.all(running.map(({ end }) => end('SIGKILL')))
  const options = { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }
  for (const directory of directories) rmSync(directory, options)
})

for (let seed = 1; seed <= LIVES; seed++) {
  test(`kills at any moments of a pull lose nothing, seed ${seed}`, async (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'salus-killed-pulls-'))
    directories.push(directory)
    const random = seededRandom(seed)
    const start = async (): Promise<ServerProcess> => {
      const server = await startServer(directory)
      running.push(server)
      return server
    }
    // From the very first requests on, and seldom later than a pull takes.
    const delays = Array.from({ length: KILLS }, () => Math.floor(1_500 * random() ** 2))
    const { unfinished, samples } = await killDuringPulls(start, delays, seed, PATIENCE_SECONDS)
    assert.ok(unfinished > 0)
    t.diagnostic(`${unfinished} of ${KILLS} kills before the end; ${samples} heart rates`)
  })
}
