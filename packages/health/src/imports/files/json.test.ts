import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { zipOf } from '../../../../server/test/imports/map-content.ts'
import { ImportFileError } from './import-file-error.ts'
import { openImportFiles } from './import-files.ts'
import { readJsonFile, readJsonItems } from './json.ts'
import { readJsonOpening } from './json-opening.ts'
import { readJsonParts } from './json-parts.ts'

const folder = mkdtempSync(join(tmpdir(), 'salus-json-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Reads the items of a list by each of the readers: at once, as a stream, and in parts. */
async function readByEach(text: string): Promise<unknown[]> {
  const path = join(folder, 'zip')
  // A compressed file is read as a stream, because its size is unknown.
  writeFileSync(path, zipOf({ 'a.json': text, 'b.json.gz': gzipSync(text) }))
  const { files, close } = await openImportFiles(path, { maxBytes: 2 ** 30 })
  const [plain, zipped] = files
  assert.ok(plain && zipped)
  const outcomes = [
    () => readJsonFile(plain),
    () => Array.fromAsync(readJsonItems(zipped, '$.*')).then((batches) => batches.flat()),
    () =>
      Array.fromAsync(readJsonParts(plain, ({ length }) => length === 1)).then((batches) =>
        batches.flat().map(({ value }) => value),
      ),
  ].map((read) =>
    read().catch((error: unknown) => (error instanceof ImportFileError ? error.code : error)),
  )
  const found = await Promise.all(outcomes)
  await close()
  return found
}

test('JSON of some levels is read, with brackets in its texts', async () => {
  const items = [{ a: [[['}{[[[\\"[']]] }, { b: '['.repeat(200) }]
  assert.deepEqual(await readByEach(JSON.stringify(items)), [items, items, items])
})

test('JSON of thousands of levels is damage', async () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
    ['{"x":1,"a":[', ']}'],
  ]) {
    const deep = `[${open?.repeat(100_000)}1${close?.repeat(100_000)}]`
    assert.deepEqual(await readByEach(deep), Array(3).fill('malformed_json'))
  }
})

test('the opening of JSON shows its outermost fields, wherever it ends', () => {
  const fieldsOf = (text: string) => {
    const { isList, fields } = readJsonOpening(text) ?? {}
    return [isList, ...(fields ?? [])]
  }
  const text = '{"a" : {"b": 1}, "c": ["d", {"e": "\\"f\\": "}], "g": "h", "i": 2}'
  assert.deepEqual(fieldsOf(text), [false, 'a', 'c', 'g', 'i'])
  assert.deepEqual(fieldsOf(text.slice(0, 40)), [false, 'a', 'c'])
  assert.deepEqual(fieldsOf('\ufeff [ {"a": 1, "b": {"c": 2}}, {"d": 3}]'), [true, 'a', 'b'])
  assert.deepEqual(fieldsOf('[]'), [true])
  assert.deepEqual(fieldsOf('a,b'), [undefined])
})
