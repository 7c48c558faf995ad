import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type ServerProcess, startServer } from '../server-process.ts'
import { killDuringPulls } from './kill-during-pulls.ts'

const directory = mkdtempSync(join(tmpdir(), 'salus-killed-pulls-'))
const running: ServerProcess[] = []
after(async () => {
  await Promise.all(running.map(({ end }) => end('SIGKILL')))
  rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
})

async function start(): Promise<ServerProcess> {
  const server = await startServer(directory)
  running.push(server)
  return server
}

test('a kill in a burst of messages and the pull of half a year loses nothing and stores nothing twice', async (t) => {
  const { unfinished, messages, samples } = await killDuringPulls(start, [300], 1)
  assert.ok(messages > 0)
  t.diagnostic(`${unfinished} kills before the end, ${messages} messages`)
  t.diagnostic(`${samples} heart rates, each once`)
})
