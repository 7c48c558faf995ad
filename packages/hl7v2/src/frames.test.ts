import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type FrameEvent, FrameReader, frame } from './frames.ts'

const LIMIT = 1000
/** Frames as their text, and other events by their kind. */
const read = (bytes: string, reader = new FrameReader(LIMIT)) =>
  shorten(reader.push(Buffer.from(bytes, 'latin1')))
const shorten = (events: readonly FrameEvent[]) =>
  events.map((event) => (event.kind === 'frame' ? event.content.toString('latin1') : event.kind))

describe('a stream of frames', () => {
  test('has a message between 0x0B and 0x1C 0x0D', () => {
    assert.deepEqual([...frame(Buffer.from('MSH'))], [0x0b, 0x4d, 0x53, 0x48, 0x1c, 0x0d])
    assert.deepEqual(read('\vMSH1\x1c\r\vMSH2\x1c\r'), ['MSH1', 'MSH2'])
  })

  test('may have bytes outside frames, which are ignored and counted', () => {
    const reader = new FrameReader(LIMIT)
    assert.deepEqual(read('xy\r\n\vA\x1c\r\nz\vB\x1c\r', reader), ['A', 'B'])
    assert.equal(reader.ignoredBytes, 3)
  })

  test('may have doubled frame bytes', () => {
    assert.deepEqual(read('\v\vA\x1c\r\x1c\r\v\vB\x1c\x1c\r'), ['A', 'B'])
  })

  test('may end a frame without 0x0D, at once', () => {
    const reader = new FrameReader(LIMIT)
    assert.deepEqual(read('\vA\x1c', reader), ['A'])
    assert.deepEqual(read('\vB\x1c\vC\x1c\r', reader), ['B', 'C'])
  })

  test('begins a frame anew at another 0x0B, and says so', () => {
    const events = new FrameReader(LIMIT).push(Buffer.from('\vhalf\vA\x1c\r'))
    assert.deepEqual(events[0], { kind: 'restarted', droppedBytes: 4 })
    assert.deepEqual(shorten(events), ['restarted', 'A'])
  })

  test('says while a frame is open, and how much of it is held', () => {
    const reader = new FrameReader(LIMIT)
    assert.equal(reader.isInsideFrame, false)
    read('\vhalf', reader)
    assert.deepEqual([reader.isInsideFrame, reader.heldBytes], [true, 4])
    assert.deepEqual(read('\x1c', reader), ['half'])
    assert.deepEqual([reader.isInsideFrame, reader.heldBytes], [false, 0])
  })

  test('goes on after a frame that is too large, which is not held', () => {
    const reader = new FrameReader(10)
    assert.deepEqual(read(`\v${'x'.repeat(11)}`, reader), ['too_large'])
    assert.equal(reader.heldBytes, 0)
    assert.deepEqual(read('more\x1c\r\vA\x1c\r', reader), ['A'])
    assert.deepEqual(read(`\v${'x'.repeat(10)}\x1c\r`, reader), ['x'.repeat(10)])
    assert.deepEqual(read(`\v${'x'.repeat(99)}\vB\x1c\r`, reader), ['too_large', 'B'])
  })

  test('of frame bytes alone is read in one pass', () => {
    const reader = new FrameReader(LIMIT)
    const startedAt = performance.now()
    assert.deepEqual(reader.push(Buffer.alloc(1_000_000, 0x0b)), [])
    assert.deepEqual(reader.push(Buffer.alloc(1_000_000, 0x1c)), [])
    assert.ok(performance.now() - startedAt < 20_000)
  })
})

test('however a stream is split into chunks, it has the same frames', () => {
  const byte = fc.oneof(
    fc.constantFrom(0x0b, 0x1c, 0x0d, 0x4d, 0x53),
    fc.integer({ min: 0, max: 255 }),
  )
  const stream = fc.oneof(
    fc.array(byte, { maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc
      .array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 8 })
      .map((messages) => Buffer.concat(messages.map((content) => frame(Buffer.from(content))))),
  )
  fc.assert(
    fc.property(
      stream,
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
      (bytes, sizes) => {
        const whole = new FrameReader(30)
        const parts = new FrameReader(30)
        const expected = whole.push(bytes)
        const events: FrameEvent[] = []
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length] as number
          events.push(...parts.push(bytes.subarray(at, at + size)))
          at += size
        }
        assert.deepEqual(events, expected)
        assert.equal(parts.ignoredBytes, whole.ignoredBytes)
        assert.equal(parts.heldBytes, whole.heldBytes)
      },
    ),
    { numRuns: 3000, seed: 6 },
  )
})

test('framed messages come out as they went in', () => {
  const content = fc
    .uint8Array({ minLength: 1, maxLength: 50 })
    .map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 0x0b && byte !== 0x1c)))
    .filter((bytes) => bytes.length > 0)
  fc.assert(
    fc.property(fc.array(content, { maxLength: 6 }), (messages) => {
      const events = new FrameReader(LIMIT).push(Buffer.concat(messages.map(frame)))
      assert.deepEqual(
        events,
        messages.map((each) => ({ kind: 'frame', content: each })),
      )
    }),
    { numRuns: 1000, seed: 7 },
  )
})
