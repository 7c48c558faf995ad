import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UploadBody } from '../ingest.schema.ts'
import { readUpload } from './read-upload.ts'
import { UploadItems } from './upload-items.ts'

const parse = (text: string): unknown => JSON.parse(text)

const START = Date.UTC(2026, 0, 1)
const ITEM = (index: number, rest = ''): string =>
  `{"value":${index % 200},"unit":"bpm","start_date":"${new Date(START + index * 1000).toISOString()}"${rest}}`

const bodyOf = (count: number, item = ITEM): Buffer =>
  Buffer.from(
    `{"provider":"manual","data":[${Array.from({ length: count }, (_, index) => item(index)).join()}]}`,
  )

async function itemsOf(bytes: Buffer): Promise<UploadItems | undefined> {
  const [items] = ((await readUpload(bytes, parse)) as UploadBody | undefined)?.data ?? []
  assert.ok(items === undefined || items instanceof UploadItems)
  return items
}

test('100,000 items are read, and one more is left to the parser, which refuses them', async () => {
  const items = await itemsOf(bodyOf(100_000))
  assert.equal(items?.count, 100_000)
  assert.equal(items.startedAt(99_999), START + 99_999_000)
  assert.equal(items.value(99_999), 199)
  assert.equal(await itemsOf(bodyOf(100_001)), undefined)
})

test('items of a few alternating layouts are read, and those of many are left to the parser', async () => {
  const app = (count: number) => (index: number) =>
    ITEM(index, `,"source_bundle":"${index % count}"`)
  const few = await itemsOf(bodyOf(1_000, app(4)))
  assert.equal(few?.layouts.length, 4)
  assert.deepEqual(few.itemAt(999), JSON.parse(app(4)(999)))
  assert.equal(await itemsOf(bodyOf(1_000, app(1_000))), undefined)
})

test('items that could exceed a limit unnoticed are left to the parser', async () => {
  const lists = await itemsOf(bodyOf(1_000, (index) => ITEM(index, ',"a":[[],[],[],[]]')))
  assert.equal(lists, undefined)
  const deep = `,"a":${'['.repeat(70)}${']'.repeat(70)}`
  assert.equal(await itemsOf(bodyOf(1, (index) => ITEM(index, deep))), undefined)
  const long = `,"a":"${'x'.repeat(40_000)}"`
  assert.equal(await itemsOf(bodyOf(1, (index) => ITEM(index, long))), undefined)
  const keys = Array.from({ length: 2_000 }, (_, key) => `"k${key}":1`).join()
  const around = `{${keys},"data":[${ITEM(0)}]}`
  assert.equal(await itemsOf(Buffer.from(around)), undefined)
})
