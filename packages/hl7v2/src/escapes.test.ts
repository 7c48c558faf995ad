import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { onlyMessage } from '../test/read-fixture.ts'
import type { Charset } from './charsets.ts'
import { cutEscaped, escapeText, freeTextOf, unescapeText } from './escapes.ts'
import { type Separators, USUAL_SEPARATORS } from './separators.ts'

const unescaped = (text: string, charset: Charset = 'utf-8') =>
  unescapeText(text, USUAL_SEPARATORS, charset)

describe('an escape sequence', () => {
  for (const [sequence, meaning] of [
    ['\\F\\', '|'],
    ['\\S\\', '^'],
    ['\\T\\', '&'],
    ['\\R\\', '~'],
    ['\\E\\', '\\'],
    ['\\P\\', '#'],
    ['\\.br\\', '\n'],
    ['\\.BR\\', '\n'],
    ['\\.ce\\', '\n'],
    ['\\.sp\\', '\n'],
    ['\\.sp3\\', '\n\n\n'],
    ['\\.sp+2\\', '\n\n'],
    ['\\.sk4\\', '    '],
    ['\\.in+5\\', ''],
    ['\\.ti-5\\', ''],
    ['\\.fi\\', ''],
    ['\\.nf\\', ''],
    ['\\H\\high\\N\\', 'high'],
    ['\\X0A\\', '\n'],
    ['\\X0D0A\\', '\n'],
    ['\\X41\\', 'A'],
    ['\\X4142\\', 'AB'],
    ['\\XC3A9\\', 'é'],
    ['\\X0E9\\', 'é'],
    ['\\X00E9\\', 'é'],
    ['\\C2842\\', ''],
    ['\\M242842\\', ''],
  ] as const) {
    test(`${sequence} means ${JSON.stringify(meaning)}`, () => {
      assert.equal(unescaped(`a${sequence}b`), `a${meaning}b`)
    })
  }

  test('of digits is bytes of the character set of the message', () => {
    assert.equal(unescaped('\\XE9\\', 'iso-8859-1'), 'é')
    assert.equal(unescaped('\\XE9\\', 'utf-8'), 'é', 'bytes that are no UTF-8')
  })

  test('that is none stays as it is, and the next one is read', () => {
    for (const text of [
      'a\\b',
      'C:\\lab\\file',
      'a\\',
      '\\\\',
      '\\Q\\',
      '\\X0\\',
      '\\XGG\\',
      '\\.zz\\',
      '\\.sp99999\\',
    ]) {
      assert.equal(unescaped(text), text)
    }
    assert.equal(unescaped('a\\b\\T\\c'), 'a\\b&c')
    assert.equal(unescaped('\\\\.br\\'), '\\\n')
  })

  test('skips a limited number of lines', () => {
    assert.equal(unescaped('\\.sp9999\\').length, 100)
  })
})

describe('a text whose writer did not escape', () => {
  test('keeps separators of components, and its repetitions are lines', () => {
    const text = 'Growth of A & B^C~second \\T\\ last~""'
    assert.equal(freeTextOf(text, USUAL_SEPARATORS, 'utf-8'), 'Growth of A & B^C\nsecond & last\n')
  })
})

const separators: fc.Arbitrary<Separators> = fc
  .shuffledSubarray([...'|^~\\&#*!$%@;:'], { minLength: 6, maxLength: 6 })
  .map(([field = '', component = '', repetition = '', sign = '', subcomponent = '', cut = '']) => ({
    field,
    component,
    repetition,
    escape: sign,
    subcomponent,
    truncation: cut,
  }))
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...'|^~\\&#*!$%@;:EFSTRXa\r\n\t"\v\x1c'), maxLength: 20 }),
)

test('any text survives escaping and reading with any separators', () => {
  fc.assert(
    fc.property(text, separators, (value, used) => {
      const escaped = escapeText(value, used)
      const { field, component, repetition, subcomponent } = used
      for (const separator of [
        field,
        component,
        repetition,
        subcomponent,
        '\r',
        '\n',
        '\v',
        '\x1c',
      ]) {
        assert.ok(!escaped.includes(separator))
      }
      assert.notEqual(escaped, '""')
      assert.equal(unescapeText(escaped, used, 'utf-8'), value.replace(/\r\n?/g, '\n'))
    }),
    { numRuns: 5000, seed: 2 },
  )
})

test('a cut value has a whole number of escape sequences and characters, and fits', () => {
  fc.assert(
    fc.property(text, fc.nat(30), (value, length) => {
      const escaped = escapeText(value, USUAL_SEPARATORS)
      const cut = cutEscaped(escaped, length, USUAL_SEPARATORS)
      assert.ok(cut.length <= length && escaped.startsWith(cut) && cut.isWellFormed())
      const whole = value.replace(/\r\n?/g, '\n')
      assert.ok(whole.startsWith(unescaped(cut)))
      // The next character, of which the longest sequence has five letters, did not fit.
      assert.ok(cut === escaped || cut.length > length - 6)
    }),
    { numRuns: 3000, seed: 3 },
  )
  assert.equal(cutEscaped('AB\\T\\CD', 4, USUAL_SEPARATORS), 'AB')
  assert.equal(cutEscaped('AB\\T\\CD', 5, USUAL_SEPARATORS), 'AB\\T\\')
})

test('a value of two quotes is text, which null is not', () => {
  const quotes = escapeText('""', USUAL_SEPARATORS)
  const message = onlyMessage(`MSH|^~\\&|A\rOBX|1|ST|B||${quotes}||""`)
  assert.equal(message.first('OBX')?.text(5), '""')
  assert.equal(message.first('OBX')?.field(7).isNull, true)
})
