import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createLogger } from '@salus/kernel/log'
import { createFolderReceiver } from './folder.ts'
import { createPolledReceiver, type FileSource } from './polled-files.ts'

const dir = mkdtempSync(join(tmpdir(), 'salus-results-'))
after(() => rmSync(dir, { recursive: true, force: true }))
const log = createLogger('error', process.stderr)
const options = { dir, every_seconds: 0.01, ready: 'done-file' } as const

function layDown(content: string): void {
  writeFileSync(join(dir, 'results.hl7'), content)
  writeFileSync(join(dir, 'results.hl7.done'), '')
}

test('a file that takes the name of one that is being stored is taken too', async () => {
  const receiver = createFolderReceiver({ kind: 'folder-poll', ...options }, log)
  const received: string[] = []
  layDown('first')
  await receiver.open(async (content) => {
    received.push(content.toString())
    if (received.length === 1) layDown('other')
    return []
  })
  while (received.length < 2) await pause(5)
  await receiver.close()
  assert.deepEqual(received, ['first', 'other'])
  assert.deepEqual(readdirSync(dir), [])
})

test('a file that is stored is not said to be complete any more before it is removed', async () => {
  const removed: string[] = []
  const entryOf = (name: string) => ({ name, size: 1, modifiedAt: 1 })
  const source: FileSource = {
    list: async () => ['one', 'one.done'].map(entryOf),
    stat: async (name) => entryOf(name),
    read: async () => Buffer.from('1'),
    remove: async (name) => void removed.push(name),
    move: async () => assert.fail('nothing is moved'),
  }
  const receiver = createPolledReceiver(
    { ...options, every_seconds: 60 },
    (work) => work(source),
    log,
  )
  await receiver.open(async () => [])
  while (removed.length < 2) await pause(5)
  await receiver.close()
  assert.deepEqual(removed, ['one.done', 'one'])
})
