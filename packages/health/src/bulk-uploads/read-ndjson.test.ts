import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNdjson } from './read-ndjson.ts'
import { RefusedRow } from './rows.ts'

type Line = [number: number, item: unknown]

async function read(chunks: Iterable<Buffer>): Promise<Line[]> {
  const lines: Line[] = []
  for await (const { firstLine, items } of readNdjson(toStream(chunks))) {
    for (const [index, item] of items.entries()) {
      const shown = item instanceof RefusedRow ? item.reason : item
      if (item !== undefined) lines.push([firstLine + index, shown])
    }
  }
  return lines
}

async function* toStream(chunks: Iterable<Buffer>): AsyncGenerator<Buffer> {
  yield* chunks
}

function* cut(text: string, size: number): Generator<Buffer> {
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

test('lines are the same however the body is cut', async () => {
  const text = '\ufeff{"a":1}\n\n{"b":"ü€😀"}\r\n  \nnope\n[1]\nnull\n{"c":3}'
  const lines: Line[] = [
    [1, { a: 1 }],
    [3, { b: 'ü€😀' }],
    [5, 'invalid_json'],
    [6, [1]],
    [7, 'invalid_json'],
    [8, { c: 3 }],
  ]
  for (const size of [1, 2, 3, 5, 8, 13, 1000]) assert.deepEqual(await read(cut(text, size)), lines)
})

test('an empty body has no lines', async () => {
  assert.deepEqual(await read([]), [])
  assert.deepEqual(await read([Buffer.from('\n\n')]), [])
})

test('a line of 100 MB is refused without being kept, and the next ones are read', async () => {
  function* chunks() {
    yield Buffer.from('{"a":1}\n{"text":"')
    const part = Buffer.alloc(64 * 1024, 'y')
    for (let count = 0; count < 1_600; count++) yield part
    yield Buffer.from('"}\n\n{"b":2}\n{"c":3}')
  }
  const before = process.memoryUsage()
  const lines = await read(chunks())
  const after = process.memoryUsage()
  assert.deepEqual(lines, [
    [1, { a: 1 }],
    [2, 'line_too_long'],
    [4, { b: 2 }],
    [5, { c: 3 }],
  ])
  const grown = after.arrayBuffers + after.heapUsed - before.arrayBuffers - before.heapUsed
  assert.ok(grown < 50 * 1024 ** 2, `grew by ${grown} bytes`)
})

test('a long line at the end of a body is refused as well', async () => {
  const long = Buffer.alloc(1024 ** 2 + 1, 'y')
  assert.deepEqual(await read([Buffer.from('{"a":1}\n'), long]), [
    [1, { a: 1 }],
    [2, 'line_too_long'],
  ])
})

test('a body of something else ends early, and one of empty lines costs little', async () => {
  const lines = Buffer.from('no JSON\n'.repeat(8_000))
  const isRefused = { status: 400, errorType: 'invalid_ndjson' }
  await assert.rejects(read([lines, lines, lines]), isRefused)
  assert.equal((await read([lines])).length, 8_000)
  const before = process.cpuUsage()
  assert.deepEqual(await read([Buffer.alloc(2_000_000, '\n')]), [])
  const { user } = process.cpuUsage(before)
  assert.ok(user < 4_000_000, `took ${user} µs`)
})

test('whole lines before a fault of the stream arrive', async () => {
  async function* broken() {
    yield Buffer.from('{"a":1}\n{"b":2}\n{"c":')
    throw new Error('cut')
  }
  const seen: unknown[] = []
  const reading = (async () => {
    for await (const { items } of readNdjson(broken())) seen.push(...items)
  })()
  await assert.rejects(reading, /cut/)
  assert.deepEqual(seen, [{ a: 1 }, { b: 2 }])
})
