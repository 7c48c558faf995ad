import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { interruptFirstStart } from './first-start.ts'
import { runServer } from './server-process.ts'

const directories: string[] = []
after(() => {
  for (const directory of directories) {
    rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
  }
})

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'salus-first-'))
  directories.push(directory)
  return directory
}

test('after a kill during the first start the next one completes it, with keys that work', async () => {
  // About the commit that relies on them.
  await interruptFirstStart(newDirectory(), 'SIGKILL', 'keys.json')
})

test('Ctrl-C during the first start ends it with 0 and without a word, and the next one completes it', async () => {
  const { code, output } = await interruptFirstStart(newDirectory(), 'SIGINT', 'clickhouse')
  assert.equal(code, 0, output)
  assert.doesNotMatch(output, /Error|\n {4}at |"level":"error"/)
})

test('a taken port is reported in one line, before anything starts', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as { port: number }
  const { code, output } = await runServer(newDirectory(), { PORT: String(port) })
  taken.close()
  assert.equal(code, 1)
  assert.match(output, new RegExp(`^Salus cannot start: Port ${port} .* is taken\\..*\\n$`))
})
