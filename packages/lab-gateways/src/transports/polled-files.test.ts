import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createLogger } from '@salus/kernel/log'
import { type SftpServer, startSftpServer, USER } from '../../test/sftp-server.ts'
import { createFolderReceiver } from './folder.ts'
import type { PollOptions } from './polled-files.ts'
import { createSftpReceiver } from './sftp.ts'
import type { Receive, Receiver } from './transport.ts'

const log = createLogger('silent')
/** Polls are fast here; a configuration has five seconds at least. */
const EVERY_SECONDS = 0.02
const PATIENCE_MS = 240_000

let server: SftpServer
/** Name of the folder of a test. */
let place: string
let count = 0
let open: Receiver[] = []
before(async () => {
  server = await startSftpServer()
})
after(() => server.close())
beforeEach(() => {
  server.trouble = () => undefined
  place = `in-${++count}`
  mkdirSync(join(server.folder, place))
})
afterEach(async () => {
  await Promise.all(open.map((receiver) => receiver.close()))
  open = []
})

const KINDS = {
  sftp: (options: PollOptions) =>
    createSftpReceiver(
      {
        kind: 'sftp-poll',
        host: '127.0.0.1',
        port: server.port,
        user: USER,
        key: 'secret:key',
        host_key: server.fingerprints[0],
        dir: `/${place}`,
        ...options,
        ...(options.done_dir !== undefined && { done_dir: `/${options.done_dir}` }),
      },
      async () => server.userKey,
      log,
    ),
  folder: (options: PollOptions) =>
    createFolderReceiver(
      {
        kind: 'folder-poll',
        dir: join(server.folder, place),
        ...options,
        ...(options.done_dir !== undefined && { done_dir: join(server.folder, options.done_dir) }),
      },
      log,
    ),
}

/** Starts a receiver, and returns what it received so far. */
async function start(
  kind: keyof typeof KINDS,
  options: PollOptions = {},
  receive: Receive = async () => [],
): Promise<string[]> {
  const received: string[] = []
  const receiver = KINDS[kind]({ every_seconds: EVERY_SECONDS, ...options })
  open.push(receiver)
  await receiver.open((content) => {
    received.push(content.toString())
    return receive(content)
  })
  return received
}

const pathOf = (name: string, folder = place) => join(server.folder, folder, name)
const lay = (name: string, content: string | Buffer) => writeFileSync(pathOf(name), content)
const listed = (folder = place) => readdirSync(join(server.folder, folder)).sort()

async function waitFor(isTrue: () => boolean): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  while (!isTrue()) {
    assert.ok(performance.now() < until, `the folder has ${listed().join(', ')}`)
    await pause(5)
  }
}

for (const kind of ['sftp', 'folder'] as const) {
  describe(`results from a place of the kind ${kind}`, () => {
    test('are taken when they no longer grow, and deleted', async () => {
      lay('a.hl7', 'MSH|')
      const growing = setInterval(() => appendFileSync(pathOf('a.hl7'), 'x'), 1)
      try {
        const received = await start(kind)
        lay('b.hl7', 'MSH|b')
        await waitFor(() => received.length > 0)
        assert.deepEqual([received, listed()[0]], [['MSH|b'], 'a.hl7'])
        clearInterval(growing)
        const whole = readFileSync(pathOf('a.hl7'), 'utf8')
        await waitFor(() => listed().length === 0)
        assert.deepEqual(received, ['MSH|b', whole])
      } finally {
        clearInterval(growing)
      }
    })

    test('wait for their mark, which is deleted with them', async () => {
      lay('a.hl7', 'MSH|a')
      const received = await start(kind, { ready: 'done-file' })
      lay('b.hl7', 'MSH|b')
      lay('b.hl7.done', '')
      await waitFor(() => received.length === 1 && listed().length === 1)
      assert.deepEqual([received, listed()], [['MSH|b'], ['a.hl7']])
      lay('a.hl7.done', '')
      await waitFor(() => listed().length === 0)
      assert.deepEqual(received, ['MSH|b', 'MSH|a'])
    })

    test('are moved, and one of the same name does not replace the one before', async () => {
      const done = `${place}-done`
      const received = await start(kind, { after: 'move', done_dir: done })
      for (const content of ['first', 'second', 'second']) {
        const before = received.length
        lay('r.hl7', content)
        await waitFor(() => received.length > before && listed().length === 0)
      }
      const kept = listed(done)
      assert.match(kept.join(' '), /^r\.hl7 r\.hl7\.[0-9a-f]{12}$/)
      assert.deepEqual(
        kept.map((name) => readFileSync(pathOf(name, done), 'utf8')),
        ['first', 'second'],
      )
    })

    test('of other names stay', async () => {
      for (const name of ['a.tmp', 'b.hl7.part', 'ACK.HL7', 'RES_1.hl7']) lay(name, name)
      mkdirSync(pathOf('RES_2.hl7'))
      const received = await start(kind, { pattern: 'res_*.hl7' })
      await waitFor(() => listed().length === 4)
      assert.deepEqual(received, ['RES_1.hl7'])
      assert.deepEqual(listed(), ['ACK.HL7', 'RES_2.hl7', 'a.tmp', 'b.hl7.part'])
    })

    test('that replace a file while it is stored are received too', async () => {
      lay('r.hl7', 'first')
      const received = await start(kind, {}, async (content) => {
        if (content.toString() === 'first') lay('r.hl7', 'the next')
        return []
      })
      await waitFor(() => listed().length === 0)
      assert.deepEqual(received, ['first', 'the next'])
    })

    test('that cannot be stored stay, and are received again', async () => {
      lay('r.hl7', 'MSH|r')
      let failures = 2
      const received = await start(kind, {}, async () => {
        failures -= 1
        if (failures >= 0) throw new Error('the database is down')
        return []
      })
      await waitFor(() => listed().length === 0)
      assert.deepEqual(received, ['MSH|r', 'MSH|r', 'MSH|r'])
    })

    test('are all received when two processes poll', async () => {
      const names = Array.from({ length: 20 }, (_, index) => `r${index}.hl7`)
      const both = [await start(kind), await start(kind)]
      for (const name of names) lay(name, name)
      await waitFor(() => listed().length === 0)
      assert.deepEqual(new Set(both.flat()), new Set(names))
    })
  })
}

describe('results from a server of SFTP', () => {
  test('of 50 MB arrive whole', async () => {
    const content = Buffer.alloc(50 * 1024 ** 2, 'OBX|1|ED|')
    lay('large.hl7', content)
    const received = await start('sftp')
    await waitFor(() => listed().length === 0)
    assert.equal(received.length, 1)
    assert.ok(received[0] === content.toString())
  })

  test('are received when one that may not be read comes before them', async () => {
    server.trouble = (operation, path) =>
      operation === 'OPEN' && path.endsWith('a.hl7') ? 'deny' : undefined
    lay('a.hl7', 'MSH|a')
    lay('b.hl7', 'MSH|b')
    const received = await start('sftp')
    await waitFor(() => listed().length === 1)
    assert.deepEqual([received, listed()], [['MSH|b'], ['a.hl7']])
  })

  test('are received whole after the connection was lost in the middle of one', async () => {
    const content = 'x'.repeat(2 * 1024 ** 2)
    let reads = 0
    server.trouble = (operation) => {
      if (operation === 'READ') reads += 1
      return operation === 'READ' && reads === 20 ? 'lose' : undefined
    }
    lay('a.hl7', content)
    const received = await start('sftp')
    await waitFor(() => listed().length === 0)
    assert.ok(reads > 20)
    assert.equal(received.length, 1)
    assert.ok(received[0] === content)
  })

  test('that may not be deleted are received again until they may', async () => {
    server.trouble = (operation) => (operation === 'REMOVE' ? 'deny' : undefined)
    lay('a.hl7', 'MSH|a')
    const received = await start('sftp')
    await waitFor(() => received.length > 1)
    assert.deepEqual(listed(), ['a.hl7'])
    server.trouble = () => undefined
    await waitFor(() => listed().length === 0)
    assert.deepEqual(new Set(received), new Set(['MSH|a']))
  })
})
