import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { requisition, signatureImage } from '../../../server/test/documents/sample-documents.ts'
import { readSignatureImage, renderRequisition } from './index.ts'

const problemOf = (content: string | Buffer, content_type: string): string | null => {
  const text = typeof content === 'string' ? content : content.toString('base64')
  const image = readSignatureImage({ content: text, content_type })
  return 'problem' in image ? image.problem : null
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** Returns a PNG with the given header and packed pixels. */
function png(width: number, height: number, depthAndKind: number[], pixels: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set(depthAndKind, 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const GRAY = [8, 0, 0, 0, 0]
const GRAY_AND_ALPHA = [8, 4, 0, 0, 0]

describe('a signature image', () => {
  test('may be a JPEG or a PNG', () => {
    for (const type of ['image/png', 'image/jpeg'] as const) {
      const image = readSignatureImage(signatureImage(type))
      assert.ok('bytes' in image && image.bytes.length > 100, type)
    }
    assert.equal(problemOf(png(2, 2, GRAY, Buffer.alloc(6)), 'image/png'), null)
  })

  test('is refused with the reason', () => {
    const good = signatureImage('image/png')
    assert.equal(problemOf(good.content, 'image/gif'), 'unsupported_type')
    assert.equal(problemOf('', 'image/png'), 'not_base64')
    assert.equal(problemOf('%%%', 'image/png'), 'not_base64')
    assert.equal(problemOf(good.content, 'image/jpeg'), 'wrong_type')
    assert.equal(problemOf('bm8gaW1hZ2U=', 'image/png'), 'unreadable')
    assert.equal(problemOf(Buffer.from('ffd8ffd9', 'hex'), 'image/jpeg'), 'unreadable')
    assert.equal(
      problemOf(Buffer.from(good.content, 'base64').subarray(0, 90), 'image/png'),
      'unreadable',
    )
  })

  test('may not promise more pixels than it holds, nor hold more than it promises', () => {
    assert.equal(problemOf(png(9, 9, GRAY, Buffer.alloc(6)), 'image/png'), 'unreadable')
    assert.equal(problemOf(png(2, 2, GRAY, Buffer.alloc(600_000)), 'image/png'), 'unreadable')
    const vast = png(60_000, 60_000, GRAY_AND_ALPHA, Buffer.alloc(6))
    assert.equal(problemOf(vast, 'image/png'), 'unreadable')
    assert.equal(problemOf(png(2, 2, [7, 0, 0, 0, 0], Buffer.alloc(6)), 'image/png'), 'unreadable')
    assert.equal(problemOf(png(0, 2, GRAY, Buffer.alloc(2)), 'image/png'), 'unreadable')
  })

  test('with any byte changed is either refused or rendered', async () => {
    const physician = requisition.physician ?? assert.fail()
    const kinds = fc.constantFrom('image/png' as const, 'image/jpeg' as const)
    await fc.assert(
      fc.asyncProperty(kinds, fc.nat(), fc.nat(255), async (content_type, at, value) => {
        const bytes = Buffer.from(signatureImage(content_type).content, 'base64')
        bytes[at % Math.min(bytes.length, 700)] = value
        const signature_image = { content: bytes.toString('base64'), content_type }
        const pdf = await renderRequisition({
          ...requisition,
          tests: [],
          consents: [],
          physician: { ...physician, signature_image },
        })
        assert.ok(pdf.length > 10_000)
      }),
      { numRuns: 40, seed: 7 },
    )
  })
})
