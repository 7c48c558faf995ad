import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { openStream, sealStream } from './sealed-stream.ts'

const KEY = randomBytes(32)
const BLOCK = 64 * 1024
const SEALED_BLOCK = BLOCK + 16

const join = async (stream: AsyncIterable<Buffer>) => Buffer.concat(await Array.fromAsync(stream))
/** In pieces that fit no block. */
const pieces = (content: Buffer) =>
  Readable.from(
    Array.from({ length: Math.ceil(content.length / 10_007) }, (_, index) =>
      content.subarray(index * 10_007, (index + 1) * 10_007),
    ),
  )
const seal = (content: Buffer) => join(sealStream(KEY, pieces(content)))
const open = (sealed: Buffer) => join(openStream(KEY, pieces(sealed)))

describe('a sealed stream', () => {
  for (const length of [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 5 * BLOCK + 17]) {
    test(`of ${length} bytes is opened as it was`, async () => {
      const content = randomBytes(length)
      assert.deepEqual(await open(await seal(content)), content)
    })
  }

  test('shows every change: cut off, left out, swapped, changed, longer, another key', async () => {
    const sealed = await seal(randomBytes(3 * BLOCK))
    const [first, second] = [0, 1].map((at) =>
      sealed.subarray(at * SEALED_BLOCK, (at + 1) * SEALED_BLOCK),
    ) as [Buffer, Buffer]
    const rest = sealed.subarray(2 * SEALED_BLOCK)
    const changed = Buffer.from(sealed)
    changed[SEALED_BLOCK + 5] = (changed[SEALED_BLOCK + 5] ?? 0) ^ 1
    const wrong = [
      sealed.subarray(0, 2 * SEALED_BLOCK),
      sealed.subarray(0, sealed.length - 1),
      Buffer.concat([first, rest]),
      Buffer.concat([second, first, rest]),
      changed,
      Buffer.concat([sealed, Buffer.alloc(20)]),
      Buffer.alloc(0),
    ]
    for (const content of wrong) await assert.rejects(open(content))
    await assert.rejects(join(openStream(randomBytes(32), pieces(sealed))))
  })
})
