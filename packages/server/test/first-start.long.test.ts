import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { interruptFirstStart } from './first-start.ts'
import { startServer } from './server-process.ts'
import { seededRandom } from './webhooks/webhook-sink.ts'

const KILLS = 20

test('twenty kills at random moments of the first start leave what the next one completes', async (t) => {
  const random = seededRandom(28)
  const newDirectory = () => mkdtempSync(join(tmpdir(), 'salus-first-'))
  const whole = newDirectory()
  const startedAt = performance.now()
  await (await startServer(whole)).end('SIGKILL')
  const milliseconds = performance.now() - startedAt
  const folders = [whole]
  for (let kill = 0; kill < KILLS; kill += 1) {
    const directory = newDirectory()
    folders.push(directory)
    const moment = Math.round(milliseconds * (0.1 + random()))
    try {
      await interruptFirstStart(directory, kill % 4 === 3 ? 'SIGINT' : 'SIGKILL', moment)
    } catch (error) {
      t.diagnostic(`kill ${kill} after ${moment} ms in ${directory}`)
      throw error
    }
    rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
  }
  rmSync(whole, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})
