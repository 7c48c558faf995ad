import assert from 'node:assert/strict'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { READER_PROTECTIONS } from '../report.ts'
import {
  attempt,
  type Confinement,
  findConfinement,
  listConfinements,
  READABLE,
} from './confinement.ts'
import { createLabReportParser } from './pool.ts'

// Attempts run without the permission model of Node.js, as code would that has broken out of an engine.

const folder = mkdtempSync(join(tmpdir(), 'salus-confinement-'))
const server = createServer()
const socketServer = createServer()
const socket = join(folder, 'socket')
const addon = join(folder, 'stolen.node')
let port: number

before(async () => {
  mkdirSync(join(folder, 'data'))
  writeFileSync(join(folder, 'data', 'secret.key'), 'secret', { mode: 0o600 })
  const addons = READABLE.map((path) => join(path, '@napi-rs/canvas-*/*.node'))
  const [first] = globSync(addons)
  assert.ok(first)
  copyFileSync(first, addon)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await new Promise<void>((resolve) => socketServer.listen(socket, resolve))
  port = (server.address() as { port: number }).port
})
after(() => {
  server.close()
  socketServer.close()
  rmSync(folder, { recursive: true, force: true })
})

const tryAll = (confinement: Confinement, reader?: number) => {
  const others = [process.pid, ...(reader === undefined ? [] : [reader])]
  const looks = ['environ', 'cmdline', 'maps', 'mem', 'root']
  return attempt(confinement, {
    read: [
      ...[join(folder, 'data', 'secret.key'), folder, '/etc/shadow', '/etc/passwd', '/'],
      ...others.flatMap((pid) => looks.map((name) => `/proc/${pid}/${name}`)),
    ],
    write: [folder, tmpdir()],
    tcp: [{ host: '127.0.0.1', port }],
    udp: [{ host: '127.0.0.1', port: 53 }],
    sockets: [socket],
    programs: [process.execPath, '/bin/true'],
    addons: [addon],
    signal: others,
  })
}

const isKernel = ({ memoryDescriptor }: Confinement) => memoryDescriptor !== undefined

test('without any confinement everything is reached, so the attempts are real', async () => {
  const none = listConfinements().at(-1)
  assert.ok(none)
  const successes = await tryAll(none)
  for (const sign of ['secret.key', 'write ', 'tcp ', 'udp ', 'socket ', 'program ', 'signal ']) {
    assert.ok(
      successes.some((success) => success.includes(sign)),
      sign,
    )
  }
  assert.ok(successes.includes(`addon ${addon}`))
})

test('the kernel keeps a reader that was taken over from files, processes and the network', async (context) => {
  const confinements = listConfinements().filter(isKernel)
  const found = await findConfinement()
  if (!isKernel(found)) return context.skip('this system has no Linux with Perl')
  assert.deepEqual(found.protections, READER_PROTECTIONS)
  const engine = new URL('../../test/hostile-engine.ts', import.meta.url).href
  const limits = { processes: 1, memoryMb: 400, timeoutMs: 60_000, idleMs: 60_000 }
  const parser = createLabReportParser({ ...limits, engine })
  try {
    const outcome = await parser.parse([new TextEncoder().encode('')])
    assert.ok(outcome.status === 'failed')
    for (const confinement of confinements) {
      assert.deepEqual(await tryAll(confinement, Number(outcome.detail)), [])
    }
  } finally {
    await parser.close()
  }
})

test('a user of its own keeps a reader from what only the server may read, where the kernel has no more', async (context) => {
  if (process.getuid?.() !== 0) return context.skip('only root can start programs as another user')
  const own = listConfinements().find(
    (confinement) => confinement.hasOwnUser && confinement.command('node').length === 1,
  )
  assert.ok(own)
  const successes = await tryAll(own)
  const forbidden = ['secret.key', '/etc/shadow', 'environ', 'maps', 'mem', 'signal']
  for (const sign of forbidden) assert.doesNotMatch(successes.join('\n'), new RegExp(sign))
})
