import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ApiServer } from './api-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'salus-dev-'))
after(() => rmSync(folder, { recursive: true }))

/** Writes a program that serves what the text says, and prints its address as the server does. */
function writeServer(name: string, text: string): string {
  const path = join(folder, `${name}.mjs`)
  writeFileSync(
    path,
    `import { createServer } from 'node:http'
    const server = createServer((_, response) => response.end(${text}))
    server.listen(0, '127.0.0.1', () => console.log('  API   http://127.0.0.1:' + server.address().port))`,
  )
  return path
}

const ask = async (api: ApiServer) => (await fetch(await api.address)).text()

test('a request during a restart waits for the new server', async (t) => {
  const path = writeServer('waits', '"first " + process.env.WORD')
  const api = new ApiServer(() => {}, path)
  t.after(() => api.close())
  api.start({ WORD: 'word' })
  assert.equal(await ask(api), 'first word')
  writeServer('waits', '"second " + process.env.WORD')
  const restarted = api.restart()
  assert.equal(await ask(api), 'second word')
  await restarted
})

test('changes during a restart start it once more, with the files of then', async (t) => {
  const path = writeServer('changes', '1')
  const api = new ApiServer(() => {}, path)
  t.after(() => api.close())
  api.start({})
  writeServer('changes', '"2"')
  const first = api.restart()
  writeServer('changes', '"3"')
  await Promise.all([first, api.restart()])
  assert.equal(await ask(api), '3')
})

test('a server that cannot start refuses its requests, until a change mends it', async (t) => {
  const path = join(folder, 'fails.mjs')
  writeFileSync(path, 'process.exit(3)')
  const api = new ApiServer(() => {}, path)
  t.after(() => api.close())
  api.start({})
  await assert.rejects(ask(api), /The server ended with 3/)
  writeServer('fails', '"mended"')
  await api.restart()
  assert.equal(await ask(api), 'mended')
})

test('a server that does not end is killed', async (t) => {
  const path = join(folder, 'stays.mjs')
  writeFileSync(
    path,
    `process.on('SIGTERM', () => {})
    setInterval(() => {}, 1000)
    console.log('pid', process.pid)
    console.log('  API   http://127.0.0.1:1')`,
  )
  let printed = ''
  const api = new ApiServer((text) => {
    printed += text
  }, path)
  t.after(() => api.close())
  api.start({})
  await api.address
  const pid = Number(/pid (\d+)/.exec(printed)?.[1])
  assert.ok(process.kill(pid, 0))
  await api.close()
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
})

test('a server that is closed during a restart does not start again', async () => {
  const path = writeServer('closed', '1')
  const api = new ApiServer(() => {}, path)
  api.start({})
  await api.address
  const restarted = api.restart()
  await api.close()
  await restarted
  const waited = await Promise.race([api.address, delay(300, 'nothing starts')])
  assert.equal(waited, 'nothing starts')
})
