import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { killDuringUploads } from './kill-during-uploads.ts'
import { createKilledServer } from './killed-server.ts'
import { killDuringContents } from './lab-connections/kill-during-contents.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { killDuringMoves } from './webhooks/kill-during-moves.ts'

const directory = mkdtempSync(join(tmpdir(), 'salus-kills-'))
let server: ServerProcess | undefined
after(async () => {
  await server?.end('SIGKILL')
  rmSync(directory, { recursive: true, force: true })
})

test('thirty kills during concurrent uploads lose nothing that was acknowledged', async (t) => {
  const start = async (): Promise<ServerProcess> => {
    server = await startServer(directory)
    return server
  }
  const { acknowledged, found } = await killDuringUploads(start, 30)
  t.diagnostic(`${acknowledged} requests acknowledged, ${found} samples found`)
})

test('twelve kills while events and contents of messages move to ClickHouse lose none', async (t) => {
  const killed = createKilledServer()
  t.after(() => killed.close())
  await killed.start()
  await killDuringMoves(t, killed, 12)
  await killDuringContents(t, killed, 12)
})
