import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { buildZip, type ZipPart } from '../../../../server/test/imports/build-zip.ts'
import { zipOf } from '../../../../server/test/imports/map-content.ts'
import { ImportFileError } from './import-file-error.ts'
import { type ImportFile, type ImportFiles, openImportFiles } from './import-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'salus-import-files-'))
after(() => rmSync(folder, { recursive: true, force: true }))

let number = 0
async function openContent(content: Buffer, maxBytes = 2 ** 30): Promise<ImportFiles> {
  const path = join(folder, String(number++))
  writeFileSync(path, content)
  return openImportFiles(path, { maxBytes })
}

const textOf = async (file: ImportFile | undefined) => (await file?.content())?.toString()

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => assert.fail('it was read'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ImportFileError, String(error))
  return error.code
}

test('a single file is one file without a path, also when it is a gzip', async () => {
  const plain = await openContent(Buffer.from('a,b\n1,2\n'))
  assert.deepEqual(
    plain.files.map(({ path, name, bytes }) => [path, name, bytes]),
    [['', '', 8]],
  )
  const zipped = await openContent(gzipSync('a,b\n1,2\n'))
  assert.equal(await textOf(zipped.files[0]), 'a,b\n1,2\n')
  // A reader that seeks needs the decompressed content.
  const copy = await zipped.files[0]?.localPath()
  assert.ok(copy && existsSync(copy))
  await zipped.close()
  assert.equal(existsSync(copy), false)
})

test('files of inner zips have the path of the zip before theirs, and folders are left out', async () => {
  const inner = zipOf({ 'ride.fit': 'fit', 'run.gpx.gz': gzipSync('<gpx/>') })
  const { files, select, close } = await openContent(
    zipOf({
      'DI_CONNECT/Part1.zip': inner,
      'DI_CONNECT/sleep.json': '[]',
      '__MACOSX/DI_CONNECT/._sleep.json': 'x',
      'DI_CONNECT/._x.json': 'x',
      'DI_CONNECT/': '',
      'suen\u0303o.csv': 'a',
    }),
  )
  assert.deepEqual(
    files.map(({ path, name }) => [path, name]),
    [
      ['DI_CONNECT/Part1.zip/ride.fit', 'ride.fit'],
      ['DI_CONNECT/Part1.zip/run.gpx.gz', 'run.gpx'],
      ['DI_CONNECT/sleep.json', 'sleep.json'],
      ['sueño.csv', 'sueño.csv'],
    ],
  )
  assert.equal(await textOf(select(/run\.gpx/)[0]), '<gpx/>')
  await close()
})

test('looking at the opening of a file is no progress, and reading it is', async () => {
  const { files, readBytes } = await openContent(Buffer.alloc(300_000, 'a'))
  assert.equal((await files[0]?.opening())?.length, 1 << 16)
  assert.equal(readBytes(), 0)
  await files[0]?.content()
  assert.equal(readBytes(), 300_000)
})

test('each damage and each limit has a reason of its own', async () => {
  const part = (change: Partial<ZipPart>): ZipPart => ({
    ...{ name: 'a.csv', content: Buffer.from('a,b\n1,2\n'.repeat(50)) },
    ...change,
  })
  const readFirst = async (content: Buffer, maxBytes?: number) => {
    const { files } = await openContent(content, maxBytes)
    return files[0]?.content()
  }
  const whole = gzipSync(Buffer.alloc(100_000, 'abc,'))
  const bomb = Buffer.alloc(64 << 20)
  const cases: [code: string, content: Buffer, maxBytes?: number][] = [
    ['encrypted', buildZip([part({ encrypted: true })])],
    ['unsupported_zip', buildZip([part({ method: 12 })])],
    ['corrupt_zip', buildZip([part({ wrongChecksum: true })])],
    ['truncated_zip', zipOf({ a: 'a' }).subarray(0, 40)],
    ['truncated_gzip', whole.subarray(0, whole.length - 40)],
    ['corrupt_gzip', whole.map((byte, index) => (index === 12 ? byte ^ 0xff : byte)) as Buffer],
    ['compressed_too_far', gzipSync(bomb)],
    ['compressed_too_far', zipOf({ a: bomb })],
    ['file_too_large', zipOf({ a: 'a'.repeat(2_000) }), 1_000],
    ['file_too_large', Buffer.alloc(2_000), 1_000],
    ['file_too_large', zipOf({ 'a.zip': zipOf({ b: Buffer.alloc(2_000, 'ab,') }) }), 100],
  ]
  for (const [code, content, maxBytes] of cases) {
    assert.equal(await codeOf(readFirst(content, maxBytes)), code)
  }
})

test('the opening of a file is read once, and those of a large zip as far as memory is meant for them', async () => {
  const large = Buffer.alloc(100_000, 'a')
  const names = Array.from({ length: 300 }, (_, index) => `${String(index).padStart(3, '0')}.csv`)
  const { files, close } = await openContent(
    buildZip(names.map((name) => ({ name, content: large }))),
  )
  const kept: boolean[] = []
  for (const file of files) {
    const first = await file.opening()
    kept.push(first === (await file.opening()))
  }
  assert.equal(kept[0], true)
  assert.equal(kept.filter((isKept) => isKept).length, 256)
  assert.equal((await files.at(-1)?.opening())?.length, 65_536)
  await close()
})
