import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { S3_CREDENTIALS, startTestBucket, type TestBucket } from '../../../server/test/s3-server.ts'
import { type FileStore, openFileStore } from './file-store.ts'
import type { GrowingFile } from './growing-files.ts'
import { openS3FileStore } from './s3-file-store.ts'

const directory = mkdtempSync(join(tmpdir(), 'salus-growing-'))
const MIB = 1024 ** 2
let bucket: TestBucket

before(async () => {
  bucket = await startTestBucket(join(directory, 'buckets'), 'salus')
})
after(async () => {
  await bucket.close()
  rmSync(directory, { recursive: true })
})

function openBucket(): FileStore {
  const { endpoint } = bucket
  return openS3FileStore({
    location: { bucket: 'salus', prefix: 'of/a/team/', region: undefined, endpoint },
    credentials: S3_CREDENTIALS,
    copiesFolder: join(directory, 'copies'),
  })
}

const DRIVERS: Record<string, () => FileStore> = {
  'a folder': () => openFileStore(join(directory, 'folder')),
  'a bucket': openBucket,
}

async function* chunksOf(content: Buffer, failure?: Error): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += 65_000) yield content.subarray(at, at + 65_000)
  if (failure !== undefined) throw failure
}

for (const [name, open] of Object.entries(DRIVERS)) {
  describe(`growing files in ${name}`, () => {
    let files: FileStore
    before(() => {
      files = open()
    })

    test('consist of what several writers wrote one after the other', async () => {
      const content = randomBytes(21 * MIB + 17)
      const file: GrowingFile = { kind: 'a', name: 'several', bytes: content.length }
      assert.equal(await files.growing.length(file), 0)
      // Within a piece of a bucket, to its end, over several, and the rest.
      for (const end of [1, 3 * MIB, 8 * MIB, 8 * MIB + 5, 20 * MIB, content.length]) {
        const start = await files.growing.length(file)
        const appended = chunksOf(content.subarray(start, end))
        assert.equal(await files.growing.append(file, start, appended), end)
        assert.equal(await files.growing.length(file), end)
        assert.deepEqual(await Array.fromAsync(files.list()), [])
      }
      await files.growing.finish(file)
      await files.growing.finish(file)
      assert.equal(await files.growing.length(file), content.length)
      assert.ok((await files.read('a', 'several')).equals(content))
      const listed = { kind: 'a', name: 'several', bytes: content.length }
      assert.deepEqual(await Array.fromAsync(files.list()), [listed])
      await files.remove('a', 'several')
    })

    test('have what arrived before a sender failed', async () => {
      const content = randomBytes(9 * MIB)
      const file: GrowingFile = { kind: 'a', name: 'broken', bytes: content.length }
      const failure = new Error('the client went away')
      const broken = chunksOf(content.subarray(0, 8 * MIB + 1000), failure)
      await assert.rejects(files.growing.append(file, 0, broken), failure)
      assert.equal(await files.growing.length(file), 8 * MIB + 1000)
      const rest = chunksOf(content.subarray(8 * MIB + 1000))
      assert.equal(await files.growing.append(file, 8 * MIB + 1000, rest), content.length)
      await files.growing.finish(file)
      assert.ok((await files.read('a', 'broken')).equals(content))
    })

    test('are removed, finished or not, once and again', async () => {
      for (const isFinished of [false, true]) {
        const file: GrowingFile = { kind: 'b', name: `removed-${isFinished}`, bytes: 5 }
        await files.growing.append(file, 0, chunksOf(Buffer.from('12345')))
        if (isFinished) await files.growing.finish(file)
        await files.growing.discard(file)
        await files.growing.discard(file)
        assert.equal(await files.growing.length(file), 0)
        await files.growing.finish(file)
        await assert.rejects(files.read('b', file.name))
      }
    })
  })
}
