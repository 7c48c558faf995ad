import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { encodeText } from '../src/charsets.ts'
import {
  buildAck,
  decodeMessages,
  joinSegments,
  type Message,
  readAck,
  readMessage,
  readTime,
  readValue,
} from '../src/index.ts'
import { readFixture } from './read-fixture.ts'

const PHOENIX = { zone: 'America/Phoenix' }
const RUNS = 6000

/** Every test has a code, a value and a unit from which no small damage makes those of another. */
const LETTERS = [...'abcdefghijkl']
const CODES = LETTERS.map((letter) => `C-${letter.repeat(8)}`)
const VALUES = LETTERS.map((letter) => `V-${letter.repeat(8)}`)
const UNITS = LETTERS.map((letter) => `U-${letter.repeat(8)}`)
const WHOLE = [
  'MSH|^~\\&|LIS|LAB|SALUS|ACC|20260309080000-0700||ORU^R01^ORU_R01|C-1|P|2.5.1',
  'PID|1||77^^^SALUS^MR||LEE^KIM||19700101|F',
  'OBR|1|P-1|F-1|PANEL^Panel^L|||202603090800|||||||||||||||202603090900||CH|F',
  ...CODES.map(
    (code, test) =>
      `OBX|${test + 1}|NM|${code}^Test^L||${VALUES[test]}|${UNITS[test]}|1-9|N|||F|||202603090800`,
  ),
  'NTE|1|L|A note of the last test',
]

/** Reads all that can be read of a message. */
function readEverything(message: Message): void {
  assert.ok(message.type.code.length >= 0 && message.header.name !== undefined)
  for (const segment of message.segments) {
    for (let position = 1; position <= Math.min(segment.length, 40); position++) {
      const field = segment.field(position)
      for (const repetition of field.repetitions) {
        for (const at of repetition.components.keys()) repetition.component(at + 1, 1)
      }
      readTime(field.freeText, PHOENIX)
    }
    if (segment.name === 'OBX') readValue(segment, PHOENIX)
  }
  readAck(message)
}

interface Mutation {
  at: number
  removed: number
  inserted: string
}
const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(1_000_000),
  removed: fc.nat(3),
  inserted: fc.oneof(
    fc.constantFrom(
      '',
      '|',
      '^',
      '~',
      '\\',
      '&',
      '\r',
      '\n',
      '\r\n',
      '\rOB',
      '""',
      '\\X0D\\',
      'MSH|',
      '\v',
      '\x1c\r',
    ),
    fc.uint8Array({ maxLength: 3 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  ),
})
const apply = (text: string, { at, removed, inserted }: Mutation) => {
  const start = at % (text.length + 1)
  return text.slice(0, start) + inserted + text.slice(start + removed)
}

describe('a damaged message', () => {
  test('is read without an error, byte for byte, and answered', () => {
    const names = [
      'statuses',
      'result-23-zps',
      'batch',
      'other-separators',
      'pdf-in-obx',
      'micro-susceptibility-final',
    ]
    const texts = names.map((name) => readFixture(name).toString('latin1'))
    let messages = 0
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.array(mutation, { minLength: 1, maxLength: 8 }),
        (text, mutations) => {
          const bytes = Buffer.from(mutations.reduce(apply, text), 'latin1')
          for (const raw of decodeMessages(bytes).messages) {
            const message = readMessage(raw)
            readEverything(message)
            const written = encodeText(joinSegments(message.segments), raw.charset)
            assert.ok(written?.equals(raw.content))
            const ack = buildAck({ to: message, code: 'AE', controlId: 'S-1', at: 0, zone: 'UTC' })
            const [answer] = decodeMessages(ack).messages
            assert.ok(answer)
            assert.deepEqual(
              readMessage(answer).segments.map(({ name }) => name),
              ['MSH', 'MSA'],
            )
            messages++
          }
        },
      ),
      { numRuns: RUNS, seed: 8 },
    )
    assert.ok(messages > RUNS * 0.9)
  })

  test('never has the value of a test under the name of another one', () => {
    let results = 0
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 3 }), (mutations) => {
        const bytes = Buffer.from(mutations.reduce(apply, WHOLE.join('\r')), 'latin1')
        for (const message of decodeMessages(bytes).messages.map(readMessage)) {
          for (const obx of message.all('OBX')) {
            const test = CODES.indexOf(obx.text(3))
            const [value, unit] = [VALUES.indexOf(obx.text(5)), UNITS.indexOf(obx.text(6))]
            // A damaged code, value or unit is none of them, which nothing here can repair.
            if (test < 0) continue
            if (value >= 0) assert.equal(value, test)
            if (unit >= 0) assert.equal(unit, test)
            results += value < 0 ? 0 : 1
          }
        }
      }),
      { numRuns: RUNS, seed: 9 },
    )
    assert.ok(results > RUNS * (CODES.length - 3))
  })
})
