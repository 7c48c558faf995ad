import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { campaignRuns } from '../../../../server/test/campaign-runs.ts'
import { parseVendorJson } from '../../connectors/index.ts'
import { ImportFileError } from './import-file-error.ts'
import type { ImportFile } from './import-files.ts'
import { openImportFiles } from './import-files.ts'
import { type JsonPath, readJsonParts } from './json-parts.ts'

/** A file whose content comes in chunks of a few bytes, so that every token is cut somewhere. */
const fileOf = (content: string, bytes = 3): ImportFile => {
  const buffer = Buffer.from(content)
  return {
    ...{ path: '', name: '', bytes: buffer.length, writtenAt: null },
    async *chunks() {
      for (let at = 0; at < buffer.length; at += bytes) yield buffer.subarray(at, at + bytes)
    },
    opening: () => Promise.resolve(buffer),
    content: () => Promise.resolve(buffer),
    localPath: () => Promise.reject(new Error('not needed')),
  }
}

async function partsOf(file: ImportFile, isWanted: (path: JsonPath) => boolean) {
  const found: unknown[] = []
  for await (const parts of readJsonParts(file, isWanted)) {
    for (const { path, value } of parts) found.push([path.join('.'), value])
  }
  return found
}

test('parts have their paths, and the rest is passed over', async () => {
  const content = '{"a": {"x": [1, {"b": "}]\\""}, []], "y": {}}, "c": [], "d": -1.5e3}\n'
  assert.deepEqual(await partsOf(fileOf(content), ({ length }) => length === 3), [
    ['a.x.0', 1],
    ['a.x.1', { b: '}]"' }],
    ['a.x.2', []],
  ])
  assert.deepEqual(await partsOf(fileOf(content), ([name]) => name === 'd'), [['d', -1500]])
})

test('any JSON is read as JSON.parse reads it, however it is cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json(), fc.integer({ min: 1, max: 9 }), async (json, bytes) => {
      const parts = await partsOf(fileOf(json, bytes), ({ length }) => length === 0)
      assert.deepEqual(parts, [['', parseVendorJson(json)]])
      const value = parseVendorJson(json)
      const children = await partsOf(fileOf(json, bytes), ({ length }) => length === 1)
      const isList = typeof value === 'object' && value !== null
      // Of keys that occur twice JSON.parse keeps the last; texts made from values have none.
      const expected = isList ? Object.entries(value) : []
      assert.deepEqual(
        Object.fromEntries(children as [string, unknown][]),
        Object.fromEntries(expected),
      )
    }),
    { numRuns: campaignRuns(100, 5000) },
  )
})

test('text that ends early, closes wrongly or goes on is malformed', async () => {
  for (const content of [
    '',
    '{"a":',
    '{"a":1',
    '[1,2',
    '[1}',
    '{"a" 1}',
    '{a:1}',
    '[1] 2',
    '"x',
    ']',
  ]) {
    await assert.rejects(
      partsOf(fileOf(content), ({ length }) => length > 0),
      (error: unknown) => error instanceof ImportFileError && error.code === 'malformed_json',
      content,
    )
  }
  const deep = '['.repeat(200)
  await assert.rejects(
    partsOf(fileOf(deep, 64), () => false),
    /not valid JSON/,
  )
})

test('a file of a million values is read in seconds, and memory stays small', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'salus-json-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'large.json')
  const point = '{"date":"2025-01-01 00:00:00 +0100","qty":61.5,"source":"watch"}'
  writeFileSync(path, `{"data":[${Array<string>(1_000_000).fill(point).join(',')}]}`)
  const { files } = await openImportFiles(path, { maxBytes: 2 ** 30 })
  let count = 0
  const begun = performance.now()
  for await (const parts of readJsonParts(files[0] as ImportFile, ({ length }) => length === 2)) {
    count += parts.length
  }
  t.diagnostic(`${Math.round(performance.now() - begun)} ms`)
  assert.equal(count, 1_000_000)
})

test('a whole number that is too long for a number keeps its digits', async () => {
  const file = fileOf('{"a": 9007199254740993, "b": [12345678901234567890]}', 5)
  const digits = await partsOf(file, (path) => path.length === 1 && path[0] === 'a')
  assert.match(JSON.stringify(digits), /"9007199254740993"/)
})

test('a part that is nested too deeply is refused', async () => {
  const deep = `{"a": ${'['.repeat(200)}${']'.repeat(200)}}`
  await assert.rejects(
    partsOf(fileOf(deep, 50), (path) => path.length === 1),
    ImportFileError,
  )
})
