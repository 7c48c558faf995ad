import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
// @ts-expect-error: it has no types
import S3rver from '@20minutes/s3rver'
import { TestClock } from '../../../server/test/teams-app.ts'
import { FileMissingError, type FileStore, openFileStore } from './file-store.ts'
import { parseFilesUrl } from './files-location.ts'
import { openS3FileStore, type S3Options } from './s3-file-store.ts'

const directory = mkdtempSync(join(tmpdir(), 'salus-files-'))
const inside = (name: string): string => join(directory, name)
const clock = new TestClock()
const MIB = 1024 ** 2
const server = new S3rver({
  port: 0,
  address: '127.0.0.1',
  silent: true,
  directory: inside('buckets'),
  configureBuckets: [{ name: 'salus', configs: [] }],
})
let s3: S3Options

before(async () => {
  const { port } = await server.run()
  s3 = {
    location: {
      bucket: 'salus',
      prefix: 'of/a/team/',
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${port}`,
    },
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    copiesFolder: inside('copies'),
    clock,
  }
})
after(async () => {
  await server.close()
  rmSync(directory, { recursive: true })
})

const DRIVERS: Record<string, () => FileStore> = {
  'a folder': () => openFileStore(inside('folder'), clock),
  'a bucket': () => openS3FileStore(s3),
}

/** Pieces of a stream; then it fails, if it is to. */
async function* pieces(content: Buffer, bytes: number, failure?: Error) {
  for (let at = 0; at < content.length; at += bytes) yield content.subarray(at, at + bytes)
  if (failure) throw failure
}

for (const [name, open] of Object.entries(DRIVERS)) {
  describe(`files in ${name}`, () => {
    let files: FileStore
    before(() => {
      files = open()
    })

    test('come back as they were written, from bytes and from streams of any length', async () => {
      await files.check()
      const long = randomBytes(20 * MIB)
      assert.equal(await files.write('a', 'bytes', Buffer.from('ä'), 10), 2)
      assert.equal(await files.write('a', 'none', Buffer.alloc(0), 10), 0)
      const stream = Readable.from(pieces(long, 70_001))
      assert.equal(await files.write('a', 'long', stream, long.length), long.length)
      assert.equal((await files.read('a', 'bytes')).toString(), 'ä')
      assert.equal((await files.read('a', 'none')).length, 0)
      assert.ok((await files.read('a', 'long')).equals(long))
      assert.ok((await buffer(await files.stream('a', 'long'))).equals(long))
    })

    test('are replaced, and removed, once and again', async () => {
      await files.write('b', 'one', Buffer.from('first'), 10)
      await files.write('b', 'one', Buffer.from('second'), 10)
      assert.equal((await files.read('b', 'one')).toString(), 'second')
      await files.remove('b', 'one')
      await files.remove('b', 'one')
      await assert.rejects(files.read('b', 'one'), FileMissingError)
      await assert.rejects(files.stream('b', 'one'), FileMissingError)
      await assert.rejects(
        files.withPath('b', 'one', async () => undefined),
        FileMissingError,
      )
    })

    test('are as before when a writer is over the limit or breaks off', async () => {
      await files.write('c', 'kept', Buffer.from('first'), 10)
      const content = randomBytes(12 * MIB)
      const over = files.write('c', 'kept', Readable.from(pieces(content, MIB)), content.length - 1)
      await assert.rejects(over, { status: 413, errorType: 'body_too_large' })
      const failure = new Error('the client went away')
      const broken = Readable.from(pieces(content, MIB, failure))
      await assert.rejects(files.write('c', 'kept', broken, 2 * content.length), failure)
      await assert.rejects(files.write('c', 'new', Buffer.alloc(2), 1), { status: 413 })
      assert.equal((await files.read('c', 'kept')).toString(), 'first')
      await assert.rejects(files.read('c', 'new'), FileMissingError)
    })

    test('can be sought in, on a path that leaves no copy behind', async () => {
      await files.write('d', 'one', Buffer.from('content'), 10)
      const read = (path: string) => readFile(path, 'utf8')
      assert.equal(await files.withPath('d', 'one', read), 'content')
      const failure = new Error('broken')
      const failed = files.withPath('d', 'one', () => Promise.reject(failure))
      await assert.rejects(failed, failure)
      assert.equal((await files.read('d', 'one')).toString(), 'content')
      const copies = existsSync(s3.copiesFolder) ? readdirSync(s3.copiesFolder) : []
      assert.deepEqual(copies, [])
    })

    test('read once are on this machine only while they are read', async () => {
      const content = randomBytes(3 * MIB)
      const spool = (maxBytes: number, work: (path: string) => Promise<unknown>) =>
        files.withSpooled('e', Readable.from(pieces(content, MIB)), maxBytes, work)
      let known = ''
      const read = async (path: string) => {
        known = path
        return (await readFile(path)).equals(content)
      }
      assert.equal(await spool(content.length, read), true)
      assert.equal(existsSync(known), false)
      const failure = new Error('broken')
      await assert.rejects(
        spool(content.length, async (path) => {
          known = path
          throw failure
        }),
        failure,
      )
      assert.equal(existsSync(known), false)
      await assert.rejects(spool(MIB, read), { status: 413, errorType: 'body_too_large' })
    })
  })
}

test('files are listed with their sizes, of every kind', async () => {
  // The server of the tests signs the bare name of a bucket in a way of its own.
  const lenient = new S3rver({
    ...{ port: 0, address: '127.0.0.1', silent: true, allowMismatchedSignatures: true },
    ...{ directory: inside('listed-buckets'), configureBuckets: [{ name: 'salus', configs: [] }] },
  })
  const { port } = await lenient.run()
  const location = { ...s3.location, endpoint: `http://127.0.0.1:${port}` }
  try {
    for (const files of [
      openFileStore(inside('listed'), clock),
      openS3FileStore({ ...s3, location }),
    ]) {
      await files.write('imports', 'one', Buffer.from('first'), 10)
      for (let n = 0; n < 30; n += 1) await files.write('results', `${n}`, Buffer.alloc(n % 3), 10)
      const found = await Array.fromAsync(files.list())
      assert.equal(found.length, 31)
      assert.equal(new Set(found.map(({ kind, name }) => `${kind}/${name}`)).size, 31)
      assert.deepEqual(
        found.find(({ kind }) => kind === 'imports'),
        { kind: 'imports', name: 'one', bytes: 5 },
      )
      assert.equal(found.find(({ name }) => name === '29')?.bytes, 2)
    }
  } finally {
    await lenient.close()
  }
})

test('of two writers of a file in a folder one counts, whole', async () => {
  const files = openFileStore(inside('folder'), clock)
  const contents = [Buffer.alloc(9 * MIB, 1), Buffer.alloc(9 * MIB, 2)]
  const writing = contents.map((content) =>
    files.write('e', 'one', Readable.from(pieces(content, 50_000)), content.length),
  )
  await Promise.all(writing)
  const found = await files.read('e', 'one')
  assert.ok(contents.some((content) => content.equals(found)))
})

test('what a killed process left in a folder is removed a day later', async () => {
  const files = openFileStore(inside('left'), clock)
  // A write that never ends, as of a process that was killed.
  const endless = new Readable({ read: () => undefined })
  endless.push('half')
  const writing = files.write('a', 'one', endless, 100)
  while (!existsSync(inside('left/a')) || readdirSync(inside('left/a')).length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const [partial = ''] = readdirSync(inside('left/a'))
  const path = inside(`left/a/${partial}`)
  // Until it has data, the stream is not read, and no reader would get its error.
  while (statSync(path).size === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const seconds = clock.now().getTime() / 1000
  utimesSync(path, seconds, seconds - 86_300)
  await files.removeLeftovers('a')
  assert.ok(existsSync(path))
  utimesSync(path, seconds, seconds - 86_500)
  await files.removeLeftovers('a')
  assert.equal(existsSync(path), false)
  endless.destroy(new Error('ended'))
  await assert.rejects(writing)
})

test('a bucket that cannot be reached or written is reported without its credentials', async () => {
  const gone = openS3FileStore({
    ...s3,
    location: { ...s3.location, endpoint: 'http://127.0.0.1:9' },
  })
  await assert.rejects(gone.check())
  await assert.rejects(gone.write('a', 'one', Buffer.from('x'), 10), {
    status: 503,
    errorType: 'storage_unavailable',
  })
  const secretAccessKey = 'not-the-secret'
  const wrong = openS3FileStore({ ...s3, credentials: { accessKeyId: 'S3RVER', secretAccessKey } })
  await assert.rejects(wrong.read('a', 'one'), (error: Error) => {
    assert.equal('status' in error && error.status, 503)
    assert.ok(!JSON.stringify([error, String(error), error.cause]).includes(secretAccessKey))
    return true
  })
})

test('the setting names a folder or a bucket, and holds no keys', () => {
  assert.deepEqual(parseFilesUrl('file:///srv/a%20b'), { folder: '/srv/a b' })
  const bucket = { bucket: 'b', prefix: '', region: undefined, endpoint: undefined }
  assert.deepEqual(parseFilesUrl('s3://b'), bucket)
  const endpoint = 'http://127.0.0.1:9000'
  const full = `s3://b/of/us/?region=eu-1&endpoint=${encodeURIComponent(endpoint)}`
  assert.deepEqual(parseFilesUrl(full), { ...bucket, prefix: 'of/us/', region: 'eu-1', endpoint })
  const refused = [
    'x',
    'file://host/a',
    's3://',
    's3://key:secret@b',
    's3://b?regoin=eu',
    'https://b',
  ]
  for (const text of [...refused, 's3://b?endpoint=ftp://a', 's3://b?endpoint=http://k:s@a']) {
    assert.equal(parseFilesUrl(text), undefined, text)
  }
})
